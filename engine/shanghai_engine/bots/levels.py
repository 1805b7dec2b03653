"""The levels that there are, by the name that the command line knows."""

from __future__ import annotations

from shanghai_engine.bots import basic
from shanghai_engine.bots.bot import Bot

DEFAULT_LEVEL = "basic"
"""Who plays where nobody chose a level, and who stands in for an absent player."""
LEVELS: dict[str, Bot] = {
    bot.name: bot
    for bot in (
        Bot(
            name="basic",
            about="Collects for the contract, buys what brings it nearer, and plays off all that fits.",
            decide=basic.decide,
        ),
    )
}
"""Every built-in player by its name."""
