"""How a table stands: all that its facts have made of it, and `take`, the only thing that changes it.

Nothing here judges, waits or knows the time: the same facts give the same standing, before a restart and after it.
"""

from __future__ import annotations

import hmac
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Enum
from typing import Any

from shanghai_engine.decision import DecisionId, decision_id
from shanghai_engine.event import Answered, Dealt, Event, GameEnded, GameStarted, HandEnded
from shanghai_engine.game import Game
from shanghai_engine.line import Line
from shanghai_engine.record import event_of
from shanghai_engine.rules import RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_engine.state import Phase
from shanghai_server.arrangement import ARRANGED
from shanghai_server.fact import (
    Acted,
    BotAdded,
    CameBack,
    Created,
    Fact,
    HandDealt,
    Joined,
    Left,
    NonceRevealed,
    Noted,
    Paused,
    Request,
    Resumed,
    Said,
    Saying,
    SeatsClosed,
    Snapshot,
    Started,
    Starting,
    TimedOut,
    WentAbsent,
    WentOn,
)
from shanghai_server.passcode import Passcode
from shanghai_server.seat import Occupant, Seat, Wish
from shanghai_server.settings import Options, Settings
from shanghai_wire.decisions import decision_text


class Stage(Enum):
    """Where a table is in its life; whether it is paused depends on who is connected, and is not a fact."""

    LOBBY = "lobby"
    STARTING = "starting"
    PLAYING = "playing"
    OVER = "over"


class PausedBy(Enum):
    """Who paused a game; that nobody is there pauses it too, and is not a fact."""

    HOST = "host"
    EVERYBODY = "everybody"


