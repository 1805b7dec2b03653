"""Hands far larger than any that people hold: a question about one takes no more work than a table can wait for.

What is counted is calls of functions, never time: the figures are the same everywhere.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType

import pytest

from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld, refuse_alike
from shanghai_engine.owing import Owing, can_play_owed
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import (
    all_lay_downs,
    best_lay_down,
    best_turn,
    can_lay_down,
    distance,
    effort,
    fulfils,
    how_near,
    nearness,
    outs,
)

MOST_CALLS = 750_000
"""Calls of functions within one answer: less than a tenth of a second."""
CONTRACTS = (
    Contract(runs=(4, 4, 4, 4, 4)),
    Contract(sets=(3,), runs=(4, 4, 4, 4)),
    Contract(sets=(3, 3), runs=(5, 4, 4)),
    Contract(sets=(3, 3, 3), runs=(5, 5)),
    Contract(sets=(6, 5, 4), runs=(5,)),
    Contract(sets=(4, 4, 4, 4, 4)),
    Contract(runs=(5, 5, 5, 5)),
    Contract(runs=(13, 7)),
)
"""The largest that a table may ask for, of every shape."""
RULES = (
    RuleSet(),
    RuleSet(aces="high_or_low", wild="jokers_and_twos", jokers_per_meld="any"),
    RuleSet(wild="jokers_and_twos", jokers_per_meld=1, distinct_set_ranks=True),
    RuleSet(aces="high_or_low", wild="jokers_and_twos", jokers_per_meld=0),
    RuleSet(aces="high_or_low", jokers_per_meld=2),
)


def calls_of(ask: Callable[[], object]) -> int:
    """Count the calls of functions that an answer takes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        ask()
    finally:
        sys.setprofile(before)
    return calls


def large_hand(rng: random.Random) -> tuple[Card, ...]:
    """Give 24 to 120 cards of six packs, of all kinds or of a few only."""
    kinds = rng.sample(CARDS[:-1], rng.choice([16, 26, 40, 52]))
    packs = rng.choice([1, 2, 6])
    jokers = rng.choice([0, 1, 4, 12])
    naturals = [card for card in kinds for _ in range(packs)]
    size = min(len(naturals), rng.randint(24, 120))
    return (*rng.sample(naturals, size), *[JOKER] * jokers)


def is_lawful(hand: tuple[Card, ...], drafts: object, contract: Contract, rules: RuleSet) -> bool:
    """Say whether these melds of the hand fulfil the contract."""
    assert isinstance(drafts, tuple)
    melds = [read_meld(draft, meld_id=number, owner=0, rules=rules) for number, draft in enumerate(drafts)]
    read = [meld for meld in melds if isinstance(meld, Meld)]
    held = not Counter(card for meld in read for card in meld.cards) - Counter(hand)
    return len(read) == len(drafts) and held and fulfils(drafts, contract) and refuse_alike(read, rules) is None


@pytest.mark.parametrize("rules", RULES, ids=["standard", "any wilds", "one wild", "no wilds", "two jokers"])
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_r8_5_the_lay_down_of_a_large_hand_is_found_with_bounded_work(contract: Contract, rules: RuleSet) -> None:
    """Whether there is one is exact, and one that is given is lawful, however many cards are held."""
    rng = random.Random(f"{contract} {rules}")
    for _ in range(2):
        hand = large_hand(rng)
        assert calls_of(lambda hand=hand: best_lay_down(hand, contract, rules)) <= MOST_CALLS  # type: ignore[misc]
        best = best_lay_down(hand, contract, rules)
        assert (best is not None) == can_lay_down(hand, contract, rules)
        assert best is None or is_lawful(hand, best, contract, rules)


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_r8_5_all_cards_of_six_packs_can_be_laid_down_with_bounded_work(contract: Contract) -> None:
    """The largest hand that there can be."""
    hand = (*(card for card in CARDS[:-1] for _ in range(6)), *[JOKER] * 12)
    for rules in RULES:
        assert calls_of(lambda rules=rules: best_lay_down(hand, contract, rules)) <= MOST_CALLS  # type: ignore[misc]
        assert is_lawful(hand, best_lay_down(hand, contract, rules), contract, rules)


TABLE = ("3C 4C JK 6C", "7D 8D 9D JK JD", "4H 5H JK 7H", "9S JK JS QS")
SETS = ("8C 8D JK", "QC QD JK QS")


