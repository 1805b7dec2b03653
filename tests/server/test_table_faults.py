"""What a table does when something of ours fails: the disk, the engine, a bot."""

import asyncio
import io
import json
import random
from collections.abc import Sequence

import grpc
import pytest
from hand_clock import HandClock
from server_table import AT_ONCE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine import bots
from shanghai_engine.action import Action, Claim, Discard
from shanghai_engine.bots import Bot
from shanghai_engine.card import Card
from shanghai_engine.decision import Decision
from shanghai_engine.event import Event
from shanghai_engine.view import View
from shanghai_server.doors.server import GameServer
from shanghai_server.house.log import file_log
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.journal import JournalUnavailable
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import Fact, Said
from shanghai_server.standing.standing import Standing
from shanghai_server.standing.taking import take


class FailingJournal(MemoryJournal):
    """A journal that tells when it has failed."""

    def __init__(self) -> None:
        super().__init__()
        self.failed = asyncio.Event()

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Write, or fail and tell."""
        try:
            return await super().append(table, after_sequence, records, snapshot=snapshot)
        except JournalUnavailable:
            self.failed.set()
            raise


async def test_what_cannot_be_written_has_not_happened() -> None:
    """Calls get UNAVAILABLE, nobody sees anything, and the same request is accepted once the journal works again."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        turn, other = (ann, ben) if ann.last.public.game.turn == 0 else (ben, ann)
        seen = [*other.raw]
        journal.failure = "the disk is full"
        for _ in range(3):
            refused = await refusal(turn.answer(Claim.TAKE, request_id="take"))
            assert (refused.reason, refused.status_code) == ("NOT_WRITTEN", grpc.StatusCode.UNAVAILABLE)
        assert (await refusal(ground.create(2))).reason == "NOT_WRITTEN"
        journal.failure = None
        await turn.answer(Claim.TAKE, request_id="take")
        await other.until(lambda: other.last.public.game.phase == view_pb2.PHASE_PLAY)
        assert other.raw[: len(seen)] == seen
        assert len(other.raw) == len(seen) + 1


async def test_a_journal_that_somebody_else_wrote_to_is_read_again() -> None:
    """A conflict refuses the call, and the table stands where the journal says."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        written = await journal.read(table, 0)
        other = b'{"fact":"said","seat":0,"text":"from another server"}'
        await journal.append(table, len(written), [other])
        assert (await refusal(ann.say("hello"))).reason == "NOT_WRITTEN"
        assert (await ann.say("hello")).number == 2
        spectator = await Player.spectate(ground, table)
        assert [line.text for line in spectator.last.public.table.chat] == ["from another server", "hello"]


async def test_bots_go_on_after_the_journal_worked_again() -> None:
    """What they chose and could not be written is chosen again."""
    journal = FailingJournal()
    async with playground(journal=journal) as ground:
        (ann,) = await seated(ground, ("Ann",), seats=3, options=Options())
        if ann.decision is not None:
            await ann.answer(Claim.PASS)
        journal.failure = "the disk is full"
        ground.clock.advance(0.8)
        await journal.failed.wait()
        assert len(ann.last.public.game.events) == 1
        journal.failure = None
        await ann.say("Is it back?")
        ground.clock.advance(2)
        await ann.until(lambda: len(ann.last.public.game.events) > 1)


async def test_a_fact_that_cannot_be_taken_in_closes_that_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not written, caller and viewers are told so without details, the log has the traceback, others play on."""
    journal, file = MemoryJournal(), io.StringIO()
    async with journal:
        server = GameServer(journal, log=file_log(file))
        port = await server.start()
        async with playground() as ground:
            ground.port = port
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as ground.channel:
                table, other = await ground.create(2), await ground.create(2)
                ann = await Player.join(ground, table, "Ann")
                ben = await Player.join(ground, other, "Ben", watch=False)
                before = len(await journal.read(table, 0))

                def broken(standing: Standing, fact: Fact, events: Sequence[Event] | None = None) -> None:
                    if isinstance(fact, Said):
                        raise ZeroDivisionError("a fault of ours")
                    take(standing, fact, events)

                monkeypatch.setattr("shanghai_server.standing.ledger.take", broken)
                refused = await refusal(ann.say("hello"))
                monkeypatch.undo()
                assert (refused.reason, refused.status_code) == ("INTERNAL", grpc.StatusCode.INTERNAL)
                assert "ZeroDivision" not in refused.message
                await ann.until(lambda: ann.closed is not None)
                assert ann.closed is not None
                assert ann.closed.reason == table_pb2.CLOSE_REASON_FAULT
                assert (await refusal(ann.say("hello"))).reason == "TABLE_CLOSED"
                assert len(await journal.read(table, 0)) == before
                assert (await ben.say("hello")).number == 1
                listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
                assert [each.table for each in listed.tables] == [other]
        await server.stop(1)
        failed = [json.loads(line) for line in file.getvalue().splitlines() if "exception" in line]
        assert "ZeroDivisionError: a fault of ours" in failed[0]["exception"]


