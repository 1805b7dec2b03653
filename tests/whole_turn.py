"""Whole turns under R16 `extra_melds` by an independent reading: every meld that a hand holds, and all ways to play on.

Nothing here calls the engine's checks or its solver: melds are found by asking what every few cards could be
(`reading`), and they take cards and give jokers as `referee.Lying` says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from reading import SUITS, could_lay_down, is_wild, may_hold, of_rank, readings, stretches
from referee import Lying

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import End, MeldKind
from shanghai_engine.rules import RuleSet

Hand = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in its middle, with what is owed in it; the order of hand and melds means nothing, and both are sorted."""

    hand: Hand
    melds: tuple[Lying, ...]
    owed: Hand
    down: bool
    laid_down_now: bool = False
    must_lay_down: bool = False

    @property
    def may_end(self) -> bool:
        """Whether nothing is owed before the discard."""
        return not self.owed and not self.must_lay_down


def turn_of(hand: Hand, melds: tuple[Lying, ...], *, owed: Hand = (), down: bool, laid_down_now: bool = False) -> Turn:
    """Give a turn with its hand, its melds and what is owed in order."""
    return Turn(tuple(sorted(hand)), _in_order(melds), tuple(sorted(owed)), down, laid_down_now)


def _in_order(melds: tuple[Lying, ...]) -> tuple[Lying, ...]:
    return tuple(sorted(melds, key=lambda meld: (meld.kind.value, meld.cards, meld.rank, meld.suit)))


@cache
def every_meld(hand: Hand, rules: RuleSet) -> tuple[Lying, ...]:
    """Give every set and every run that cards of a hand are, as the engine would read it where there is a choice."""
    found: dict[tuple[MeldKind, Hand], None] = {}
    wild = [card for card in hand if is_wild(card, rules)]
    for rank in range(2, 15):
        naturals = [card for card in hand if card in of_rank(rank) and not is_wild(card, rules)]
        for number in range(1, len(naturals) + 1):
            for jokers in range(max(0, 3 - number), len(wild) + 1):
                if may_hold(jokers, number + jokers, rules):
                    for held in combinations(naturals, number):
                        for chosen in combinations(wild, jokers):
                            found[MeldKind.SET, (*sorted(held), *sorted(chosen))] = None
    for suit in SUITS:
        for _, meant in stretches(suit, rules):
            for cards in _filled(meant, tuple(sorted(hand)), rules):
                found[MeldKind.RUN, cards] = None
    return tuple(lying for kind, cards in found if (lying := _read(kind, cards, rules)) is not None)


def _filled(meant: Hand, held: Hand, rules: RuleSet) -> Iterator[Hand]:
    """Give every way to fill places with what they mean, or with what is wild."""
    if not meant:
        yield ()
        return
    for card in dict.fromkeys(held):
        if card == meant[0] or is_wild(card, rules):
            for rest in _filled(meant[1:], without(held, (card,)), rules):
                yield (card, *rest)


def _read(kind: MeldKind, cards: Hand, rules: RuleSet) -> Lying | None:
    """Read a meld: of more readings that of fewest jokers, then the highest."""
    every = readings(kind, cards, rules)
    if not every:
        return None
    meant = min(every, key=lambda read: (len(read.jokers), -read.rank, -read.suit))
    return Lying(kind, cards, meant.rank, meant.suit)


def without(held: Hand, cards: Hand) -> Hand:
    """Give cards without some of them, as far as they are held."""
    left = Counter(held) - Counter(cards)
    return tuple(sorted(left.elements()))


def after_melds(turn: Turn, melds: tuple[Lying, ...]) -> Turn:
    """Give the turn after melds of the hand were laid down."""
    cards = tuple(card for meld in melds for card in meld.cards)
    return replace(
        turn,
        hand=without(turn.hand, cards),
        melds=_in_order((*turn.melds, *melds)),
        owed=without(turn.owed, cards),
        down=True,
        laid_down_now=turn.laid_down_now or not turn.down,
        must_lay_down=False,
    )


def every_play(turn: Turn, contract: Contract, rules: RuleSet) -> Iterator[Turn]:
    """Give what every lawful play leads to: of who is not down the contract is one meld."""
    sort, size = (MeldKind.SET, contract.sets[0]) if contract.sets else (MeldKind.RUN, contract.runs[0])
    for meld in every_meld(turn.hand, rules):
        if turn.down or (meld.kind is sort and len(meld.cards) >= size):
            yield after_melds(turn, (meld,))
    if turn.laid_down_now and not rules.lay_off_when_laying_down:
        return
    for place, meld in enumerate(turn.melds):
        for card in dict.fromkeys(turn.hand):
            for changed, given in _changes(turn, meld, card, rules):
                hand = tuple(sorted((*without(turn.hand, (card,)), *given)))
                if given and not turn.down and not could_lay_down(hand, contract, rules):
                    continue
                owed = without(turn.owed, (card,))
                if given and rules.swapped_joker == "play_this_turn":
                    owed = tuple(sorted((*owed, *given)))
                yield replace(
                    turn,
                    hand=hand,
                    melds=_in_order((*turn.melds[:place], changed, *turn.melds[place + 1 :])),
                    owed=owed,
                    must_lay_down=turn.must_lay_down or (bool(given) and not turn.down),
                )


def _changes(turn: Turn, meld: Lying, card: Card, rules: RuleSet) -> Iterator[tuple[Lying, Hand]]:
    """Give a meld as lay-offs and swaps of a card change it, with the joker that each gives."""
    if turn.down:
        for end in (None, End.LOW, End.HIGH):
            longer = meld.with_card(card, end, rules)
            if longer is not None:
                yield longer, ()
    if rules.joker_swap == "everyone" or (turn.down and rules.joker_swap == "down_only"):
        for index in meld.jokers(rules):
            swapped = meld.with_swap(index, card, rules)
            if swapped is not None:
                yield swapped, (meld.cards[index],)


def every_turn(turn: Turn, contract: Contract, rules: RuleSet, *, most: int) -> set[Turn] | None:
    """Give all that a turn can come to, itself included; none where that is too much."""
    seen, waiting = {turn}, [turn]
    while waiting:
        for after in every_play(waiting.pop(), contract, rules):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
                if len(seen) > most:
                    return None
    return seen
