"""Running a command's coroutine: what ends a program cancels it as Ctrl-C does, so that all it opened is closed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end; raises `KeyboardInterrupt` after SIGINT, SIGTERM, SIGQUIT and SIGHUP, once all is closed."""
    return asyncio.run(_guarded(work))


def _ending() -> tuple[signal.Signals, ...]:
    """Give the signals that end a program besides Ctrl-C; a terminal that closes does not where it was told so."""
    # Not every system has them all.
    known = (getattr(signal, name, None) for name in ("SIGTERM", "SIGQUIT", "SIGHUP"))
    return tuple(number for number in known if number is not None and signal.getsignal(number) is not signal.SIG_IGN)


async def _guarded(work: Coroutine[Any, Any, Result]) -> Result:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    stopped = False
    handled = _ending()

    def stop() -> None:
        nonlocal stopped
        stopped = True
        task.cancel()

    # Not every system has signals for an event loop; Ctrl-C works there all the same.
    with contextlib.suppress(NotImplementedError, RuntimeError):
        for number in handled:
            loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        task.cancel()
        raise
    finally:
        with contextlib.suppress(NotImplementedError, RuntimeError):
            for number in handled:
                loop.remove_signal_handler(number)


async def until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Do what has no end until SIGINT or SIGTERM, which both end it in good order, however far it has come.

    Whoever sends another does not want to wait for that.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        release()
        task.cancel()

    def release() -> None:
        with contextlib.suppress(NotImplementedError, RuntimeError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    with contextlib.suppress(NotImplementedError, RuntimeError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop)
    try:
        await task
    except asyncio.CancelledError:
        if not stopped:
            task.cancel()
            raise
    finally:
        release()


def opens_screen() -> bool:
    """Say whether a person sits at a terminal that can move its cursor."""
    return in_terminal() and moves_cursor()


def moves_cursor() -> bool:
    """Say whether the terminal can move its cursor, as far as `TERM` tells; Windows says nothing there, and can."""
    term = os.environ.get("TERM", "").lower()
    return term not in {"dumb", "unknown"} and (bool(term) or os.name == "nt")


def in_terminal() -> bool:
    """Say whether a person sits at both ends: what is typed and what is printed."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
