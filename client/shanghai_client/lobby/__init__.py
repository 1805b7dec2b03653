"""The lobby on the whole screen: servers, their tables, and a new table; from here one sits down at one.

page        everything that is on the screen, as one frozen value
draft       a table in the making: its fields, and what they can be
keys        every key in one table: on which page it works, and what it does
picture     pure functions from the page to styled lines
desk        the connection, the lists that change by themselves, and what is done
app         the terminal: one window and a line to type in
"""
