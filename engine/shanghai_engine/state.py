"""The whole truth of a game at one moment, secrets included, and `evolve`, the only thing that changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from shanghai_engine.action import Claim
from shanghai_engine.card import CARDS, Card
from shanghai_engine.choice import Choice
from shanghai_engine.contract import Contract
from shanghai_engine.event import EndReason
from shanghai_engine.meld import Meld
from shanghai_engine.offer import NOBODY_ASKED, Asked, ask
from shanghai_engine.rules import RuleSet

V = TypeVar("V", Meld, "HandResult")

Hand = tuple[Card, ...]
"""The cards that a seat holds, in the order in which they came: so they stand in the record (`hand_end`)."""


class Phase(Choice):
    """What a game waits for."""

    OFFER = "offer"
    PLAY = "play"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"


# Names of their own: to look a member up on its class takes as long as a small function.
OFFER, PLAY, HAND_OVER, GAME_OVER = Phase


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand: everything about it is public (R12.2)."""

    hand: int
    contract: Contract
    dealer: int
    reason: EndReason
    winner: int | None
    hands: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    seed: bytes
    commitment: bytes


class State:
    """All that is true of a game now.

    Lists by seat have one entry for every player. `stock` is held with its top last; `discards` from the
    first, the live upcard last when `live`. `turn_number` counts the turns of this hand from 1, `step` the
    plays of this turn: 0 while the offer is open. `answers` are sealed. Of the seat on turn,
    `must_lay_down` says that R10.2 binds it, `laid_down_now` that it laid down in this turn, and `must_play` are
    swapped jokers that it may not keep (R16). Before the first deal `hand` is 0.
    """

    __slots__ = (
        "answers",
        "asked",
        "buys_left",
        "commitment",
        "dealer",
        "discarder",
        "discards",
        "down",
        "drawn",
        "game_seed",
        "hand",
        "hand_commitment",
        "hand_seed",
        "hands",
        "laid_down_now",
        "live",
        "melds",
        "must_lay_down",
        "must_play",
        "names",
        "nonces",
        "packs",
        "phase",
        "places",
        "reshuffles",
        "results",
        "rules",
        "step",
        "stock",
        "totals",
        "turn",
        "turn_number",
    )

    def __init__(
        self,
        *,
        rules: RuleSet,
        names: tuple[str, ...],
        packs: int,
        game_seed: bytes,
        commitment: bytes,
        nonces: tuple[bytes, ...],
    ) -> None:
        """Make the state before the first deal."""
        players = len(names)
        self.rules = rules
        self.names = names
        self.packs = packs
        self.game_seed = game_seed
        self.commitment = commitment
        self.nonces = nonces
        self.phase = HAND_OVER
        self.totals: tuple[int, ...] = (0,) * players
        self.places: tuple[int, ...] = ()
        self.results: tuple[HandResult, ...] = ()
        self.hand = 0
        self.dealer = -1
        self.hand_seed = b""
        self.hand_commitment = b""
        self.turn = -1
        self.turn_number = 0
        self.step = 0
        self.hands: list[Hand] = [()] * players
        self.stock: list[Card] = []
        self.discards: list[Card] = []
        self.live = False
        self.discarder: int | None = None
        self.asked = NOBODY_ASKED
        self.answers: dict[int, Claim] = {}
        self.drawn: Card | None = None
        self.must_lay_down = False
        self.laid_down_now = False
        self.must_play: tuple[Card, ...] = ()
        self.buys_left: list[int] = [0] * players
        self.down: list[bool] = [False] * players
        self.melds: list[Meld] = []
        self.reshuffles = 0

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def contract(self) -> Contract:
        """The contract of the hand that is played, or was played last; before the first deal that of the first."""
        return self.rules.contracts[self.hand - 1 if self.hand else 0]

    @property
    def upcard(self) -> Card | None:
        """The live upcard (R5.1); none where the top discard is dead."""
        return self.discards[-1] if self.live else None

    @property
    def dead(self) -> list[Card]:
        """The discards that are dead (R5.2), from the first."""
        return self.discards[:-1] if self.live else self.discards[:]

    def ask(self) -> Asked:
        """Give whom the top discard is offered to, as the state is now (R7.3 to R7.11)."""
        return ask(
            rules=self.rules,
            dealer=self.dealer,
            turn=self.turn,
            discarder=self.discarder,
            down=self.down,
            buys_left=self.buys_left,
            stock=len(self.stock),
        )

    def floats(self, seat: int) -> bool:
        """Say whether a seat is down with an empty hand while the hand goes on (R11.2)."""
        return self.down[seat] and not self.hands[seat] and self.phase in {OFFER, PLAY}

    def copy(self) -> State:
        """Give an independent copy."""
        twin = State.__new__(State)
        for name in State.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("hands", "stock", "discards", "buys_left", "down", "melds", "answers"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    __copy__ = copy

    def __getstate__(self) -> tuple[object, ...]:
        """Give what is pickled, in the order of the slots: as it is, but that cards are bytes."""
        kept = {name: getattr(self, name) for name in State.__slots__}
        kept["hands"] = [bytes(hand) for hand in self.hands]
        kept["stock"], kept["discards"] = bytes(self.stock), bytes(self.discards)
        kept["melds"] = [_packed(meld, cards=bytes(meld.cards)) for meld in self.melds]
        kept["results"] = [_packed(result, hands=[bytes(hand) for hand in result.hands]) for result in self.results]
        return tuple(kept.values())

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        """Take back what was pickled."""
        for name, value in zip(State.__slots__, kept, strict=True):
            setattr(self, name, value)
        self.hands = [_cards(hand) for hand in self.hands]
        self.stock, self.discards = list(_cards(self.stock)), list(_cards(self.discards))
        self.melds = [_unpacked(Meld, meld, cards=_cards) for meld in self.melds]
        self.results = tuple(_unpacked(HandResult, result, hands=_hands) for result in self.results)

    def __eq__(self, other: object) -> bool:
        """Compare everything that is true of two games."""
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in State.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Give the expression that rebuilds the state."""
        from shanghai_engine.position import position_text  # noqa: PLC0415 a position is read into a state

        return f"read_position({position_text(self)!r})"


def _packed(value: Meld | HandResult, **instead: object) -> tuple[object, ...]:
    """Give the values of the fields, some of them in another form."""
    return tuple(instead[f.name] if f.name in instead else getattr(value, f.name) for f in fields(value))


def _unpacked(kind: type[V], packed: Any, **back: Callable[[Any], object]) -> V:  # noqa: ANN401 it was pickled
    """Give the value that was packed."""
    values = {f.name: value for f, value in zip(fields(kind), packed, strict=True)}
    return kind(**values | {name: read(values[name]) for name, read in back.items()})


def _hands(hands: Iterable[bytes]) -> tuple[Hand, ...]:
    return tuple(map(_cards, hands))


def _cards(numbers: Iterable[int]) -> Hand:
    return tuple(CARDS[number - 1] for number in numbers)


def without_card(hand: Hand, card: Card) -> Hand:
    """Give a hand with one card less, of equal cards the first to come; raises `ValueError` where it is not held."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
