"""Aims: what a hand builds on, and how far the basic bot thinks it is from its contract."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from shanghai_engine.bots.away import Away, away_of
from shanghai_engine.card import CARDS, JOKER, cards_text
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import distance
from shanghai_engine.solver.aim import aim_within
from shanghai_engine.state import without_card

PACK = [card for card in CARDS for _ in range(2)]
CONTRACTS = (*STANDARD_CONTRACTS, Contract(sets=(4, 3), runs=(4,)))
"""Among them one of which the sets differ in size."""


@pytest.mark.parametrize("rules", [STANDARD, RuleSet.preset("classic")], ids=["standard", "classic"])
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_a_hand_is_as_near_without_all_that_its_aim_does_not_build_on(contract: Contract, rules: RuleSet) -> None:
    """An aim misses what the distance says, and so do its own cards alone; there is none within less."""
    rng = random.Random(str(contract))
    for _ in range(25):
        hand = tuple(sorted(rng.sample(PACK, rng.randint(8, 16))))
        away = distance(hand, contract, rules)
        aim = aim_within(hand, contract, rules, most=contract.size)
        assert aim is not None
        assert aim.missing == away, cards_text(hand)
        kept = tuple(card for card in hand if card in aim.cards)
        assert aim.holds(kept)
        assert [card for card in hand if aim.spares(card, hand)] == [card for card in hand if card not in kept]
        assert all(aim.spares(card, (*hand, card)) for card in hand)
        assert distance(kept, contract, rules) == away, cards_text(hand)
        assert aim_within(hand, contract, rules, most=away - 1) is None


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_the_distance_followed_from_hand_to_hand_is_exact(contract: Contract) -> None:
    """Whatever comes, goes and is asked in between, every answer is that of the solver for that hand alone."""
    rng = random.Random(str(contract))
    away = Away(contract, STANDARD)
    hand = tuple(sorted(rng.sample(PACK, 11)))
    for _ in range(60):
        hand = tuple(sorted((*hand, *rng.choices(PACK, k=rng.choice((1, 1, 3))))))
        exact = distance(hand, contract, STANDARD)
        if exact and rng.random() < 0.3:
            away.cannot_lay_down(hand)
        asked = rng.randint(0, 4)
        assert away.beyond(hand, asked) == (exact > asked), cards_text(hand)
        for upcard in rng.sample(CARDS, 5):
            completes = exact > 0 and distance((*hand, upcard), contract, STANDARD) == 0
            assert away.completed_by(hand, upcard) == completes, cards_text((*hand, upcard))
        card = rng.choice(hand)
        if rng.random() < 0.7:
            assert away.distance(hand) == exact, cards_text(hand)
            as_near = distance(without_card(hand, card), contract, STANDARD) == exact
            assert away.as_near_without(hand, card) == as_near, cards_text(hand)
        while len(hand) > 11 or card != JOKER:
            hand = without_card(hand, card)
            if len(hand) <= 11:
                break
            card = rng.choice(hand)


def test_what_is_remembered_of_a_seat_is_of_one_thread() -> None:
    """Two threads that play the same hand on do not change what the other goes by."""
    view = Game.new(seed=bytes(32), players=2).view(0)
    assert view.own is not None
    with ThreadPoolExecutor(max_workers=1) as other:
        elsewhere = other.submit(away_of, view.public, view.own)
        assert away_of(view.public, view.own) is away_of(view.public, view.own)
        assert elsewhere.result() is not away_of(view.public, view.own)
