"""Reading cards as a meld, which every check, legal list and solver stands on, against sorting the same cards."""

from bench.ratio import Ratio, measure_ratio
from shanghai_engine.card import parse_cards
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import STANDARD


def measure() -> Ratio:
    """Read a run of seven with two jokers."""
    cards = parse_cards("4H JK 6H 7H JK 9H TH")
    draft = MeldDraft(MeldKind.RUN, cards)
    assert isinstance(read_meld(draft, meld_id=0, owner=0, rules=STANDARD), Meld)
    return measure_ratio(
        work="reading a run of 7 as a meld",
        run=lambda: read_meld(draft, meld_id=0, owner=0, rules=STANDARD),
        bare="sorting its cards",
        run_bare=lambda: sorted(cards),
    )
