"""What is shown of a table: the one place where anything of it becomes bytes for anybody.

The public part is encoded once per change for everybody. A seat's own part is what the engine's view gives it and what
it owes, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.decision import Decision
from shanghai_engine.view import OwnView
from shanghai_server.house.notice import NoticeBoard
from shanghai_server.standing.option import options_message
from shanghai_server.standing.seat import Occupant, Wish
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import PausedBy, Stage, Standing
from shanghai_server.standing.timing import ClockKind, RunningClock
from shanghai_wire.decisions import GoOnDecision, decision_bytes
from shanghai_wire.rules import rules_message
from shanghai_wire.updates import GameBytes, OwnBytes, private_bytes, public_bytes

_CLOCKS = {
    ClockKind.OFFER: table_pb2.CLOCK_KIND_OFFER,
    ClockKind.TURN: table_pb2.CLOCK_KIND_TURN,
    ClockKind.PAUSE: table_pb2.CLOCK_KIND_PAUSE,
    ClockKind.NONCES: table_pb2.CLOCK_KIND_NONCES,
}
_STAGES = {
    Stage.LOBBY: table_pb2.TABLE_STATUS_LOBBY,
    Stage.STARTING: table_pb2.TABLE_STATUS_STARTING,
    Stage.PLAYING: table_pb2.TABLE_STATUS_PLAYING,
    Stage.OVER: table_pb2.TABLE_STATUS_OVER,
}
_OCCUPANTS = {
    Occupant.NOBODY: table_pb2.OCCUPANT_NOBODY,
    Occupant.PERSON: table_pb2.OCCUPANT_PERSON,
    Occupant.BOT: table_pb2.OCCUPANT_BOT,
}
_WISHES = {
    Wish.NONE: table_pb2.WISH_UNSPECIFIED,
    Wish.PAUSE: table_pb2.WISH_PAUSE,
    Wish.RESUME: table_pb2.WISH_RESUME,
    Wish.REMATCH: table_pb2.WISH_REMATCH,
}
_PAUSES = {
    PausedBy.HOST: table_pb2.PAUSE_REASON_HOST,
    PausedBy.EVERYBODY: table_pb2.PAUSE_REASON_EVERYBODY,
}


def status_of(standing: Standing, connected: Collection[int]) -> table_pb2.TableStatus.ValueType:
    """Give where a table is in its life; a game that waits for its persons is paused."""
    return table_pb2.TABLE_STATUS_PAUSED if pause_of(standing, connected) else _STAGES[standing.stage]


def pause_of(standing: Standing, connected: Collection[int]) -> table_pb2.PauseReason.ValueType:
    """Give why a game is paused; `PAUSE_REASON_UNSPECIFIED`, which is 0, where it is not, or no game is on."""
    if standing.stage is not Stage.PLAYING:
        return table_pb2.PAUSE_REASON_UNSPECIFIED
    if standing.pause is not None:
        return _PAUSES[standing.pause]
    is_attended = standing.is_attended(connected)
    return table_pb2.PAUSE_REASON_UNSPECIFIED if is_attended else table_pb2.PAUSE_REASON_NOBODY_THERE


class SeatShown(NamedTuple):
    """A seat as everybody sees it: the fields of its message, of which the messages are made only when one changes."""

    seat: int
    occupant: Occupant
    name: str
    level: str
    connected: bool
    stand_in: bool
    host: bool
    ready: bool
    wish: Wish
    nonce_promised: bool
    waits_for_deal: bool

    def message(self) -> table_pb2.Seat:
        """Give the message."""
        return table_pb2.Seat(
            index=self.seat,
            occupant=_OCCUPANTS[self.occupant],
            name=self.name,
            level=self.level,
            connected=self.connected,
            stand_in=self.stand_in,
            host=self.host,
            ready=self.ready,
            wish=_WISHES[self.wish],
            nonce_promised=self.nonce_promised,
            waits_for_deal=self.waits_for_deal,
        )


class SeatsShown:
    """The seats as everybody sees them; put together anew only when something about them may be another."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._of: tuple[Seating, Stage, Collection[int]] | None = None
        self._shown: tuple[SeatShown, ...] = ()

    def see(self, standing: Standing, connected: Collection[int]) -> tuple[SeatShown, ...]:
        """Give them as they are now."""
        of = self._of
        if of is None or of[0] is not standing.seats or of[1] is not standing.stage or of[2] != connected:
            self._of = standing.seats, standing.stage, connected
            self._shown = seats_shown(standing, connected)
        return self._shown


