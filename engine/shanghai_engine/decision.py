"""What a seat owes, and every choice that it has: derived from the checks, never written twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import overload

from shanghai_engine.action import BUY, PASS, TAKE, Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, Card
from shanghai_engine.check import (
    check_jokers_can_follow,
    check_may_discard,
    check_swap_goes_on,
    refuse_lay_offs,
    refuse_swaps,
)
from shanghai_engine.choice import Choice
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.meld import MeldDraft
from shanghai_engine.openings import Openings
from shanghai_engine.owing import owing, way_to_play
from shanghai_engine.reach import Reach
from shanghai_engine.rules import MOST_PLAYERS, RuleSet
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import OFFER, PLAY, Hand, State
from shanghai_engine.value import made_quickly


class DecisionKind(Choice):
    """What is asked: an answer to an offer (R7.10), or the next play of the turn (R4.2)."""

    OFFER = "offer"
    PLAY = "play"


_AN_OFFER, _A_PLAY = DecisionKind


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
    """What one seat owes now, with every lawful choice; of the lay-downs the best (fewest points left).

    For an offer: `claims`, `claim_order` (R7.11) and this seat's `place` in it from 0, and whether passing
    ends the hand (R13.1). For a play: `lay_down`, `lay_offs`, `swaps`, `discards` (each card once),
    whether R10.2 makes the seat lay down before it discards, and the swapped jokers that it must play (R16).
    A decision is never changed. Which lay-down is best is worked out only when `lay_down` is looked at;
    `can_lay_down` says whether there is one.
    """

    __slots__ = (
        "_lay_down",
        "can_lay_down",
        "claim_order",
        "claims",
        "discards",
        "id",
        "kind",
        "lay_offs",
        "must_lay_down",
        "must_play",
        "passing_ends_hand",
        "place",
        "seat",
        "swaps",
    )

    def __init__(  # noqa: PLR0913 a choice of every kind
        self,
        *,
        seat: int,
        id: DecisionId,  # noqa: A002 the name that it has everywhere
        kind: DecisionKind,
        claims: tuple[Claim, ...] = (),
        claim_order: tuple[int, ...] = (),
        place: int = 0,
        passing_ends_hand: bool = False,
        lay_down: tuple[MeldDraft, ...] | LayDownSource | None = None,
        lay_offs: tuple[LayOff, ...] = (),
        swaps: tuple[Swap, ...] = (),
        discards: tuple[Card, ...] = (),
        must_lay_down: bool = False,
        must_play: tuple[Card, ...] = (),
    ) -> None:
        """Take what is owed; instead of a lay-down that there is, `lay_down` may be what will give it."""
        self.seat = seat
        self.id = id
        self.kind = kind
        self.claims = claims
        self.claim_order = claim_order
        self.place = place
        self.passing_ends_hand = passing_ends_hand
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
        """Every choice as an action: the claims; or the best lay-down, the lay-offs, the swaps, the discards.

        The best lay-down is worked out only when it is looked at.
        """
        if self.claims:
            return _answers(self.seat, self.claims)
        discards = map(_DISCARDS[self.seat].__getitem__, self.discards)
        others: tuple[Action, ...] = (*self.lay_offs, *self.swaps, *discards)
        return Choices(self, others) if self.can_lay_down else others

    def actions(self) -> Iterator[Action]:
        """Give every choice as an action."""
        return iter(self.choices)

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in _DECISION_FIELDS)

    def __eq__(self, other: object) -> bool:
        """Compare what is owed."""
        return self._values() == other._values() if isinstance(other, Decision) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        """Give the expression that rebuilds the decision, naming only what there is."""
        values = dict(zip(_DECISION_FIELDS, self._values(), strict=True))
        said = [f"{name}={value!r}" for name, value in values.items() if value or name in _ALWAYS]
        return f"Decision({', '.join(said)})"


_DECISION_FIELDS = (
    "seat",
    "id",
    "kind",
    "claims",
    "claim_order",
    "place",
    "passing_ends_hand",
    "lay_down",
    "lay_offs",
    "swaps",
    "discards",
    "must_lay_down",
    "must_play",
)
_ALWAYS = {"seat", "id", "kind"}


class Choices(Sequence[Action]):
    """The best lay-down, worked out only when it is looked at, and after it every other choice of a decision."""

    __slots__ = ("_decision", "_others")

    def __init__(self, decision: Decision, others: tuple[Action, ...]) -> None:
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


def decisions(state: State, reach: Reach, openings: Openings) -> dict[int, Decision]:
    """Give what every seat owes now, by seat; empty only between hands and after the game."""
    if state.phase is OFFER:
        return _offers(state)
    if state.phase is PLAY:
        return {state.turn: _play(state, reach, openings)}
    return {}


def decision_id(state: State) -> DecisionId:
    """Give the id of what is owed now; all seats of an offer share it."""
    return _decision_id(state.hand, state.turn_number, state.step)


_decision_id = lru_cache(maxsize=1 << 14)(DecisionId)
"""The ids of one game are much those of the next."""


def _offers(state: State) -> dict[int, Decision]:
    asked, turn = state.asked, state.turn
    name = decision_id(state)
    owed: dict[int, Decision] = {}
    for place, seat in enumerate(asked.order):
        if seat in state.answers:
            continue
        claims = _BUYER
        if seat == turn:
            claims = _TURN_AND_BUYER if asked.turn_may_buy else _TURN
        owed[seat] = Decision(
            seat=seat,
            id=name,
            kind=_AN_OFFER,
            claims=claims,
            claim_order=asked.order,
            place=place,
            passing_ends_hand=seat == turn and _passing_ends_hand(state),
        )
    return owed


_BUYER: tuple[Claim, ...] = (BUY, PASS)
_TURN: tuple[Claim, ...] = (TAKE, PASS)
_TURN_AND_BUYER: tuple[Claim, ...] = (TAKE, BUY, PASS)


def _passing_ends_hand(state: State) -> bool:
    """R13.1: the stock is empty and R13.2 gives no new one, so a pass of the player on turn ends the hand."""
    return not state.stock and (len(state.discards) == 1 or state.reshuffles >= state.rules.reshuffles)


def _play(state: State, reach: Reach, openings: Openings) -> Decision:
    seat = state.turn
    hand = state.hands[seat]
    held = set(hand)
    missing = 0 if state.down[seat] else reach.least_missing(seat, hand, state.contract, state.rules)
    return Decision(
        seat=seat,
        id=decision_id(state),
        kind=_A_PLAY,
        lay_down=_best_lay_down(state, seat) if missing == 0 else None,
        lay_offs=tuple(_lay_offs(state, seat, held, openings)) if state.melds else (),
        # With the joker of a swap a hand is nearer by one card at most (R10.2).
        swaps=tuple(_swaps(state, seat, held, openings)) if state.melds and missing <= 1 else (),
        discards=tuple(sorted(held)) if check_may_discard(state, seat) is None else (),
        must_lay_down=state.must_lay_down,
        must_play=state.must_play,
    )


def _best_lay_down(state: State, seat: int) -> tuple[MeldDraft, ...] | LayDownSource | None:
    """Give the best lay-down; where R16 lets no owed joker follow it, one that an owed joker can follow.

    Who is not down yet can lay down.
    """
    hand, rules = state.hands[seat], state.rules
    if not state.down[seat]:
        if not state.must_play:
            return partial(best_lay_down, hand, state.contract, rules)
        best = best_lay_down(hand, state.contract, rules)
    elif rules.extra_melds:
        best = _best_further_meld(hand, rules)
    else:
        return None
    if best is None or not state.must_play or check_jokers_can_follow(state, LayDown(seat, best)) is None:
        return best
    plays = way_to_play(owing(state)) or []
    return plays[0].melds if plays and isinstance(plays[0], LayDown) else None


def _best_further_meld(hand: Hand, rules: RuleSet) -> tuple[MeldDraft, ...] | None:
    """Give the one further set or run that leaves fewest points, then fewest cards (R16 `extra_melds`)."""
    found = [draft for contract in ONE_MELD if (draft := best_lay_down(hand, contract, rules)) is not None]
    points = rules.card_points

    def laid(drafts: tuple[MeldDraft, ...]) -> tuple[int, int]:
        return sum(points[card] for card in drafts[0].cards), len(drafts[0].cards)

    return max(found, key=laid, default=None)


def _lay_offs(state: State, seat: int, held: set[Card], openings: Openings) -> list[LayOff]:
    """Give every lay-off, by card, meld and end."""
    if refuse_lay_offs(state, seat) is not None:
        return []
    fitting = openings.lay_offs(seat, held, state.melds, state.rules)
    if not state.must_play:
        return fitting
    return [play for play in fitting if check_jokers_can_follow(state, play) is None]


def _swaps(state: State, seat: int, held: set[Card], openings: Openings) -> list[Swap]:
    """Give every swap, by meld, joker and card."""
    if refuse_swaps(state, seat) is not None:
        return []
    fitting = openings.swaps(seat, held, state.melds, state.rules)
    return [play for play in fitting if check_swap_goes_on(state, play) is None] if fitting else fitting
