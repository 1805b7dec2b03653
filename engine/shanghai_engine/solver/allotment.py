"""The allotment: which card goes to which meld, once it is settled what the melds shall be.

Several melds may want the same card: the 8H fits a run of hearts and a set of eights. As many cards as possible
are used where the runs take all that they can and the sets what remains; but a meld may then lack the naturals that
R8.3 asks of it, while another has more than it needs. `Allotment.balance` passes cards on, also by way of a third
meld, until that is no longer so (an augmenting path, as in any matching).

A two that is wild is a natural card here as far as a run wants it at its own place, and is no card of any set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, TWO, Card, card_of
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.solver.holding import SUITS, Holding, ranks_of
from shanghai_engine.solver.terms import ACES, RANKS, TWO_PLACE, Terms

Natural = tuple[int, int]
"""A natural card: its suit, and the number of its rank."""


@dataclass(slots=True)
class Share:
    """A meld to be and the naturals that it has got.

    It is a run in `window` of `suit`, or, where `suit` is -1, a set of the rank with the number `rank`.
    """

    terms: Terms
    suit: int
    window: int
    rank: int
    size: int
    naturals: list[Natural]

    @property
    def spare(self) -> int:
        """How many naturals it has beyond those that R8.3 asks of its size; below 0 where it lacks some."""
        return len(self.naturals) - self.terms.fewest_naturals(self.size)

    @property
    def missing(self) -> int:
        """How many cards it lacks to its size."""
        return max(0, self.size - len(self.naturals))

    @property
    def most_jokers(self) -> int:
        """How many jokers it can hold with these naturals (R8.3)."""
        return self.most_jokers_with(len(self.naturals))

    def most_jokers_with(self, naturals: int) -> int:
        """Give how many jokers it could hold with so many naturals (R8.3)."""
        if self.suit < 0:
            return self.terms.most_jokers_of_set(naturals)
        return self.terms.most_jokers_of_run(naturals)

    def wants(self, natural: Natural) -> bool:
        """Say whether the card would fit in."""
        suit, rank = natural
        if self.suit < 0:
            return rank == self.rank
        places = ACES if rank == RANKS - 1 else TWO_PLACE << rank
        return suit == self.suit and bool(self.window & places) and natural not in self.naturals

    def draft(self, wilds: Sequence[Card]) -> MeldDraft:
        """Give the meld with wild cards: in a run they fill the gaps, then lengthen it upwards, then downwards."""
        if self.suit < 0:
            cards = sorted(card_of(LOWEST_RANK + rank, suit) for suit, rank in self.naturals)
            return MeldDraft(MeldKind.SET, (*cards, *wilds))
        more = len(wilds) + len(self.naturals) - self.size
        held = {LOWEST_RANK + rank for _, rank in self.naturals}
        low = (self.window & -self.window).bit_length()
        # A run of one two and wild cards begins with it: or else another of its twos might be taken for the natural.
        if low < TWO and held == {TWO}:
            low = TWO
        high = min(ACE, low + self.size - 1 + more)
        low = high + 1 - self.size - more
        rest = iter(wilds)
        meant = [rank if rank >= LOWEST_RANK else ACE for rank in range(low, high + 1)]
        cards = [card_of(rank, self.suit) if rank in held else next(rest) for rank in meant]
        return MeldDraft(MeldKind.RUN, tuple(cards))


def set_share(terms: Terms, rank: int, size: int) -> Share:
    """Give a set of the rank with a number, asked to have a size, without cards."""
    return Share(terms, -1, 0, rank, size, [])


def run_share(terms: Terms, suit: int, window: int, size: int) -> Share:
    """Give a run in a window, of the window's size, without cards."""
    return Share(terms, suit, window, -1, size, [])


