"""Another game that one seat, or a spectator, cannot tell from this one: whatever he may not know is different in it.

What happened in the running hand is retold with other cards wherever a card lies that he has never seen, other answers
of the others, and other seeds. A view that differs between the two games has told a secret.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.event import (
    Answered,
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    Event,
    GameStarted,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.game import Game

Token = int
"""The place in which a card was dealt, or lay after a reshuffle: the same card keeps it wherever it goes."""


@dataclass(slots=True)
class Tracing:
    """Where every card of a hand came from and has gone, and which of them the seat has seen."""

    seat: int | None
    cards: list[Card] = field(default_factory=list)
    batch: list[int] = field(default_factory=list)
    """By token, 0 for the deal and n for the n-th reshuffle: unseen cards change places within one."""
    seen: set[Token] = field(default_factory=set)
    hands: list[list[Token]] = field(default_factory=list)
    stock: list[Token] = field(default_factory=list)
    upcard: Token = -1
    shuffles: int = 0

    def lay(self, cards: Iterable[Card]) -> list[Token]:
        """Give new tokens to cards that were just shuffled."""
        new = []
        for card in cards:
            new.append(len(self.cards))
            self.cards.append(card)
            self.batch.append(self.shuffles)
        return new

    def draw(self, seat: int, number: int) -> None:
        """Let a seat draw from the stock."""
        drawn, self.stock = self.stock[:number], self.stock[number:]
        self.hands[seat] += drawn
        if seat == self.seat:
            self.seen.update(drawn)

    def show(self, seat: int, card: Card) -> Token:
        """Let a seat play or discard a card, which everybody sees."""
        token = next(token for token in self.hands[seat] if self.cards[token] == card)
        self.hands[seat].remove(token)
        self.seen.add(token)
        return token

    def get(self, seat: int, card: Card) -> None:
        """Give a seat a joker off the table, which everybody sees."""
        (token,) = self.lay([card])
        self.seen.add(token)
        self.hands[seat].append(token)

    def take_in(self, event: Event) -> None:
        """Follow the cards through what happened."""
        match event:
            case Dealt():
                self.hands = [self.lay(hand) for hand in event.hands]
                (self.upcard,) = self.lay([event.upcard])
                self.stock = self.lay(event.stock)
                self.seen.add(self.upcard)
                if self.seat is not None:
                    self.seen.update(self.hands[self.seat])
            case OfferClosed(result=OfferResult.BOUGHT, seat=int(seat)):
                self.hands[seat].append(self.upcard)
                self.draw(seat, len(event.penalty))
            case Reshuffled():
                self.shuffles += 1
                self.stock = self.lay(event.stock)
            case Drew(source=DrawSource.UPCARD):
                self.hands[event.seat].append(self.upcard)
            case Drew():
                self.draw(event.seat, 1)
            case _:
                self.take_in_play(event)

    def take_in_play(self, event: Event) -> None:
        """Follow the cards that a seat plays or discards."""
        match event:
            case LaidDown():
                for meld in event.melds:
                    for card in meld.cards:
                        self.show(event.seat, card)
            case LaidOff():
                self.show(event.seat, event.card)
            case Discarded():
                self.upcard = self.show(event.seat, event.card)
            case _:
                pass


def another_truth(game: Game, seat: int | None, rng: random.Random) -> Game:
    """Give a game in its hand's middle retold, as it may be for all that the seat knows."""
    start = max(place for place, event in enumerate(game.events) if isinstance(event, Dealt))
    now = game.events[start:]
    tracing = Tracing(seat)
    melds: dict[int, tuple[Card, ...]] = {}
    for event in now:
        if isinstance(event, Swapped):
            tracing.show(event.seat, event.card)
            tracing.get(event.seat, melds[event.after.id][event.index])
        tracing.take_in(event)
        for meld in event.melds if isinstance(event, LaidDown) else ():
            melds[meld.id] = meld.cards
        if isinstance(event, LaidOff | Swapped):
            melds[event.after.id] = event.after.cards
    other = _shuffled(tracing, rng)
    return Game.replay([*map(_other_start, game.events[:start]), *_retold(now, other, seat, rng)])


def _shuffled(tracing: Tracing, rng: random.Random) -> list[Card]:
    """Give a card for every token, unseen cards having changed places."""
    unseen: dict[int, list[Token]] = defaultdict(list)
    for token, batch in enumerate(tracing.batch):
        if token not in tracing.seen:
            unseen[batch].append(token)
    other = list(tracing.cards)
    for tokens in unseen.values():
        for token, source in zip(tokens, rng.sample(tokens, len(tokens)), strict=True):
            other[token] = tracing.cards[source]
    return other


def _other_start(event: Event) -> Event:
    return replace(event, game_seed=_another(event.game_seed)) if isinstance(event, GameStarted) else event


def _another(secret: bytes) -> bytes:
    """Give a secret of the same length, every bit of it another."""
    return bytes(255 - byte for byte in secret)


def _retold(events: list[Event], cards: list[Card], seat: int | None, rng: random.Random) -> list[Event]:
    """Give the events of the hand with other cards by token, other answers of the others and another seed."""
    told: list[Event] = []
    follow = Tracing(None)
    for event in events:
        first = len(follow.cards)
        match event:
            case Dealt():
                ends = [first]
                for hand in event.hands:
                    ends.append(ends[-1] + len(hand))
                hands = tuple(tuple(cards[begin:end]) for begin, end in pairwise(ends))
                stock = tuple(cards[ends[-1] + 1 : ends[-1] + 1 + len(event.stock)])
                told.append(replace(event, hands=hands, stock=stock, seed=_another(event.seed)))
            case OfferClosed():
                penalty = tuple(cards[token] for token in follow.stock[: len(event.penalty)])
                told.append(replace(event, answers=(), penalty=penalty))
            case Reshuffled():
                told.append(Reshuffled(tuple(cards[first : first + len(event.stock)])))
            case Drew(source=DrawSource.STOCK):
                told.append(replace(event, card=cards[follow.stock[0]]))
            case Answered() if event.seat != seat:
                told.append(Answered(event.seat, rng.choice(list(Claim))))
            case _:
                told.append(event)
        _follow(follow, event)
    return told


def _follow(follow: Tracing, event: Event) -> None:
    """Go on counting tokens, without minding whose they are."""
    match event:
        case Dealt():
            follow.take_in(event)
        case Reshuffled():
            follow.take_in(event)
        case OfferClosed():
            follow.stock = follow.stock[len(event.penalty) :]
        case Drew(source=DrawSource.STOCK):
            follow.stock = follow.stock[1:]
        case Swapped():
            follow.lay([Card.JOKER])
        case _:
            pass
