"""The order of a turn: lawful plays that lead to a layout, if there are any.

Swaps come first for who is down, and after the lay-down for who is not, as R10.2 and R16 ask. Only where the lay-down
needs the jokers of swaps are these made before it; then each of them must leave a hand that can lay down. A new meld is
laid down whole where the hand has the wild cards for it by then, and else as short as may be, and lengthened later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from shanghai_engine.action import Swap
from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, TWO, Card, card_of
from shanghai_engine.contract import Contract
from shanghai_engine.meld import (
    End,
    MeldDraft,
    MeldKind,
    refuse_alike,
)
from shanghai_engine.solver.dealing import RunToBe
from shanghai_engine.solver.effort import STEPS_OF_ORDER, Effort
from shanghai_engine.solver.fulfilment import fulfils
from shanghai_engine.solver.making import Making, read_lawful
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.table import naturals_of, way_to_lay_off
from shanghai_engine.solver.terms import Terms, terms_of

Slot = Card | None
"""A place of a meld: its natural card, or none for any wild card."""
Ends = tuple[tuple[Slot, ...], tuple[Slot, ...]]
"""What is added to a run at its low and at its high end, the nearest first."""
Able = Callable[[Sequence[Card], Contract], bool]
Rest = tuple[int, tuple[Slot, ...], tuple[Slot, ...]]
"""The same with the id of the run."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a turn shall come to: its runs with the places that hold their natural, its new sets, and what is kept.

    `runs` are new runs and those of the table with what is added to them; `sets` are pairs of the rank's number
    and the size asked for. Naturals that no run takes go to a set of their rank, new or on the table, if there is one.
    """

    runs: Sequence[RunToBe]
    naturals: Sequence[Sequence[bool]]
    sets: Sequence[tuple[int, int]]
    kept: Sequence[Card]


@dataclass(frozen=True, slots=True)
class Fresh:
    """A meld to be laid down: `slots` in order, of a run from the rank `low` on."""

    kind: MeldKind
    slots: tuple[Slot, ...]
    suit: int = -1
    low: int = 0

    @property
    def gaps(self) -> int:
        """How many wild cards it needs."""
        return sum(slot is None for slot in self.slots)

    @property
    def shape(self) -> MeldDraft:
        """A meld of its kind and size, whatever its cards."""
        return MeldDraft(self.kind, (JOKER,) * len(self.slots))

    def naturals(self) -> Counter[Card]:
        """Give its natural cards."""
        return Counter(slot for slot in self.slots if slot is not None)

    def longer(self, wilds: int) -> Fresh:
        """Give the meld with places for so many further wild cards: of a run above it, then below it."""
        if self.kind is MeldKind.SET:
            return Fresh(self.kind, (*self.slots, *[None] * wilds))
        above = min(wilds, ACE + 1 - self.low - len(self.slots))
        below = wilds - above
        return Fresh(self.kind, (*[None] * below, *self.slots, *[None] * above), self.suit, self.low - below)

    def filled(self, wilds: list[Card]) -> MeldDraft:
        """Give the meld with wild cards taken from the front of a list."""
        return MeldDraft(self.kind, tuple(wilds.pop(0) if slot is None else slot for slot in self.slots))


def plays_for(start: Position, goal: Position, layout: Layout, able: Able, effort: Effort) -> Making | None:
    """Give the turn made, from `start`, with the swaps that `goal` has seen; none where there are no lawful plays.

    `able` says whether a hand can lay a contract down. None also where the `effort` is spent before there is an order.
    """
    return _Ordering(start, goal, layout, able, effort).made()


class _Ordering:
    """One layout to be put into an order."""

    def __init__(self, start: Position, goal: Position, layout: Layout, able: Able, effort: Effort) -> None:
        self.start = start
        self.effort = effort
        self.able = able
        self.terms: Terms = terms_of(start.rules)
        self.swaps = goal.swaps[len(start.swaps) :]
        self.kept = Counter(layout.kept)
        self.growing: list[tuple[RunToBe, tuple[Slot, ...]]] = []
        fresh_runs = []
        left = Counter(goal.hand)
        for run, held in zip(layout.runs, layout.naturals, strict=True):
            cards = [card_of(rank if rank >= LOWEST_RANK else ACE, run.suit) for rank in run.ranks]
            slots = tuple(card if natural else None for card, natural in zip(cards, held, strict=True))
            left.subtract(slot for slot in slots if slot is not None)
            if run.meld is not None:
                self.growing.append((run, slots))
            else:
                fresh_runs.append(_fresh_run(run.suit, run.ranks[0], slots))
        self.fresh = [*self._fresh_sets(layout.sets, left), *fresh_runs]
        wild = start.rules.wild_cards
        every = [slot for meld in self.fresh for slot in meld.slots] + [slot for _, s in self.growing for slot in s]
        self.twos = Counter(slot for slot in every if slot is not None and wild[slot])
        self.extra = sum(number for card, number in left.items() if wild[card]) - self.kept.total()
        self.extra -= every.count(None)

    def _fresh_sets(self, sets: Sequence[tuple[int, int]], left: Counter[Card]) -> list[Fresh]:
        """Give the new sets, and take their naturals out of what is left: first those that R8.3 asks of each."""
        naturals = {
            rank: sorted(card for card in left.elements() if card.rank == rank + LOWEST_RANK) for rank, _ in sets
        }
        got: list[list[Card]] = [[] for _ in sets]
        shares = [
            [self.terms.fewest_naturals(size) for _, size in sets],
            [size for _, size in sets],
            [left.total()] * len(sets),
        ]
        for share in shares:
            for (rank, _), cards, most in zip(sets, got, share, strict=True):
                more = naturals[rank][: max(0, most - len(cards))]
                cards.extend(more)
                naturals[rank] = naturals[rank][len(more) :]
                left.subtract(more)
        return [
            Fresh(MeldKind.SET, (*sorted(cards), *[None] * (size - len(cards))))
            for (_, size), cards in zip(sets, got, strict=True)
        ]

    def made(self) -> Making | None:
        """Give the turn made."""
        start = self.start
        if start.contract is None:
            return self._finish(Making(start), self.fresh, [], self.swaps)
        needed = 0
        if start.lays_off and len(self.fresh) == len(start.contract.sets) + len(start.contract.runs):
            needed = sum(meld.gaps for meld, _ in self._shortest(self.fresh))
        held = sum(start.rules.wild_cards[card] for card in start.hand)
        for before in self._swaps_before(start.contract):
            if held + len(before) < needed:
                continue
            making = Making(start)
            for swap in before:
                making.swap(swap)
            later = [swap for swap in self.swaps if swap not in before]
            coming = Counter(start.melds[swap.meld].cards[swap.index] for swap in later)
            for chosen in self._of_the_contract(start.contract):
                if not self.effort.take(STEPS_OF_ORDER):
                    return None
                others = [meld for number, meld in enumerate(self.fresh) if number not in chosen]
                melds = [self.fresh[number] for number in chosen]
                for laid, rest in self._ways_to_lay_down(melds, making, coming):
                    making.lay_down(laid)
                    return self._finish(making, others, rest, later)
        return None

    def _swaps_before(self, contract: Contract) -> Iterator[tuple[Swap, ...]]:
        """Give the sets of swaps, in an order, that can come before the lay-down, the fewest first (R10.2)."""
        start = self.start
        if start.lays_off or not self.swaps:
            yield ()
        if start.rules.joker_swap != "everyone":
            return
        level: dict[frozenset[Swap], tuple[tuple[Swap, ...], Position]] = {frozenset(): ((), start)}
        for number in range(1, len(self.swaps) + 1):
            further: dict[frozenset[Swap], tuple[tuple[Swap, ...], Position]] = {}
            for done, (order, position) in level.items():
                for swap in self.swaps:
                    reached = done | {swap}
                    if swap in done or reached in further:
                        continue
                    after = position.after(swap)
                    if self.able(after.hand, contract):
                        further[reached] = (*order, swap), after
            if start.lays_off or number == len(self.swaps):
                yield from (order for order, _ in further.values())
            level = further

    def _of_the_contract(self, contract: Contract) -> Iterator[tuple[int, ...]]:
        """Give the new melds, by number, that can be those of the contract: all but where further ones are made."""
        numbers: dict[MeldKind, list[int]] = {kind: [] for kind in MeldKind}
        for number, meld in enumerate(self.fresh):
            numbers[meld.kind].append(number)
        for sets in combinations(numbers[MeldKind.SET], len(contract.sets)):
            for runs in combinations(numbers[MeldKind.RUN], len(contract.runs)):
                chosen = (*sets, *runs)
                if fulfils([self.fresh[number].shape for number in chosen], contract):
                    yield chosen

    def _ways_to_lay_down(
        self, melds: Sequence[Fresh], making: Making, coming: Counter[Card]
    ) -> Iterator[tuple[list[MeldDraft], list[Rest]]]:
        """Give the melds as they can be laid down now, with what is to be added to them later.

        `coming` are the wild cards of later swaps.
        """
        start = self.start
        needed: Counter[Card] = Counter()
        for meld in melds:
            needed += meld.naturals()
        free = self._free(making.hand, self.twos - needed, coming, needed)
        gaps = sum(meld.gaps for meld in melds)
        if free is not None and len(free) >= gaps:
            longer = self._longer(melds, min(self.extra, len(free) - gaps))
            drafts = [meld.filled(free) for meld in longer]
            if self._is_lawful(drafts):
                yield drafts, []
        if not start.lays_off:
            return
        shorter = self._shortest(melds)
        needed = Counter()
        for meld, _ in shorter:
            needed += meld.naturals()
        free = self._free(making.hand, self.twos - needed, coming, needed)
        if free is not None and len(free) >= sum(meld.gaps for meld, _ in shorter):
            drafts = [meld.filled(free) for meld, _ in shorter]
            if self._is_lawful(drafts):
                first = len(making.melds)
                yield drafts, [(first + number, low, high) for number, (_, (low, high)) in enumerate(shorter)]

    def _is_lawful(self, drafts: Sequence[MeldDraft]) -> bool:
        """Say whether the melds of a lay-down differ as R16 may ask."""
        read = [read_lawful(draft, 0, self.start) for draft in drafts]
        return refuse_alike(read, self.start.rules) is None

    def _free(
        self, hand: Counter[Card], elsewhere: Counter[Card], coming: Counter[Card], needed: Counter[Card]
    ) -> list[Card] | None:
        """Give the wild cards of the hand that may fill any gap now; none where `needed` twos are still to come.

        What is kept, and twos that are needed `elsewhere` at their own place, are not free, unless enough of them are
        `coming`.
        """
        wild = self.start.rules.wild_cards
        free: list[Card] = []
        for card, held in hand.items():
            if wild[card]:
                reserved = max(0, self.kept[card] + elsewhere[card] - coming[card])
                free += [card] * (held - needed[card] - reserved)
        if any(wild[card] and number > hand[card] for card, number in needed.items()):
            return None
        return sorted(free, key=lambda card: (-self.start.rules.card_points[card], card))

    def _longer(self, melds: Sequence[Fresh], wilds: int) -> list[Fresh]:
        """Give the melds with up to so many further wild cards, as many as R8.3 allows."""
        longer = []
        for meld in melds:
            naturals = len(meld.slots) - meld.gaps
            most = self.terms.most_jokers_of_set if meld.kind is MeldKind.SET else self.terms.most_jokers_of_run
            more = max(0, min(wilds, most(naturals) - meld.gaps))
            wilds -= more
            longer.append(meld.longer(more))
        return longer

    def _shortest(self, melds: Sequence[Fresh]) -> list[tuple[Fresh, Ends]]:
        """Give each meld as short as uses the fewest wild cards, with what is to be added at its ends later."""
        contract = self.start.contract
        assert contract is not None, "only who is not down lays a contract down"  # noqa: S101
        runs = sorted((meld for meld in melds if meld.kind is MeldKind.RUN), key=lambda meld: -len(meld.slots))
        sizes = {id(meld): size for meld, size in zip(runs, contract.runs, strict=True)}
        return [self._shortened(meld, sizes[id(meld)]) if id(meld) in sizes else (meld, ((), ())) for meld in melds]

    def _shortened(self, run: Fresh, size: int) -> tuple[Fresh, Ends]:
        """Give the part of a run, of a size or longer, of the fewest wild cards; the whole where none has fewer."""
        best: tuple[int, Fresh, Ends] = (run.gaps, run, ((), ()))
        for low in range(len(run.slots) - size + 1):
            for high in range(low + size, len(run.slots) + 1):
                slots = run.slots[low:high]
                naturals = len(slots) - slots.count(None)
                part = Fresh(MeldKind.RUN, slots, run.suit, run.low + low)
                ends = (run.slots[:low][::-1], run.slots[high:])
                flags = [tuple(slot is not None for slot in end) for end in ends]
                if (
                    part.gaps < best[0]
                    and naturals >= self.terms.fewest_naturals(len(slots))
                    and not (slots[0] is None and _is_only_a_two(slots))
                    and way_to_lay_off(*flags, naturals=naturals, jokers=part.gaps, terms=self.terms) is not None
                ):
                    best = (part.gaps, part, ends)
        return best[1], best[2]

    def _finish(self, making: Making, others: Sequence[Fresh], rest: Sequence[Rest], later: Sequence[Swap]) -> Making:
        """Play what comes after the lay-down."""
        for swap in later:
            making.swap(swap)
        growing = [
            *rest,
            *((run.meld.id, *_outwards(run, slots)) for run, slots in self.growing if run.meld is not None),
        ]
        slots = [slot for meld in others for slot in meld.slots] + [
            slot for _, low, high in growing for slot in (*low, *high)
        ]
        wanted = Counter(slot for slot in slots if slot is not None)
        free = self._free(making.hand, wanted, Counter(), Counter()) or []
        if not self.start.lays_off:
            others = self._longer(others, len(free) - sum(meld.gaps for meld in others))
        for meld in others:
            making.lay_down([meld.filled(free)])
        if not self.start.lays_off:
            return making
        for meld_id, low, high in growing:
            self._grow(making, meld_id, low, high, free)
        for card in sorted(making.hand.elements()):
            if not self.start.rules.wild_cards[card]:
                making.put_into_a_set(card)
        for card in free:
            making.put_away(card)
        return making

    def _grow(
        self, making: Making, meld_id: int, low: tuple[Slot, ...], high: tuple[Slot, ...], free: list[Card]
    ) -> None:
        """Lay cards off at the ends of a run, in an order that R8.3 allows."""
        meld = making.melds[meld_id]
        flags = [tuple(slot is not None for slot in end) for end in (low, high)]
        way = way_to_lay_off(*flags, naturals=naturals_of(meld), jokers=meld.jokers, terms=self.terms)
        queues = {End.LOW: iter(low), End.HIGH: iter(high)}
        for end in way or ():
            card = next(queues[end])
            making.lay_off(meld_id, free.pop(0) if card is None else card, end)


def _fresh_run(suit: int, low: int, slots: tuple[Slot, ...]) -> Fresh:
    """Give a new run; of one two and wild cards alone it begins with the two, or else it might be read otherwise."""
    if slots[0] is None and _is_only_a_two(slots):
        return Fresh(MeldKind.RUN, (*slots[1:], None), suit, low + 1)
    return Fresh(MeldKind.RUN, slots, suit, low)


def _is_only_a_two(slots: Sequence[Slot]) -> bool:
    """Say whether a run has no natural card but a two."""
    return [slot.rank for slot in slots if slot is not None] == [TWO]


def _outwards(run: RunToBe, slots: tuple[Slot, ...]) -> Ends:
    """Part what is added to a run of the table into its low and its high end, the nearest first."""
    return slots[: run.low], slots[run.low :]
