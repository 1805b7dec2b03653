"""The simple turn: the best lay-down, then further melds, lay-offs and swaps for as long as one helps.

It is soon made, and never worse than nothing. Where the search for the best turn ends before its time, what that gives
is no worse than this.
"""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_engine.action import Swap
from shanghai_engine.card import ACE, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.meld import End, Meld, laid_off, refuse_lay_off, refuse_swap, swapped
from shanghai_engine.solver.best import lay_down_within
from shanghai_engine.solver.effort import CHECKS_OF_MELD, MOST_CHECKS, MOST_STEPS, Effort
from shanghai_engine.solver.making import Making
from shanghai_engine.solver.position import Position

Place = tuple[int, End | None]
"""A meld, by its id, and the end of it where a card is laid off; a set has none."""


def simple_turns(start: Position) -> Iterator[Making]:
    """Give simple turns that are lawful: with further melds before the lay-offs, and after them.

    There is none where the seat must lay down and cannot, not even after one swap (R10.2), and none that would keep a
    joker that must be played (R16 `swapped_joker`).
    """
    keepable = start.keepable()
    for melds_first in (False, True) if start.rules.extra_melds else (False,):
        turn = _SimpleTurn(start)
        if turn.lay_down():
            turn.play_on(melds_first=melds_first)
            hand = turn.making.hand
            if all(held <= keepable[card] for card, held in hand.items() if start.rules.wild_cards[card]):
                yield turn.making


class _SimpleTurn:
    """One simple turn in the making."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.rules = start.rules
        self.making = Making(start)
        self.effort = Effort(MOST_CHECKS)
        self.lays_off = start.lays_off

    def lay_down(self) -> bool:
        """Lay the contract down, after a swap if need be; say whether the seat is down now."""
        contract = self.start.contract
        if contract is None:
            return True
        swaps: list[Swap] = [] if self.rules.joker_swap != "everyone" else [*self.start.possible_swaps()]
        for swap in (None, *swaps):
            hand = self.start.hand if swap is None else self.start.after(swap).hand
            drafts = lay_down_within(hand, contract, self.rules, Effort(MOST_STEPS))
            if drafts is not None:
                if swap is not None:
                    self.making.swap(swap)
                self.making.lay_down(drafts)
                return True
        return False

    def play_on(self, *, melds_first: bool) -> None:
        """Lay further melds, lay off and swap until nothing more can be played."""
        if melds_first:
            self._lay_further_melds()
        while (self.lays_off and (self._lay_off_naturals() or self._swap() or self._lay_off_wild())) or (
            self.rules.extra_melds and self._lay_further_melds()
        ):
            pass

    def _cards(self) -> list[Card]:
        """Give the cards of the hand, each once, those of most points first."""
        points = self.rules.card_points
        held = [card for card, number in self.making.hand.items() if number]
        return sorted(held, key=lambda card: (-points[card], card))

    def _lay_further_melds(self) -> bool:
        """Lay down the best set or run that the hand still has, again and again; say whether there was one."""
        laid = False
        for contract in ONE_MELD:
            while self.effort.take(CHECKS_OF_MELD):
                drafts = lay_down_within([*self.making.hand.elements()], contract, self.rules, Effort(MOST_STEPS))
                if drafts is None:
                    break
                self.making.lay_down(drafts)
                laid = True
        return laid

    def _lay_off_naturals(self) -> bool:
        """Lay off whatever is natural where it fits; say whether anything was."""
        laid = False
        for card in self._cards():
            place = self._place_of(card, natural=True)
            while place is not None and self.making.hand[card]:
                self.making.lay_off(place[0], card, place[1])
                laid = True
                place = self._place_of(card, natural=True)
        return laid

    def _lay_off_wild(self) -> bool:
        """Lay one wild card off, where another card of the hand fits next if there is such a place."""
        wilds = [card for card in self._cards() if self.rules.wild_cards[card]]
        for card in wilds:
            place = self._place_of(card, natural=False)
            if place is not None:
                self.making.lay_off(place[0], card, place[1])
                return True
        return False

    def _swap(self) -> bool:
        """Swap one joker that can be laid off then, or counts less than what takes its place; say whether one was."""
        rules, making = self.rules, self.making
        if rules.joker_swap == "nobody":
            return False
        for card in self._cards():
            if rules.wild_cards[card]:
                continue
            for meld in making.melds:
                for index in meld.joker_places():
                    if not self.effort.take(1):
                        return False
                    if refuse_swap(meld, index, card, rules) is None and self._gains_by(meld, index, card):
                        return True
        return False

    def _gains_by(self, meld: Meld, index: int, card: Card) -> bool:
        """Swap a joker, if it can then be laid off or costs less in hand; say whether that was so."""
        joker = meld.cards[index]
        making = self.making
        making.melds[meld.id] = swapped(meld, index, card)
        place = self._place_of(joker, natural=False)
        making.melds[meld.id] = meld
        points = self.rules.card_points
        if place is None and (self.rules.swapped_joker != "keep" or points[joker] >= points[card]):
            return False
        making.swap(Swap(self.start.seat, meld.id, index, card))
        if place is not None:
            making.lay_off(place[0], joker, place[1])
        return True

    def _place_of(self, card: Card, *, natural: bool) -> Place | None:
        """Give a place where a card fits, as a natural or as any; one that lets another card join it comes first."""
        found = None
        for meld in self.making.melds:
            for end in meld.ends:
                if not self.effort.take(1):
                    return found
                if refuse_lay_off(meld, card, end, self.rules) is not None:
                    continue
                after = laid_off(meld, card, end)
                if natural and after.jokers > meld.jokers:
                    continue
                if natural or self._bridges(after, end):
                    return meld.id, end
                found = found or (meld.id, end)
        return found

    def _bridges(self, meld: Meld, end: End | None) -> bool:
        """Say whether a natural card of the hand fits at an end of a run that has grown there."""
        if end is None:
            return False
        rank = meld.rank - 1 if end is End.LOW else meld.high + 1
        if not self.rules.lowest_rank <= rank <= ACE:
            return False
        card = card_of(rank if rank >= LOWEST_RANK else ACE, meld.suit)
        return self.making.hand[card] > 0 and refuse_lay_off(meld, card, end, self.rules) is None
