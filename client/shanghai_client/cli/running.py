"""Running a command's coroutine: it is cancelled by SIGTERM as by Ctrl-C, so that everything it opened is closed."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end; raises `KeyboardInterrupt` after SIGINT and SIGTERM, once all is closed."""
    return asyncio.run(_guarded(work))


async def _guarded(work: Coroutine[Any, Any, Result]) -> Result:
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        task.cancel()

    # Not every system has signals for an event loop; Ctrl-C works there all the same.
    with contextlib.suppress(NotImplementedError, RuntimeError):
        loop.add_signal_handler(signal.SIGTERM, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if stopped:
            raise KeyboardInterrupt from None
        task.cancel()
        raise
    finally:
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.remove_signal_handler(signal.SIGTERM)


def in_terminal() -> bool:
    """Say whether a person sits at both ends: what is typed and what is printed."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
