"""The pause that a server asks for before the same is tried again."""

LONGEST = 60.0
"""Seconds that are waited at most, whatever a server says: its own pauses are of a few seconds."""


def asked_pause(milliseconds: float) -> float:
    """Give the seconds that a pause which a server names in milliseconds is waited, from 0 to `LONGEST`."""
    return min(max(milliseconds / 1000, 0.0), LONGEST)
