"""The plain client: lines that are only ever added, for every terminal, for screen readers and for pipes.

lines       where commands come from: a prompt, or a pipe
desk        the player's desk: shows what happens, runs what is typed
announcer   what is told when an update arrives
voice       where the lines go
"""
