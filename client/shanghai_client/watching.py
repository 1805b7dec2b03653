"""What a viewer sees, as one stream that never breaks by itself: it goes on where it stopped, and says so.

The list of a server's tables is a stream of its own, which says with what it ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any

import grpc

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.asked_pause import asked_pause
from shanghai_client.connection import Connection, Listing
from shanghai_client.failure import CannotConnect, Ended, Refused, refused
from shanghai_client.foreign_text import made_fit
from shanghai_client.language import _, later
from shanghai_client.retrying import (
    Patience,
    asked_wait,
    fails_handshake,
    is_passing,
    reason,
    says_nothing,
    speaks_no_tls,
)
from shanghai_client.security import speaks_tls

PAUSES = Patience(first_pause=0.2, longest_pause=5.0)
"""The pauses between attempts to come back: the attempts themselves have no limit."""

STEADY = 5.0
"""Seconds that a stream has to stay before a new loss counts as the first: one that ends as soon as it has begun would
else be asked for without a pause, and nobody could answer anything meanwhile."""

SILENCE = 45.0
"""Seconds without any message after which a stream counts as lost: a server that lives sends one within 20. That the
connection is alive, which the channel looks after, does not mean that anybody speaks."""
_STEPS = 10
"""The parts in which that time is counted: one within which this program itself stood still is none."""

_ENDS = {
    table_pb2.CLOSE_REASON_REPLACED: later("another client has taken this seat over, so this one stops"),
    table_pb2.CLOSE_REASON_TABLE_CLOSED: later("the table has been closed"),
    table_pb2.CLOSE_REASON_FAULT: later(
        "something in the table failed, so the server has closed it: the game is kept as it was before, and goes on"
        " when the server is started again"
    ),
    table_pb2.CLOSE_REASON_KICKED: later("the host has sent you away"),
    table_pb2.CLOSE_REASON_LEFT: later("this seat has been given up"),
    table_pb2.CLOSE_REASON_HANDED_OVER: later("this seat has been handed over, and belongs to somebody else now"),
}
"""The reasons after which a client does not come back by itself, in words."""
_SENT_AWAY = {
    table_pb2.TABLE_STATUS_LOBBY: later("the host has sent you away, and your seat is free"),
    table_pb2.TABLE_STATUS_STARTING: later("the host has sent you away, and a bot plays your seat"),
    table_pb2.TABLE_STATUS_PLAYING: later("the host has sent you away, and a bot plays your seat"),
    table_pb2.TABLE_STATUS_PAUSED: later("the host has sent you away, and a bot plays your seat"),
}
"""What becomes of the seat of whoever is sent away, as far as he has seen how the table was then."""
LOST_SEAT = frozenset({table_pb2.CLOSE_REASON_KICKED, table_pb2.CLOSE_REASON_LEFT, table_pb2.CLOSE_REASON_HANDED_OVER})
"""The reasons after which the token holds no seat any more."""
_NO_TABLE, _CLOSED_TABLE = "NO_SUCH_TABLE", "TABLE_CLOSED"
"""The reasons of the refusal of a table that is not known, and of one that was closed meanwhile."""
_BREAKS = {
    table_pb2.CLOSE_REASON_SHUTTING_DOWN: later("the server is shutting down"),
    table_pb2.CLOSE_REASON_TOO_SLOW: later("this client was too slow for the server"),
}


@dataclass(frozen=True, slots=True)
class Lost:
    """The stream broke; the next attempt is made after `retry_in` seconds, the `attempt`-th since it was whole.

    `right` says what would help where attempts alone will not, as where TLS is spoken there now; else it is empty.
    """

    sentence: str
    retry_in: float
    attempt: int = 1
    right: str = ""

    @property
    def text(self) -> str:
        """What a person is told, once: attempts follow each other until one gets through."""
        if self.right:
            return _("{what}: {right}").format(what=self.sentence, right=self.right)
        if self.retry_in < 1:
            return _("{what}: trying again, until the server answers").format(what=self.sentence)
        text = _("{what}: trying again in {seconds:.0f} s, until the server answers")
        return text.format(what=self.sentence, seconds=self.retry_in)


@dataclass(frozen=True, slots=True)
class Back:
    """The stream goes on after it was lost."""

    @property
    def text(self) -> str:
        """What a person is told."""
        return _("the connection is back")


class LinkNews:
    """What a person is told of the connection, each thing once: that it is lost, what helps, and that it is back."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._right = ""

    def told(self, change: Lost | Back) -> str:
        """Give what is new in a change; empty for another attempt like those before."""
        right = change.right if isinstance(change, Lost) else ""
        is_new = isinstance(change, Back) or change.attempt == 1 or right not in {"", self._right}
        self._right = right
        return change.text if is_new else ""


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """The last sight of a stream: the server ended it for good."""

    reason: table_pb2.CloseReason.ValueType
    sentence: str

    @property
    def ended(self) -> Ended:
        """Give it as what is raised for it."""
        sent_away = self.reason == table_pb2.CLOSE_REASON_KICKED
        return Ended(self.sentence, lost_seat=self.reason in LOST_SEAT, sent_away=sent_away)


