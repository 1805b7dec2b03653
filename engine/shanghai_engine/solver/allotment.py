"""The allotment: which card goes to which meld, once it is settled what the melds shall be.

Several melds may want the same card: the 8H fits a run of hearts and a set of eights. As many cards as possible
are used where the runs take all that they can and the sets what remains; but a meld may then lack the naturals that
R8.3 asks of it, while another has more than it needs. `Allotment.balance` passes cards on, also by way of a third
meld, until that is no longer so (an augmenting path, as in any matching).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shanghai_engine.card import JOKER, LOWEST_RANK, card_of
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.solver.holding import RANKS, Suits, places
from shanghai_engine.solver.window import fewest_naturals, most_jokers_of_run, most_jokers_of_set

Natural = tuple[int, int]
"""A natural card: its suit, and the place of its rank."""


@dataclass(slots=True)
class Share:
    """A meld to be and the naturals that it has got.

    It is a run in `window` of `suit`, or, where `suit` is -1, a set of the rank at place `rank`.
    """

    suit: int
    window: int
    rank: int
    size: int
    naturals: list[Natural]

    @property
    def spare(self) -> int:
        """How many naturals it has beyond those that R8.3 asks of its size; below 0 where it lacks some."""
        return len(self.naturals) - fewest_naturals(self.size)

    @property
    def missing(self) -> int:
        """How many cards it lacks to its size."""
        return max(0, self.size - len(self.naturals))

    @property
    def most_jokers(self) -> int:
        """How many jokers it can hold with these naturals (R8.3)."""
        return most_jokers_of_set(len(self.naturals)) if self.suit < 0 else most_jokers_of_run(len(self.naturals))

    def wants(self, natural: Natural) -> bool:
        """Say whether the card would fit in."""
        suit, rank = natural
        if self.suit < 0:
            return rank == self.rank
        return suit == self.suit and bool(self.window >> rank & 1) and natural not in self.naturals

    def draft(self, jokers: int) -> MeldDraft:
        """Give the meld with so many jokers: in a run they fill the gaps, then lengthen it upwards, then downwards."""
        if self.suit < 0:
            cards = sorted(card_of(LOWEST_RANK + rank, suit) for suit, rank in self.naturals)
            return MeldDraft(MeldKind.SET, (*cards, *[JOKER] * jokers))
        held = {rank for _, rank in self.naturals}
        end = self.window.bit_length()
        low = end - self.size
        more = jokers + len(held) - self.size
        high = min(RANKS, end + more)
        low -= end + more - high
        return MeldDraft(
            MeldKind.RUN,
            tuple(card_of(LOWEST_RANK + rank, self.suit) if rank in held else JOKER for rank in range(low, high)),
        )


def set_share(rank: int, size: int) -> Share:
    """Give a set at a rank's place, asked to have a size, without cards."""
    return Share(-1, 0, rank, size, [])


def run_share(suit: int, window: int, size: int) -> Share:
    """Give a run in a window, of the window's size, without cards."""
    return Share(suit, window, -1, size, [])


class Allotment:
    """The naturals of a hand shared out among melds; `runs` and `sets` in the order given."""

    __slots__ = ("runs", "sets", "shares")

    def __init__(self, suits: Suits, runs: Sequence[Share], sets: Sequence[Share]) -> None:
        """Give every run all that it can use, then every set what remains up to its size, then the rest to the sets."""
        self.runs = list(runs)
        self.sets = list(sets)
        self.shares = [*self.runs, *self.sets]
        left = [[sum(layer >> rank & 1 for layer in layers) for rank in range(RANKS)] for layers in suits]
        for share in self.runs:
            for rank in places(share.window):
                if left[share.suit][rank]:
                    left[share.suit][rank] -= 1
                    share.naturals.append((share.suit, rank))
        for full in (False, True):
            for share in self.sets:
                for suit in range(4):
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

    def make_room(self, jokers: int, worth: Sequence[int], joker_worth: int) -> None:
        """Make room for more jokers where these melds cannot hold them all.

        A run of more than seven naturals is short of room, since it ends at 13 cards: it holds one joker more for
        each natural that it passes on to another meld, or leaves in hand where that is the cheaper card. `worth` is
        that of a natural by the place of its rank.
        """
        while sum(share.most_jokers for share in self.shares) < jokers:
            if not self._pass_on() and not self._leave_out(worth, joker_worth):
                return

    def _pass_on(self) -> bool:
        """Pass one natural of a run on to a meld, if the two can then hold more jokers; say whether it was possible."""
        for giver in self.runs:
            for natural in giver.naturals:
                for taker in self.shares:
                    if taker is giver or giver.spare <= 0 or not taker.wants(natural):
                        continue
                    before = giver.most_jokers + taker.most_jokers
                    giver.naturals.remove(natural)
                    taker.naturals.append(natural)
                    if giver.most_jokers + taker.most_jokers > before:
                        return True
                    taker.naturals.remove(natural)
                    giver.naturals.append(natural)
                    break
        return False

    def _leave_out(self, worth: Sequence[int], joker_worth: int) -> bool:
        """Leave the cheapest natural of a crowded run in hand if a joker is worth more; say whether there was one."""
        crowded = [share for share in self.runs if most_jokers_of_run(len(share.naturals) - 1) > share.most_jokers]
        choice = min(
            (
                (worth[natural[1]], natural, number)
                for number, share in enumerate(crowded)
                for natural in share.naturals
            ),
            default=None,
        )
        if choice is None or choice[0] >= joker_worth:
            return False
        crowded[choice[2]].naturals.remove(choice[1])
        return True

    def spread_jokers(self, jokers: int) -> list[int]:
        """Give how many jokers each meld of `shares` gets: what it misses, then what it can hold, the sets first."""
        given = [share.missing for share in self.shares]
        left = jokers - sum(given)
        for index in (*range(len(self.runs), len(self.shares)), *range(len(self.runs))):
            more = min(left, self.shares[index].most_jokers - given[index])
            given[index] += more
            left -= more
        return given
