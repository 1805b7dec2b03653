"""The outlook of a hand, by which the basic bot compares cards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from shanghai_engine.bots.layers import all_there, layers_of
from shanghai_engine.bots.outlook import Outlook
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
    late = Outlook(hand, contract, all_there(layers_of([Card.C5]), layers_of([Card.C5]), 2))
    assert late.value < fresh.value


def test_layers_count_copies_whatever_the_order() -> None:
    """The first layer holds the cards that there are, the third those of which there are three; jokers are in none."""
    cards = parse_cards("5C JK 5C 9H 5C JK AS 9H")
    assert layers_of(cards) == layers_of(cards[::-1])
    five, nine, ace = (1 << 4), (1 << 8 + 32), (1 << 13 + 48)
    assert layers_of(cards) == (five | nine | ace, five | nine, five)


@pytest.mark.parametrize("copies", range(1, 7))
def test_what_is_all_there_is_counted_in_both_places(copies: int) -> None:
    """A mask of the cards that some and others hold so often together is that of counting them."""
    rng = random.Random(copies)
    for _ in range(20):
        some, others = rng.choices(CARDS[:20], k=14), rng.choices(CARDS[:20], k=30)
        together = Counter(some) + Counter(others)
        expected = layers_of(card for card, number in together.items() if number >= copies)[0]
        assert all_there(layers_of(some), layers_of(others), copies) == expected


def test_a_card_that_no_plan_wants_changes_nothing() -> None:
    """With two runs asked, a third copy of a card is worth nothing, neither on its coming nor on its going."""
    outlook = Outlook(parse_cards("5C 5C 5C 6C 7C"), STANDARD_CONTRACTS[2])
    assert outlook.losses([Card.C5]) == [0]
    assert Outlook(parse_cards("5C 5C 6C 7C"), STANDARD_CONTRACTS[2]).gain(Card.C5) == 0