def seats_shown(standing: Standing, connected: Collection[int]) -> tuple[SeatShown, ...]:
    """Give the seats as everybody sees them."""
    host = standing.host
    stood_in_for = standing.played_by_bots if standing.stage is Stage.PLAYING else ()
    return tuple(
        [
            SeatShown(
                index,
                seat.occupant,
                seat.name,
                "" if seat.is_person else seat.level,
                index in connected,
                seat.is_person and index in stood_in_for,
                index == host,
                seat.ready,
                seat.wish,
                bool(seat.nonce_commitment),
                seat.waits,
            )
            for index, seat in enumerate(standing.seats)
        ]
    )


class Summary:
    """A table's line in the list, and when it is another one."""

    def __init__(self) -> None:
        """Begin with nothing known of the table."""
        self._seats = SeatsShown()
        self._shown: tuple[object, ...] = ()

    def is_news(self, standing: Standing, connected: Collection[int], spectators: int) -> bool:
        """Say whether the line may be another one than at the last call; it is encoded only then."""
        hand = standing.game.state.hand if standing.game is not None else 0
        seats = self._seats.see(standing, connected)
        shown = (status_of(standing, connected), seats, hand, spectators, standing.game_number)
        was, self._shown = self._shown, shown
        return was != shown


def summary_bytes(standing: Standing, connected: Collection[int], spectators: int) -> bytes:
    """Give the bytes of a list of one table (`ListTablesResponse`); joined with others they are those of all."""
    seats = [seat.message() for seat in seats_shown(standing, connected)]
    if standing.passcode is not None:
        for seat, sitting in zip(seats, standing.seats, strict=True):
            if sitting.is_person or sitting.inherited:
                seat.name = ""
    summary = table_pb2.TableSummary(
        table=standing.table,
        name=standing.name,
        status=status_of(standing, connected),
        seats=seats,
        hand=standing.game.state.hand if standing.game is not None else 0,
        hands=standing.rules.hands,
        spectators=spectators,
        private=standing.passcode is not None,
        game_number=standing.game_number,
        spectators_allowed=standing.options.spectators,
        latecomers_allowed=standing.options.latecomers,
    )
    return service_pb2.ListTablesResponse(tables=[summary]).SerializeToString()