@pytest.mark.parametrize("extra_melds", [False, True])
@pytest.mark.parametrize(
    "contract", [None, Contract(sets=(3, 3, 3), runs=(5, 5)), Contract(sets=(4, 4, 4, 4, 4))], ids=str
)
def test_the_best_turn_of_a_large_hand_is_found_with_bounded_work(
    contract: Contract | None, *, extra_melds: bool
) -> None:
    """Whether an owed joker can be played (R16 `swapped_joker`) stands on it; so may further melds of the hand."""
    rules = RuleSet(extra_melds=extra_melds, swapped_joker="play_this_turn")
    drafts = [MeldDraft(MeldKind.RUN, parse_cards(cards)) for cards in TABLE]
    drafts += [MeldDraft(MeldKind.SET, parse_cards(cards)) for cards in SETS]
    melds = [read_meld(draft, meld_id=number, owner=1, rules=rules) for number, draft in enumerate(drafts)]
    table = [meld for meld in melds if isinstance(meld, Meld)]
    assert len(table) == len(drafts)
    rng = random.Random(f"{contract} {extra_melds}")
    for _ in range(4):
        hand = large_hand(rng)
        assert calls_of(lambda hand=hand: best_turn(hand, contract, table, rules)) <= MOST_CALLS  # type: ignore[misc]


@pytest.mark.parametrize("rules", RULES, ids=["standard", "any wilds", "one wild", "no wilds", "two jokers"])
@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_r16_contracts_of_any_table_have_an_exact_nearness(contract: Contract, rules: RuleSet) -> None:
    """Of hands of the sizes that people hold the distance and the outs are certain, after a bounded number of steps."""
    rng = random.Random(f"{contract} {rules}")
    for size in (5, 12, 20):
        hand = large_hand(rng)[:size]
        assert calls_of(lambda hand=hand: how_near(hand, contract, rules)) <= 2 * MOST_CALLS  # type: ignore[misc]
        near = how_near(hand, contract, rules)
        assert near.exact
        assert (near.distance, near.outs) == (distance(hand, contract, rules), outs(hand, contract, rules))


def test_a_contract_that_no_table_has_is_answered_soon_too() -> None:
    """What nobody may ask for at a table holds nobody up: the answer says whether it is certain."""
    rules = RuleSet(wild="jokers_and_twos", jokers_per_meld=0)
    contract = Contract(runs=(4,) * 9)
    hand = large_hand(random.Random(3))[:30]
    assert calls_of(lambda: how_near(hand, contract, rules)) <= 20 * MOST_CALLS
    near = how_near(hand, contract, rules)
    assert not near.exact
    assert contract.size - len(hand) <= near.distance <= contract.size


def test_a_nearness_of_too_many_steps_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any steps the distance is a bound from above, and outs may be missing: neither is called exact."""
    hand = parse_cards("3C 4C 5C 7C 8C TC 6D KD AD 4H 7H 6S JS QS JK")
    contract = Contract(sets=(3, 3), runs=(4, 4))
    exact = how_near(hand, contract, RuleSet())
    assert exact.exact
    for steps in (0, 2, 5, 10, 30):
        monkeypatch.setattr(nearness, "MOST_STEPS_NEAR", steps)
        near = how_near(hand, contract, RuleSet())
        assert not near.exact
        assert near.distance >= exact.distance
        assert near.distance > exact.distance or near.outs <= exact.outs


def test_a_turn_of_too_many_steps_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand of 23 cards or fewer has so many steps that it needs a part of them; without them its turn is a bound."""
    rules = RuleSet(extra_melds=True)
    drafts = [MeldDraft(MeldKind.RUN, parse_cards(cards)) for cards in TABLE]
    melds = [read_meld(draft, meld_id=number, owner=1, rules=rules) for number, draft in enumerate(drafts)]
    table = [meld for meld in melds if isinstance(meld, Meld)]
    hand = parse_cards("2C 5C 7C 8C 9C TC 3H 4H 6H 8H 9H TH 2S 3S TS KS QD QC QH JK")
    turn = best_turn(hand, None, table, rules)
    assert turn.exact
    monkeypatch.setattr(effort, "MOST_STEPS_EXACT", 300)
    hurried = best_turn(hand, None, table, rules)
    assert not hurried.exact
    assert (hurried.points, hurried.cards) >= (turn.points, turn.cards)


