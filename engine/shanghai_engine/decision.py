"""What a seat owes: an answer to an offer or the next play of its turn, with every choice that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, overload

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, Card
from shanghai_engine.choice import Choice
from shanghai_engine.meld import MeldDraft
from shanghai_engine.rules import MOST_PLAYERS
from shanghai_engine.value import made_quickly


class DecisionKind(Choice):
    """What is asked: an answer to an offer (R7.10), or the next play of the turn (R4.2)."""

    OFFER = "offer"
    PLAY = "play"


@made_quickly
@dataclass(frozen=True, slots=True)
class DecisionId:
    """Which decision of the game this is: the hand, its turn, and the play within the turn (0 is the offer)."""

    hand: int
    turn: int
    step: int

    def __str__(self) -> str:
        """Give the text that travels, as in `3.17.1`."""
        return f"{self.hand}.{self.turn}.{self.step}"


LayDownSource = Callable[[], "tuple[MeldDraft, ...] | None"]
"""What gives the best lay-down when it is asked for."""


class Decision:
    """What one seat owes now, with every lawful choice: an `OfferDecision` or a `PlayDecision`.

    Each has what both are asked for, and nothing stands where it is only about the other. A decision is never changed.
    """

    __slots__ = ("id", "seat")
    _fields: ClassVar[tuple[str, ...]] = ()

    kind: ClassVar[DecisionKind]
    seat: int
    id: DecisionId
    claims: tuple[Claim, ...] = ()
    claim_order: tuple[int, ...] = ()
    place: int = 0
    passing_ends_hand: bool = False
    can_lay_down: bool = False
    lay_offs: tuple[LayOff, ...] = ()
    swaps: tuple[Swap, ...] = ()
    discards: tuple[Card, ...] = ()
    must_lay_down: bool = False
    must_play: tuple[Card, ...] = ()

    @property
    def lay_down(self) -> tuple[MeldDraft, ...] | None:
        """The best lay-down; none where the seat cannot lay down."""
        return None

    @property
    def choices(self) -> Sequence[Action]:
        """Every choice as an action: the claims; or the best lay-down, the lay-offs, the swaps, the discards.

        The best lay-down is worked out only when it is looked at.
        """
        raise NotImplementedError

    def actions(self) -> Iterator[Action]:
        """Give every choice as an action."""
        return iter(self.choices)

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        """Compare what is owed."""
        if not isinstance(other, Decision):
            return NotImplemented
        return self.kind is other.kind and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        """Give the expression that rebuilds the decision, naming only what there is."""
        values = dict(zip(self._fields, self._values(), strict=True))
        said = [f"{name}={value!r}" for name, value in values.items() if value or name in _ALWAYS]
        return f"{type(self).__name__}({', '.join(said)})"


_ALWAYS = {"seat", "id"}


class OfferDecision(Decision):
    """An answer to the open offer: the `claims` that the seat may make, and whether passing ends the hand (R13.1).

    `claim_order` is that of the offer (R7.11), and `place` this seat's in it, from 0.
    """

    __slots__ = ("claim_order", "claims", "passing_ends_hand", "place")
    _fields = ("seat", "id", "claims", "claim_order", "place", "passing_ends_hand")
    kind = DecisionKind.OFFER

    def __init__(
        self,
        seat: int,
        id: DecisionId,  # noqa: A002 the name that it has everywhere
        claims: tuple[Claim, ...] = (),
        claim_order: tuple[int, ...] = (),
        place: int = 0,
        passing_ends_hand: bool = False,  # noqa: FBT001, FBT002 made often, and keywords take as long as all the rest
    ) -> None:
        """Take what is owed."""
        self.seat = seat
        self.id = id
        self.claims = claims
        self.claim_order = claim_order
        self.place = place
        self.passing_ends_hand = passing_ends_hand

    @property
    def choices(self) -> Sequence[Action]:
        """Every claim as an action."""
        return _answers(self.seat, self.claims)


class PlayDecision(Decision):
    """The next play of a turn: the best `lay_down` (fewest points left), `lay_offs`, `swaps`, `discards` (each once).

    `must_lay_down` says whether R10.2 makes the seat lay down before it discards, `must_play` are swapped jokers that
    it must play first (R16). Which lay-down is best is worked out only when `lay_down` is looked at; `can_lay_down`
    says whether there is one.
    """

    __slots__ = ("_lay_down", "can_lay_down", "discards", "lay_offs", "must_lay_down", "must_play", "swaps")
    _fields = ("seat", "id", "lay_down", "lay_offs", "swaps", "discards", "must_lay_down", "must_play")
    kind = DecisionKind.PLAY

    def __init__(
        self,
        seat: int,
        id: DecisionId,  # noqa: A002 the name that it has everywhere
        lay_down: tuple[MeldDraft, ...] | LayDownSource | None = None,
        lay_offs: tuple[LayOff, ...] = (),
        swaps: tuple[Swap, ...] = (),
        discards: tuple[Card, ...] = (),
        must_lay_down: bool = False,  # noqa: FBT001, FBT002 made often, and keywords take as long as all the rest
        must_play: tuple[Card, ...] = (),
    ) -> None:
        """Take what is owed; instead of a lay-down that there is, `lay_down` may be what will give it."""
        self.seat = seat
        self.id = id
        self._lay_down = lay_down
        self.can_lay_down = lay_down is not None
        self.lay_offs = lay_offs
        self.swaps = swaps
        self.discards = discards
        self.must_lay_down = must_lay_down
        self.must_play = must_play

    @property
    def lay_down(self) -> tuple[MeldDraft, ...] | None:
        """The best lay-down; none where the seat cannot lay down."""
        if callable(self._lay_down):
            self._lay_down = self._lay_down()
        return self._lay_down

    @property
    def choices(self) -> Sequence[Action]:
        """The best lay-down, worked out only when it is looked at; then the lay-offs, the swaps, the discards."""
        discards = map(_DISCARDS[self.seat].__getitem__, self.discards)
        others: tuple[Action, ...] = (*self.lay_offs, *self.swaps, *discards)
        return Choices(self, others) if self.can_lay_down else others


class Choices(Sequence[Action]):
    """The best lay-down, worked out only when it is looked at, and after it every other choice of a decision."""

    __slots__ = ("_decision", "_others")

    def __init__(self, decision: PlayDecision, others: tuple[Action, ...]) -> None:
        """Take a decision that can lay down, and what else it can do."""
        self._decision = decision
        self._others = others

    def __len__(self) -> int:
        return 1 + len(self._others)

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return list(self)[index]
        place = index if index >= 0 else index + len(self)
        if place < 0:
            raise IndexError(index)
        return self._others[place - 1] if place else self._best()

    def __iter__(self) -> Iterator[Action]:
        yield self._best()
        yield from self._others

    def _best(self) -> LayDown:
        drafts = self._decision.lay_down
        assert drafts is not None, "a decision that says it can lay down has a lay-down"  # noqa: S101
        return LayDown(self._decision.seat, drafts)


@lru_cache(maxsize=1 << 10)
def _answers(seat: int, claims: tuple[Claim, ...]) -> tuple[Answer, ...]:
    """Give the answers that a seat may give: the same few in every game."""
    return tuple(Answer(seat, claim) for claim in claims)


_DISCARDS = tuple({card: Discard(seat, card) for card in CARDS} for seat in range(MOST_PLAYERS))
"""The discards, the same in every game: by seat, and by card."""
