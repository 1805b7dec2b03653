"""Answering a call: reading its bytes, and making a status of what refuses it, in the one form that clients know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message
from grpc_status import rpc_status

from shanghai_engine.malformed import ShanghaiError
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.settings import Settings
from shanghai_wire.refused import Refused

Context = grpc.aio.ServicerContext[Any, Any]
Answer = Message | bytes
_TRY_AGAIN = frozenset({grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE})
"""The statuses of what may be tried again as it is."""
_NEVER = frozenset({TableRefusal.TOO_LARGE, TableRefusal.TABLE_WRITTEN_FULL})
"""What has such a status, and yet is refused however long one waits."""


def refused_by(error: CallRefused | ShanghaiError, settings: Settings) -> Refused:
    """Give the refusal that an error amounts to, with the server's usual time where it is worth trying again."""
    if isinstance(error, ShanghaiError):
        return Refused.by_engine(error)
    refusal = error.refusal
    retry = error.retry_after_ms
    if retry is None and refusal.status in _TRY_AGAIN and refusal not in _NEVER:
        retry = settings.retry_after_ms
    return Refused(refusal.status, refusal.name, error.rule, error.message, error.values, retry)


async def abort(context: Context, refused: Refused) -> NoReturn:
    """End a call with a refusal."""
    status = rpc_status.to_status(refused.to_status())
    await context.abort(status.code, status.details, status.trailing_metadata)


def reader(kind: type[Message], most: int) -> Callable[[bytes], Message | CallRefused]:
    """Give what reads a request of at most so many bytes.

    An error raised by it would be answered, and logged, by the library in its words, so it gives the refusal instead.
    """

    def read(data: bytes) -> Message | CallRefused:
        if len(data) > most:
            return CallRefused(TableRefusal.TOO_LARGE, limit=most, bytes=len(data))
        try:
            return kind.FromString(data)
        except DecodeError:
            return CallRefused(TableRefusal.BAD_MESSAGE, message=kind.DESCRIPTOR.name)

    return read


def readable(request: Message | CallRefused) -> Message:
    """Give a request that could be read; raises `CallRefused` for one that could not."""
    if isinstance(request, CallRefused):
        raise request
    return request


def when_through(context: Context, call: Callable[[], None]) -> None:
    """Call back when an answer has got through to its client, or cannot any more."""
    # The types of the library name a class, where it takes any function.
    library: Any = context
    library.add_done_callback(lambda _: call())


def to_bytes(answer: Answer) -> bytes:
    """Give the bytes of an answer, which is sent as it is where it is bytes already."""
    return answer if isinstance(answer, bytes) else answer.SerializeToString()