async def test_a_table_that_failed_stays_closed_until_the_server_is_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It fails once, however often it is asked for; after a restart it goes on as it stood, or fails once more."""
    journal, faults = MemoryJournal(), 0

    def broken(standing: Standing, fact: Fact, events: Sequence[Event] | None = None) -> None:
        nonlocal faults
        if isinstance(fact, Said) and fact.text == "the word":
            faults += 1
            raise ZeroDivisionError("a fault of ours")
        take(standing, fact, events)

    monkeypatch.setattr("shanghai_server.standing.ledger.take", broken)
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.say("hello")
        await ben.until(lambda: len(ben.last.public.table.chat) == 1)
        stood = ben.last
        assert (await refusal(ann.say("the word"))).reason == "INTERNAL"
        for player in (ann, ben):
            assert await player.ended() == table_pb2.CLOSE_REASON_FAULT
        written = len(await journal.read(ann.table, 0))
        # It is not tried again, and not disposed of either: clocks, old age and callers leave it as it is.
        for _ in range(3):
            refused = await refusal(ben.say("the word"))
            assert refused.reason == "TABLE_CLOSED"
            assert refused.values["reason"].startswith("something in it failed; the game is kept as it was before")
            ground.clock.advance(40 * 24 * 60 * 60)
            await asyncio.sleep(0)
        assert faults == 1
        assert not (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables
        assert len(await journal.read(ann.table, 0)) == written
    async with playground(journal=journal) as ground:
        ann, ben = (Player(ground, each.table, each.name, each.token, each.seat) for each in (ann, ben))
        await ann.watch()
        assert faults == 1
        again = await ben.watch()
        assert again.public.game == stood.public.game
        assert again.private == stood.private
        assert [line.text for line in again.public.table.chat] == ["hello"]
        # What does not fail goes on; what does closes the table again, and once.
        turn = ann if again.public.game.turn == 0 else ben
        await turn.answer(Claim.TAKE)
        assert (await refusal(ann.say("the word"))).reason == "INTERNAL"
        assert (await refusal(ann.say("the word"))).reason == "TABLE_CLOSED"
        assert faults == 2


async def test_a_fault_in_a_call_is_answered_with_a_plain_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not written for a client is in the log alone, and the table plays on."""

    def broken(*_: object, **__: object) -> str:
        raise ZeroDivisionError("a fault of ours")

    async with playground() as ground:
        ann, _ = await seated(ground, ("Ann", "Ben"))
        monkeypatch.setattr("shanghai_server.verbs.lobby.read_chat", broken)
        monkeypatch.setattr("shanghai_server.tables.making.read_label", broken)
        monkeypatch.setattr("shanghai_server.doors.service.Watcher", broken)
        watching = ground.stub.Watch(service_pb2.WatchRequest(table=ann.table))
        for call in (ann.say("hello"), ground.create(2), watching.read()):
            refused = await refusal(call)
            assert (refused.reason, refused.status_code) == ("INTERNAL", grpc.StatusCode.INTERNAL)
            assert refused.message == "something went wrong in the server, and was written to its log"
        monkeypatch.undo()
        assert (await ann.say("hello")).number == 1


class FullFile:
    """A file to which nothing can be written."""

    def write(self, _text: str, /) -> None:
        """Fail as on a full disk."""
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        """Nothing waits."""


async def test_a_log_without_room_leaves_nobody_waiting() -> None:
    """Neither journal nor log can be written: callers get their answer all the same, and the table goes on later."""
    async with MemoryJournal() as journal:
        server = GameServer(journal, log=file_log(FullFile()))
        port = await server.start()
        try:
            async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                ground = Playground(journal, HandClock(), Settings(), server, port, channel)
                ann = await Player.join(ground, await ground.create(2), "Ann", watch=False)
                journal.failure = "the disk is full"
                for _ in range(2):
                    assert (await refusal(ann.say("hello"))).reason == "NOT_WRITTEN"
                journal.failure = None
                assert (await ann.say("hello")).number == 1
        finally:
            await server.stop(1)


@pytest.mark.parametrize("fault", ["raises", "unlawful"])
async def test_a_bad_bot_does_not_stop_the_game(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Where a bot fails, the least that is lawful is done for its seat."""

    def bad(view: View, decision: Decision, _rng: random.Random) -> Action:
        if fault == "raises":
            raise ZeroDivisionError("a bad bot")
        missing = next(card for card in Card if view.own is None or card not in view.own.hand)
        return Discard(decision.seat, missing)

    monkeypatch.setitem(bots.LEVELS, "basic", Bot("basic", "bad", bad))
    async with playground() as ground:
        (ann,) = await seated(ground, ("Ann",), seats=3, options=AT_ONCE)
        for _ in range(200):
            if any(event.HasField("discarded") and event.discarded.seat for event in ann.last.public.game.events):
                break
            if ann.decision is not None and ann.decision.HasField("offer"):
                decision = ann.decision.id
                await ann.answer(Claim.PASS)
                await ann.past(decision)
            elif ann.decision is not None:
                decision = ann.decision.id
                await ann.act(view_pb2.Action(discard=view_pb2.Discard(card=ann.last.private.own.drawn)))
                await ann.past(decision)
            else:
                await ann.next()
        else:
            pytest.fail("no bot has discarded in 200 steps")
