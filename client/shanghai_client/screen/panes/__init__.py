"""The picture of the table: pure functions from the model to styled lines.

board     where everything is, by the size of the terminal
title     the hand, its contract, the clock, the connection
seats     who plays, with what, and how it stands
piles     the stock and the upcard
melds     the melds on the table, as fully as there is room
cards     one's own hand
staged    the melds in the making
story     what has happened, in words
asking    what is asked, and which keys answer it
sheet     what lies over the table
"""
