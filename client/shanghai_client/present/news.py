"""What happened, in words, as the viewer saw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shanghai_client.language import _, plural
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import and_list, wrap
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.melds import meld_text
from shanghai_client.present.people import People, name_text
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
from shanghai_engine.rules import UNLIMITED, RuleSet
from shanghai_engine.state import HandResult


@dataclass(frozen=True, slots=True)
class Teller:
    """Says events in words: `people` are at the table, `learned` is what the viewer alone saw in this hand.

    `buys_left` is how many buys a buyer had left, by the place of his buy; nothing is said of it where it is not there.
    """

    people: People
    learned: Sequence[Learned] = ()
    buys_left: Mapping[int, int] = field(default_factory=dict)

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
                text = _("The stock was empty: the dead discards are shuffled into a new stock of {cards} (R13.2).")
                return text.format(cards=event.stock)
            case _:
                return self._played(event)

    def _played(self, event: PublicEvent) -> str:
        who = self.people
        match event:
            case LaidDown():
                melds = " / ".join(meld_text(meld) for meld in event.melds)
                return who.told(event.seat, _("You lay down {melds}."), _("{name} lays down {melds}."), melds=melds)
            case LaidOff():
                return self._laid_off(event)
            case Swapped():
                return who.told(
                    event.seat,
                    _("You swap {card} for the joker of meld {number}: {meld}."),
                    _("{name} swaps {card} for the joker of meld {number}: {meld}."),
                    card=event.card,
                    number=event.after.id,
                    meld=meld_text(event.after),
                )
            case Discarded():
                return who.told(event.seat, _("You discard {card}."), _("{name} discards {card}."), card=event.card)
            case HandResult():
                return end_text(event, who)
            case GameEnded():
                first = [who.who(seat) for seat, place in enumerate(event.places) if place == 1]
                return _("The game is over. The winner: {names}.").format(names=and_list(first))
            case _:
                return ""

    def _laid_off(self, event: LaidOff) -> str:
        place = {
            None: _("meld {number}"),
            End.LOW: _("meld {number} at the low end"),
            End.HIGH: _("meld {number} at the high end"),
        }[event.end].format(number=event.after.id)
        return self.people.told(
            event.seat,
            _("You lay off {card} on {place}: {meld}."),
            _("{name} lays off {card} on {place}: {meld}."),
            card=event.card,
            place=place,
            meld=meld_text(event.after),
        )

    def _dealt(self, event: HandDealt) -> str:
        return self.people.told(
            event.dealer,
            _("Hand {hand}: {contract}. You deal. The upcard is {card}, with {stock} cards in the stock."),
            _("Hand {hand}: {contract}. {name} deals. The upcard is {card}, with {stock} cards in the stock."),
            hand=event.hand,
            contract=contract_words(event.contract),
            card=event.upcard,
            stock=event.stock,
        )

    def _settled(self, index: int, event: OfferSettled) -> str:
        if event.seat is None or event.result is OfferResult.NONE:
            return ""
        if event.result is OfferResult.TAKEN:
            return self.people.told(event.seat, _("You take {card}."), _("{name} takes {card}."), card=event.card)
        left = self.buys_left.get(index)
        bought = self._bought(index, event, event.seat)
        if left is None:
            return bought
        after = plural("{n} buy left.", "{n} buys left.", left).format(n=left)
        return f"{bought} {after}"

    def _bought(self, index: int, event: OfferSettled, seat: int) -> str:
        if not event.extra_cards:
            return self.people.told(seat, _("You buy {card}."), _("{name} buys {card}."), card=event.card)
        return self.people.told(
            seat,
            _("You buy {card}, and {cards} from the stock."),
            _("{name} buys {card}, and {cards} from the stock."),
            card=event.card,
            cards=cards_text(self._cards(index)) or count(event.extra_cards, "card"),
        )

    def _drawn(self, index: int, event: CardDrawn) -> str:
        if event.source is DrawSource.UPCARD:
            return ""  # The offer said it.
        own = self._cards(index)
        # Who has taken the seat over knows what was drawn there before, and has not drawn it.
        if own and event.seat == self.people.you:
            return _("You draw {cards} from the stock.").format(cards=cards_text(own))
        return self.people.told(event.seat, _("You draw from the stock."), _("{name} draws from the stock."))

    def _cards(self, index: int) -> tuple[Card, ...]:
        return next((each.cards for each in self.learned if each.index == index), ())


def end_text(result: HandResult, people: People) -> str:
    """Say how a hand ended."""
    if result.reason is EndReason.OUT and result.winner is not None:
        yours, others = _("You go out: hand {hand} is over."), _("{name} goes out: hand {hand} is over.")
        return people.told(result.winner, yours, others, hand=result.hand)
    text = _("Everybody has had all turns: hand {hand} is over, and nobody has won it (R14.1).")
    if result.reason is EndReason.STOCK:
        text = _("The stock has run out: hand {hand} is over, and nobody has won it (R13.1).")
    return text.format(hand=result.hand)


def teller_of(scene: Scene) -> Teller:
    """Give who tells the events of a scene."""
    own = scene.view.own if scene.view is not None else None
    return Teller(People.of(scene), own.learned if own is not None else (), _buys_left(scene))


def _buys_left(scene: Scene) -> dict[int, int]:
    """Give how many buys a buyer had left, by the place of each buy among the events of this hand."""
    game = scene.game
    if game is None or game.rules.buys[game.hand - 1] == UNLIMITED:
        return {}
    bought: Counter[int] = Counter()
    left: dict[int, int] = {}
    for index, event in enumerate(game.events):
        if isinstance(event, OfferSettled) and event.result is OfferResult.BOUGHT and event.seat is not None:
            bought[event.seat] += 1
            left[index] = game.rules.buys[game.hand - 1] - bought[event.seat]
    return left


def news_lines(scene: Scene) -> list[str]:
    """Say what has happened since the last update, but for ends: they are told with all that belongs to them."""
    missed = [_("Some events were missed; the table is whole again.")] if scene.skipped else []
    return [*missed, *told_events(scene, scene.new_from, ends=False)]


def hand_told(scene: Scene) -> Iterator[str]:
    """Tell everything that has happened in this hand, with those who have taken seats over in it (R2.3)."""
    events = () if scene.game is None else scene.game.events
    told = 0
    takeovers = scene.table.takeovers
    for number, takeover in enumerate(takeovers, start=1):
        yield from told_events(scene, told, until=takeover.events)
        told = max(told, takeover.events)
        people = People.of(scene).before(takeovers[number:])
        before = name_text(takeover.before)
        yours = _("You take over the seat of {other}.")
        yield people.told(takeover.seat, yours, _("{name} takes over the seat of {other}."), other=before)
    yield from told_events(scene, told, until=len(events))


def told_events(scene: Scene, first: int, *, ends: bool = True, until: int | None = None) -> Iterator[str]:
    """Tell the events of this hand from one on until another, by those who sat there, and who begins to float.

    `ends` tells how the hand ended, too.
    """
    if scene.game is None or first >= len(scene.game.events):
        return
    now, events = teller_of(scene), scene.game.events
    floats = floating(events, scene.game.rules)
    for index, event in enumerate(events[first:until], start=first):
        if isinstance(event, HandResult | GameEnded) and not ends:
            continue
        teller = replace(now, people=now.people.when(scene, index)) if scene.table.takeovers else now
        text = teller.tell(index, event)
        if text:
            yield text
        if isinstance(event, Discarded) and index in floats:
            yours = _("You float: no card left, and not out (R11.2).")
            yield teller.people.told(event.seat, yours, _("{name} floats: no card left, and not out (R11.2)."))


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
    """Say everything that has happened in this hand, as it was told where that was kept."""
    if scene.game is None:
        return [_("Nothing has happened yet.")]
    told = scene.told or hand_told(scene)
    return [part for line in told for part in wrap(line, width=scene.width, indent="  ")]
