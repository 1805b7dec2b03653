"""The lobby on the whole screen: servers, their tables, and a new table; from here one sits down at one.

page        everything that is on the screen, as one frozen value
draft       a table in the making: its fields, and what they can be
keys        every key in one table: on which page it works, and what it does
picture     pure functions from the page to styled lines
hosts       those of the local network, which come and go
outcome     where the lobby is left to
desk        the connection, the lists that change by themselves, and what is done
app         the desk on a terminal
"""