class Allotment:
    """The naturals of a hand shared out among melds; `runs` and `sets` in the order given."""

    __slots__ = ("jokers", "runs", "sets", "shares", "twos")

    def __init__(self, holding: Holding, runs: Sequence[Share], sets: Sequence[Share]) -> None:
        """Give every run all that it can use, then every set what remains up to its size, then the rest to the sets."""
        self.runs = list(runs)
        self.sets = list(sets)
        self.shares = [*self.runs, *self.sets]
        self.jokers = holding.jokers
        self.twos = holding.twos
        left = holding.naturals()
        for share in self.runs:
            for rank in ranks_of(share.window):
                if left[share.suit][rank]:
                    left[share.suit][rank] -= 1
                    share.naturals.append((share.suit, rank))
        for full in (False, True):
            for share in self.sets:
                for suit in range(SUITS):
                    while left[suit][share.rank] and (full or share.missing):
                        left[suit][share.rank] -= 1
                        share.naturals.append((suit, share.rank))

    def balance(self) -> int:
        """Pass naturals on to the melds that R8.3 would not allow; give how many are lacking in the end."""
        for share in self.shares:
            while share.spare < 0 and self._supply(share, [share]):
                pass
        return sum(max(0, -share.spare) for share in self.shares)

    def _supply(self, taker: Share, asked: list[Share]) -> bool:
        """Get one natural for a meld from another that can spare it, or that can get another for it."""
        for giver in self.shares:
            if any(giver is share for share in asked):
                continue
            natural = next((card for card in giver.naturals if taker.wants(card)), None)
            if natural is None:
                continue
            asked.append(giver)
            if giver.spare > 0 or self._supply(giver, asked):
                giver.naturals.remove(natural)
                taker.naturals.append(natural)
                return True
        return False

    def wilds(self, points: Sequence[int]) -> list[Card]:
        """Give the wild cards that are natural in no meld, those first that count the most points."""
        twos = list(self.twos) if any(self.twos) else [0] * SUITS
        for share in self.runs:
            if twos[share.suit] and (share.suit, 0) in share.naturals:
                twos[share.suit] -= 1
        wilds = [JOKER] * self.jokers
        for suit, number in enumerate(twos):
            wilds += [card_of(TWO, suit)] * number
        wilds.sort(key=lambda card: (-points[card], card))
        return wilds

    def make_room(self, points: Sequence[int]) -> None:
        """Make room for more wild cards where these melds cannot hold them all.

        A long run is short of room, since it ends at 13 cards: it may hold one joker more for each natural that it
        passes on to another meld, or leaves in hand where that costs less. `points` are those of a card by its number.
        """
        while True:
            room = sum(share.most_jokers for share in self.shares)
            wilds = self.wilds(points)
            if room >= len(wilds) or not (self._pass_on() or self._leave_out(points, points[wilds[room]])):
                return

    def _pass_on(self) -> bool:
        """Pass one natural of a run on to a meld, if the two can then hold more jokers; say whether it was possible."""
        for giver in self.runs:
            if giver.spare <= 0:
                continue
            for natural in giver.naturals:
                for taker in self.shares:
                    if taker is giver or not taker.wants(natural):
                        continue
                    now = giver.most_jokers + taker.most_jokers
                    here, there = len(giver.naturals) - 1, len(taker.naturals) + 1
                    if giver.most_jokers_with(here) + taker.most_jokers_with(there) > now:
                        giver.naturals.remove(natural)
                        taker.naturals.append(natural)
                        return True
        return False

    def _leave_out(self, points: Sequence[int], most: int) -> bool:
        """Leave the natural of fewest points of a crowded run in hand if a wild card counts more; say whether so."""
        choice = min(
            (
                (points[card_of(LOWEST_RANK + rank, suit)], number, (suit, rank))
                for number, share in enumerate(self.runs)
                if share.spare > 0 and share.most_jokers_with(len(share.naturals) - 1) > share.most_jokers
                for suit, rank in share.naturals
            ),
            default=None,
        )
        if choice is None or choice[0] >= most:
            return False
        self.runs[choice[1]].naturals.remove(choice[2])
        return True

    def spread(self, wilds: Sequence[Card]) -> list[Sequence[Card]]:
        """Give the wild cards that each meld of `shares` gets: first what it misses, then, the sets first, what it can.

        Where they do not all find room those that come last are left.
        """
        given = [share.missing for share in self.shares]
        left = len(wilds) - sum(given)
        for index in (*range(len(self.runs), len(self.shares)), *range(len(self.runs))):
            more = min(left, self.shares[index].most_jokers - given[index])
            given[index] += more
            left -= more
        ends = list(accumulate(given))
        return [wilds[end - number : end] for end, number in zip(ends, given, strict=True)]
