"""The rules of Shanghai Rum and the game record: standard library only, no I/O, no clock, no global random."""