def test_a_turn_of_more_runs_than_there_are_cards_for_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 23 cards of two suits five runs can be thought of in very many ways: those that lack cards are not begun."""
    rules = RuleSet(extra_melds=True)
    drafts = [
        MeldDraft(MeldKind.RUN, parse_cards("5D 6D 7D 8D 9D JK JD")),
        MeldDraft(MeldKind.SET, parse_cards("JK 6D 6D 6D")),
    ]
    melds = [read_meld(draft, meld_id=number, owner=1, rules=rules) for number, draft in enumerate(drafts)]
    table = [meld for meld in melds if isinstance(meld, Meld)]
    hand = parse_cards("2D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2S 3S 4S 5S 6S 7S 8S JS QS KS AS")
    monkeypatch.setattr(effort, "MOST_STEPS_EXACT", 30_000)
    turn = best_turn(hand, Contract(runs=(5, 5, 5)), table, rules)
    assert turn.exact
    assert (turn.points, turn.cards) == (20, 1)


def test_r16_swapped_joker_play_this_turn_is_answered_after_a_bounded_number_of_tries() -> None:
    """A joker that finds no place beside dozens of cards that do: whether one is left is known in time."""
    rules = RuleSet(swapped_joker="play_this_turn", extra_melds=True, jokers_per_meld=1)
    rng = random.Random(7)
    for down in (False, True):
        for size in (20, 40, 70):
            turn = Owing(
                rules=rules,
                contract=Contract(sets=(3, 3, 3), runs=(5, 5)),
                seat=0,
                hand=tuple(sorted((*large_hand(rng)[:size], JOKER, JOKER))),
                melds=on_a_table([*TABLE, *SETS], rules),
                must_play=(JOKER, JOKER),
                down=down,
                laid_down_now=False,
            )
            assert calls_of(lambda turn=turn: can_play_owed(turn)) <= 3 * MOST_CALLS  # type: ignore[misc]


def on_a_table(texts: list[str], rules: RuleSet) -> tuple[Meld, ...]:
    """Give those of some melds that the rules allow, numbered as they lie."""
    table: list[Meld] = []
    for text in texts:
        kind = MeldKind.SET if text in SETS else MeldKind.RUN
        read = read_meld(MeldDraft(kind, parse_cards(text)), meld_id=len(table), owner=1, rules=rules)
        if isinstance(read, Meld):
            table.append(read)
    return tuple(table)


@pytest.mark.parametrize("pattern", ["2H", "2C 2D 2H 2S", "3H 4H 5H 6H 7H"])
def test_r8_5_more_copies_than_all_packs_have_can_be_laid_down_too(pattern: str) -> None:
    """However often the cards are repeated, what can be laid down is what nothing is missing for."""
    for contract in (Contract(sets=(3,)), Contract(sets=(3, 3)), Contract(runs=(5,)), Contract(sets=(3,), runs=(4,))):
        for number in (15, 16, 17, 33, 63, 64, 65, 66, 67, 127, 128, 131, 195):
            hand = parse_cards(pattern) * number
            able = distance(hand, contract, RuleSet()) == 0
            assert can_lay_down(hand, contract, RuleSet()) == able, (contract, number)


def test_all_lay_downs_come_one_at_a_time() -> None:
    """The first of a hand that has millions is there with little work, and so are those after it."""
    hand = parse_cards("3C 3D 3H 4H 5H 6S 6D 6H 7H 8H 9C 9H TC TH KC KD") * 2 + (JOKER,) * 4
    contract = Contract(sets=(3, 3))
    assert calls_of(lambda: all_lay_downs(hand, contract, RuleSet())) < 2_000
    listing = all_lay_downs(hand, contract, RuleSet())
    for _ in range(20):
        assert calls_of(lambda: next(listing)) < 2_000
    assert len({next(listing) for _ in range(500)}) == 500


def test_r16_distinct_set_ranks_true_lists_five_sets_without_dead_ends() -> None:
    """Sets that could only be listed before those that are there already are not waited for."""
    rules = RuleSet(wild="jokers_and_twos", jokers_per_meld=2, distinct_set_ranks=True)
    hand = parse_cards("AC JK TH 2S 2S 4S 5H 2D 4H 2H 7D 2C 3S AD JK JK 8H 9S")
    contract = Contract(sets=(3,) * 5)
    listing = all_lay_downs(hand, contract, rules)
    assert calls_of(lambda: next(listing)) < MOST_CALLS
    assert calls_of(lambda: next(listing)) < MOST_CALLS
