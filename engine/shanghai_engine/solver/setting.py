"""The setting of a turn: its hand and its table in the form in which all searches among its plans ask for them.

What the runs of the table can use of some cards is worked out once, however many melds a search asks for.
"""

from __future__ import annotations

from shanghai_engine.meld import MeldKind
from shanghai_engine.solver.dealing import TableSets
from shanghai_engine.solver.growth import Growth
from shanghai_engine.solver.holding import SUITS, Holding, Layers, places_of_ranks, ranks_of
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.terms import LOW_ACE, RANKS, terms_of


class Setting:
    """The `holding`, the sets of the `table` and the `growth` of its runs, with swaps or without.

    A natural card of a `dear` place brings in a joker from a set; used elsewhere it costs one. Of the ranks that are
    `brought` there are more cards than jokers in sets, by rank's number so many. `coming` are the jokers that swaps
    may bring.
    """

    __slots__ = ("_only_of", "brought", "coming", "dear", "growth", "holding", "swaps", "table", "terms")

    def __init__(self, position: Position, *, swaps: bool) -> None:
        """Look at a position's hand and table."""
        self.swaps = swaps
        self.terms = terms_of(position.rules)
        layable = position.melds if position.lays_off else ()
        self.holding = holding = Holding(position.hand, self.terms)
        sets = [meld for meld in layable if meld.kind is MeldKind.SET]
        self.table = TableSets(sets, self.terms, swaps=swaps and position.rules.swap_in_sets)
        brings = {rank for rank, jokers in self.table.jokers.items() if holding.ranks[rank] <= len(jokers)}
        # Where there are more cards of the rank than jokers, the first may be used elsewhere for nothing.
        self.brought = {rank: len(jokers) for rank, jokers in self.table.jokers.items() if rank not in brings}
        self.dear = places_of_ranks(brings)
        from_sets = sum(min(len(jokers), holding.ranks[rank]) for rank, jokers in self.table.jokers.items())
        self.growth = Growth(
            [meld for meld in layable if meld.kind is MeldKind.RUN],
            holding.masks(self.terms.wild_twos),
            holding.wilds + from_sets,
            self.terms,
            swaps=swaps,
        )
        self.coming = from_sets + self.growth.most_swaps
        self._only_of: dict[tuple[int, Layers], tuple[int, ...]] = {}

    def out_of_reach(self, suit: int, layers: Layers) -> tuple[int, ...]:
        """Give by rank's number how many of some cards of a suit no run of the table can take."""
        known = self._only_of.get((suit, layers))
        if known is None:
            counts = [0] * RANKS
            for layer in self.growth.out_of_reach(suit, layers):
                for rank in ranks_of(layer & ~LOW_ACE):
                    counts[rank] += 1
            known = self._only_of[suit, layers] = tuple(counts)
        return known

    def only_in_sets(self, suits: tuple[Layers, ...]) -> list[int]:
        """Give by rank's number how many of the cards of all suits no run of the table can take."""
        return [sum(counts) for counts in zip(*map(self.out_of_reach, range(SUITS), suits), strict=True)]
