"""Every refusal of a table or of the server: its code, its status, and its sentence.

What breaks a rule of the game is the engine's business (`shanghai_engine.refusal`); this is everything around it. The
sentence is a template: its values travel with it, so that it can be said in another language.
"""

from __future__ import annotations

from enum import Enum

from grpc import StatusCode


class TableRefusal(Enum):
    """Why a call is refused; the name is the stable code, the value its status, its sentence and the rule, if any."""

    # Nobody knows this table: a slip of the pen, or it is gone.
    NO_SUCH_TABLE = (StatusCode.NOT_FOUND, "there is no table {table}: ask for the list of tables")
    # The table was closed because something in it failed.
    TABLE_CLOSED = (StatusCode.FAILED_PRECONDITION, "the table {table} was closed: {reason}")
    # No more tables fit on this server.
    TOO_MANY_TABLES = (StatusCode.RESOURCE_EXHAUSTED, "this server holds {limit} tables already: try again later")
    # More waits at this table than it can do soon.
    TABLE_BUSY = (StatusCode.RESOURCE_EXHAUSTED, "{limit} calls wait at the table {table} already: try again at once")
    # What was asked for could not be written down, so it has not happened.
    NOT_WRITTEN = (StatusCode.UNAVAILABLE, "nothing can be written down now, so nothing happened: try again")
    # The server is on its way out.
    SHUTTING_DOWN = (StatusCode.UNAVAILABLE, "the server is being stopped: try again in a while")
    # A fault of ours; what happened is in the log, not in the answer.
    INTERNAL = (StatusCode.INTERNAL, "something went wrong in the server, and was written to its log")

    # The token is not 16 bytes, or is nobody's at this table.
    BAD_TOKEN = (StatusCode.UNAUTHENTICATED, "this token holds no seat at this table: join it first")
    MALFORMED_TOKEN = (StatusCode.INVALID_ARGUMENT, "a seat token has 16 bytes, not {bytes}")
    # Every call that changes something can be repeated, and needs a name for that.
    BAD_REQUEST_ID = (
        StatusCode.INVALID_ARGUMENT,
        "{request_id} is no request id: it has 1 to {limit} printable characters, and is new for every request",
    )
    # The same id with another content is a fault of the client, never a repeat.
    REQUEST_ID_REUSED = (
        StatusCode.ALREADY_EXISTS,
        "the request id {request_id} was used for another request: take a new one for everything new",
    )
    # What cannot be read, by the field's name.
    BAD_FIELD = (StatusCode.INVALID_ARGUMENT, "{field} = {value} cannot be used: {right}")

    # Names and chat.
    EMPTY_NAME = (StatusCode.INVALID_ARGUMENT, "a name has at least one visible character, and {name} has none")
    LONG_NAME = (StatusCode.INVALID_ARGUMENT, "a name has at most {limit} characters, not {length}")
    EMPTY_CHAT = (StatusCode.INVALID_ARGUMENT, "there is nothing to say in {text}")
    LONG_CHAT = (StatusCode.INVALID_ARGUMENT, "one says at most {limit} characters at a time, not {length}")

    # Before the game.
    TABLE_FULL = (StatusCode.FAILED_PRECONDITION, "all {seats} seats of the table {table} are taken")
    SEAT_TAKEN = (StatusCode.FAILED_PRECONDITION, "seat {seat} is taken: the free ones are {free}")
    NO_SUCH_SEAT = (StatusCode.INVALID_ARGUMENT, "there is no seat {seat}: the seats are 0 to {last}")
    GAME_STARTED = (
        StatusCode.FAILED_PRECONDITION,
        "the game at this table has begun, and {what} is possible only before it",
    )
    NOT_HOST = (StatusCode.PERMISSION_DENIED, "only the host, {host}, may do this: {what}")
    NO_SUCH_LEVEL = (StatusCode.INVALID_ARGUMENT, "there is no bot of level {level}: the levels are {levels}")
    SEATS_EMPTY = (StatusCode.FAILED_PRECONDITION, "seats {seats} are empty: let bots take them, or close them")
    TOO_FEW_PLAYERS = (StatusCode.FAILED_PRECONDITION, "a game needs 2 players or more, and here is {players}", "R1.2")
    # Nonces: the shuffle is fair only if they are promised first.
    NO_NONCE_WANTED = (StatusCode.FAILED_PRECONDITION, "no nonce is waited for: it is revealed while the game starts")
    WRONG_NONCE = (StatusCode.INVALID_ARGUMENT, "this nonce is not the one whose SHA-256 was given on joining")

    # In the game.
    GAME_NOT_STARTED = (StatusCode.FAILED_PRECONDITION, "the game at this table has not begun")
    GAME_OVER = (StatusCode.FAILED_PRECONDITION, "the game at this table is over")
    GAME_NOT_OVER = (
        StatusCode.FAILED_PRECONDITION,
        "the record holds every secret, and is given out when the game is over",
    )
    # Answered already, by the seat, its stand-in or the clock; never applied to a newer decision.
    STALE_DECISION = (
        StatusCode.ABORTED,
        "what was asked then is settled, by the seat, its stand-in or the clock: look at what is asked now",
    )
    ALREADY_GONE_ON = (
        StatusCode.FAILED_PRECONDITION,
        "seat {seat} has gone on already, and waits for the others",
        "R2.4",
    )
    NOTHING_TO_GO_ON_FROM = (
        StatusCode.FAILED_PRECONDITION,
        "one goes on between two hands, and a hand is being played",
        "R2.4",
    )

    @property
    def rule(self) -> str:
        """The number of the rule of the game that stands behind it; empty for none."""
        rule: str = next(iter(self.value[2:]), "")
        return rule

    @property
    def status(self) -> StatusCode:
        """The canonical status."""
        status: StatusCode = self.value[0]
        return status

    @property
    def sentence(self) -> str:
        """The sentence, with its values named in braces."""
        sentence: str = self.value[1]
        return sentence


class CallRefused(Exception):
    """A call is refused, and nothing has changed."""

    def __init__(self, refusal: TableRefusal, **values: object) -> None:
        """Take the refusal and every value that its sentence names."""
        self.refusal = refusal
        self.values = {name: str(value) for name, value in values.items()}
        super().__init__(refusal, self.values)

    @property
    def message(self) -> str:
        """What was wrong and what would be right, in one sentence."""
        return self.refusal.sentence.format_map(self.values)

    def __str__(self) -> str:
        """Give the sentence."""
        return self.message