class Showing:
    """The bytes of one table's updates, change after change."""

    def __init__(self, standing: Standing, board: NoticeBoard) -> None:
        """Begin with nothing shown. A table that was rebuilt needs a new one."""
        self._standing = standing
        self._board = board
        self._chat = b""
        self._chat_of = 0, 0
        """How many lines had been said at a table of how many seats when the chat was encoded."""
        self._seats = SeatsShown()
        self._seats_encoded: tuple[tuple[SeatShown, ...], bytes] = ((), b"")
        self._around: tuple[tuple[object, ...], bytes] = ((), b"")
        self._begin_game()

    def _follow_game(self) -> None:
        if self._standing.game_number != self._game_number:
            self._begin_game()

    def _begin_game(self) -> None:
        """Begin anew with what belongs to one game."""
        standing = self._standing
        self._game_number = standing.game_number
        # What does not change during a game is encoded once; what does is joined to it.
        self._fixed = table_pb2.TableView(
            table=standing.table,
            name=standing.name,
            rules=rules_message(standing.rules),
            options=options_message(standing.options),
            commitment=standing.commitment,
            game_number=standing.game_number,
            private=standing.passcode is not None,
        ).SerializeToString(deterministic=True)
        self._game = GameBytes()
        self._own: dict[int, OwnBytes] = {}
        self._private: dict[int, tuple[OwnView, Decision | GoOnDecision | None, bytes]] = {}
        self._decisions: dict[int, Decision] = {}
        self._decided_at = -1

    def public(self, connected: Collection[int], spectators: int, clock: RunningClock | None) -> bytes:
        """Give the bytes of `PublicUpdate`: what everybody sees."""
        standing = self._standing
        self._follow_game()
        # Where seats are closed, lines are of other seats.
        chat_of = standing.said, len(standing.seats)
        if chat_of != self._chat_of:
            lines = [
                table_pb2.ChatLine(number=line.number, seat=line.seat, name=line.name, text=line.text)
                for line in standing.chat
            ]
            self._chat = table_pb2.TableView(chat=lines).SerializeToString()
            self._chat_of = chat_of
        return public_bytes(
            table=self._fixed + self._around_bytes(connected, spectators) + self._seats_bytes(connected) + self._chat,
            clock=None if clock is None else _clock_bytes(clock),
            game=None if standing.game is None else self._game.encode(standing.game.public_view()),
        )

    def _around_bytes(self, connected: Collection[int], spectators: int) -> bytes:
        """Give what is around the game, the seats and the chat aside, encoded when any of it changes."""
        status, board = status_of(self._standing, connected), self._board
        pause = pause_of(self._standing, connected)
        takeovers = self._standing.takeovers
        shown = (status, pause, spectators, board.number, board.text, takeovers)
        if shown != self._around[0]:
            message = table_pb2.TableView(
                status=status,
                pause_reason=pause,
                spectators=spectators,
                notice=board.message,
                takeovers=[
                    table_pb2.Takeover(seat=each.seat, before=each.before, events=each.events) for each in takeovers
                ],
            )
            self._around = (shown, message.SerializeToString())
        return self._around[1]

    def _seats_bytes(self, connected: Collection[int]) -> bytes:
        shown = self._seats.see(self._standing, connected)
        if shown != self._seats_encoded[0]:
            message = table_pb2.TableView(seats=[seat.message() for seat in shown])
            self._seats_encoded = (shown, message.SerializeToString())
        return self._seats_encoded[1]

    def private(self, seat: int) -> bytes:
        """Give the bytes of `PrivateUpdate`: what a seat alone sees, and what it owes.

        Whoever has the seat from the next deal on sees nothing of what its bot has in this hand (R2.3).
        """
        self._follow_game()
        game = self._standing.game
        decision = self.decision(seat)
        if game is None or self._standing.seats[seat].waits:
            return private_bytes(
                own=view_pb2.OwnView(seat=seat).SerializeToString(),
                decision=None if decision is None else decision_bytes(decision, game=self._game_number),
            )
        own = game.own_view(seat)
        kept = self._private.get(seat)
        if kept is not None and kept[0] is own and kept[1] is decision:
            # Most of what happens changes nothing of what a seat alone sees.
            return kept[2]
        if (encoder := self._own.get(seat)) is None:
            encoder = self._own[seat] = OwnBytes()
        private = private_bytes(
            own=encoder.encode(own, hand=game.state.hand),
            decision=None if decision is None else decision_bytes(decision, game=self._game_number),
        )
        self._private[seat] = own, decision, private
        return private

    def decision(self, seat: int) -> Decision | GoOnDecision | None:
        """Give what a seat owes; none where it owes nothing, where its bot owes it, and while the game is paused."""
        standing = self._standing
        sitting = standing.seats[seat]
        if standing.stage is not Stage.PLAYING or standing.pause is not None or not sitting.is_person:
            return None
        if standing.between_hands:
            name = standing.decision_id
            return None if sitting.ready or name is None else GoOnDecision(seat, name)
        if sitting.waits:
            return None
        return self.decisions().get(seat)

    def decisions(self) -> dict[int, Decision]:
        """Give what every seat owes in the game, by seat."""
        self._follow_game()
        game = self._standing.game
        if game is None:
            return {}
        # Working out a play's choices takes the solver, so it is done once for each state.
        if self._decided_at != game.event_count:
            self._decisions = game.decisions()
            self._decided_at = game.event_count
        return self._decisions


def _clock_bytes(clock: RunningClock) -> bytes:
    return table_pb2.Clock(kind=_CLOCKS[clock.kind], seat=clock.seat, left_ms=clock.left_ms).SerializeToString()
