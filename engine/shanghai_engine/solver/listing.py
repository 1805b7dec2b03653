"""All lay-downs of a hand, one after another (R8.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from shanghai_engine.card import ACE, CARDS, LOWEST_RANK, Card, card_of, cards_text
from shanghai_engine.contract import LONGEST_RUN, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.holding import SUITS
from shanghai_engine.solver.nearness import can_lay_down_apart
from shanghai_engine.solver.question import check_question
from shanghai_engine.solver.terms import Terms, terms_of


def all_lay_downs(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> Iterator[tuple[MeldDraft, ...]]:
    """Give every lay-down that the hand allows, each once, as it is asked for.

    Two that differ only in the order of the melds, in the order within a set, or in which of two equal cards is used,
    are one. Sets come first, then runs, each from the longest down. A full hand with several jokers has millions.
    """
    check_question(hand, contract, rules)
    return _Listing(rules, terms_of(rules)).lay_downs(Counter(hand), (contract.sets, contract.runs), ())


Sizes = tuple[tuple[int, ...], tuple[int, ...]]
"""The sizes of the sets and of the runs that are still to be listed."""


@dataclass(frozen=True, slots=True)
class _Listing:
    """The listing under one rule set."""

    rules: RuleSet
    terms: Terms

    def lay_downs(self, left: Counter[Card], sizes: Sizes, melds: tuple[Meld, ...]) -> Iterator[tuple[MeldDraft, ...]]:
        """Give every way to go on from `melds` with the cards left; a kind's melds are in the order of `_place`."""
        sets, runs = sizes
        if not sets and not runs:
            yield tuple(MeldDraft(meld.kind, meld.cards) for meld in melds)
            return
        if not self._can_go_on(left, sizes, melds):
            return
        kind = MeldKind.SET if sets else MeldKind.RUN
        before = melds[-1] if melds and melds[-1].kind is kind else None
        most = left.total() if before is None else len(before.cards)
        if sets and before is not None and most == sets[-1] and not self._can_follow(left, sizes, melds):
            return
        if sets:
            rest: Sizes = (sets[1:], runs)
            found = self._sets(left, range(sets[0], most + 1), self._ranks(left, rest, melds))
        else:
            rest = ((), runs[1:])
            found = self._runs(left, range(runs[0], min(most, LONGEST_RUN) + 1), self._suits(left, rest, melds))
        for meld in found:
            if before is None or _place(meld) >= _place(before):
                yield from self.lay_downs(left - Counter(meld.cards), rest, (*melds, meld))

    def _can_follow(self, left: Counter[Card], sizes: Sizes, melds: Sequence[Meld]) -> bool:
        """Say whether sets that must be as long as the last one can stand behind it.

        The natural cards of each come first, in number order, so none of them is below the first card of the last set.
        """
        first = melds[-1].cards[0]
        later = Counter({card: held for card, held in left.items() if card >= first or self.rules.wild_cards[card]})
        return self._can_go_on(later, (sizes[0], ()), melds)

    def _can_go_on(
        self, left: Counter[Card], sizes: Sizes, melds: Sequence[Meld], *, rank: int = -1, suit: int = -1
    ) -> bool:
        """Say whether cards hold melds of these sizes beside others, and beside a set of a rank or a run of a suit."""
        if not any(sizes):
            return True
        ranks = {meld.rank - LOWEST_RANK for meld in melds if meld.kind is MeldKind.SET} | {rank}
        suits = {meld.suit for meld in melds if meld.kind is MeldKind.RUN} | {suit}
        return can_lay_down_apart(
            tuple(left.elements()),
            Contract(*sizes),
            self.rules,
            ranks=ranks if self.terms.distinct_ranks else (),
            suits=suits if self.terms.distinct_suits else (),
        )

    def _ranks(self, left: Counter[Card], rest: Sizes, melds: Sequence[Meld]) -> list[int]:
        """Give the ranks that a set may have, by their numbers, beside melds and what is to follow."""
        if not self.terms.distinct_ranks:
            return list(self.terms.set_ranks)
        taken = {meld.rank - LOWEST_RANK for meld in melds}
        ranks = [rank for rank in self.terms.set_ranks if rank not in taken]
        return [rank for rank in ranks if self._can_go_on(left, rest, melds, rank=rank)]

    def _suits(self, left: Counter[Card], rest: Sizes, melds: Sequence[Meld]) -> list[int]:
        """Give the suits that a run may have beside melds and what is to follow."""
        if not self.terms.distinct_suits:
            return list(range(SUITS))
        taken = {meld.suit for meld in melds if meld.kind is MeldKind.RUN}
        suits = [suit for suit in range(SUITS) if suit not in taken]
        return [suit for suit in suits if self._can_go_on(left, rest, melds, suit=suit)]

    def _sets(self, left: Counter[Card], sizes: range, ranks: Sequence[int]) -> Iterator[Meld]:
        """Give every set of some sizes and ranks, these by their numbers."""
        wilds = [card for card in CARDS if self.rules.wild_cards[card] and left[card]]
        for rank in ranks:
            cards = [card_of(LOWEST_RANK + rank, suit) for suit in range(SUITS)]
            for numbers in product(*(range(left[card] + 1) for card in cards)):
                naturals = [card for card, held in zip(cards, numbers, strict=True) for _ in range(held)]
                most = min(sum(left[card] for card in wilds), self.terms.most_jokers_of_set(len(naturals)))
                for jokers in range(max(0, sizes.start - len(naturals)), min(most, sizes.stop - 1 - len(naturals)) + 1):
                    for chosen in _multisets(wilds, left, jokers):
                        yield self._read(MeldKind.SET, (*naturals, *chosen))

    def _runs(self, left: Counter[Card], sizes: range, suits: Sequence[int]) -> Iterator[Meld]:
        """Give every run of some sizes and suits."""
        for suit in suits:
            for low in range(self.rules.lowest_rank, ACE - sizes.start + 2):
                for length in range(sizes.start, min(sizes.stop - 1, ACE - low + 1) + 1):
                    meant = [card_of(rank if rank >= LOWEST_RANK else ACE, suit) for rank in range(low, low + length)]
                    most = length - self.terms.fewest_naturals(length)
                    for cards in self._filled(meant, left.copy(), most):
                        meld = self._read(MeldKind.RUN, cards)
                        # Of twos and jokers alone some runs can be read in two ways, and count as one of them.
                        if (meld.rank, meld.suit) == (low, suit):
                            yield meld

    def _filled(self, meant: list[Card], left: Counter[Card], jokers: int) -> Iterator[tuple[Card, ...]]:
        """Give every way to fill places that mean these cards, with so many jokers at most."""
        if not meant:
            yield ()
            return
        if sum(not left[card] for card in meant) > jokers:
            return
        for card in CARDS:
            natural = card == meant[0]
            if left[card] and (natural or (self.rules.wild_cards[card] and jokers)):
                left[card] -= 1
                for rest in self._filled(meant[1:], left, jokers - (not natural)):
                    yield (card, *rest)
                left[card] += 1

    def _read(self, kind: MeldKind, cards: tuple[Card, ...]) -> Meld:
        meld = read_meld(MeldDraft(kind, cards), meld_id=0, owner=0, rules=self.rules)
        assert not isinstance(meld, Refusal), f"{cards_text(cards)}: {meld}"  # noqa: S101 it was made to be one
        return meld


def _place(meld: Meld) -> tuple[int, tuple[Card, ...]]:
    return (-len(meld.cards), meld.cards)


def _multisets(cards: Sequence[Card], left: Counter[Card], size: int) -> Iterator[tuple[Card, ...]]:
    """Give every choice of so many of these cards, of each no more than there are left."""
    if not size:
        yield ()
    elif cards:
        for number in range(min(size, left[cards[0]]), -1, -1):
            for rest in _multisets(cards[1:], left, size - number):
                yield (*[cards[0]] * number, *rest)
