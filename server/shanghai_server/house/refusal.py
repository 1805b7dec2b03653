"""Every refusal of a table or of the server: its code, its status, and its sentence.

What breaks a rule of the game is the engine's business (`shanghai_engine.refusal`); this is everything around it. The
sentence is a template: its values travel with it, so that it can be said in another language.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Self

from grpc import StatusCode


class TableRefusal(Enum):
    """Why a call is refused; the name is the stable code, the value its status, its sentence and the rule, if any."""

    # Nobody knows this table: a slip of the pen, or it is gone.
    NO_SUCH_TABLE = (StatusCode.NOT_FOUND, "there is no table {table!a}: ask for the list of tables")
    # The table was closed: for now, as something in it failed, or for good, by the server's host or as nobody came.
    TABLE_CLOSED = (StatusCode.FAILED_PRECONDITION, "the table {table} was closed: {reason}")
    # No more tables fit on this server, or not from this peer: an address, which several players may share.
    TOO_MANY_TABLES = (
        StatusCode.RESOURCE_EXHAUSTED,
        "this server holds no more tables than {limit}: try again in {seconds} s",
    )
    PEER_TABLES = (
        StatusCode.RESOURCE_EXHAUSTED,
        "no more tables than {limit} that were made from this address may be unfinished: try again in {seconds} s",
    )
    TABLES_TOO_FAST = (
        StatusCode.RESOURCE_EXHAUSTED,
        "this address makes more tables than {limit} at once and {per_second} a second: make the next in {seconds} s",
    )
    # More people sat down at one table than one address has: whoever sits there changes all the time.
    JOINS_TOO_FAST = (
        StatusCode.RESOURCE_EXHAUSTED,
        (
            "this address takes seats at the table {table} more often than {limit} times at once and {per_second} a"
            " second: take the next in {seconds} s"
        ),
    )
    # More waits at this table than it can do soon.
    TABLE_BUSY = (
        StatusCode.RESOURCE_EXHAUSTED,
        "no more calls than {limit} may wait at the table {table}: try again at once",
    )
    TOO_MANY_STREAMS = (
        StatusCode.RESOURCE_EXHAUSTED,
        "no more streams than {limit} may wait to be let in at the table {table}: try again in {seconds} s",
    )
    TOO_MANY_SPECTATORS = (
        StatusCode.RESOURCE_EXHAUSTED,
        "no more spectators than {limit} may watch the table {table}: try again in {seconds} s",
    )
    PEER_TAKES_NOTHING = (
        StatusCode.RESOURCE_EXHAUSTED,
        "{limit} bytes of answers to this address have not been taken yet: take them, or try again in {seconds} s",
    )
    PEER_STREAMS = (
        StatusCode.RESOURCE_EXHAUSTED,
        "no more streams or calls than {limit} may be open to this address: close one, or try again in {seconds} s",
    )
    # More than a seat, or somebody without one, needs.
    TOO_FAST = (
        StatusCode.RESOURCE_EXHAUSTED,
        "seat {seat} makes more calls than {limit} at once and {per_second} a second: make the next in {seconds} s",
    )
    PEER_TOO_FAST = (
        StatusCode.RESOURCE_EXHAUSTED,
        "this address makes more calls than {limit} at once and {per_second} a second: make the next in {seconds} s",
    )
    # What no call of this contract needs. It never fits, so there is no time after which it would.
    TOO_LARGE = (StatusCode.RESOURCE_EXHAUSTED, "a request has at most {limit} bytes, not {bytes}")
    # A table has filled its part of the disk, with talk, wishes and further games. No waiting makes room.
    TABLE_WRITTEN_FULL = (
        StatusCode.RESOURCE_EXHAUSTED,
        "the table {table} has written its {limit} bytes, and now only plays its game to the end: make another table",
    )
    # What was asked for could not be written down, so it has not happened.
    NOT_WRITTEN = (StatusCode.UNAVAILABLE, "nothing can be written down now, so nothing happened: try again")
    # The server is on its way out.
    SHUTTING_DOWN = (StatusCode.UNAVAILABLE, "the server is being stopped: try again in a while")
    # A fault of ours; what happened is in the log, not in the answer.
    INTERNAL = (StatusCode.INTERNAL, "something went wrong in the server, and was written to its log")

    # The bytes are no message of the method.
    BAD_MESSAGE = (StatusCode.INVALID_ARGUMENT, "the request cannot be read: it is no {message} of this contract")

    # The token is not 16 bytes, or is nobody's at this table.
    BAD_TOKEN = (StatusCode.UNAUTHENTICATED, "this token holds no seat at this table: join it first")
    MALFORMED_TOKEN = (StatusCode.INVALID_ARGUMENT, "a seat token has 16 bytes, not {bytes}")
    # Only the server's own host has it, in a file of the data folder.
    BAD_ADMIN_TOKEN = (
        StatusCode.UNAUTHENTICATED,
        "this is not the token of the server's host: it stands in the file admin.json of the server's data folder",
    )
    # Every call that changes something can be repeated, and needs a name for that.
    BAD_REQUEST_ID = (
        StatusCode.INVALID_ARGUMENT,
        "{request_id!a} is no request id: it has 1 to {limit} printable characters, and is new for every request",
    )
    # The same id with another content is a fault of the client, never a repeat.
    REQUEST_ID_REUSED = (
        StatusCode.ALREADY_EXISTS,
        "the request id {request_id!a} was used for another request: take a new one for everything new",
    )
    # What cannot be read, by the field's name.
    BAD_FIELD = (StatusCode.INVALID_ARGUMENT, "{field} = {value!a} cannot be used: {right}")

    # Private tables: neither what was given nor what is right is ever said.
    WRONG_PASSCODE = (
        StatusCode.PERMISSION_DENIED,
        "the table {table} is private, and this is not its passcode: ask whoever sits there for it",
    )
    BAD_PASSCODE = (StatusCode.INVALID_ARGUMENT, "a passcode has {least} to {most} characters, not {length}")
    TOO_MANY_TRIES = (
        StatusCode.RESOURCE_EXHAUSTED,
        "too many wrong codes were given at the table {table} from this address: try again in {seconds} s",
    )
    # The maker of the table wants none.
    NO_SPECTATORS = (
        StatusCode.PERMISSION_DENIED,
        "the table {table} is not open to spectators: only who holds a seat watches it and has its records",
    )
    # A seat that changes hands.
    BAD_HAND_OVER_CODE = (
        StatusCode.INVALID_ARGUMENT,
        "a hand-over code has {least} to {most} letters and figures, and this has {length}",
    )
    WRONG_HAND_OVER_CODE = (
        StatusCode.PERMISSION_DENIED,
        "this hand-over code opens no seat, or does so no more: ask whoever holds the seat for a new one",
    )
    KICKED = (StatusCode.PERMISSION_DENIED, "the host has taken the seat of this token away: it cannot sit down again")
    NOT_YOURSELF = (StatusCode.FAILED_PRECONDITION, "nobody sends himself away: leave the table instead")
    # Whoever is the host only as long as others are absent takes nothing from those for good.
    CAME_BEFORE_YOU = (
        StatusCode.PERMISSION_DENIED,
        "{name} came before you, and is the host when back: one sends away only those who came later",
    )
    NOT_A_PERSON = (StatusCode.FAILED_PRECONDITION, "no person sits on seat {seat}, so there is nobody to send away")
    NOT_A_BOT = (StatusCode.FAILED_PRECONDITION, "no bot sits on seat {seat}")

    # Names and chat.
    EMPTY_NAME = (StatusCode.INVALID_ARGUMENT, "a name has at least one visible character, and {name!a} has none")
    LONG_NAME = (StatusCode.INVALID_ARGUMENT, "a name has at most {limit} characters, not {length}")
    EMPTY_CHAT = (StatusCode.INVALID_ARGUMENT, "there is nothing to say in {text!a}")
    LONG_CHAT = (StatusCode.INVALID_ARGUMENT, "one says at most {limit} characters at a time, not {length}")
    CHAT_TOO_FAST = (
        StatusCode.RESOURCE_EXHAUSTED,
        "seat {seat} says more lines than {limit} at once and {per_second} a second: say the next in {seconds} s",
    )

    # Before the game.
    TABLE_FULL = (StatusCode.FAILED_PRECONDITION, "all {seats} seats of the table {table} are taken")
    SEAT_TAKEN = (StatusCode.FAILED_PRECONDITION, "seat {seat} is taken (free: {free})")
    NO_SUCH_SEAT = (StatusCode.INVALID_ARGUMENT, "there is no seat {seat}: the seats are 0 to {last}")
    GAME_STARTED = (
        StatusCode.FAILED_PRECONDITION,
        "the game at this table has begun, and {what} is possible only before it",
    )
    NOT_HOST = (StatusCode.PERMISSION_DENIED, "only the host, {host}, may do this: {what}")
    NO_SUCH_LEVEL = (StatusCode.INVALID_ARGUMENT, "there is no bot of level {level!a} (levels: {levels})")
    SEATS_EMPTY = (
        StatusCode.FAILED_PRECONDITION,
        "not every seat is taken (empty: {seats}): let bots take what is empty, or close it",
    )
    TOO_FEW_PLAYERS = (StatusCode.FAILED_PRECONDITION, "a game needs 2 players or more, and here is {players}", "R1.2")
    # A few seconds in which nobody comes: the nonces are being shown.
    GAME_STARTING = (StatusCode.UNAVAILABLE, "the game at this table is just starting: try again in a moment")
    NO_LATECOMERS = (
        StatusCode.FAILED_PRECONDITION,
        "the game at this table has begun, and nobody is let in here afterwards: join another table",
    )
    NOBODY_PLAYS = (
        StatusCode.FAILED_PRECONDITION,
        "the game at this table waits for who plays it, and nobody of them is there: join when somebody is back",
        "R2.3",
    )
    # Nonces: the shuffle is fair only if they are promised first.
    NO_NONCE_WANTED = (StatusCode.FAILED_PRECONDITION, "no nonce is waited for: it is revealed while the game starts")
    WRONG_NONCE = (StatusCode.INVALID_ARGUMENT, "this nonce is not the one whose SHA-256 was promised")
    # A promise that was meant for another game could be one whose nonce is known already.
    OTHER_GAME = (
        StatusCode.FAILED_PRECONDITION,
        "this promise is for game {game} of this table, and game {current} is the one that comes",
    )

    # In the game.
    GAME_NOT_STARTED = (StatusCode.FAILED_PRECONDITION, "the game at this table has not begun")
    GAME_OVER = (StatusCode.FAILED_PRECONDITION, "the game at this table is over")
    GAME_NOT_OVER = (
        StatusCode.FAILED_PRECONDITION,
        "the record holds every secret, and is given out when the game is over",
    )
    PAUSED = (
        StatusCode.FAILED_PRECONDITION,
        "the game is paused by {who}: nothing is played until the host, or everybody, resumes it",
    )
    ALREADY_PAUSED = (StatusCode.FAILED_PRECONDITION, "the game is paused already, by {who}")
    NOT_PAUSED = (StatusCode.FAILED_PRECONDITION, "the game is not paused: there is nothing to resume")
    NO_REMATCH = (StatusCode.FAILED_PRECONDITION, "a rematch comes after a game that is over, and this one is not")
    NO_SUCH_GAME = (StatusCode.NOT_FOUND, "there is no game {game} at this table: its first is 1, and its last {last}")
    # Answered already, or no answer can matter any more (R7.11); never applied to a newer decision.
    STALE_DECISION = (
        StatusCode.ABORTED,
        (
            "what was asked then is settled, by the seat, its stand-in, the clock or the answers of others: look at"
            " what is asked now"
        ),
    )
    # Who sits down while a hand is played has nothing to do with that hand, and sees none of it.
    SEAT_WAITS = (
        StatusCode.FAILED_PRECONDITION,
        "seat {seat} is yours from the next deal on: until then a bot plays it",
        "R2.3",
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
        """The sentence, with its values named in braces: a format, in which `!a` shows a text that somebody sent."""
        sentence: str = self.value[1]
        return sentence


class CallRefused(Exception):
    """A call is refused, and nothing has changed."""

    def __init__(self, refusal: TableRefusal, **values: object) -> None:
        """Take the refusal and every value that its sentence names."""
        self.refusal = refusal
        self.rule = refusal.rule
        """The number of the rule of the game that stands behind it; empty for none."""
        self.retry_after_ms: int | None = None
        """After how long the same may be tried again; none where the server's usual time will do, or nothing helps."""
        self.values = {name: str(value) for name, value in values.items()}
        """The values as they travel: bare, however the sentence shows them."""
        self._values = values
        super().__init__(refusal, self.values)

    @classmethod
    def for_now(cls, refusal: TableRefusal, wait: float, **values: object) -> Self:
        """Give a refusal that ends after so many seconds, which are a value of its sentence."""
        refused = cls(refusal, seconds=max(math.ceil(wait), 1), **values)
        refused.retry_after_ms = max(math.ceil(wait * 1000), 1)
        return refused

    @property
    def message(self) -> str:
        """What was wrong and what would be right, in one sentence."""
        return self.refusal.sentence.format_map(self._values)

    def __str__(self) -> str:
        """Give the sentence."""
        return self.message
