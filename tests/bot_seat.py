"""The basic bot in a seat of a named situation: what it chooses, and how it plays a turn."""

from __future__ import annotations

from positions import position

from shanghai_engine.action import Action
from shanghai_engine.bots import LEVELS, rng_for
from shanghai_engine.game import Game
from shanghai_engine.state import Phase

BASIC = LEVELS["basic"]
MELDS = ((1, "8C 8D 8S"), (1, "4H 5H 6H 7H"))
"""What seat 1 has laid down."""


def choice(game: Game, seat: int) -> Action:
    """Give what the basic player does in a seat that owes something."""
    decision = game.decisions()[seat]
    return BASIC.decide(game.view(seat), decision, rng_for("test", seat, decision.id))


def turn_of(game: Game) -> list[Action]:
    """Let the basic player play its turn to the end, and give what it did."""
    seat, actions = game.state.turn, list[Action]()
    while game.state.phase is Phase.PLAY and game.state.turn == seat:
        actions.append(choice(game, seat))
        game.apply(actions[-1])
    return actions


def offer(
    upcard: str,
    hand: str,
    *,
    number: int = 1,
    seat: int = 2,
    turn: int = 1,
    players: int = 4,
    melds: tuple[tuple[int, str], ...] = (),
    stock: str | None = None,
) -> Game:
    """Give an open offer to a seat that holds these cards in the hand with this number."""
    return position(
        players=players,
        hand=number,
        turn=turn,
        hands={seat: hand, **{owner: "" for owner, _ in melds if owner != seat}},
        melds=melds,
        discards=upcard,
        stock=stock,
        phase=Phase.OFFER,
        discarder=(turn - 1) % players,
    )
