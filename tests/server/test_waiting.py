"""The tests' own waiting ends: a stream that never shows what is waited for fails its test, and says what it shows."""

import asyncio

import pytest
import server_table
from server_table import Player, playground


@pytest.mark.parametrize("news", [False, True])
async def test_waiting_for_what_never_comes_fails(monkeypatch: pytest.MonkeyPatch, news: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """Whether nothing more is sent or news come again and again, the test fails and names the last update."""
    monkeypatch.setattr(server_table, "PATIENCE", 1000.0 if news else 0.2)
    monkeypatch.setattr(server_table, "MOST_PATIENCE", 0.5 if news else 1000.0)
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann")

        async def talk() -> None:
            while True:
                await ann.say("and on")

        talking = asyncio.create_task(talk()) if news else None
        with pytest.raises(
            AssertionError, match=r"stream of Ann at \w+ does not show what is waited for: .* updates is"
        ):
            await ann.until(lambda: False)
        if talking is not None:
            talking.cancel()
            await asyncio.wait([talking])
