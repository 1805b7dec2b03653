"""A turn in the making: its plays one after the other, with the hand and the table after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, laid_off, read_meld, refuse_lay_off, swapped
from shanghai_engine.refusal import Refusal
from shanghai_engine.solver.position import Position

Play = LayDown | LayOff | Swap


class Making:
    """A turn in the making: what has been played, and the hand and the table after it."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.plays: list[Play] = []
        self.hand = Counter(start.hand)
        self.melds = list(start.melds)

    def swap(self, swap: Swap) -> None:
        """Swap a joker."""
        self.hand[swap.card] -= 1
        self.hand[self.melds[swap.meld].cards[swap.index]] += 1
        self.melds[swap.meld] = swapped(self.melds[swap.meld], swap.index, swap.card)
        self.plays.append(swap)

    def lay_down(self, drafts: Sequence[MeldDraft]) -> None:
        """Lay melds down that are lawful."""
        for draft in drafts:
            self.melds.append(read_lawful(draft, len(self.melds), self.start))
            self.hand.subtract(draft.cards)
        self.plays.append(LayDown(self.start.seat, tuple(drafts)))

    def lay_off(self, meld: int, card: Card, end: End | None) -> None:
        """Lay one card off."""
        self.melds[meld] = laid_off(self.melds[meld], card, end)
        self.hand[card] -= 1
        self.plays.append(LayOff(self.start.seat, meld, card, end))

    def put_away(self, card: Card) -> None:
        """Lay a card off wherever it fits."""
        for meld in self.melds:
            for end in meld.ends:
                if refuse_lay_off(meld, card, end, self.start.rules) is None:
                    self.lay_off(meld.id, card, end)
                    return

    def put_into_a_set(self, card: Card) -> None:
        """Lay a natural card off to a set of its rank, if there is one."""
        for meld in self.melds:
            if meld.kind is MeldKind.SET and meld.rank == card.rank:
                self.lay_off(meld.id, card, None)
                return

    def kept(self) -> tuple[Card, ...]:
        """Give what is left in hand."""
        return tuple(sorted(self.hand.elements()))


def read_lawful(draft: MeldDraft, meld_id: int, start: Position) -> Meld:
    """Read a meld that was made to be one."""
    meld = read_meld(draft, meld_id=meld_id, owner=start.seat, rules=start.rules)
    assert not isinstance(meld, Refusal), f"{draft}: {meld}"  # noqa: S101 it was made to be one
    return meld
