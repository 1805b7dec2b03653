"""The outlook of a hand, by which the basic bot compares cards."""

from __future__ import annotations

import random
from math import log, prod

import pytest

from shanghai_engine.bots.one_run import OneRun
from shanghai_engine.bots.outlook import Outlook
from shanghai_engine.bots.suit_runs import MISSING_WHERE_GONE, WEIGHT, WITH_ONE, changes_without_each, runs_of_suit
from shanghai_engine.bots.tally import FIRSTS, GONE, PLACES, RANKS, gone, in_bytes, tally
from shanghai_engine.card import CARDS, Card, cards_text, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import distance, outs


@pytest.mark.parametrize("number", range(1, 11))
def test_the_outlook_rises_with_every_out_and_most_with_a_plain_one(number: int) -> None:
    """No card lowers the outlook, none of the hand raises it by going, and the best gain is that of an out."""
    rng = random.Random(number)
    contract = STANDARD_CONTRACTS[number - 1]
    pack = [card for card in CARDS[:-1] for _ in range(2)]
    for _ in range(10):
        hand = tuple(sorted(rng.sample(pack, 14)))
        outlook = Outlook(hand, contract)
        gains = {card: outlook.gain(card) for card in CARDS}
        assert min(gains.values()) >= -1e-9, cards_text(hand)
        assert min(outlook.losses(hand)) >= -1e-9
        if distance(hand, contract, STANDARD) and not (contract.sets and contract.runs):
            assert max(gains, key=lambda card: gains[card]) in outs(hand, contract, STANDARD), cards_text(hand)


def test_the_outlook_of_a_card_given_and_taken_away_agree() -> None:
    """What a card adds is what its going takes away, second copies of a suit and second runs included."""
    hand = parse_cards("3C 4C 5C 5C 6C 7C 9D TD JD 3H")
    contract = STANDARD_CONTRACTS[2]
    outlook = Outlook(hand, contract)
    for card in CARDS:
        more = Outlook(tuple(sorted((*hand, card))), contract)
        assert more.value == pytest.approx(outlook.value + outlook.gain(card))
        assert more.losses([card]) == pytest.approx([outlook.gain(card)])


def test_a_card_of_which_every_copy_is_seen_dims_the_plans_that_need_it() -> None:
    """The same hand has a poorer outlook once both fives that it waits for are dead."""
    hand, contract = parse_cards("3C 4C 6C TD JD QD KD"), STANDARD_CONTRACTS[2]
    fresh = Outlook(hand, contract)
    late = Outlook(hand, contract, gone(tally([Card.C5]) + tally([Card.C5]), 2))
    assert late.value < fresh.value


def test_a_tally_counts_copies_whatever_the_order() -> None:
    """Each card has its byte, which counts its copies; jokers have none."""
    cards = parse_cards("5C JK 5C 9H 5C JK AS 9H")
    assert tally(cards) == tally(cards[::-1])
    clubs, diamonds, hearts, spades = (in_bytes(tally(cards))[first : first + RANKS] for first in FIRSTS)
    assert clubs == bytes([0, 0, 0, 3] + [0] * 9)
    assert diamonds == bytes(RANKS)
    assert hearts == bytes([0] * 7 + [2] + [0] * 5)
    assert spades == bytes([0] * 12 + [1])


@pytest.mark.parametrize("copies", range(1, 7))
def test_what_is_gone_is_counted_in_both_places(copies: int) -> None:
    """A card is marked where all its copies are among some cards and others together, and no other is."""
    rng = random.Random(copies)
    packs = [card for card in CARDS for _ in range(copies)]
    for _ in range(20):
        cards = rng.sample(packs, k=30 * copies)
        marks = gone(tally(cards[:14]) + tally(cards[14:]), copies)
        expected = sum(tally([card]) for card in CARDS if cards.count(card) == copies)
        assert marks == GONE * expected


