"""Snapshots: a table rebuilt from its last one is the table that its whole journal tells, and is not told twice."""

import asyncio
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, fresh_id, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim
from shanghai_engine.rules import STANDARD
from shanghai_engine.verify import verify
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.journal import Entry
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import is_snapshot
from shanghai_server.standing.rebuilding import READ_TOGETHER, BadTable, rebuild, standing_of
from shanghai_server.standing.standing import Standing

NAMES = ("Ann", "Ben", "Cleo")


class ReadJournal(MemoryJournal):
    """A journal that notes what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[tuple[str, int, int | None]] = []

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Read and note."""
        self.reads.append((table, after, most))
        return await super().read(table, after, most=most)


def all_of(standing: Standing) -> dict[str, Any]:
    """Give every attribute of a standing, whatever its name, the game by what it is and shows."""
    found = dict(vars(standing))
    game = found.pop("game")
    if game is not None:
        found |= {"state": game.state, "history": game.history, "chance": game.chance}
    return found


async def played(ground: Playground, *, hand: int) -> list[Player]:
    """Play to the deal of a hand, with nonces, a bot, chat, and somebody who left; gives the players who stayed."""
    table = await ground.create(5, rules=STANDARD, options=Options(bot_pace_ms=0, offer_ms=0, turn_ms=0, pause_ms=0))
    players = [await Player.join(ground, table, name, nonce=bytes([seat + 1]) * 16) for seat, name in enumerate(NAMES)]
    dan = await Player.join(ground, table, "Dan")
    await players[0].say("hello")
    await dan.leave()
    await players[0].start()
    for seat, player in enumerate(players):
        await ground.stub.RevealNonce(
            service_pb2.RevealNonceRequest(
                table=table, request_id=fresh_id(), seat_token=player.token, nonce=bytes([seat + 1]) * 16
            )
        )
    await players[0].until(lambda: players[0].last.public.HasField("game"))
    await asyncio.gather(*(player.play(hand=2) for player in players))
    await players[2].leave()
    await asyncio.gather(*(player.play(hand=hand) for player in players[:2]))
    await players[1].say("what a hand")
    return players[:2]


async def test_a_table_rebuilt_from_any_snapshot_is_the_table_that_all_facts_tell() -> None:
    """Each deal leaves a snapshot; whichever the rebuilding begins with, nothing of the standing is another."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        (ann, _) = await played(ground, hand=4)
        entries = await journal.read(ann.table, 0)
        last = (await journal.tables())[0].snapshot
    places = [place for place, entry in enumerate(entries) if is_snapshot(entry.record)]
    assert len(places) == 4
    assert places[-1] == last - 1
    assert all('"event":"deal"' in entries[place + 1].record.decode() for place in places)
    whole = standing_of(ann.table, entries, Settings())
    without = standing_of(ann.table, [entry for entry in entries if not is_snapshot(entry.record)], Settings())
    assert (whole.written, whole.snapshot) == (len(entries), last)
    assert all_of(whole.standing) == all_of(without.standing)
    for place in places:
        rebuilt = standing_of(ann.table, entries[place:], Settings())
        assert (rebuilt.written, rebuilt.snapshot) == (len(entries), last)
        assert all_of(rebuilt.standing) == all_of(whole.standing)


async def test_a_restart_reads_a_table_from_its_last_snapshot() -> None:
    """What stands before it is not read again; the game goes on, and its record is whole and lawful at the end."""
    journal = ReadJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await played(ground, hand=3)
        snapshot = (await journal.tables())[0].snapshot
    journal.reads.clear()
    async with playground(journal=journal) as ground:
        again = [Player(ground, player.table, player.name, player.token, player.seat) for player in (ann, ben)]
        for player in again:
            await player.watch()
        behind = (ann.table, snapshot - 1, READ_TOGETHER)
        assert journal.reads == [(ann.table, 0, 1), behind, behind]
        assert [line.text for line in again[0].last.public.table.chat] == ["hello", "what a hand"]
        await asyncio.gather(*(player.play() for player in again))
        answer = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
    assert [json.loads(line)["event"] for line in answer.record.splitlines()].count("deal") == 10
    assert verify(answer.record.splitlines()).lawful


async def test_a_stream_goes_on_after_a_restart_from_wherever_it_was() -> None:
    """Whatever sequence a viewer had, the first update names as new just what it had not seen of this hand."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES, rules=STANDARD)
        spectator = await Player.spectate(ground, players[0].table)
        await asyncio.gather(*(player.play(hand=3) for player in players))
        for player in players:
            await player.until(lambda player=player: player.last.public.game.hand == 3)  # type: ignore[misc]
        turn = players[players[0].last.public.game.turn]
        await turn.answer(Claim.TAKE)
        await spectator.until(lambda: len(spectator.last.public.game.events) == 3)
        seen = {update.sequence: update.public.game for update in spectator.updates}
        last = max(seen)
    async with playground(journal=journal) as ground:
        again = Player(ground, spectator.table, "spectator", b"")
        for sequence, game in seen.items():
            first = await again.watch(after_sequence=sequence)
            await again.unwatch()
            assert first.sequence > last
            told = len(game.events) if game.hand == 3 else 0
            assert first.new_from == told
            # Who had seen the end of the hand before has missed nothing.
            assert first.events_skipped == ((game.hand, game.phase) < (2, view_pb2.PHASE_HAND_OVER))
            assert first.public.game.events[: len(game.events) * (game.hand == 3)] == game.events[:told]
        for sequence in (10**6, 2**64 - 1):
            first = await again.watch(after_sequence=sequence)
            await again.unwatch()
            assert (first.new_from, first.events_skipped) == (0, True)


