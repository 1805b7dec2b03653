"""What a table may write to the disk: talk, wishes and further games have an end, the play of its game has none."""

from __future__ import annotations

import asyncio

import grpc
import grpc.aio
from server_table import AT_ONCE, TALKATIVE, Player, playground, refusal, seated

from shanghai.v1 import table_pb2, view_pb2
from shanghai_engine.verify import verify
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.rebuilding import rebuild
from shanghai_wire.refused import Refused

FEW = Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE, table_bytes=20_000)


async def talked_full(player: Player) -> int:
    """Talk until the table takes no more; gives how many lines it took."""
    for number in range(200):
        try:
            await player.say("x" * 200, request_id=f"line {number}")
        except grpc.aio.AioRpcError as error:
            refused = Refused.by_call(error)
            assert (refused.reason, refused.status_code) == ("TABLE_WRITTEN_FULL", grpc.StatusCode.RESOURCE_EXHAUSTED)
            assert refused.values == {"table": player.table, "limit": str(FEW.table_bytes)}
            # It never fits, so no time is named after which it would.
            assert refused.retry_after_ms is None
            return number
    raise AssertionError("the table takes talk without end")


async def written(journal: MemoryJournal, table: str) -> int:
    """Give how many bytes the records of a table have."""
    return sum(len(entry.record) for entry in await journal.read(table, 0))


async def test_a_table_that_is_full_takes_nothing_without_end() -> None:
    """No talk, no codes, no bots, no promises and nobody new; what was answered before gets its answer again."""
    journal = MemoryJournal()
    async with playground(settings=FEW, journal=journal) as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann", watch=False)
        ben = await Player.join(ground, table, "Ben", watch=False)
        assert await talked_full(ann) > 20
        size = await written(journal, table)
        assert FEW.table_bytes <= size < FEW.table_bytes + 1000
        for attempt in (
            ben.say("me too"),
            ben.call("HandOverSeat", code="ABCDEFGH"),
            ben.call("CommitNonce", game_number=1, nonce_commitment=bytes(32)),
            ann.call("AddBot"),
            Player.join(ground, table, "Cleo", watch=False),
        ):
            assert (await refusal(attempt)).reason == "TABLE_WRITTEN_FULL"
        assert (await ann.say("x" * 200, request_id="line 3")).number == 4
        assert await written(journal, table) == size
        # Other tables have their own part.
        await Player.join(ground, await ground.create(2), "Ann", watch=False)
        await ben.leave()


async def test_the_game_of_a_full_table_is_begun_and_played_to_its_end() -> None:
    """Also after a pause, and after a restart of the server; only another game is refused."""
    journal = MemoryJournal()
    async with playground(settings=FEW, journal=journal) as ground:
        table = await ground.create(3)
        ann, ben = [await Player.join(ground, table, name) for name in ("Ann", "Ben")]
        await talked_full(ann)
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert (await refusal(ann.call("PauseGame"))).reason == "TABLE_WRITTEN_FULL"
    async with playground(settings=FEW, journal=journal) as ground:
        again = [Player(ground, table, player.name, player.token, player.seat) for player in (ann, ben)]
        for player in again:
            await player.watch()
        assert (await refusal(again[0].say("hello"))).reason == "TABLE_WRITTEN_FULL"
        await asyncio.gather(*(player.play() for player in again))
        assert again[0].last.public.table.status == table_pb2.TABLE_STATUS_OVER
        assert (await refusal(again[0].call("Rematch"))).reason == "TABLE_WRITTEN_FULL"
        assert verify((await again[0].record()).splitlines()).lawful


async def test_a_game_that_was_paused_before_is_resumed() -> None:
    """By the host, or by everybody's wish; but whoever wishes for it already need not say so again and again."""
    async with playground(settings=FEW) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.call("PauseGame")
        await talked_full(ann)
        await ben.call("ResumeGame")
        for attempt in (ben.call("ResumeGame"), ben.call("PauseGame")):
            assert (await refusal(attempt)).reason == "TABLE_WRITTEN_FULL"
        await ann.call("ResumeGame")
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING)
        assert (await refusal(ann.call("ResumeGame"))).reason == "TABLE_WRITTEN_FULL"
        assert ann.last.public.game.phase == view_pb2.PHASE_OFFER


async def test_what_a_table_has_written_is_known_wherever_it_is_read_from() -> None:
    """A snapshot tells what stands before it, so that a restart counts on without reading all of it."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.say("hello")
        await asyncio.gather(ann.play(), ben.play())
        (entry,) = await journal.tables()
        size = await written(journal, ann.table)
        assert entry.snapshot > 1
        for snapshot in (0, entry.snapshot):
            rebuilt = await rebuild(journal, ann.table, Settings(), snapshot=snapshot)
            assert (rebuilt.written, rebuilt.size) == (entry.sequence, size)