def weight_of_plan(cards: bytes, size: int, *lows: int) -> float:
    """Give what one plan weighs, place by place, that has a run of a size on each of these places upward."""

    def leaves(state: int, copies: int) -> float:
        return 1.0 if state & ~GONE >= copies else WEIGHT ** (MISSING_WHERE_GONE if state == GONE else 1)

    places = [low + place for low in lows for place in range(size)]
    counted = [(place, places[:number].count(place) + 1) for number, place in enumerate(places)]
    return prod(leaves(cards[place], copies) for place, copies in counted)


def some_cards(rng: random.Random, places: int) -> bytes:
    """Give what a tally may say of so many places."""
    return bytes(rng.choice([0, 0, GONE, 1, 1, 2, GONE | 1, 3]) for _ in range(places))


@pytest.mark.parametrize("size", [4, 5, 7, 10, 13])
def test_the_runs_of_a_suit_weigh_what_all_plans_one_by_one_do(size: int) -> None:
    """Every window, and every two of them, is a plan; a place that misses its card takes its part of the weight."""

    def weights(cards: bytes) -> tuple[float, float]:
        runs = runs_of_suit(cards, size)
        return runs.single, runs.pairs

    rng = random.Random(size)
    for _ in range(20):
        cards = some_cards(rng, RANKS)
        windows = range(RANKS - size + 1)
        single = sum(weight_of_plan(cards, size, low) for low in windows)
        pairs = sum(weight_of_plan(cards, size, low, high) for low in windows for high in windows if low <= high)
        assert weights(cards) == pytest.approx((single, pairs))
        for place, state in enumerate(cards):
            more = cards[:place] + bytes([state + 1]) + cards[place + 1 :]
            change = runs_of_suit(cards, size).change(place, WITH_ONE[state])
            assert weights(more) == pytest.approx((single + change[0], pairs + change[1]))
        changes = changes_without_each(cards, size)
        assert [place for place, _, _ in changes] == [place for place in range(RANKS) if cards[place] & ~GONE]
        for place, *change_without in changes:
            left = cards[:place] + bytes([cards[place] - 1]) + cards[place + 1 :]
            assert weights(left) == pytest.approx((single + change_without[0], pairs + change_without[1]))


@pytest.mark.parametrize("size", [4, 5, 7, 10, 13])
def test_one_run_weighs_what_its_plans_in_all_suits_do(size: int) -> None:
    """Every window of every suit is a plan, none reaches from one suit into the next, and a card changes its share."""
    rng = random.Random(size)
    for _ in range(20):
        cards = some_cards(rng, PLACES)
        run = OneRun(size, cards)
        lows = [first + place for first in FIRSTS for place in range(RANKS - size + 1)]
        assert run.weight == pytest.approx(sum(weight_of_plan(cards, size, low) for low in lows))
        for card in CARDS[:-1]:
            state = cards[card - 1]
            more = OneRun(size, cards[: card - 1] + bytes([state + 1]) + cards[card:])
            assert run.change_with(card) == pytest.approx(log(run.weight / more.weight) / log(WEIGHT))
        held = [card for card in CARDS[:-1] if cards[card - 1] & ~GONE]
        for card, change in zip(held, run.changes_without(held), strict=True):
            left = OneRun(size, cards[: card - 1] + bytes([cards[card - 1] - 1]) + cards[card:])
            assert change == pytest.approx(log(run.weight / left.weight) / log(WEIGHT), abs=1e-9)


def test_a_card_that_no_plan_wants_changes_nothing() -> None:
    """With two runs asked, a third copy of a card is worth nothing, neither on its coming nor on its going."""
    outlook = Outlook(parse_cards("5C 5C 5C 6C 7C"), STANDARD_CONTRACTS[2])
    assert outlook.losses([Card.C5]) == [0]
    assert Outlook(parse_cards("5C 5C 6C 7C"), STANDARD_CONTRACTS[2]).gain(Card.C5) == 0
