"""How much an update may hold: no more than a game can have, so that no hostile server keeps a client busy with it."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai.v1 import table_pb2
from shanghai_engine.rules import MOST_PACKS, MOST_PLAYERS, PACK_SIZE
from shanghai_wire.bad_message import BadMessage

MOST_CARDS = MOST_PACKS * PACK_SIZE
"""Cards of a game at most: no hand, no meld and no heap has more, nor all melds together."""
MOST_CHOICES = 10_000
"""Ways to lay off, or to swap: many more than any hand has at any table."""
MOST_EVENTS = 100_000
"""Events of one hand."""
MOST_CHAT = 200
"""Lines of talk that are kept; a server of ours sends fifty."""


def check_size(update: table_pb2.Update) -> None:
    """Raise `BadMessage` for an update that holds more than a game can; of the talk only the last lines are kept."""
    for field, length, most, what in _lengths(update):
        if length > most:
            raise BadMessage(field, f"{length} entries", f"{what} has at most {most}")
    chat = update.public.table.chat
    if len(chat) > MOST_CHAT:
        del chat[:-MOST_CHAT]


def _lengths(update: table_pb2.Update) -> Iterator[tuple[str, int, int, str]]:
    table, game, own = update.public.table, update.public.game, update.private.own
    yield "table.seats", len(table.seats), MOST_PLAYERS, "a table"
    yield "game.seats", len(game.seats), MOST_PLAYERS, "a game"
    yield "game.claim_order", len(game.claim_order), MOST_PLAYERS, "a game"
    yield "game.dead", len(game.dead), MOST_CARDS, "a heap of cards"
    yield "game.melds", len(game.melds), MOST_CARDS, "a table"
    yield "game.melds.cards", sum(len(meld.cards) for meld in game.melds), MOST_CARDS, "a table"
    yield "game.melds.stands_for", sum(len(meld.stands_for) for meld in game.melds), MOST_CARDS, "a table"
    yield "game.events", len(game.events), MOST_EVENTS, "a hand"
    yield "own.hand", len(own.hand), MOST_CARDS, "a hand"
    yield "own.learned", len(own.learned), MOST_EVENTS, "a hand"
    play = update.private.decision.play
    yield "decision.play.lay_down", sum(len(each.cards) for each in play.lay_down), MOST_CARDS, "a hand"
    yield "decision.play.lay_offs", len(play.lay_offs), MOST_CHOICES, "a turn"
    yield "decision.play.swaps", len(play.swaps), MOST_CHOICES, "a turn"
    yield "decision.play.discards", len(play.discards), MOST_CARDS, "a turn"
