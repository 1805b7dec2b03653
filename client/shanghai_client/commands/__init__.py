"""What a player can type: one table of commands, which gives the help, the completion and the handlers.

command     what a command is, and the desk that it works at
words       cards, melds and ends as people type them
playing     take, pass, buy, lay, off, swap, discard, go
looking     table, hand, melds, discards, score, hands, log, rules, legal
sitting     start, bots, who, say, wait, help, quit, leave
table       all of them, by name and alias
"""
