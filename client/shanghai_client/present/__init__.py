"""What people read: pure functions from what a viewer sees to lines of text, the same for every kind of screen.

cells         columns by the width that a terminal gives to signs
amounts       numbers with their nouns
people        seats by name, and `you`
table         the hand, its contract, the seats; the lobby
melds         the melds on the table with their owners, and the discards
cards         one's own hand, sorted by use
choices       what is asked, what is legal, and the command for each
news          what happened, in words
story         a recorded game, with what was hidden in it
score_sheet   the hands by players, the last cards, places
terms         the clocks of a table, before its game
ready         who is ready to go on to the next hand
chart         the totals after each hand, drawn with the signs of a terminal; chart_picture as SVG
"""
