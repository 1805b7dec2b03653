"""The full-screen client: a card table that is drawn anew when something changes.

model       everything that is on the screen, as one frozen value
seeing      what becomes of it when a scene, news of the connection, or a second arrives
keys        every key in one table, made of the tables under keyboard/, and what a pressed key does
stepping    what a key does: the next model, and what has to happen besides
choosing    a card of the hand, and a place for it, by one key each
building    melds that one builds oneself, on staging, which knows what they lack
adjusting   the settings, changed over the table; liking, what they make of the look
looking     what can be laid over the table; hints are among it
ordering    the order of one's hand; fresh, which cards are new
passing     offers that are passed by themselves; guard, what a discard would give away by mistake
panes       the picture: pure functions from the model to styled lines
pieces      styled text, measured in cells; signs, what it is drawn with; style, every colour
desk        the player's desk: the model, and what is done
app         the terminal: one window, the command line, keys and mouse
"""
