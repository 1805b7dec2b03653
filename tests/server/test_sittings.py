"""Who follows whom at a seat: who comes back by himself never takes it from who sat down there after him."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import grpc.aio
import pytest
from cutting_proxy import OPTIONS, CuttingProxy
from server_process import server_process
from server_table import AT_ONCE, SHORT, Player, Playground, fresh_id, playground, refusal, seated

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_server.journal.journal import JournalError
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import SatDown, read_fact
from shanghai_server.standing.option import options_message
from shanghai_server.standing.seat import KEPT_SITTINGS, Seat
from shanghai_wire.rules import rules_message

REPLACED = table_pb2.CLOSE_REASON_REPLACED


def sitting_of(player: Player, ground: Playground, sitting: str) -> Player:
    """Give a client of the same seat, at whatever server, in a sitting of its own; it does not watch yet."""
    return Player(ground, player.table, player.name, player.token, player.seat, sitting=sitting)


async def is_replaced(player: Player) -> bool:
    """Let a client come back, and say whether it is told that the seat was taken over, and nothing else."""
    before = len(player.raw)
    player.open(player.updates[-1].sequence if player.updates else 0)
    closed = await player.until_closed()
    assert closed == table_pb2.StreamClosed(reason=REPLACED)
    return len(player.raw) == before + 1


async def waiting(ground: Playground) -> list[Player]:
    """Make a table at which one player waits for others."""
    return [await Player.join(ground, await ground.create(2), "Ann")]


async def facts_of(journal: MemoryJournal, table: str) -> list[SatDown]:
    """Give what is written down of the sittings at a table."""
    facts = [read_fact(entry.record) for entry in await journal.read(table, 0)]
    return [fact for fact in facts if isinstance(fact, SatDown)]


async def test_a_client_that_comes_back_never_takes_the_seat_from_a_newer_one() -> None:
    """Whose stream broke before it heard of the newer one is told so when it comes back, and nobody sees anything."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        old = sitting_of(ann, ground, "the laptop")
        await old.watch()
        assert await ann.ended() == REPLACED
        await old.unwatch()
        new = sitting_of(ann, ground, "the tablet")
        await new.watch()
        await ben.until(lambda: ben.last.public.table.seats[0].connected)
        seen = len(ben.updates), len(new.raw)
        for _ in range(3):
            assert await is_replaced(old)
        await ben.say("hello")
        await new.until(lambda: len(new.last.public.table.chat) == 1)
        await ben.until(lambda: len(ben.last.public.table.chat) == 1)
        # Both were shown the line, and nothing of the old client before it.
        assert (len(ben.updates), len(new.raw)) == (seen[0] + 1, seen[1] + 1)
        assert ben.last.public.table.seats[0].connected


async def test_a_newer_sitting_closes_the_stream_of_an_older_one() -> None:
    """A person who sits down elsewhere has the seat, and the client that he left is told so once."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        old, new = sitting_of(ann, ground, "the laptop"), sitting_of(ann, ground, "the tablet")
        await old.watch()
        await new.watch(after_sequence=old.last.sequence)
        assert await old.ended() == REPLACED
        assert await is_replaced(old)
        # Whoever sits down there anew, be it at the laptop, has the seat again.
        again = sitting_of(ann, ground, "the laptop, an hour later")
        await again.watch()
        assert await new.ended() == REPLACED
        assert await is_replaced(new)
        await asyncio.gather(again.play(), ben.play())
        assert again.last.public.table.status == table_pb2.TABLE_STATUS_OVER


async def test_the_same_client_comes_back_as_often_as_it_likes() -> None:
    """A sitting is never refused while it is the last, and only its beginning is written down."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        (ann,) = await seated(ground, ("Ann",), seats=2)
        await ann.unwatch()
        ann.sitting = "the laptop"
        for _ in range(100):
            await ann.watch(after_sequence=ann.last.sequence)
            await ann.unwatch()
        first = sitting_of(ann, ground, "the laptop")
        await first.watch()
        # A stream of its own that is still open gives way to the one that comes.
        await ann.watch()
        assert await first.ended() == REPLACED
        await ann.play()
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        assert [fact.seat for fact in await facts_of(journal, ann.table)] == [0]