class Standing:
    """A table as its facts left it.

    `sequence` is that of the last update that viewers were shown; `told` counts the public events of all games,
    of which the current hand's begin at `hand_from`. `game_number` counts the games of the table from 1; `pause` is
    none while nobody has paused the game. `at` is the time of the last fact, in seconds since 1970. `kicked` are the
    tokens (SHA-256, in hex) from which the host has taken a seat; `joined` counts the persons who have taken a seat.
    """

    def __init__(self, table: str, created: Created, settings: Settings) -> None:
        """Begin with the table's first fact; raises `BadRules` where this version does not play its rules."""
        self.table = table
        self.name = created.name
        self.rules = RuleSet.from_mapping(created.rules)
        self.options = Options(**created.options)
        self.game_seed = bytes.fromhex(created.game_seed)
        self.bot_salt = bytes.fromhex(created.bot_salt)
        self.commitment = commitment(self.game_seed)
        self.created = created.request
        self.passcode = (
            Passcode(bytes.fromhex(created.passcode_salt), bytes.fromhex(created.passcode_key))
            if created.passcode_key
            else None
        )
        self.game_number = 1
        self.pause: PausedBy | None = None
        self.is_closed = False
        self.at = created.at
        self.kicked: dict[str, None] = {}
        self.stage = Stage.LOBBY
        self.seats = [Seat() for _ in range(created.seats)]
        self.game: Game | None = None
        self.chat: deque[Saying] = deque(maxlen=settings.chat_lines)
        self.said = 0
        self.requests: dict[str, dict[str, Request]] = {}
        self.sequence = 0
        self.hand_from = 0
        self.joined = 0
        self._marks: list[tuple[int, int]] = [(0, 0)]
        self._settings = settings

    @property
    def told(self) -> int:
        """How many public events the whole game has had."""
        return self.hand_from + (len(self.game.history.public) if self.game is not None else 0)

    @property
    def mark(self) -> tuple[int, int]:
        """The last update that showed public events which the one before had not, and how many there were then."""
        return self._marks[-1]

    def resume(self, *, sequence: int, told: int, mark: tuple[int, int]) -> None:
        """Go on counting between two hands from where a snapshot was taken."""
        self.sequence = sequence
        self.hand_from = told
        self._marks = [mark]

    @property
    def host(self) -> int | None:
        """The seat of the host: of the persons who are not absent the one who joined first, or else of all."""
        return self.host_if_back(None)

    def host_if_back(self, back: int | None) -> int | None:
        """Give the seat of the host, if the person of the seat `back` were not absent."""
        persons = [
            (seat.absent and index != back, seat.joined, index)
            for index, seat in enumerate(self.seats)
            if seat.is_person
        ]
        return min(persons)[2] if persons else None

    @property
    def most_kicked(self) -> int:
        """How many tokens without a right to a seat are remembered."""
        return self._settings.kept_tokens

    @property
    def decision_id(self) -> DecisionId | None:
        """The id of what is owed now; none before and after the game.

        Between two hands it is that of the turn that would come next, which no offer ever had.
        """
        if self.game is None or self.stage is not Stage.PLAYING:
            return None
        state = self.game.state
        if state.phase is Phase.HAND_OVER:
            return DecisionId(state.hand, state.turn_number + 1, 0)
        return decision_id(state)

    @property
    def decision_text(self) -> str:
        """The id of what is owed now as it travels: no decision of another game of this table has the same."""
        name = self.decision_id
        return "" if name is None else decision_text(self.game_number, name)

    @property
    def between_hands(self) -> bool:
        """Whether everybody looks at the score sheet (R2.4)."""
        return self.game is not None and self.game.state.phase is Phase.HAND_OVER

    @property
    def is_left_to_bots(self) -> bool:
        """Whether a game is on from which every person has gone for good: its bots play it to the end (R2.3)."""
        return self.stage in {Stage.STARTING, Stage.PLAYING} and not any(seat.is_person for seat in self.seats)

    def is_attended(self, connected: Collection[int]) -> bool:
        """Say whether the game goes on: for a person who is connected, or because there is none to wait for."""
        return bool(connected) or self.is_left_to_bots

    def seat_of(self, token: str) -> int | None:
        """Give the seat that a token holds, by its SHA-256 in hex; the comparison takes as long for every token."""
        found = None
        for index, seat in enumerate(self.seats):
            if seat.is_person and hmac.compare_digest(seat.token, token):
                found = index
        return found

    def knows(self, token: str) -> bool:
        """Say whether a token holds or held a seat here."""
        return self.seat_of(token) is not None or token in self.requests

    def first_answer(self, token: str, request_id: str) -> Request | None:
        """Give the request that a token made under an id; none where there was none, or it is long ago."""
        return self.requests.get(token, {}).get(request_id)

    def free_seats(self) -> list[int]:
        """Give the seats where nobody sits."""
        return [index for index, seat in enumerate(self.seats) if seat.occupant is Occupant.NOBODY]

    def names(self) -> Iterator[str]:
        """Give the names that are taken."""
        return (seat.name for seat in self.seats if seat.name)

    def played_by_bot(self, index: int) -> bool:
        """Say whether a bot plays a seat: its own, or a stand-in."""
        seat = self.seats[index]
        return seat.occupant is Occupant.BOT or (seat.absent and not self.options.wait_for_absent)

    def told_by(self, sequence: int) -> int:
        """Give how many public events a viewer has seen up to the update of a sequence; -1 where that is unknown."""
        if sequence > self.sequence:
            return -1
        place = bisect_right(self._marks, sequence, key=lambda mark: mark[0])
        return self._marks[place - 1][1] if place else -1

    def showed(self, sequence: int) -> None:
        """Take in that viewers were shown how the table stands now, as the update of this sequence."""
        self.sequence = sequence
        told = self.told
        if told != self._marks[-1][1]:
            self._marks.append((sequence, told))

    def take(self, fact: Fact, events: Sequence[Event] | None = None) -> None:
        """Take in what happened. `events` are those of the fact's lines, where they need not be read again."""
        _CHANGES[type(fact)](self, fact, events)
        self.at = max(self.at, fact.at)
        if fact.request is not None:
            self._keep(fact.request)
        if fact.shown:
            self.showed(fact.shown)

    def _keep(self, request: Request) -> None:
        kept = self.requests.setdefault(request.token, {})
        kept[request.id] = request
        if len(kept) > self._settings.kept_requests:
            del kept[next(iter(kept))]

    def forget_tokens(self) -> None:
        """Forget the requests of those who left first, where too many have come and gone."""
        if len(self.requests) > self._settings.kept_tokens:
            held = {seat.token for seat in self.seats}
            del self.requests[next(token for token in self.requests if token not in held)]

    def play(self, lines: Sequence[Line], events: Sequence[Event] | None) -> None:
        """Take in what happened in the game."""
        for number, line in enumerate(lines):
            event = events[number] if events is not None else event_of(line, self.game.state if self.game else None)
            if isinstance(event, GameStarted):
                self.game = Game(event)
                self.stage = Stage.PLAYING
                continue
            if self.game is None:
                raise AssertionError(f"a {line['event']} before the start of the game")
            if isinstance(event, Dealt):
                self.hand_from = self.told
                del self._marks[:-1]
            self.game.evolve(event)
            if not isinstance(event, Answered):
                self._bring_back()
            if isinstance(event, Dealt | HandEnded):
                for seat in self.seats:
                    seat.ready = False
            if isinstance(event, GameEnded):
                self.stage = Stage.OVER
                self.forget_wishes()

    def _bring_back(self) -> None:
        """Take back from their stand-ins the seats of those who have acted themselves, now that it may be seen."""
        for seat in self.seats:
            if seat.returning:
                seat.come_back()

    def forget_wishes(self) -> None:
        """Forget what everybody would have liked: it has happened, or cannot any more."""
        for seat in self.seats:
            seat.wish = Wish.NONE

    def promised(self, nonce_commitment: str) -> bytes:
        """Give what a promise, in hex, is worth: nothing once the game has begun, and its nonces are in."""
        return bytes.fromhex(nonce_commitment) if self.stage is Stage.LOBBY else b""

    def rematch(self, game_seed: bytes, bot_salt: bytes) -> None:
        """Go back to the lobby, with the same people, for another game."""
        self.hand_from = self.told
        del self._marks[:-1]
        self.game = None
        self.game_number += 1
        self.game_seed, self.bot_salt = game_seed, bot_salt
        self.commitment = commitment(game_seed)
        self.stage = Stage.LOBBY
        self.forget_wishes()
        for seat in self.seats:
            seat.nonce_commitment, seat.nonce = b"", None
            seat.ready, seat.missed = False, 0

    def join(self, fact: Joined) -> None:
        """Seat a person; once the game has begun it is on a bot's seat, which is played on as it stands (R2.3)."""
        self.joined += 1
        before = self.seats[fact.seat]
        self.seats[fact.seat] = Seat(
            occupant=Occupant.PERSON,
            name=fact.name,
            token=fact.token,
            joined=self.joined,
            nonce_commitment=self.promised(fact.nonce_commitment),
            nonce=before.nonce,
            ready=before.ready,
        )
        self.requests.setdefault(fact.token, {})
        self.forget_tokens()

    def vacate(self, index: int, level: str) -> None:
        """Free a seat before the game; later give it to a bot of a level, under its name (R2.3)."""
        seat = self.seats[index]
        if self.stage is Stage.LOBBY:
            self.seats[index] = Seat()
        else:
            self.seats[index] = Seat(
                occupant=Occupant.BOT,
                name=seat.name,
                level=level,
                nonce=seat.nonce,
                ready=seat.ready,
                inherited=True,
            )
            if self.is_left_to_bots:
                # Nobody is there who could let it go on.
                self.pause = None