Sight = table_pb2.Update | Lost | Back | StreamEnded


@dataclass(slots=True)
class _Losses:
    """How often a stream was lost since it last stayed, since when it is lost now, and when it was there last."""

    there_at: float
    attempts: int = 0
    since: float | None = None

    def back(self, now: float) -> None:
        """Take note that the stream goes on."""
        self.since, self.there_at = None, now

    def lost(self, now: float) -> float:
        """Count a loss, and give for how many seconds there has been no stream."""
        if self.since is None:
            self.since = now
            if now - self.there_at >= STEADY:
                self.attempts = 0
        self.attempts += 1
        return now - self.since


async def watch(
    connection: Connection,
    table: str,
    *,
    token: bytes = b"",
    after: int = 0,
    passcode: str = "",
    sitting: str = "",
    patience: float | None = None,
) -> AsyncGenerator[Sight]:
    """Give every update of a seat, or of a spectator without a token, and each change of the connection.

    `after` is the sequence of the last update that the viewer has, `passcode` what a private table asks a spectator
    for, `sitting` what tells the server that it is the same sitting at a seat which comes back (`Seat.sitting`). It
    ends after `StreamEnded`. Raises `Refused` where the table is not known or lets nobody watch, `Ended` where it is
    not known any more or the token holds no seat any more, and `CannotConnect` after `patience` seconds without a
    connection.
    """
    loop = asyncio.get_running_loop()
    losses = _Losses(loop.time())
    status = table_pb2.TABLE_STATUS_UNSPECIFIED
    while True:
        broken = Lost(_("the connection is lost"), 0.0)
        request = service_pb2.WatchRequest(
            table=table, seat_token=token, after_sequence=after, passcode=passcode, sitting=sitting
        )
        call = connection.stub.Watch(request)
        try:
            while (response := await _next(call)) is not None:
                if losses.since is not None:
                    losses.back(loop.time())
                    connection.finds_tls = False
                    yield Back()
                kind = response.WhichOneof("message")
                if kind == "update":
                    after = response.update.sequence
                    status = response.update.public.table.status
                    yield response.update
                elif kind == "closed":
                    closed = _closing(made_fit(response.closed), status)
                    if isinstance(closed, StreamEnded):
                        yield closed
                        return
                    broken = closed
                    break
        except grpc.aio.AioRpcError as error:
            broken = await _broken(connection, request, error, knows=after > 0)
        except TimeoutError:
            broken = Lost(_("the server has said nothing for {seconds:.0f} seconds").format(seconds=SILENCE), 0.0)
        finally:
            call.cancel()
        gone_for = losses.lost(loop.time())
        if patience is not None and gone_for >= patience:
            text = _("{what}, and nobody answered for {seconds:.0f} seconds")
            raise CannotConnect(connection.address, text.format(what=broken.sentence, seconds=patience))
        retry_in = max(broken.retry_in, PAUSES.pause(losses.attempts))
        yield replace(broken, retry_in=retry_in, attempt=losses.attempts)
        await asyncio.sleep(retry_in)


async def watch_tables(
    connection: Connection, *statuses: table_pb2.TableStatus.ValueType
) -> AsyncGenerator[Listing | Lost]:
    """Give the tables, all or those of some statuses, and the notice, now and again after each change.

    When the connection breaks, or the server has no room for the stream, it ends with that: after how long it may be
    asked for again is 0 where the server names no time. Raises `Refused` where asking again helps nothing.
    """
    broken = Lost(_("the connection is lost"), 0.0)
    call = connection.stub.WatchTables(service_pb2.WatchTablesRequest(statuses=statuses))
    try:
        async for answer in call:
            yield Listing.of(answer)
    except grpc.aio.AioRpcError as error:
        if not is_passing(error):
            raise refused(error) from error
        broken = await _loss(connection, error)
    finally:
        call.cancel()
    yield broken


