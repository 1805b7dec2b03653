"""Whether melds are those that a contract asks for, and the order in which the solver gives them (R8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shanghai_engine.contract import Contract
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.solver.question import check_melds


def fulfils(drafts: Sequence[MeldDraft], contract: Contract) -> bool:
    """Say whether the kinds and sizes fulfil the contract: as many sets and runs as it asks for, each long enough.

    The longest meld of a kind stands for the largest size asked, and so on. Whether each is a meld at all is for
    `read_meld` to say.
    """
    check_melds(drafts, contract)
    return _long_enough(drafts, MeldKind.SET, contract.sets) and _long_enough(drafts, MeldKind.RUN, contract.runs)


def _long_enough(drafts: Sequence[MeldDraft], kind: MeldKind, asked: tuple[int, ...]) -> bool:
    sizes = sorted((len(draft.cards) for draft in drafts if draft.kind is kind), reverse=True)
    return len(sizes) == len(asked) and all(size >= least for size, least in zip(sizes, asked, strict=True))


def in_order(drafts: Iterable[MeldDraft]) -> tuple[MeldDraft, ...]:
    """Give melds in the order of a lay-down: sets, then runs, each from the longest down, then by their cards."""
    return tuple(sorted(drafts, key=lambda draft: (draft.kind is MeldKind.RUN, -len(draft.cards), draft.cards)))