async def test_a_client_that_names_no_sitting_always_takes_the_seat() -> None:
    """A simple bot comes back as it always did, also where another sits; and what it took the seat from stays out."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        bot, ben = await seated(ground, ("Ann", "Ben"))
        assert await facts_of(journal, bot.table) == []
        person = sitting_of(bot, ground, "the laptop")
        await person.watch()
        assert await bot.ended() == REPLACED
        for _ in range(3):
            await bot.watch()
            await bot.unwatch()
        assert await is_replaced(person)
        await bot.watch()
        another = sitting_of(bot, ground, "the tablet")
        await another.watch()
        await bot.watch()
        assert await another.ended() == REPLACED
        await asyncio.gather(bot.play(), ben.play())
        assert bot.last.public.table.status == table_pb2.TABLE_STATUS_OVER


async def test_an_absent_person_is_not_back_by_a_client_that_was_replaced() -> None:
    """The stand-in plays on for a person of whom only an older client comes back, and goes when he sits down."""
    options = replace(AT_ONCE, grace_ms=5000)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        old, new = sitting_of(ann, ground, "the laptop"), sitting_of(ann, ground, "the tablet")
        await old.watch()
        await new.watch()
        await new.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        ground.clock.advance(6)
        await ben.until(lambda: ben.last.public.table.seats[0].stand_in)
        assert await is_replaced(old)
        assert ben.last.public.table.seats[0].stand_in
        await new.watch()
        await ben.until(lambda: not ben.last.public.table.seats[0].stand_in)


@pytest.mark.parametrize("where", ["lobby", "game"])
async def test_sittings_survive_a_restart(where: str) -> None:
    """Who sat down last is let in again first or last, an older one is not, be it from snapshots or from all facts."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, *others = await seated(ground, ("Ann", "Ben")) if where == "game" else await waiting(ground)
        sittings = [sitting_of(ann, ground, name) for name in ("the laptop", "the tablet", "the desk")]
        for each in sittings:
            await each.watch()
        if others:
            # The next deal writes a snapshot, from which the restart reads.
            await asyncio.gather(*(player.play(hand=2) for player in (sittings[2], *others)))
    async with playground(journal=journal) as ground:
        laptop, tablet, desk = [sitting_of(ann, ground, each.sitting) for each in sittings]
        assert await is_replaced(laptop)
        await desk.watch()
        assert await is_replaced(tablet)
        assert desk.closed is None
    async with playground(journal=journal) as ground:
        new = sitting_of(ann, ground, "another")
        await new.watch()
        assert await is_replaced(sitting_of(ann, ground, "the desk"))


async def test_a_sitting_that_began_before_a_restart_may_lose_the_seat_after_it() -> None:
    """A client that comes back finds that somebody sat down while the server had just been started again."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        old = await Player.join(ground, await ground.create(2), "Ann", watch=False)
        old.sitting = "the laptop"
        await old.watch()
    async with playground(journal=journal) as ground:
        await sitting_of(old, ground, "the tablet").watch()
    async with playground(journal=journal) as ground:
        assert await is_replaced(sitting_of(old, ground, "the laptop"))


async def test_a_kill_after_a_sitting_was_let_in_forgets_nothing(tmp_path: Path) -> None:
    """A server killed by SIGKILL as soon as the newer client has its first view still tells the older one."""
    async with server_process(tmp_path / "data") as server:
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        made = await ground.stub.CreateTable(
            service_pb2.CreateTableRequest(
                request_id=fresh_id(), seats=2, rules=rules_message(SHORT), options=options_message(AT_ONCE)
            )
        )
        old = await Player.join(ground, made.table, "Ann", watch=False)
        old.sitting = "the laptop"
        await old.watch()
        await old.unwatch()
        new = sitting_of(old, ground, "the tablet")
        await new.watch()
        await server.kill()
        await server.start()
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        assert await is_replaced(sitting_of(old, ground, "the laptop"))
        new = sitting_of(old, ground, "the tablet")
        await new.watch()
        await new.unwatch()


async def test_a_new_holder_of_a_seat_is_not_bound_by_the_sittings_of_the_one_before() -> None:
    """Sittings belong to a person: after a hand-over, or when another takes the seat, they begin anew."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        for name in ("the laptop", "the tablet"):
            await sitting_of(ann, ground, name).watch()
        await ann.call("HandOverSeat", code="ABCD-EFGH")
        cleo = await Player.join(ground, ann.table, "Cleo", code="ABCD-EFGH", watch=False)
        cleo.sitting = "the laptop"
        await cleo.watch()
        assert cleo.seat == ann.seat
        await cleo.leave()
        await ben.until(lambda: ben.last.public.table.seats[0].occupant == table_pb2.OCCUPANT_BOT)
        dan = await Player.join(ground, ann.table, "Dan", watch=False)
        dan.sitting = "the laptop"
        await dan.watch()
        assert dan.seat == ann.seat


