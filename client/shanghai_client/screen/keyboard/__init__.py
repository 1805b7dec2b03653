"""The keys of the screen, by where they are pressed; `screen.keys` has them all in one table.

place     where a key is pressed
key       what a key is: its names, its places, its words, what it does
table     the keys while nothing is begun: at the table, between hands, in the lobby
begun     the keys while a card or a place is chosen, melds are built, or something is asked back
overlay   the keys while something lies over the table, the settings among it
"""
