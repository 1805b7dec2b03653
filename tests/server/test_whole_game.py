"""Whole games over loopback gRPC, and their records, which anybody can verify."""

import asyncio
from pathlib import Path

import pytest
from server_table import SHORT, Player, Playground, fresh_id, playground

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.verify import Receipt, verify
from shanghai_server.journal.sqlite_journal import SqliteJournal
from shanghai_server.standing.rebuilding import rebuild

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


async def played(ground: Playground, *, persons: int, seats: int, rules: RuleSet = SHORT) -> str:
    """Play a whole game of persons, each with a nonce, and bots; gives its record, which fits each one's receipt."""
    table = await ground.create(seats, rules=rules)
    nonces = [bytes([65 + seat]) * 16 for seat in range(persons)]
    players = [await Player.join(ground, table, NAMES[seat], nonce=nonces[seat]) for seat in range(persons)]
    await players[0].start()
    for player, nonce in zip(players, nonces, strict=True):
        await ground.stub.RevealNonce(
            service_pb2.RevealNonceRequest(table=table, request_id=fresh_id(), seat_token=player.token, nonce=nonce)
        )
    await players[0].until(lambda: players[0].last.public.HasField("game"))
    await asyncio.gather(*(player.play() for player in players))
    answer = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table))
    for player, nonce in zip(players, nonces, strict=True):
        receipt = Receipt(player.updates[0].public.table.commitment, nonce, player.seat)
        verdict = verify(answer.record.splitlines(), receipt=receipt)
        assert verdict.lawful, verdict.finding
        assert list(player.last.public.game.places) == list(verdict.game.state.places if verdict.game else ())
    return answer.record


@pytest.mark.parametrize(("persons", "seats"), [(1, 2), (2, 2), (1, 3), (4, 4), (2, 5), (1, 6), (7, 7), (1, 8), (8, 8)])
async def test_a_whole_game_is_played_and_its_record_is_lawful(persons: int, seats: int) -> None:
    """Persons play by what their streams show, bots beside them, to the end; the record fits every player's receipt."""
    async with playground() as ground:
        await played(ground, persons=persons, seats=seats)


async def test_ten_hands_are_played_on_a_journal_on_disk(tmp_path: Path) -> None:
    """The standard game among four, every act durable before its answer; not half of what is kept for a repeat."""
    async with playground(journal=SqliteJournal(tmp_path)) as ground:
        record = await played(ground, persons=2, seats=4, rules=STANDARD)
        assert record.count('"event":"deal"') == 10
        (table,) = await ground.journal.tables()
        standing = (await rebuild(ground.journal, table.table, ground.settings)).standing
        assert len(standing.requests) == 2
        for kept in standing.requests.values():
            assert record.count('"event":"deal"') < len(kept) < ground.settings.kept_requests / 2


async def test_a_seed_fixes_the_record_to_the_byte() -> None:
    """Who acts when does not matter; another seed is another game."""
    records = []
    for seed in ("7", "7", "8"):
        async with playground(seed=seed) as ground:
            records.append(await played(ground, persons=2, seats=4))
    assert records[0] == records[1]
    assert records[0] != records[2]


async def test_the_record_may_be_had_by_whoever_may_watch() -> None:
    """Once the game is over a spectator gets it too, and as often as he likes."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        await ann.start()
        await ann.play()
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        request = service_pb2.GetRecordRequest(table=table)
        assert await ground.stub.GetRecord(request) == await ground.stub.GetRecord(request)
        assert (await ann.say("well played")).number == 1