async def _next(call: grpc.aio.UnaryStreamCall[service_pb2.WatchRequest, Any]) -> service_pb2.WatchResponse | None:
    """Wait for the next message, and give it, or nothing at the stream's end; raises `TimeoutError` after `SILENCE`.

    Whoever was stopped or slept meanwhile, by Ctrl-Z say, cannot say who was silent: what came then is read first.
    """
    loop = asyncio.get_running_loop()
    step = SILENCE / _STEPS
    read = asyncio.ensure_future(call.read())
    silent = 0
    try:
        while not read.done():
            if silent == _STEPS:
                raise TimeoutError
            begun = loop.time()
            await asyncio.wait({read}, timeout=step)
            if loop.time() - begun < 2 * step:
                silent += 1
    finally:
        read.cancel()
    response = read.result()
    return response if isinstance(response, service_pb2.WatchResponse) else None


def _closing(closed: table_pb2.StreamClosed, status: table_pb2.TableStatus.ValueType) -> StreamEnded | Lost:
    """Give what it amounts to that the server has closed a stream of a table which was seen in that status last."""
    if closed.reason in _ENDS:
        sentence = _ENDS[closed.reason]
        if closed.reason == table_pb2.CLOSE_REASON_KICKED:
            sentence = _SENT_AWAY.get(status, sentence)
        said = f": {closed.text}" if closed.text else ""
        return StreamEnded(closed.reason, f"{_(sentence)}{said}")
    sentence = _BREAKS.get(closed.reason, later("the server ended the connection"))
    return Lost(_(sentence), asked_pause(closed.retry_after_ms))


async def _broken(
    connection: Connection, request: service_pb2.WatchRequest, error: grpc.aio.AioRpcError, *, knows: bool
) -> Lost:
    """Give what a failed stream amounts to where it is tried again; raises `Refused` or `Ended` where it is not.

    `knows` says that the table was there before.
    """
    if not is_passing(error):
        raise _refusal(error, request, knows=knows) from error
    return await _loss(connection, error)


async def _loss(connection: Connection, error: grpc.aio.AioRpcError) -> Lost:
    """Give what a stream that failed, and may get through when it is asked for again, amounts to."""
    wait, why = asked_wait(error), reason(error)
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
        # What would be right is done by itself, and said with the time: to try again.
        return Lost(why.partition(":")[0], wait)
    why, right = await _mending(connection, error, why)
    return Lost(_("the connection is lost ({why})").format(why=why), wait, right=right)


async def _mending(connection: Connection, error: grpc.aio.AioRpcError, why: str) -> tuple[str, str]:
    """Give why a stream is lost, and what would help where TLS was switched on or off there, or is another's."""
    if not connection.speaks_tls:
        if says_nothing(error) and await speaks_tls(connection.address):
            connection.finds_tls = True
            return _("TLS is spoken there"), _("begin again with --tls")
        return why, ""
    if speaks_no_tls(error):
        return why, _("ask the host, and if he has switched it off, begin again with --no-tls")
    if fails_handshake(error):
        return why, _("ask the host, and if it is new, begin again with --fingerprint and his")
    return why, ""


def _gone(table: str, *, seated: bool) -> str:
    """Say that a table which was there is there no more; the secret of a seat at it is kept (`Ended.lost_seat`)."""
    text = _("the server has no table {table} any more: it was closed, or the server goes on from other data")
    if seated:
        text = _(
            "the server has no table {table} any more: it was closed, or the server goes on from other data; what"
            " gives you your seat there is kept"
        )
    return text.format(table=table)


def _refusal(error: grpc.aio.AioRpcError, request: service_pb2.WatchRequest, *, knows: bool) -> Refused | Ended:
    """Give what a refused stream amounts to; who looks through a token has held a seat, so it is lost by now."""
    refusal = refused(error)
    table, seated = request.table, bool(request.seat_token)
    if refusal.reason == _NO_TABLE and (knows or seated):
        return Ended(_gone(table, seated=seated))
    if refusal.reason == _CLOSED_TABLE and (knows or seated):
        return Ended(refusal.sentence)
    if refusal.reason != "BAD_TOKEN":
        return refusal
    return Ended(_("your seat at {table} is not yours any more").format(table=table), lost_seat=True)
