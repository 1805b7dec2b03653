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
    """By the host, or by everybody's wish; whoever wishes for it already may say so again, and nothing is written."""
    journal = MemoryJournal()
    async with playground(settings=FEW, journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.call("PauseGame")
        await talked_full(ann)
        await ben.call("ResumeGame")
        size = await written(journal, ann.table)
        for _ in range(9):
            await ben.call("ResumeGame")
        assert (await refusal(ben.call("PauseGame"))).reason == "TABLE_WRITTEN_FULL"
        assert await written(journal, ann.table) == size
        await ann.call("ResumeGame")
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING)
        assert (await refusal(ann.call("ResumeGame"))).reason == "NOT_PAUSED"
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


async def test_who_is_left_at_a_full_table_resumes_what_the_host_has_paused() -> None:
    """Also where the wish is noted already, and the host has gone since: no game stands still for ever."""
    async with playground(settings=FEW) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), seats=3)
        await ann.call("PauseGame")
        await ben.call("ResumeGame")
        await talked_full(ann)
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        assert ben.last.public.table.status == table_pb2.TABLE_STATUS_PAUSED
        await ben.call("ResumeGame")
        await ben.until(lambda: ben.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING)


async def test_a_full_table_refuses_what_it_would_write_down_and_nothing_else() -> None:
    """Who sits there is told his seat, and what is refused for another reason is refused for that one."""
    journal = MemoryJournal()
    async with playground(settings=FEW, journal=journal) as ground:
        table = await ground.create(3, passcode="sesame")
        ann = await Player.join(ground, table, "Ann", passcode="sesame")
        ben = await Player.join(ground, table, "Ben", passcode="sesame")
        await talked_full(ann)
        size = await written(journal, table)
        again = await ben.call("JoinTable", name="Ben")
        assert (again.seat, again.name) == (ben.seat, "Ben")
        for attempt, reason in (
            (Player.join(ground, table, "Cleo", passcode="open"), "WRONG_PASSCODE"),
            (Player.join(ground, table, "Cleo", passcode="sesame"), "TABLE_WRITTEN_FULL"),
            (ben.call("PauseGame"), "GAME_NOT_STARTED"),
            (ben.call("AddBot"), "NOT_HOST"),
            (ann.call("Rematch"), "NO_REMATCH"),
            (ben.say(""), "EMPTY_CHAT"),
        ):
            assert (await refusal(attempt)).reason == reason
        assert await written(journal, table) == size


async def test_a_seat_that_was_offered_stays_with_its_person_where_the_table_is_full() -> None:
    """Nothing of a refused call happens: neither is the stream closed, nor does the token hold the seat no more."""
    async with playground(settings=FEW) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ben.call("HandOverSeat", code="ABCDEFGH")
        await talked_full(ann)
        cleo = Player(ground, ann.table, "Cleo", bytes(16))
        attempt = cleo.call("JoinTable", name="Cleo", hand_over_code="ABCDEFGH")
        assert (await refusal(attempt)).reason == "TABLE_WRITTEN_FULL"
        await ann.call("KickSeat", seat=1)
        assert await ben.ended() == table_pb2.CLOSE_REASON_KICKED


async def test_sittings_at_a_full_table_are_not_written_down() -> None:
    """A person sits down as often as he likes; while the server runs it is known who sat down last."""
    journal = MemoryJournal()
    async with playground(settings=FEW, journal=journal) as ground:
        ann, _ben = await seated(ground, ("Ann", "Ben"))
        await talked_full(ann)
        size = await written(journal, ann.table)
        for number in range(5):
            newer = Player(ground, ann.table, "Ann", ann.token, ann.seat, sitting=f"sitting {number}")
            await newer.watch()
            assert await ann.ended() == table_pb2.CLOSE_REASON_REPLACED
            await ann.unwatch()
            ann = newer
        older = Player(ground, ann.table, "Ann", ann.token, ann.seat, sitting="sitting 3")
        older.open()
        assert (await older.until_closed()).reason == table_pb2.CLOSE_REASON_REPLACED
        assert await written(journal, ann.table) == size
