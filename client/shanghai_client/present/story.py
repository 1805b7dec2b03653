"""A recorded game told in words: each event, and under it what only some knew when it happened."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import comma_list
from shanghai_client.present.news import Teller
from shanghai_client.present.people import People
from shanghai_engine.action import Claim
from shanghai_engine.card import cards_text
from shanghai_engine.event import Answered, Dealt, DrawSource, Drew, Event, OfferClosed, OfferResult
from shanghai_engine.game import Game
from shanghai_engine.history import OfferSettled, PublicEvent
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import HandResult

_ANSWERS = {
    Claim.TAKE: later("{name} takes"),
    Claim.BUY: later("{name} buys"),
    Claim.PASS: later("{name} passes"),
    Claim.TIMEOUT: later("{name} gives no answer"),
}


def story_lines(game: Game, hand: int | None = None) -> Iterator[str]:
    """Tell a game, or one hand of it."""
    people = People.called(game.state.names)
    told = hand is None
    if told:
        yield _("A game among {names}.").format(names=comma_list(list(people.names)))
    twin = Game.replay(game.events[:1])
    for event in game.events[1:]:
        twin.evolve(event)
        if isinstance(event, Dealt):
            told = hand in {None, event.hand}
            if told:
                yield ""
        if told:
            yield from _told(event, people, twin)


def _told(event: Event, people: People, game: Game) -> Iterator[str]:
    """Tell an event that has just happened in a game."""
    if isinstance(event, Answered):
        return  # The offer tells it when it closes.
    yield from _seen(game.history.public[-1], people, game)
    yield from (_("  ({secret})").format(secret=secret) for secret in _secrets(event, people))


def _seen(event: PublicEvent, people: People, game: Game) -> Iterator[str]:
    """Tell what everybody saw."""
    match event:
        case OfferSettled(result=OfferResult.NONE):
            yield _("Nobody wants {card}.").format(card=event.card)
        case OfferSettled(result=OfferResult.BOUGHT, seat=int(seat)):
            yield Teller(people).tell(0, event)
            left = game.state.buys_left[seat]
            if left != UNLIMITED:
                yield _("  {name} has {buys} left.").format(name=people.names[seat], buys=count(left, "buy"))
        case _:
            text = Teller(people).tell(0, event)
            if text:
                yield text
    if isinstance(event, HandResult):
        yield from _scores(event, people)


def _scores(result: HandResult, people: People) -> Iterator[str]:
    for seat, hand in enumerate(result.hands):
        text = _("  {name} scores {score}, total {total}")
        if hand:
            text = _("  {name} scores {score}, total {total}, for {cards}")
        yield text.format(
            name=people.names[seat],
            score=result.scores[seat],
            total=result.totals[seat],
            cards=cards_text(sorted(hand)),
        )


def _secrets(event: Event, people: People) -> Iterator[str]:
    """Tell what an event hid from all or from all but one: hands dealt, answers, cards drawn from the stock."""
    match event:
        case Dealt():
            for seat, hand in enumerate(event.hands):
                yield _("{name} holds {cards}").format(name=people.names[seat], cards=cards_text(sorted(hand)))
        case OfferClosed():
            answers = [_(_ANSWERS[claim]).format(name=people.names[seat]) for seat, claim in event.answers]
            yield _("in claim order: {answers}").format(answers=comma_list(answers))
            if event.seat is not None and event.penalty:
                text = _("with it {name} draws {cards}")
                yield text.format(name=people.names[event.seat], cards=cards_text(event.penalty))
        case Drew(source=DrawSource.STOCK):
            yield _("it is {card}").format(card=event.card)
        case _:
            return
