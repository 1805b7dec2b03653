"""How a table stands: all that its facts have made of it. Only `taking.take` changes it.

Nothing here judges, waits or knows the time: the same facts give the same standing, before a restart and after it.
"""

from __future__ import annotations

import hmac
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from shanghai_engine.decision import DecisionId
from shanghai_engine.event import Answered, Dealt, Event, GameEnded, GameStarted, HandEnded, OfferClosed
from shanghai_engine.game import Game
from shanghai_engine.legal import decision_id
from shanghai_engine.line import Line
from shanghai_engine.record import event_of
from shanghai_engine.rules import RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_engine.state import Phase
from shanghai_server.house.settings import Options, Settings
from shanghai_server.standing.fact import (
    Created,
    Joined,
    Request,
    Saying,
)
from shanghai_server.standing.passcode import Passcode
from shanghai_server.standing.seat import Occupant, Seat, Wish
from shanghai_server.standing.seating import Seating
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


@dataclass(frozen=True, slots=True)
class Takeover:
    """A person took a seat over, after so many public events of a hand; `before` is the name of who sat there.

    `answered` says that who sat there has answered the offer that is open; nobody may see it before it closes (R7.14).
    """

    seat: int
    before: str
    events: int
    answered: bool = False

    def after_offer(self, winner: int | None) -> Takeover:
        """Give it once an offer has closed: its outcome is of who sat there before, where that one's answer won it."""
        events = self.events + (self.answered and self.seat == winner)
        return Takeover(self.seat, self.before, events)


KEPT_TAKEOVERS = 32
"""So many takeovers of one hand are remembered."""


