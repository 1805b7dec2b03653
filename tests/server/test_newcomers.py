"""Who sits down and goes again and again says no more than others, and sits down only so often."""

from __future__ import annotations

import grpc
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, playground, refusal, seated

from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings

CHAT = Rate(burst=3, per_second=0.5)
JOINS = Rate(burst=3, per_second=0.25)
CODE = "river-stone-7"


@pytest.mark.parametrize("stage", ["lobby", "game"])
async def test_the_limit_of_chat_stays_with_the_seat_when_its_person_changes(stage: str) -> None:
    """Whoever comes next says what the one before has left, by whatever token; other seats have their own."""
    async with playground(settings=Settings(options=AT_ONCE, chat=CHAT, calls=TALKATIVE)) as ground:
        if stage == "game":
            (ann,) = await seated(ground, ("Ann",), seats=3)
            table = ann.table
        else:
            table = await ground.create(2)
            ann = await Player.join(ground, table, "Ann", watch=False)
        ben = await Player.join(ground, table, "Ben", seat=1, watch=False)
        for line in ("one", "two"):
            await ben.say(line)
        await ben.leave()
        cleo = await Player.join(ground, table, "Cleo", seat=1, watch=False)
        await cleo.say("three")
        refused = await refusal(cleo.say("four"))
        assert (refused.reason, refused.values["seat"], refused.retry_after_ms) == ("CHAT_TOO_FAST", "1", 2000)
        await cleo.call("HandOverSeat", code=CODE)
        dan = await Player.join(ground, table, "Dan", code=CODE, watch=False)
        assert (await refusal(dan.say("four"))).reason == "CHAT_TOO_FAST"
        await ann.say("I have said nothing yet")
        ground.clock.advance(2)
        await dan.say("four")


async def test_one_address_takes_seats_at_a_table_only_so_often() -> None:
    """With new tokens, with the same, and by a code; at another table it begins anew, and so it does in time."""
    async with playground(settings=Settings(options=AT_ONCE, calls=TALKATIVE, joins_per_peer=JOINS)) as ground:
        table = await ground.create(4)
        ann = await Player.join(ground, table, "Ann", watch=False)
        for _ in range(2):
            ben = await Player.join(ground, table, "Ben", watch=False, request_id=f"join {_}")
            await ben.leave()
        await ann.call("HandOverSeat", code=CODE)
        for name, code in (("Ben", ""), ("Cleo", ""), ("Cleo", CODE)):
            refused = await refusal(Player.join(ground, table, name, code=code, watch=False, request_id="too fast"))
            assert (refused.reason, refused.status_code) == ("JOINS_TOO_FAST", grpc.StatusCode.RESOURCE_EXHAUSTED)
            values = {"table": table, "limit": "3", "per_second": "0.25", "seconds": "4"}
            assert (refused.values, refused.retry_after_ms) == (values, 4000)
        # Whoever has a seat is told it, however often, and what is refused for another reason does not count.
        for number in range(5):
            again = await Player.join(ground, table, "Ann", watch=False, request_id=f"again {number}")
            assert again.seat == ann.seat
        await Player.join(ground, await ground.create(2), "Ben", watch=False)
        ground.clock.advance(4)
        for number in range(5):
            wrong = Player.join(ground, table, "Cleo", seat=9, watch=False, request_id=f"wrong {number}")
            assert (await refusal(wrong)).reason == "NO_SUCH_SEAT"
        await Player.join(ground, table, "Cleo", code=CODE, watch=False, request_id="too fast")


async def test_who_comes_back_to_his_seat_is_not_counted() -> None:
    """Streams that break and come back, with whatever sitting, are no new people."""
    async with playground(settings=Settings(options=AT_ONCE, calls=TALKATIVE, joins_per_peer=JOINS)) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), seats=3)
        for number in range(5):
            ben.sitting = f"sitting {number}"
            await ben.unwatch()
            await ben.watch()
        await Player.join(ground, ann.table, "Cleo", watch=False)


async def test_a_limit_holds_also_where_nobody_looks_at_the_table_meanwhile() -> None:
    """A table that is not in use is put away only when nothing is left of what has been done at it."""
    seldom = Rate(burst=3, per_second=0.01)
    async with playground(settings=Settings(options=AT_ONCE, calls=TALKATIVE, joins_per_peer=seldom)) as ground:
        table = await ground.create(4)
        for name in ("Ann", "Ben", "Cleo"):
            await Player.join(ground, table, name, watch=False)
        ground.clock.advance(60)
        refused = await refusal(Player.join(ground, table, "Dan", watch=False))
        assert (refused.reason, refused.retry_after_ms) == ("JOINS_TOO_FAST", 40_000)
        ground.clock.advance(40)
        await Player.join(ground, table, "Dan", watch=False)
