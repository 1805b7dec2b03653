"""Everything that the screen shows, as one frozen value: what the table says, and what the player is about to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from shanghai_client.commands.command import Leaving
from shanghai_client.scene import Scene
from shanghai_client.screen.ordering import Order, Sort, groups_of
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.signs import SHAPES, Signs
from shanghai_client.screen.staging import Staging
from shanghai_client.screen.style import Background, Theme
from shanghai_client.settings import Chosen
from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.view import PublicView
from shanghai_wire.actions import SeatAction

NARROWEST, LOWEST = 80, 24
"""The smallest terminal that a hand is played in, in columns and rows."""
MOST_TOLD = 300
"""Lines of what has happened that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the player likes his screen."""

    theme: Theme = Theme.FOUR
    background: Background = Background.DARK
    signs: Signs = SHAPES
    shapes: bool = True
    """Whether the terminal can be sent more than ASCII, whatever is drawn now."""
    bell: bool = True
    mouse: bool = True
    guard: bool = True
    """Whether a discard that looks like a slip is asked back."""
    sort: Sort = Sort.USE
    unless: Unless = Unless.ASKED
    """What passes offers by itself from each deal on."""
    colours: str = "auto"
    """How many colours the terminal is sent, as the settings say it."""


class Wish(Enum):
    """What a card is being chosen for."""

    DISCARD = "discard"
    LAY_OFF = "lay off"
    SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Looking:
    """Nothing is begun."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """A card of the hand is being chosen."""

    wish: Wish


@dataclass(frozen=True, slots=True)
class Placing:
    """The place for a card is being chosen, by its number from 1."""

    places: tuple[LayOff | Swap, ...]


@dataclass(frozen=True, slots=True)
class Confirming:
    """Something is asked back before it is done: an answer, the end of the client, or a line of the command line.

    `about` is the seat of the person whom the question is about; none where it is about nobody else.
    """

    question: str
    what: SeatAction | Leaving | str
    about: int | None = None


@dataclass(frozen=True, slots=True)
class Building:
    """Melds are being built by hand."""


Mode = Looking | Choosing | Placing | Confirming | Building


@dataclass(frozen=True, slots=True)
class Overlay:
    """Text that lies over the table until it is closed: a title, what it shows of a scene, and the first line shown.

    `cursor` is the setting that is chosen, where the settings are what is shown.
    """

    title: str
    present: Callable[[Scene], Sequence[str]]
    scroll: int = 0
    scrolls: bool = False
    """Whether there is more than is shown at once."""
    page: int = 1
    """How many lines a page goes on: as many as are shown, but for one that is seen again."""
    cursor: int | None = None


class Kind(Enum):
    """What a told line is about."""

    HAND = "hand"
    EVENT = "event"
    TALK = "talk"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Told:
    """A line of what has happened."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """The connection: whole, or lost since a time, with what was said of it and when the next attempt is made.

    `right` says what would help where attempts alone will not.
    """

    lost_at: float | None = None
    retry_at: float = 0.0
    sentence: str = ""
    right: str = ""

    @property
    def whole(self) -> bool:
        """Whether the table can be heard."""
        return self.lost_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What is on the screen.

    `columns` and `rows` are the terminal's; `now` and `seen_at` are seconds of one clock: the present, and when the
    scene arrived. `cursor` is a place in the hand as it is shown, `meld_scroll` the first row of melds that is shown.
    `sending` says that something is on its way to the table.
    """

    columns: int = NARROWEST
    rows: int = LOWEST
    look: Look = field(default_factory=Look)
    chosen: Chosen | None = None
    """The player's settings, where he can change them."""
    scene: Scene | None = None
    finished: tuple[Scene, ...] = ()
    """The ends of the games that were played here before the present one, the first first."""
    now: float = 0.0
    seen_at: float = 0.0
    order: Order = field(default_factory=Order)
    cursor: int = 0
    mode: Mode = field(default_factory=Looking)
    staging: Staging = field(default_factory=Staging)
    unless: Unless = Unless.ASKED
    overlay: Overlay | None = None
    meld_scroll: int = 0
    told: tuple[Told, ...] = ()
    note: str = ""
    noted_at: float = 0.0
    """When the note was made."""
    read_notice: str = ""
    """The notice of the server's host that the player has put away."""
    link: Link = field(default_factory=Link)
    sending: bool = False

    @property
    def game(self) -> PublicView | None:
        """What everybody knows of the game; none before the first deal."""
        return None if self.scene is None else self.scene.game

    @property
    def signs(self) -> Signs:
        """The signs that are drawn with."""
        return self.look.signs

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards in the order in which they are shown."""
        view = None if self.scene is None else self.scene.view
        return tuple(card for group in groups_of(view, self.order) for card in group.cards)

    @property
    def staged_places(self) -> frozenset[int]:
        """The places in the hand of the cards that are staged; of equal cards the first ones are."""
        left = Counter(self.staging.cards)
        places: list[int] = []
        for place, card in enumerate(self.hand):
            if left[card] > 0:
                left[card] -= 1
                places.append(place)
        return frozenset(places)

    @property
    def notice(self) -> str:
        """What the server's host tells everybody, until the player puts it away; empty for nothing."""
        text = "" if self.scene is None else self.scene.table.notice.text
        return "" if text == self.read_notice else text

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the table."""
        return self.columns >= NARROWEST and self.rows >= LOWEST

    @property
    def left(self) -> float | None:
        """The seconds that are left on the clock that runs; none where none does."""
        clock = None if self.scene is None else self.scene.clock
        if clock is None or not clock.kind:
            return None
        return max(0.0, clock.left_ms / 1000 - (self.now - self.seen_at))

    @property
    def under_cursor(self) -> Card | None:
        """The card that the cursor is on."""
        hand = self.hand
        return hand[min(self.cursor, len(hand) - 1)] if hand else None
