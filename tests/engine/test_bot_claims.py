"""What the basic bot answers to an offer, in named situations."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from bot_seat import BASIC, MELDS, choice, offer, turn_of

from shanghai_engine.action import Answer, Claim, LayOff
from shanghai_engine.card import Card
from shanghai_engine.event import OfferResult
from shanghai_engine.history import OfferSettled
from shanghai_engine.meld import End
from shanghai_engine.state import Phase


def test_buys_the_card_that_completes_the_contract() -> None:
    """With one card missing for two sets, that card is bought."""
    assert choice(offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S"), 2) == Answer(2, Claim.BUY)


def test_takes_the_card_that_completes_the_contract() -> None:
    """On turn, the missing card is taken instead of an unknown one."""
    assert choice(offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=1), 1) == Answer(1, Claim.TAKE)


@pytest.mark.parametrize("seat", [1, 2])
def test_passes_on_rubbish(seat: int) -> None:
    """A card that fits nothing is neither taken nor bought."""
    assert choice(offer("AS", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=seat), seat) == Answer(seat, Claim.PASS)


@pytest.mark.parametrize("seat", [1, 2])
def test_wants_every_joker(seat: int) -> None:
    """A joker is taken on turn, and bought where the hand is no larger than its contract needs."""
    game = offer("JK", "3C 4C 7D 8D 9D 2H 5H KH 6S TS AS", number=10, seat=seat)
    assert choice(game, seat) == Answer(seat, Claim.TAKE if seat == 1 else Claim.BUY)


def test_buys_a_mediocre_card_in_hand_10_while_short() -> None:
    """Three runs of five ask for 15 cards: with 11 a card is bought that would be left in hand 3."""
    hand, upcard = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", "9H"
    assert choice(offer(upcard, hand, number=10), 2) == Answer(2, Claim.BUY)
    assert choice(offer(upcard, hand, number=3), 2) == Answer(2, Claim.PASS)


def test_r7_9_the_player_on_turn_buys_with_two_players_while_short() -> None:
    """A card that is of use is bought rather than taken where only buys make the hand large enough."""
    hand = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS"
    assert choice(offer("5C", hand, number=10, seat=1, players=2), 1) == Answer(1, Claim.BUY)
    assert choice(offer("5C", hand, number=3, seat=1, players=2), 1) == Answer(1, Claim.TAKE)


def test_does_not_buy_once_somebody_is_down_and_the_contract_is_far() -> None:
    """Three more cards would only be counted against it."""
    hand, upcard = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", "5C"
    melds = ((0, "3D 4D 5D 6D 7D"), (0, "6H 7H 8H 9H TH"), (0, "9S TS JS QS KS"))
    assert choice(offer(upcard, hand, number=10), 2) == Answer(2, Claim.BUY)
    assert choice(offer(upcard, hand, number=10, melds=melds), 2) == Answer(2, Claim.PASS)


def test_passes_when_down_and_the_upcard_fits_nowhere() -> None:
    """Who is down has no use for a card that cannot be laid off."""
    assert choice(offer("KC", "2C QD", seat=1, melds=MELDS), 1) == Answer(1, Claim.PASS)


@pytest.mark.parametrize("upcard", ["8H", "3H", "8C", "JK"])
def test_takes_when_down_what_can_be_laid_off(upcard: str) -> None:
    """A card that can be played at once is better than an unknown one."""
    assert choice(offer(upcard, "2C QD", seat=1, melds=MELDS), 1) == Answer(1, Claim.TAKE)


def test_r7_5_takes_a_middling_card_that_somebody_else_collects() -> None:
    """On turn, a card that is not quite worth the draw is taken where that denies it to a collector of its kind."""
    game = offer("2H", "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", number=3, seat=1)
    view, decision = game.view(1), game.decisions()[1]
    assert BASIC.decide(view, decision, random.Random(1)) == Answer(1, Claim.PASS)
    bought = OfferSettled(Card.H4, 2, OfferResult.BOUGHT, seat=3, extra_cards=2)
    collecting = replace(view, public=replace(view.public, events=(*view.public.events, bought)))
    assert BASIC.decide(collecting, decision, random.Random(1)) == Answer(1, Claim.TAKE)


def test_wins_by_taking_while_it_floats() -> None:
    """A floating seat takes the card that fits, lays it off and is out."""
    game = offer("3H", "", seat=1, melds=MELDS, stock="2C")
    while game.state.phase is Phase.OFFER:
        seat = min(game.decisions())
        game.apply(choice(game, seat) if seat == 1 else Answer(seat, Claim.PASS))
    assert turn_of(game) == [LayOff(1, 1, Card.H3, End.LOW)]
    assert game.state.results[-1].winner == 1


def test_takes_what_a_floating_seat_can_swap() -> None:
    """A card that is what a joker stands for is worth a joker."""
    assert choice(offer("5H", "", seat=1, melds=((1, "4H JK 6H 7H"),)), 1) == Answer(1, Claim.TAKE)


def test_r13_1_plays_on_with_a_cheaper_card_where_passing_ends_the_hand() -> None:
    """With the stock gone, a useless card is taken if a dearer one can be discarded for it, and passed if not."""
    hand = "2C 2D 9D JS QH KC AS 4S 7D 3C 6H"
    cheap = offer("3S", hand, seat=1, stock="")
    assert cheap.decisions()[1].passing_ends_hand
    assert choice(cheap, 1) == Answer(1, Claim.TAKE)
    assert choice(offer("KH", "3C 5D", seat=1, melds=MELDS, stock=""), 1) == Answer(1, Claim.PASS)