def _joined(standing: Standing, fact: Joined, _events: object) -> None:
    standing.join(fact)


def _left(standing: Standing, fact: Left, _events: object) -> None:
    standing.vacate(fact.seat, fact.level)


def _bot_added(standing: Standing, fact: BotAdded, _events: object) -> None:
    standing.seats[fact.seat] = Seat(occupant=Occupant.BOT, name=fact.name, level=fact.level)


def _seats_closed(standing: Standing, fact: SeatsClosed, _events: object) -> None:
    standing.seats = [seat for index, seat in enumerate(standing.seats) if index not in fact.seats]


def _starting(standing: Standing, _fact: Starting, _events: object) -> None:
    standing.stage = Stage.STARTING


def _nonce_revealed(standing: Standing, fact: NonceRevealed, _events: object) -> None:
    standing.seats[fact.seat].nonce = bytes.fromhex(fact.nonce)


def _played(standing: Standing, fact: Started | HandDealt, events: Sequence[Event] | None) -> None:
    standing.play(fact.lines, events)


def _acted(standing: Standing, fact: Acted, events: Sequence[Event] | None) -> None:
    # A turn that its player ended himself breaks the row of missed ones (R14.2); a mere answer to an offer does not.
    if not fact.by_bot and any(line["event"] in {"discard", "hand_end"} for line in fact.lines):
        standing.seats[fact.seat].missed = 0
    if not fact.by_bot and standing.seats[fact.seat].absent:
        standing.seats[fact.seat].returning = True
    standing.play(fact.lines, events)


def _timed_out(standing: Standing, fact: TimedOut, events: Sequence[Event] | None) -> None:
    if fact.turn:
        standing.seats[fact.seat].missed += 1
    standing.play(fact.lines, events)


def _went_on(standing: Standing, fact: WentOn, _events: object) -> None:
    seat = standing.seats[fact.seat]
    seat.ready = True
    if seat.absent:
        seat.come_back()


def _went_absent(standing: Standing, fact: WentAbsent, _events: object) -> None:
    standing.seats[fact.seat].absent = True


def _came_back(standing: Standing, fact: CameBack, _events: object) -> None:
    standing.seats[fact.seat].come_back()


def _said(standing: Standing, fact: Said, _events: object) -> None:
    standing.said += 1
    standing.chat.append(Saying(standing.said, fact.seat, standing.seats[fact.seat].name, fact.text))


def _noted(_standing: Standing, _fact: Noted | Snapshot, _events: object) -> None:
    pass


def _paused(standing: Standing, fact: Paused, _events: object) -> None:
    standing.pause = PausedBy(fact.by)
    standing.forget_wishes()


def _resumed(standing: Standing, _fact: Resumed, _events: object) -> None:
    standing.pause = None
    standing.forget_wishes()


_CHANGES: dict[type[Fact], Callable[[Standing, Any, Any], None]] = {
    Joined: _joined,
    Left: _left,
    BotAdded: _bot_added,
    SeatsClosed: _seats_closed,
    Starting: _starting,
    NonceRevealed: _nonce_revealed,
    Started: _played,
    HandDealt: _played,
    Acted: _acted,
    TimedOut: _timed_out,
    WentOn: _went_on,
    WentAbsent: _went_absent,
    CameBack: _came_back,
    Said: _said,
    Noted: _noted,
    Snapshot: _noted,
    Paused: _paused,
    Resumed: _resumed,
    **ARRANGED,
}
