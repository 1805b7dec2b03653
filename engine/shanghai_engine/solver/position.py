"""A turn in its middle: the hand, the melds on the table and what may still be done; and how swaps change it (R10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from shanghai_engine.action import Swap
from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import Meld, MeldKind, refuse_swap, swapped
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.terms import ANY_NUMBER


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat that is on turn has before it.

    `contract` is that which it has not laid down yet; none where it is down. `owed` are swapped jokers that it must
    play in this turn (R16 `swapped_joker`). `swaps` led here from the position that was asked about.
    """

    rules: RuleSet
    seat: int
    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    contract: Contract | None
    laid_down_now: bool
    owed: tuple[Card, ...]
    swaps: tuple[Swap, ...] = ()

    @property
    def sizes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sizes of the sets and of the runs that it must lay down; none where it is down."""
        return ((), ()) if self.contract is None else (self.contract.sets, self.contract.runs)

    @property
    def lays_off(self) -> bool:
        """Whether the seat may still lay off in this turn, if it is down by then (R9.1)."""
        return self.rules.lay_off_when_laying_down or (self.contract is None and not self.laid_down_now)

    @property
    def may_swap(self) -> bool:
        """Whether the seat may still swap in this turn (R10.1): who is down, or not down yet."""
        if self.rules.joker_swap == "nobody":
            return False
        if self.contract is not None and not self.lays_off:
            return self.rules.joker_swap == "everyone"
        return self.lays_off

    def keepable(self) -> Counter[Card]:
        """Give how many of each wild card may stay in hand, whatever further swaps bring."""
        if self.rules.swapped_joker == "keep":
            return Counter(dict.fromkeys(CARDS, ANY_NUMBER))
        wilds = Counter(card for card in self.hand if self.rules.wild_cards[card])
        return wilds - Counter(self.owed)

    def brings(self, swap: Swap) -> Card:
        """Give the wild card that a swap brings."""
        return self.melds[swap.meld].cards[swap.index]

    def after(self, swap: Swap) -> Position:
        """Give the position after a swap that fits."""
        meld = self.melds[swap.meld]
        joker = self.brings(swap)
        hand = list(self.hand)
        hand[hand.index(swap.card)] = joker
        owed = list(self.owed)
        if swap.card in owed:
            owed.remove(swap.card)
        if self.rules.swapped_joker == "play_this_turn":
            owed.append(joker)
        return replace(
            self,
            hand=tuple(hand),
            melds=(*self.melds[: meld.id], swapped(meld, swap.index, swap.card), *self.melds[meld.id + 1 :]),
            owed=tuple(owed),
            swaps=(*self.swaps, swap),
        )

    def possible_swaps(self) -> Iterator[Swap]:
        """Give the swaps that fit; of jokers of one set that are equal cards one.

        Where the seat lays nothing off in this turn, what lies on the table then makes no difference: of the swaps that
        bring equal jokers for one card only one is given, of a run where there is one, which no other card fits.
        """
        if self.lays_off:
            yield from self._fitting_swaps()
            return
        found: dict[tuple[Card, Card], Swap] = {}
        for swap in sorted(self._fitting_swaps(), key=lambda swap: self.melds[swap.meld].kind is MeldKind.SET):
            found.setdefault((swap.card, self.brings(swap)), swap)
        yield from found.values()

    def _fitting_swaps(self) -> Iterator[Swap]:
        cards = sorted(set(self.hand) - {JOKER})
        for meld in self.melds:
            places = meld.joker_places()
            if meld.kind is MeldKind.SET:
                places = list({meld.cards[place]: place for place in places}.values())
            for place in places:
                for card in cards:
                    if refuse_swap(meld, place, card, self.rules) is None:
                        yield Swap(self.seat, meld.id, place, card)

    def key(self) -> tuple[object, ...]:
        """Give what is equal for positions that offer the same: of a set only its jokers matter."""
        table = tuple(
            tuple(sorted(meld.cards[place] for place in meld.joker_places()))
            if meld.kind is MeldKind.SET
            else meld.cards
            for meld in self.melds
        )
        return tuple(sorted(self.hand)), tuple(sorted(self.owed)), table

    def with_swaps(self) -> Iterator[Position]:
        """Give this position and all that swaps can lead to, those of fewest swaps first."""
        reached = [self]
        seen = {self.key()}
        for position in reached:
            yield position
            if not self.may_swap:
                return
            for swap in position.possible_swaps():
                after = position.after(swap)
                key = after.key()
                if key not in seen:
                    seen.add(key)
                    reached.append(after)
