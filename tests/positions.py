"""Positions for tests: a game at any point of a hand, from cards in text form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from shanghai_engine.action import Action, Answer, Claim, LayDown
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.game import Game
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.shuffle import SeededChance
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation

SEED = bytes(range(32))


def draft(text: str) -> MeldDraft:
    """Read a meld as it is said: a set where all its natural cards are of one rank, else a run.

    Where wild twos leave that open the text begins with the kind, as in `set 8C 2D 2H`.
    """
    first, _, rest = text.partition(" ")
    if first in {kind.value for kind in MeldKind}:
        return MeldDraft(MeldKind(first), parse_cards(rest))
    cards = parse_cards(text)
    ranks = {card.rank for card in cards if card != Card.JOKER}
    return MeldDraft(MeldKind.SET if len(ranks) == 1 else MeldKind.RUN, cards)


def lay_down(seat: int, *melds: str) -> LayDown:
    """Give a lay-down of melds in text form."""
    return LayDown(seat, tuple(draft(meld) for meld in melds))


def meld(text: str, *, meld_id: int = 0, owner: int = 0, rules: RuleSet = STANDARD) -> Meld:
    """Read a meld that lies on the table."""
    read = read_meld(draft(text), meld_id=meld_id, owner=owner, rules=rules)
    assert not isinstance(read, Refusal), read
    return read


def position(  # noqa: PLR0913 every part of a position may matter to a test
    *,
    players: int = 4,
    hand: int = 1,
    turn: int | None = None,
    hands: Mapping[int, str] | None = None,
    melds: Sequence[tuple[int, str]] = (),
    down: Sequence[int] = (),
    stock: str | None = None,
    discards: str | None = None,
    drawn: str | None = None,
    phase: Phase = Phase.PLAY,
    rules: RuleSet = STANDARD,
    discarder: int | None = None,
) -> Game:
    """Give a game in the middle of a hand; what is not named is as it was dealt.

    `hands` are cards by seat, `melds` pairs of owner and cards, `down` seats that are down besides the owners,
    `stock` from its top, `discards` from the first; in an offer the last of them is the upcard.
    """
    game = Game.new(seed=SEED, players=players, rules=rules)
    state = game.state
    chance = SeededChance(SEED, state.nonces)
    state.hand = hand
    state.hand_seed = chance.hand_seed(hand)
    state.buys_left = [rules.buys[hand - 1]] * players
    state.turn = (state.dealer + 1) % players if turn is None else turn
    for seat, cards in (hands or {}).items():
        state.hands[seat] = parse_cards(cards)
    state.melds = [meld(cards, meld_id=number, owner=owner, rules=rules) for number, (owner, cards) in enumerate(melds)]
    state.down = [seat in {*down, *(owner for owner, _ in melds)} for seat in range(players)]
    if stock is not None:
        state.stock = list(reversed(parse_cards(stock)))
    if discards is not None:
        state.discards = list(parse_cards(discards))
    state.phase = phase
    state.live = phase is Phase.OFFER
    state.discarder = discarder
    if discarder is not None:
        state.turn_number = 2
    state.step = 1 if phase is Phase.PLAY else 0
    state.drawn = Card.parse(drawn) if drawn else None
    if phase is Phase.OFFER:
        state.asked = state.ask()
    return game


def all_pass(game: Game) -> None:
    """Let everybody who is asked pass, until the offer closes."""
    while game.state.phase is Phase.OFFER:
        game.apply(Answer(min(game.decisions()), Claim.PASS))


def refused(game: Game, action: Action, refusal: Refusal) -> None:
    """Check that an action is refused for this reason, by its rule, and that nothing changes (R15.1)."""
    before = game.copy()
    assert not game.can(action)
    with pytest.raises(RuleViolation) as caught:
        game.apply(action)
    assert caught.value.refusal is refusal, str(caught.value)
    assert str(caught.value).endswith(f"({refusal.rule})")
    assert "{" not in str(caught.value)
    assert game.state == before.state
    assert game.events == before.events


def accepted(game: Game, action: Action) -> Game:
    """Give a copy of the game on which an action was done, which the game had listed or would not refuse."""
    assert game.can(action)
    after = game.copy()
    after.apply(action)
    assert after.state != game.state
    return after
