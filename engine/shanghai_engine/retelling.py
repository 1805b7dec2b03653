"""What happened, in words: the sentences of a replayed record and of the plain client's table.

`tell` says what everybody sees; what is hidden is told apart, `tell_learned` to the seat that learned it and
`tell_secrets` to whoever reads a record. Sentences have no full stop, and names stand as they are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shanghai_engine.action import Claim
from shanghai_engine.card import Card, cards_text
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
    Swapped,
)
from shanghai_engine.history import CardDrawn, HandDealt, OfferSettled, PublicEvent, StockReshuffled
from shanghai_engine.meld import End
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import HandResult


def tell(event: PublicEvent, names: Sequence[str], *, buys_left: Mapping[int, int] | None = None) -> tuple[str, ...]:
    """Tell what everybody sees of an event: a sentence, some for the end of a hand or game, none where nobody acted.

    `names` are by seat. With the `buys_left` after it, by seat and -1 without limit, a buy tells how many are left.
    """
    match event:
        case HandDealt():
            dealt = f"hand {event.hand}, dealer {names[event.dealer]}, contract {event.contract}"
            return (f"{dealt}: the upcard is {event.upcard}, {event.stock} cards in the stock",)
        case OfferSettled():
            return _tell_offer(event, names, buys_left or {})
        case CardDrawn():
            # Who takes the upcard has been told with the offer.
            return () if event.source is DrawSource.UPCARD else (f"{names[event.seat]} draws from the stock",)
        case StockReshuffled():
            return (f"the dead cards are shuffled into a new stock of {_cards(event.stock)}",)
        case HandResult():
            return _tell_hand_end(event, names)
        case GameEnded():
            ranked = sorted(range(len(names)), key=lambda seat: (event.places[seat], seat))
            return (
                "the game is over",
                *(f"{event.places[seat]}. {names[seat]} with {_points(event.totals[seat])}" for seat in ranked),
            )
        case _:
            return (_tell_play(event, names),)


def _tell_offer(event: OfferSettled, names: Sequence[str], buys_left: Mapping[int, int]) -> tuple[str, ...]:
    if event.seat is None or event.result is OfferResult.NONE:
        return (f"nobody wants {event.card}",)
    who = names[event.seat]
    if event.result is OfferResult.TAKEN:
        return (f"{who} takes {event.card}",)
    more = f" and {event.extra_cards} more {'card' if event.extra_cards == 1 else 'cards'}" if event.extra_cards else ""
    left = buys_left.get(event.seat, UNLIMITED)
    return (f"{who} buys {event.card}{more}{'' if left == UNLIMITED else f', {_buys(left)} left'}",)


def _tell_play(event: LaidDown | LaidOff | Swapped | Discarded, names: Sequence[str]) -> str:
    who = names[event.seat]
    match event:
        case LaidDown():
            return f"{who} lays down {' / '.join(meld.meaning for meld in event.melds)}"
        case LaidOff():
            whose = f"{names[event.after.owner]}'s"
            end = {None: "", End.LOW: " at the low end", End.HIGH: " at the high end"}[event.end]
            return f"{who} lays off {event.card} on {whose} {event.after.kind.value}{end}: {event.after.meaning}"
        case Swapped():
            whose = f"{names[event.after.owner]}'s"
            return f"{who} swaps {event.card} for the joker in {whose} {event.after.kind.value}: {event.after.meaning}"
        case Discarded():
            return f"{who} discards {event.card}"


def _tell_hand_end(event: HandResult, names: Sequence[str]) -> tuple[str, ...]:
    why = {
        EndReason.OUT: "the hand is over",
        EndReason.STOCK: "the hand is over, for the stock has run out: nobody has won it",
        EndReason.TURNS: "the hand is over, for every player has had all turns: nobody has won it",
    }[event.reason]
    end = why if event.winner is None else f"{names[event.winner]} goes out, and {why}"
    scores = (
        f"{name} scores {score}, total {total}{f', for {cards_text(sorted(hand))}' if hand else ''}"
        for name, score, total, hand in zip(names, event.scores, event.totals, event.hands, strict=True)
    )
    return (end, *scores)


def tell_learned(event: PublicEvent, cards: Sequence[Card]) -> str:
    """Tell a seat which cards it alone saw with a public event (`Learned`)."""
    match event:
        case HandDealt():
            return f"your hand is {cards_text(cards)}"
        case OfferSettled():
            return f"with it you draw {cards_text(cards)}"
        case _:
            return f"you draw {cards_text(cards)}"


def tell_secrets(event: Event, names: Sequence[str]) -> tuple[str, ...]:
    """Tell what an event hid from all or from all but one: hands dealt, answers, cards drawn from the stock."""
    match event:
        case Dealt():
            return tuple(
                f"{name} holds {cards_text(sorted(hand))}" for name, hand in zip(names, event.hands, strict=True)
            )
        case OfferClosed():
            answers = ", ".join(f"{names[seat]} {_ANSWERS[claim]}" for seat, claim in event.answers)
            drawn = (
                (f"with it {names[event.seat]} draws {cards_text(event.penalty)}",)
                if event.seat is not None and event.penalty
                else ()
            )
            return (f"in claim order {answers}", *drawn)
        case Drew(source=DrawSource.STOCK):
            return (f"it is {event.card}",)
        case _:
            return ()


_ANSWERS = {Claim.TAKE: "takes", Claim.BUY: "buys", Claim.PASS: "passes", Claim.TIMEOUT: "gives no answer"}


def _cards(number: int) -> str:
    return f"{number} card{'' if number == 1 else 's'}"


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def _buys(number: int) -> str:
    return f"{'no' if number == 0 else number} buy{'' if number == 1 else 's'}"
