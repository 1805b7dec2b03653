"""Calling again what did not get through: the same request, after a pause that grows and is never the same twice.

A call that changes something carries a request id, and a repeat gets the first answer, so every call may be repeated.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import grpc

from shanghai_client.asked_pause import asked_pause
from shanghai_client.failure import CannotConnect, refused
from shanghai_client.language import _
from shanghai_wire import refused as wire

Answer = TypeVar("Answer")

TRY_AGAIN = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        # A burst of opening streams is cancelled by a server that is full for a moment.
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
"""What says nothing about the request itself."""


def is_passing(error: grpc.aio.AioRpcError) -> bool:
    """Say whether a failed call may get through if it is made again as it is.

    That is what says nothing about the request itself, and what is too much now, where the server says how long
    (`google.rpc.RetryInfo`).
    """
    if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return wire.Refused.by_call(error).retry_after_ms is not None
    return error.code() in TRY_AGAIN


def asked_wait(error: grpc.aio.AioRpcError) -> float:
    """Give for how many seconds the server asks to wait before the same is tried again; 0 where it says nothing.

    With a random part, so that those who were turned away together do not come back together.
    """
    asked = wire.Refused.by_call(error).retry_after_ms
    return 0.0 if asked is None else asked_pause(asked) * (1 + random.random() / 10)  # noqa: S311 (jitter is no secret)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on: seconds for one attempt, for all of them, and the first and the longest pause between two.

    `refused` is for how long an address is tried again at which nothing listens.
    """

    attempt: float = 5.0
    whole: float = 20.0
    refused: float = 20.0
    first_pause: float = 0.1
    longest_pause: float = 2.0

    def pause(self, attempts: int) -> float:
        """Give the seconds to wait after so many attempts: doubled each time, less a random part."""
        longest = min(self.first_pause * 2.0 ** min(attempts - 1, 16), self.longest_pause)
        # Jitter is not a secret: it only keeps clients from coming back all at once.
        return longest * (0.5 + random.random() / 2)  # noqa: S311


USUAL = Patience()
BRIEF = Patience(attempt=3.0, whole=3.0, refused=0.2)
"""For the first words to a server: a host that does not answer is given up within five seconds, and a port at which
nothing listens as good as at once, because the address is wrong or the server was never started."""


async def calling(address: str, attempt: Callable[[float], Awaitable[Answer]], *, patience: Patience = USUAL) -> Answer:
    """Give the answer of a call, made again while it may still get through as it is.

    `attempt` makes the call with a limit in seconds. Where the server names a pause it is waited that long. Raises
    `Refused` for what the server refused; at once where the pause that it names goes beyond the patience, and once the
    patience has run out where it was the server that said no last. `CannotConnect` is where nobody answered.
    """
    loop = asyncio.get_running_loop()
    begun = loop.time()
    end = begun + patience.whole
    attempts = 0
    while True:
        attempts += 1
        left = end - loop.time()
        try:
            return await attempt(max(min(patience.attempt, left), 0.05))
        except grpc.aio.AioRpcError as error:
            if not is_passing(error):
                raise refused(error) from error
            pause = max(patience.pause(attempts), asked_wait(error))
            until = min(end, begun + patience.refused) if nothing_listens(error) else end
            if loop.time() + pause >= until:
                if wire.Refused.by_call(error).reason:
                    raise refused(error) from error
                raise CannotConnect(address, reason(error)) from error
        await asyncio.sleep(pause)


def nothing_listens(error: grpc.aio.AioRpcError) -> bool:
    """Say whether a call did not get through because nobody serves at the address, or, on this machine, at the file."""
    details = (error.details() or "").lower()
    is_shut = "refused" in details or "no such file" in details
    return error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED and is_shut


def fails_handshake(error: grpc.aio.AioRpcError) -> bool:
    """Say whether a call over TLS did not get through because no TLS could be agreed upon with what listens there."""
    return "handshake failed" in (error.details() or "").lower()


def speaks_no_tls(error: grpc.aio.AioRpcError) -> bool:
    """Say whether it is so because no TLS is spoken there; else the certificate is another one."""
    return fails_handshake(error) and "wrong_version" in (error.details() or "").lower()


def says_nothing(error: grpc.aio.AioRpcError) -> bool:
    """Say whether something listens at the address, and has not said why a call did not get through."""
    return not wire.Refused.by_call(error).reason and not nothing_listens(error)


def reason(error: grpc.aio.AioRpcError) -> str:
    """Give in a few words why a call did not get through."""
    said = wire.Refused.by_call(error)
    if said.reason:
        return refused(error).sentence
    details = (error.details() or "").lower()
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return _("no answer in time")
    if fails_handshake(error):
        plain = speaks_no_tls(error)
        return _("no TLS is spoken there any more") if plain else _("its certificate is not the one that is trusted")
    if nothing_listens(error):
        return _("nothing listens there")
    if "resolution" in details or "dns" in details or "name or service" in details:
        return _("no such host is known")
    return _("no answer")