class Standing:
    """A table as its facts left it.

    `sequence` is that of the last update that viewers were shown; `told` counts the public events of all games,
    of which the current hand's begin at `hand_from`. `game_number` counts the games of the table from 1; `pause` is
    none while nobody has paused the game. `at` is the time of the last fact, in seconds since 1970. `kicked` are the
    tokens (SHA-256, in hex) from which the host has taken a seat; `joined` counts the persons who have taken a seat;
    `takeovers` are those since the last deal. A snapshot needs none of them, as it stands before a deal.
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
        self.closed: str | None = None
        """Why the table was closed for good; none while it is open."""
        self.at = created.at
        self.kicked: dict[str, None] = {}
        self.stage = Stage.LOBBY
        self.seats = Seating.empty(created.seats)
        self.game: Game | None = None
        self.chat: deque[Saying] = deque(maxlen=settings.chat_lines)
        self.said = 0
        self.requests: dict[str, dict[str, Request]] = {}
        self.sequence = 0
        self.hand_from = 0
        self.joined = 0
        self.takeovers: tuple[Takeover, ...] = ()
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
        return self.seats.host

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
    def open_offer(self) -> DecisionId | None:
        """The id of the offer that is open; none where none is."""
        is_open = self.game is not None and self.game.state.phase is Phase.OFFER
        return self.decision_id if is_open else None

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
    def is_in_hand(self) -> bool:
        """Whether a hand is being played."""
        return self.game is not None and self.game.state.phase in {Phase.OFFER, Phase.PLAY}

    @property
    def newcomers_wait(self) -> bool:
        """Whether who sits down now has the seat from the next deal on: a hand is played, or the game is paused."""
        return self.is_in_hand or (self.stage is Stage.PLAYING and self.pause is not None)

    @property
    def is_left_to_bots(self) -> bool:
        """Whether a game is on from which every person has gone for good: its bots play it to the end (R2.3)."""
        return self.stage in {Stage.STARTING, Stage.PLAYING} and not self.seats.holders

    @property
    def has_nobody_to_wait_for(self) -> bool:
        """Whether bots alone play: the rest of the game, or until somebody who waits for a deal is there at one."""
        return self.is_left_to_bots or (self.stage is Stage.PLAYING and self._all_wait)

    @property
    def goes_on_alone(self) -> bool:
        """Whether something happens by itself though nobody is there: a game begins, or bots play one to its end."""
        return self.stage is Stage.STARTING or self.has_nobody_to_wait_for

    def is_attended(self, connected: Collection[int]) -> bool:
        """Say whether the game goes on: for a person who plays and is connected, or because there is none to wait for.

        Who waits for the next deal plays nothing yet: for him alone nobody's hand is played.
        """
        if not self.seats.waiting or self._all_wait:
            return bool(connected) or self.has_nobody_to_wait_for
        return not self.seats.waiting.issuperset(connected)

    @property
    def _all_wait(self) -> bool:
        """Whether there are persons, and each waits for the next deal."""
        return bool(self.seats.waiting) and len(self.seats.waiting) == len(self.seats.holders)

    def seat_of(self, token: str) -> int | None:
        """Give the seat that a token holds, by its SHA-256 in hex; the comparison takes as long for every token."""
        found = None
        for index, seat in enumerate(self.seats):
            # A person alone has a token, and an empty one is nobody's.
            if seat.token and hmac.compare_digest(seat.token, token):
                found = index
        return found

    def first_answer(self, token: str, request_id: str) -> Request | None:
        """Give the request that a token made under an id; none where there was none, or it is long ago."""
        return self.requests.get(token, {}).get(request_id)

    def free_seats(self) -> list[int]:
        """Give the seats where nobody sits."""
        return [index for index, seat in enumerate(self.seats) if seat.occupant is Occupant.NOBODY]

    def names(self) -> Iterator[str]:
        """Give the names that are taken."""
        return (seat.name for seat in self.seats if seat.name)

    @property
    def played_by_bots(self) -> frozenset[int]:
        """The seats that bots play: their own, those that wait for the deal, and those where they stand in."""
        return self.seats.bots if self.options.wait_for_absent else self.seats.bots_and_absent

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

    def keep(self, request: Request) -> None:
        """Keep a request with its answer, for a repeat; the oldest of its token goes where there are too many."""
        kept = self.requests.setdefault(request.token, {})
        kept[request.id] = request
        if len(kept) > self._settings.kept_requests:
            del kept[next(iter(kept))]

    def forget_tokens(self) -> None:
        """Forget all but the last requests of who has gone, and all of who left first where those are too many."""
        gone = [token for token in self.requests if token not in self.seats.holders]
        for token in gone:
            kept = self.requests[token]
            for name in list(kept)[: -self._settings.kept_requests_of_gone]:
                del kept[name]
        if len(self.requests) > self._settings.kept_tokens:
            del self.requests[gone[0]]

    def play(self, lines: Sequence[Line], events: Sequence[Event] | None, *, away: Collection[int] = ()) -> None:
        """Take in what happened in the game. Whoever has waited for a deal and is `away` at it waits on."""
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
                self.takeovers = ()
            if isinstance(event, OfferClosed) and self.takeovers:
                self.takeovers = tuple(each.after_offer(event.seat) for each in self.takeovers)
            self.game.evolve(event)
            if not isinstance(event, Answered):
                # Those who have acted themselves have their seats back from their stand-ins, now that it may be seen.
                self.seats = self.seats.brought_back()
            if isinstance(event, Dealt | HandEnded):
                self.seats = self.seats.all_changed(ready=False)
            if isinstance(event, Dealt | GameEnded):
                self.seats = self.seats.dealt_in(away=away)
            if isinstance(event, GameEnded):
                self.stage = Stage.OVER
                self.forget_wishes()

    def forget_wishes(self) -> None:
        """Forget what everybody would have liked: it has happened, or cannot any more."""
        self.seats = self.seats.all_changed(wish=Wish.NONE)

    def promised(self, nonce_commitment: str) -> bytes:
        """Give what a promise, in hex, is worth: nothing once the game has begun, and its nonces are in."""
        return bytes.fromhex(nonce_commitment) if self.stage is Stage.LOBBY else b""

    def rematch(self, game_seed: bytes, bot_salt: bytes) -> None:
        """Go back to the lobby, with the same people, for another game."""
        self.hand_from = self.told
        del self._marks[:-1]
        self.takeovers = ()
        self.game = None
        self.game_number += 1
        self.game_seed, self.bot_salt = game_seed, bot_salt
        self.commitment = commitment(game_seed)
        self.stage = Stage.LOBBY
        self.forget_wishes()
        self.seats = self.seats.all_changed(nonce_commitment=b"", nonce=None, ready=False, missed=0)

    def join(self, fact: Joined) -> None:
        """Seat a person; once the game has begun it is on a bot's seat, which is played on as it stands (R2.3).

        Where `newcomers_wait` its bot plays on, and the person has the seat from the next deal on.
        """
        self.joined += 1
        before, waits = self.seats[fact.seat], self.newcomers_wait
        if not waits:
            self.note_takeover(fact.seat)
        person = Seat(
            occupant=Occupant.PERSON,
            name=fact.name,
            level=before.level if waits else "",
            waits=waits,
            bot_name=before.name if waits else "",
            inherited=waits and before.inherited,
            token=fact.token,
            joined=self.joined,
            nonce_commitment=self.promised(fact.nonce_commitment),
            nonce=before.nonce,
            ready=before.ready,
        )
        self.seats = self.seats.having(fact.seat, person)
        self.requests.setdefault(fact.token, {})
        self.forget_tokens()

    def note_takeover(self, index: int) -> None:
        """Take note that somebody else sits on a seat from now on, where its play in this hand is not all his."""
        if self.game is not None:
            state = self.game.state
            answered = state.phase is Phase.OFFER and index in state.answers
            takeover = Takeover(index, self.seats[index].name, self.told - self.hand_from, answered)
            self.takeovers = (*self.takeovers, takeover)[-KEPT_TAKEOVERS:]

    def sit_down(self, index: int, sitting: str) -> None:
        """Let a person begin another sitting, by its mark: the one before has lost the seat to it."""
        self.seats = self.seats.having(index, self.seats[index].sat_down(sitting))

    def vacate(self, index: int, level: str) -> None:
        """Free a seat before the game; later give it to a bot of a level, under its name (R2.3).

        Where its person still waits for the deal, the bot that plays it goes on under its own.
        """
        seat = self.seats[index]
        if self.stage is Stage.LOBBY:
            self.seats = self.seats.having(index, Seat())
        else:
            bot = Seat(
                occupant=Occupant.BOT,
                name=seat.bot_name if seat.waits else seat.name,
                level=level,
                nonce=seat.nonce,
                ready=seat.ready,
                inherited=seat.inherited if seat.waits else True,
            )
            self.seats = self.seats.having(index, bot)
            if self.has_nobody_to_wait_for:
                # Nobody plays who could let it go on.
                self.pause = None
