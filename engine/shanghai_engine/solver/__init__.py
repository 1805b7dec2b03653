"""The exact solver: what can be laid down, what is best laid down, and how far a hand is from it.

Every question is about a hand as a multiset: the order of its cards never changes an answer. Every search ends after a
bounded number of steps, which hands and contracts that people play never need. So answers are exact, but for those of
`best_lay_down` and `best_turn` of more than 23 cards, and of `best_turn` of fewer under odd house rules (see `Turn`),
which are the best that is found by then. `Turn.exact` and `Nearness.exact` say so.

- `question`: whether what is asked about is of the kinds that it should be.
- `holding`: the hand as counts and bit masks.
- `terms`: what the table's rules say about melds (R16).
- `window`: the stretches of ranks that a run may cover.
- `allotment`: which card goes to which meld, where several want it.
- `glance`: `Glance`, what can be seen at once of whether a hand can be laid down.
- `nearness`: `can_lay_down`, `distance`, `outs`, `how_near`, `least_missing` (a bound) and `is_within`.
- `planning`: the plans of a lay-down, the most worth first, with `set_plans` for their sets, `stages` for their runs,
  `worth`, `ceiling`, `set_use` and `steps` for its bounds, and `effort` for its end.
- `best`: `best_lay_down`.
- `turn`: `best_turn`, with `position`, `table`, `setting`, `growth`, `turn_plans`, `dealing`, `ordering`, `making`,
  `best_so_far` and `simple`.
- `listing`: `all_lay_downs`.
- `fulfilment`: `fulfils`, which asks only about the kinds and sizes of given melds.
"""

from shanghai_engine.solver.best import best_lay_down
from shanghai_engine.solver.fulfilment import fulfils
from shanghai_engine.solver.glance import Glance
from shanghai_engine.solver.listing import all_lay_downs
from shanghai_engine.solver.nearness import Nearness, can_lay_down, distance, how_near, is_within, least_missing, outs
from shanghai_engine.solver.turn import Turn, best_turn

__all__ = [
    "Glance",
    "Nearness",
    "Turn",
    "all_lay_downs",
    "best_lay_down",
    "best_turn",
    "can_lay_down",
    "distance",
    "fulfils",
    "how_near",
    "is_within",
    "least_missing",
    "outs",
]