@pytest.mark.parametrize("spoil", [b'{"fact":"snapshot","version":0}', b'{"fact":"snapshot",torn'])
async def test_a_snapshot_that_cannot_be_read_costs_only_time(spoil: bytes) -> None:
    """The table is rebuilt from its first record then; a broken fact behind the snapshot is another matter."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        (ann, _) = await played(ground, hand=3)
        entries = await journal.read(ann.table, 0)
        snapshot = (await journal.tables())[0].snapshot
    whole = standing_of(ann.table, entries, Settings())

    async def kept(records: Sequence[bytes]) -> MemoryJournal:
        copy = MemoryJournal()
        await copy.open()
        await copy.append(ann.table, 0, records, snapshot=snapshot - 1)
        return copy

    records = [entry.record for entry in entries]
    spoilt = [spoil if place == snapshot - 1 else record for place, record in enumerate(records)]
    rebuilt = await rebuild(await kept(spoilt), ann.table, Settings(), snapshot=snapshot)
    assert all_of(rebuilt.standing) == all_of(whole.standing)
    broken = await kept([*records, b'{"fact":"from the future"}'])
    with pytest.raises(BadTable, match=f"its record {len(records) + 1} cannot be taken in"):
        await rebuild(broken, ann.table, Settings(), snapshot=snapshot)


async def test_a_lobby_in_which_much_happens_has_snapshots_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long people set up their game, also another one, few records are read when the table comes back."""
    monkeypatch.setattr("shanghai_server.standing.snapshot.LONG", 10)
    monkeypatch.setattr("shanghai_server.standing.rebuilding.READ_TOGETHER", 7)
    journal, settings = ReadJournal(), Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE, kept_requests=8)
    async with playground(journal=journal, settings=settings) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await asyncio.gather(ann.play(), ben.play())
        await ann.call("Rematch")
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_LOBBY)
        for number in range(40):
            await ben.call("HandOverSeat", code=f"SEATCODE{number}")
            await ann.call("HandOverSeat", code="")
        await ann.say("at last")
        entries = await journal.read(ann.table, 0)
        places = [place for place, entry in enumerate(entries) if is_snapshot(entry.record)]
        last = (await journal.tables())[0].snapshot
        assert places[-1] == last - 1
        # The limit, the eight requests of each that are told, and the snapshot itself.
        assert {b - a for a, b in pairwise(places[-2:])} == {10 + 2 * 8 + 1}
    whole = standing_of(ann.table, entries, settings)
    for place in places:
        assert all_of(standing_of(ann.table, entries[place:], settings).standing) == all_of(whole.standing)
    journal.reads.clear()
    async with journal:
        rebuilt = await rebuild(journal, ann.table, settings)
    assert all_of(rebuilt.standing) == all_of(whole.standing)
    assert journal.reads == [(ann.table, after, 7) for after in range(0, len(entries) + 1, 7)]
    async with playground(journal=journal, settings=settings) as ground:
        again = [Player(ground, player.table, player.name, player.token, player.seat) for player in (ann, ben)]
        for player in again:
            await player.watch()
        assert [line.text for line in again[0].last.public.table.chat] == ["at last"]
        await again[0].start()
        await asyncio.gather(*(player.play() for player in again))
        answer = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
    assert verify(answer.record.splitlines()).lawful


async def until_listed(ground: Playground, status: table_pb2.TableStatus.ValueType) -> None:
    """Wait until the list shows the only table so."""
    changes = ground.stub.WatchTables(service_pb2.WatchTablesRequest())
    async for answer in changes:
        if answer.tables[0].status == status:
            break
    changes.cancel()


async def test_an_idle_table_is_put_away_and_comes_back_as_it_was() -> None:
    """Where nobody watches it leaves the memory; clocks, sequence, answers and the list are as if it had stayed."""
    journal = ReadJournal()
    options = Options(offer_ms=20_000, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0)
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        turn = ann.last.public.game.turn
        other = (ann, ben)[1 - turn]
        answer = await other.answer(Claim.PASS, request_id="pass")
        ground.clock.advance(5)
        listed = (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables[0]
        assert listed.status == table_pb2.TABLE_STATUS_PLAYING
        sequence = ann.last.sequence
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        await ben.unwatch()
        await until_listed(ground, table_pb2.TABLE_STATUS_PAUSED)
        ground.clock.advance(30)
        journal.reads.clear()
        listed = (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables[0]
        assert listed.status == table_pb2.TABLE_STATUS_PAUSED
        assert journal.reads == []
        first = await ann.watch(after_sequence=sequence)
        assert len(journal.reads) == 1
        assert sequence < first.sequence < sequence + 10
        assert not first.events_skipped
        await ben.watch()
        await ann.until(lambda: ann.last.public.table.seats[1].connected)
        # 20 s less the 5 that had passed, and nothing of the 30 in which nobody was there.
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING
        assert ann.last.public.clock.left_ms == 15_000
        again = Answer(other.seat, Claim.PASS)
        assert await other.act(again, decision=answer.decision_id, request_id="pass") == answer
        assert (await refusal(other.answer_again(Claim.BUY, answer.decision_id))).reason == "ALREADY_ANSWERED"


async def test_a_table_that_cannot_be_read_is_named_to_the_host() -> None:
    """`restored` gives the sentence, and calls for the table are refused without details."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        code = await ground.create(2)
        await journal.append(code, 1, [b'{"fact":"from the future"}'])
    async with playground(journal=journal) as ground:
        (sentence,) = await ground.server.restored()
        assert sentence.startswith(f"the table '{code}' cannot be rebuilt: its record 2 cannot be taken in")
        refused = await refusal(Player.join(ground, code, "Ann"))
        assert refused.reason == "TABLE_CLOSED"
        assert refused.message == f"the table {code} was closed: what is kept of it cannot be read"
