"""What happened, in words, as the viewer saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shanghai_client.present.amounts import count
from shanghai_client.present.cells import and_list
from shanghai_client.present.melds import meld_text
from shanghai_client.present.people import People
from shanghai_client.scene import Scene
from shanghai_engine.card import Card, cards_text
from shanghai_engine.event import (
    Discarded,
    DrawSource,
    EndReason,
    GameEnded,
    LaidDown,
    LaidOff,
    OfferResult,
    Swapped,
)
from shanghai_engine.history import CardDrawn, HandDealt, Learned, OfferSettled, PublicEvent, StockReshuffled
from shanghai_engine.meld import End
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import HandResult


@dataclass(frozen=True, slots=True)
class Teller:
    """Says events in words: `people` are at the table, `learned` is what the viewer alone saw in this hand."""

    people: People
    learned: Sequence[Learned] = ()

    def tell(self, index: int, event: PublicEvent) -> str:
        """Give one event as a sentence; empty for what need not be said. `index` is its place in the hand."""
        match event:
            case HandDealt():
                return self._dealt(event)
            case OfferSettled():
                return self._settled(index, event)
            case CardDrawn():
                return self._drawn(index, event)
            case StockReshuffled():
                return f"The stock was empty: the dead discards are shuffled into a new stock of {event.stock} (R13.2)."
            case _:
                return self._played(event)

    def _played(self, event: PublicEvent) -> str:
        who = self.people
        match event:
            case LaidDown():
                melds = " / ".join(meld_text(meld) for meld in event.melds)
                return f"{who.does(event.seat, 'lay', 'lays')} down {melds}."
            case LaidOff():
                end = {End.LOW: " at the low end", End.HIGH: " at the high end", None: ""}[event.end]
                after = f"meld {event.after.id}{end}: {meld_text(event.after)}"
                return f"{who.does(event.seat, 'lay', 'lays')} off {event.card} on {after}."
            case Swapped():
                after = f"meld {event.after.id}: {meld_text(event.after)}"
                return f"{who.does(event.seat, 'swap')} {event.card} for the joker of {after}."
            case Discarded():
                return f"{who.does(event.seat, 'discard')} {event.card}."
            case HandResult():
                return end_text(event, who)
            case GameEnded():
                first = [who.who(seat) for seat, place in enumerate(event.places) if place == 1]
                return f"The game is over. The winner: {and_list(first)}."
            case _:
                return ""

    def _dealt(self, event: HandDealt) -> str:
        dealer = self.people.does(event.dealer, "deal")
        return (
            f"Hand {event.hand}: {event.contract}. {dealer}. The upcard is {event.upcard}, with {event.stock} cards in"
            " the stock."
        )

    def _settled(self, index: int, event: OfferSettled) -> str:
        if event.seat is None or event.result is OfferResult.NONE:
            return ""
        if event.result is OfferResult.TAKEN:
            return f"{self.people.does(event.seat, 'take')} {event.card}."
        bought = f"{self.people.does(event.seat, 'buy')} {event.card}"
        extra = self._cards(index)
        if extra:
            return f"{bought}, and {cards_text(extra)} from the stock."
        return (
            f"{bought}, and {count(event.extra_cards, 'card')} from the stock." if event.extra_cards else f"{bought}."
        )

    def _drawn(self, index: int, event: CardDrawn) -> str:
        if event.source is DrawSource.UPCARD:
            return ""  # The offer said it.
        own = self._cards(index)
        what = f" {cards_text(own)}" if own else ""
        return f"{self.people.does(event.seat, 'draw')}{what} from the stock."

    def _cards(self, index: int) -> tuple[Card, ...]:
        return next((each.cards for each in self.learned if each.index == index), ())


def end_text(result: HandResult, people: People) -> str:
    """Say how a hand ended."""
    if result.reason is EndReason.OUT and result.winner is not None:
        return f"{people.does(result.winner, 'go', 'goes')} out: hand {result.hand} is over."
    if result.reason is EndReason.STOCK:
        return f"The stock has run out: hand {result.hand} is over, and nobody has won it (R13.1)."
    return f"Everybody has had all turns: hand {result.hand} is over, and nobody has won it (R14.1)."


def teller_of(scene: Scene) -> Teller:
    """Give who tells the events of a scene."""
    own = scene.view.own if scene.view is not None else None
    return Teller(People.of(scene), own.learned if own is not None else ())


def news_lines(scene: Scene) -> list[str]:
    """Say what has happened since the last update, but for ends: they are told with all that belongs to them."""
    missed = ["Some events were missed; the table is whole again."] if scene.skipped else []
    return [*missed, *_told(scene, scene.new_from, ends=False)]


def _told(scene: Scene, first: int, *, ends: bool) -> Iterator[str]:
    """Tell the events of this hand from one on, and who begins to float with them."""
    if scene.game is None:
        return
    teller, events = teller_of(scene), scene.game.events
    floats = floating(events, scene.game.rules)
    for index, event in enumerate(events):
        if index < first or (isinstance(event, HandResult | GameEnded) and not ends):
            continue
        text = teller.tell(index, event)
        if text:
            yield text
        if isinstance(event, Discarded) and index in floats:
            yield f"{teller.people.does(event.seat, 'float')}: no card left, and not out (R11.2)."


def floating(events: Sequence[PublicEvent], rules: RuleSet) -> frozenset[int]:
    """Give the places of the discards with which seats begin to float (R11.2), each seat once; events of one hand."""
    cards: Counter[int] = Counter()
    places: dict[int, int] = {}
    dealt = 0
    for index, event in enumerate(events):
        match event:
            case HandDealt():
                dealt = rules.cards_dealt[event.hand - 1]
            case OfferSettled(result=OfferResult.BOUGHT, seat=int(seat)):
                cards[seat] += 1 + event.extra_cards
            case CardDrawn():
                cards[event.seat] += 1
            case LaidDown():
                cards[event.seat] -= sum(len(meld.cards) for meld in event.melds)
            case LaidOff():
                cards[event.seat] -= 1
            case Discarded():
                cards[event.seat] -= 1
                goes_on = index + 1 == len(events) or not isinstance(events[index + 1], HandResult)
                if dealt + cards[event.seat] == 0 and goes_on:
                    places.setdefault(event.seat, index)
    return frozenset(places.values())


def log_lines(scene: Scene) -> list[str]:
    """Say everything that has happened in this hand."""
    if scene.game is None:
        return ["Nothing has happened yet."]
    return list(_told(scene, 0, ends=True))