async def test_a_sitting_means_nothing_without_a_seat() -> None:
    """Spectators watch as many streams as they like, whatever they name."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        (ann,) = await seated(ground, ("Ann",), seats=2)
        spectators = [Player(ground, ann.table, "spectator", b"", sitting="one") for _ in range(3)]
        for each in spectators:
            await each.watch()
        await ann.until(lambda: ann.last.public.table.spectators == 3)
        assert [each.closed for each in spectators] == [None] * 3
        assert await facts_of(journal, ann.table) == []


CUTS = [
    *({"from_client": length} for length in range(0, 600, 40)),
    *({"from_server": length} for length in (1, 60, 120)),
]


async def hears(player: Player, number: int) -> bool:
    """Wait for a line of chat; gives false where the client is told that it was replaced."""
    try:
        await player.until(lambda: len(player.last.public.table.chat) == number)
    except AssertionError:
        assert player.closed == table_pb2.StreamClosed(reason=REPLACED)
        return False
    return True


async def test_a_sitting_whose_first_stream_is_cut_anywhere_has_begun_or_not() -> None:
    """Either the older client is replaced, or it has noticed nothing; the new one gets the seat when it comes again."""
    began = 0
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        old = sitting_of(ann, ground, "first")
        await old.watch()
        for number, cut in enumerate(CUTS, start=1):
            new = sitting_of(ann, ground, f"{cut}")
            request = service_pb2.WatchRequest(table=ann.table, seat_token=ann.token, sitting=new.sitting)
            async with (
                CuttingProxy(ground.port, **cut) as proxy,
                grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=OPTIONS) as channel,
            ):
                stream = service_pb2_grpc.TableServiceStub(channel).Watch(request)
                with suppress(grpc.aio.AioRpcError):
                    await asyncio.wait_for(stream.read(), 30)
                stream.cancel()
            # The table has taken in what came before this; whoever has the seat hears it.
            await ben.say("who is there?")
            began += not await hears(old, number)
            await new.watch()
            assert await old.ended() == REPLACED
            assert await is_replaced(old)
            old = new
    assert 0 < began < len(CUTS)


class FullJournal(MemoryJournal):
    """A journal that has no room while it is `full`."""

    full = False

    async def append(self, *args: object, **fields: object) -> int:
        """Write down, or refuse to."""
        if self.full:
            raise JournalError("no room")
        return await super().append(*args, **fields)  # type: ignore[arg-type]


async def test_a_sitting_that_cannot_be_written_down_takes_no_seat() -> None:
    """The client that has the seat keeps it, sees on, and is replaced once there is room again."""
    journal = FullJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        old, new = sitting_of(ann, ground, "the laptop"), sitting_of(ann, ground, "the tablet")
        await old.watch()
        journal.full = True
        request = service_pb2.WatchRequest(table=ann.table, seat_token=ann.token, sitting="the tablet")
        assert (await refusal(ground.stub.Watch(request).read())).reason == "NOT_WRITTEN"
        journal.full = False
        assert old.closed is None
        await ben.say("is there room again?")
        await old.until(lambda: len(old.last.public.table.chat) == 1)
        assert ben.last.public.table.seats[0].connected
        # It is still the one that a newer sitting replaces.
        await new.watch()
        assert await old.ended() == REPLACED


async def test_nobody_learns_of_a_sitting() -> None:
    """Neither a stream nor a list nor the journal holds what a client names its sitting, and an update is the same."""
    journal = MemoryJournal()
    name = "0123456789abcdef" * 40
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        plain = ann.last
        new = sitting_of(ann, ground, name)
        await new.watch(after_sequence=plain.sequence)
        assert new.last.private == plain.private
        assert new.last.public == plain.public
        await asyncio.gather(new.play(), ben.play())
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        sent = b"".join([*ben.raw, *new.raw, listed.SerializeToString(), (await ben.record()).encode()])
        (fact,) = await facts_of(journal, ann.table)
        written = b"".join(entry.record for entry in await journal.read(ann.table, 0))
        assert name[:16].encode() not in written
        assert fact.sitting.encode() not in sent
        assert name[:16].encode() not in sent


async def test_an_offer_shows_nothing_of_a_sitting_that_begins() -> None:
    """Sitting down anew in the middle of an offer moves no sequence, and the answer that was given stands."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        last = players[players[0].last.public.game.claim_order[-1]]
        await last.answer(Claim.BUY)
        seen = [len(player.updates) for player in players]
        new = sitting_of(last, ground, "the tablet")
        first = await new.watch(after_sequence=last.last.sequence)
        assert first.private.own.answer == view_pb2.CLAIM_BUY
        others = [player for player in players if player is not last]
        await others[0].say("hello")
        for player in others:
            await player.until(lambda player=player: len(player.last.public.table.chat) == 1)  # type: ignore[misc]
            assert len(player.updates) == seen[player.seat] + 1


def test_a_seat_remembers_a_bounded_number_of_sittings() -> None:
    """The oldest is forgotten first; one that begins again is the present one, and stands there once."""
    seat = Seat()
    for number in range(KEPT_SITTINGS + 5):
        seat = seat.sat_down(f"{number}")
    assert len(seat.sittings) == KEPT_SITTINGS
    assert seat.sittings[0] == "5"
    seat = seat.sat_down("7")
    assert seat.sitting == "7"
    assert seat.sittings.count("7") == 1
