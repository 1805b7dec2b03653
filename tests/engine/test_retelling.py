"""What happened, in words: whole games retold, and every sentence that an event can have."""

from __future__ import annotations

from pathlib import Path

import pytest
from records import GIVEN, given_lines

from shanghai_engine.action import Claim
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.event import (
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    EndReason,
    Event,
    GameEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.game import Game
from shanghai_engine.history import CardDrawn, HandDealt, OfferSettled, PublicEvent, StockReshuffled, public_part
from shanghai_engine.line import parse_line
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.retelling import tell, tell_learned, tell_secrets
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import HandResult

NAMES = ("Ann", "Bob", "Cem")
CONTRACT = Contract(runs=(4, 4))
RUN = Meld(0, 1, MeldKind.RUN, parse_cards("4H JK 6H 7H"), 4, 2, 1)
SET = Meld(1, 1, MeldKind.SET, parse_cards("8C 8D JK"), 8, -1, 1)


def result(reason: EndReason, winner: int | None) -> HandResult:
    """Give the result of a hand in which Bob holds two cards."""
    return HandResult(
        hand=3,
        contract=CONTRACT,
        dealer=0,
        reason=reason,
        winner=winner,
        hands=((), parse_cards("AH 2C"), ()),
        scores=(0, 35, 0),
        totals=(10, 45, 10),
        seed=b"",
        commitment=b"",
    )


SENTENCES: list[tuple[PublicEvent, tuple[str, ...]]] = [
    (
        HandDealt(3, CONTRACT, 0, Card.H8, 74, b""),
        ("hand 3, dealer Ann, contract 2 runs of 4: the upcard is 8H, 74 cards in the stock",),
    ),
    (OfferSettled(Card.H8, 0, OfferResult.TAKEN, 0, 0), ("Ann takes 8H",)),
    (OfferSettled(Card.H8, 0, OfferResult.BOUGHT, 1, 2), ("Bob buys 8H and 2 more cards, 1 buy left",)),
    (OfferSettled(Card.H8, 0, OfferResult.BOUGHT, 2, 1), ("Cem buys 8H and 1 more card, no buys left",)),
    (OfferSettled(Card.H8, 1, OfferResult.BOUGHT, 0, 0), ("Ann buys 8H",)),
    (OfferSettled(Card.H8, 0, OfferResult.NONE, None, 0), ("nobody wants 8H",)),
    (CardDrawn(1, DrawSource.STOCK, None), ("Bob draws from the stock",)),
    (CardDrawn(1, DrawSource.UPCARD, Card.H8), ()),
    (StockReshuffled(1), ("the dead cards are shuffled into a new stock of 1 card",)),
    (StockReshuffled(40), ("the dead cards are shuffled into a new stock of 40 cards",)),
    (LaidDown(1, (RUN, SET)), ("Bob lays down 4H JK=5H 6H 7H / 8C 8D JK",)),
    (LaidOff(2, Card.H7, End.HIGH, RUN), ("Cem lays off 7H on Bob's run at the high end: 4H JK=5H 6H 7H",)),
    (LaidOff(2, Card.H4, End.LOW, RUN), ("Cem lays off 4H on Bob's run at the low end: 4H JK=5H 6H 7H",)),
    (LaidOff(1, Card.JOKER, None, SET), ("Bob lays off JK on Bob's set: 8C 8D JK",)),
    (Swapped(0, 1, Card.D8, SET), ("Ann swaps 8D for the joker in Bob's set: 8C 8D JK",)),
    (Discarded(0, Card.D8), ("Ann discards 8D",)),
    (
        result(EndReason.OUT, 0),
        (
            "Ann goes out, and the hand is over",
            "Ann scores 0, total 10",
            "Bob scores 35, total 45, for 2C AH",
            "Cem scores 0, total 10",
        ),
    ),
    (
        GameEnded((10, 1, 10), (2, 1, 2)),
        ("the game is over", "1. Bob with 1 point", "2. Ann with 10 points", "2. Cem with 10 points"),
    ),
]


@pytest.mark.parametrize(("event", "sentences"), SENTENCES, ids=lambda value: type(value).__name__)
def test_what_everybody_sees_is_told_in_plain_sentences(event: PublicEvent, sentences: tuple[str, ...]) -> None:
    """Names, cards in text form, and how many buys are left where that is known and limited."""
    assert tell(event, NAMES, buys_left={0: -1, 1: 1, 2: 0}) == sentences


def test_r13_1_a_hand_that_nobody_won_says_why() -> None:
    """The stock has run out, or all turns are played."""
    assert "stock has run out: nobody has won it" in tell(result(EndReason.STOCK, None), NAMES)[0]
    assert "had all turns: nobody has won it" in tell(result(EndReason.TURNS, None), NAMES)[0]


def test_a_seat_is_told_what_it_alone_learned() -> None:
    """The hand dealt, the cards that came with a buy, the card drawn."""
    cards = parse_cards("8H JK")
    assert tell_learned(HandDealt(1, CONTRACT, 0, Card.H8, 9, b""), cards) == "your hand is 8H JK"
    assert tell_learned(OfferSettled(Card.H8, 0, OfferResult.BOUGHT, 1, 2), cards) == "with it you draw 8H JK"
    assert tell_learned(CardDrawn(1, DrawSource.STOCK, None), cards[:1]) == "you draw 8H"


def test_the_reader_of_a_record_is_told_what_was_hidden() -> None:
    """Hands in number order, answers in claim order, cards from the stock; the rest had no secret."""
    answers = ((0, Claim.PASS), (2, Claim.TIMEOUT), (1, Claim.BUY))
    hands = tuple(map(parse_cards, ("8H 2C", "JK", "")))
    told: list[tuple[Event, tuple[str, ...]]] = [
        (Dealt(1, CONTRACT, 0, hands, Card.H8, (), b"", b""), ("Ann holds 2C 8H", "Bob holds JK", "Cem holds ")),
        (
            OfferClosed(Card.H8, 0, (2, 1), answers, OfferResult.BOUGHT, 1, parse_cards("2C JK")),
            ("in claim order Ann passes, Cem gives no answer, Bob buys", "with it Bob draws 2C JK"),
        ),
        (
            OfferClosed(Card.H8, 0, (), ((0, Claim.TAKE),), OfferResult.TAKEN, 0, ()),
            ("in claim order Ann takes",),
        ),
        (Drew(0, DrawSource.STOCK, Card.H8), ("it is 8H",)),
        (Drew(0, DrawSource.UPCARD, Card.H8), ()),
        (Reshuffled(()), ()),
        (Discarded(0, Card.H8), ()),
    ]
    for event, sentences in told:
        assert tell_secrets(event, NAMES) == sentences


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_whole_game_is_told(path: Path) -> None:
    """Every public event but a draw of the upcard has a sentence, and the public ones name no hidden card."""
    game = Game.from_record(map(parse_line, given_lines(path)))
    twin = Game.replay(game.events[:1])
    told: list[str] = []
    for event in game.events[1:]:
        twin.evolve(event)
        public = public_part(event, twin.state)
        assert public is not None
        sentences = tell(public, twin.state.names, buys_left=dict(enumerate(twin.state.buys_left)))
        assert sentences or event == twin.events[-1]
        if isinstance(event, Drew):
            assert not any(event.card.text in sentence.split() for sentence in sentences)
        told += sentences
    assert all(sentence.isprintable() and not sentence.endswith(".") for sentence in told)
    assert sum(sentence.startswith("hand ") for sentence in told) == 10
    assert sum(" goes out" in sentence for sentence in told) == sum(
        result.winner is not None for result in game.state.results
    )


def test_r8_4_a_joker_of_a_run_is_told_with_what_it_stands_for() -> None:
    """In a run the card that a joker means is told with it, and in a set it is only a joker."""
    run = read_meld(MeldDraft(MeldKind.RUN, parse_cards("5H JK 7H 8H")), meld_id=1, owner=0, rules=STANDARD)
    of_a_rank = read_meld(MeldDraft(MeldKind.SET, parse_cards("3C 3D JK")), meld_id=0, owner=0, rules=STANDARD)
    assert isinstance(run, Meld)
    assert isinstance(of_a_rank, Meld)
    assert tell(LaidDown(0, (of_a_rank, run)), ("Ann",)) == ("Ann lays down 3C 3D JK / 5H JK=6H 7H 8H",)
