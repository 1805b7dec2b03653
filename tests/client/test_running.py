"""A command that is asked to end by a signal ends, whatever becomes of the first time that it is asked."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

import pytest

from shanghai_client.cli import running


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_lost_cancellation_is_asked_again(monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
    """What swallows it goes on waiting, and is asked until it ends."""
    monkeypatch.setattr(running, "AGAIN", 0.01)
    asked = []

    async def work() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(lost):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            asked.append("lost")
        await asyncio.Event().wait()

    with pytest.raises(KeyboardInterrupt):
        running.run(work())
    assert len(asked) == lost
