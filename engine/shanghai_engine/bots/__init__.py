"""Built-in players: pure functions of what a seat can see."""

from shanghai_engine.bots.bot import Bot, Decide, rng_for
from shanghai_engine.bots.levels import DEFAULT_LEVEL, LEVELS

__all__ = ["DEFAULT_LEVEL", "LEVELS", "Bot", "Decide", "rng_for"]
