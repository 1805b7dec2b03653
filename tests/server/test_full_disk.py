"""A server whose disk is full turns away what it cannot write down, loses nothing, and goes on when there is room."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest
from server_process import server_process
from server_table import AT_ONCE, SHORT, Player, Playground, fresh_id, refusal
from written_log import written_bytes

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.verify import verify
from shanghai_server.journal.journal_check import FILE_NAME
from shanghai_server.standing.option import options_message
from shanghai_wire.rules import rules_message


@pytest.mark.parametrize("room", [1, 3000, 20_000])
async def test_a_full_disk_turns_intents_away_and_loses_none(tmp_path: Path, room: int) -> None:
    """Journal and log find no room: calls are UNAVAILABLE, streams stay, a restart and room again find all in order."""
    async with server_process(tmp_path / "data") as server:
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        made = await ground.stub.CreateTable(
            service_pb2.CreateTableRequest(
                request_id=fresh_id(), seats=3, rules=rules_message(SHORT), options=options_message(AT_ONCE)
            )
        )
        ann, ben = [await Player.join(ground, made.table, name) for name in ("Ann", "Ben")]
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        # So much room is left that some calls still get through.
        log = server.folder / f"{FILE_NAME}-wal"
        server.limit_files(written_bytes(log) + room if room > 1 else 1)
        said: list[tuple[str, int]] = []
        refused = None
        for number in range(200):
            text = f"line {number:04} {'.' * 150}"
            try:
                said.append((text, (await ann.say(text, request_id=text[:9])).number))
            except grpc.aio.AioRpcError:
                refused = text
                break
        assert refused is not None
        assert bool(said) == (room > 5000)
        for call in (
            ann.say(refused, request_id=refused[:9]),
            ben.say("hello", request_id="hello"),
            ground.stub.CreateTable(service_pb2.CreateTableRequest(request_id="another", seats=2)),
        ):
            reason = await refusal(call)
            assert (reason.reason, reason.status_code) == ("NOT_WRITTEN", grpc.StatusCode.UNAVAILABLE)
        seen = [line.text for line in ben.last.public.table.chat]
        assert seen == [text for text, _ in said][-len(seen) :]
        server.limit_files(-1)
        number = len(said) + 1
        assert (await ann.say(refused, request_id=refused[:9])).number == number
        assert (await ben.say("hello", request_id="hello")).number == number + 1
        for text, first in said[-3:]:
            assert (await ann.say(text, request_id=text[:9])).number == first
        await asyncio.gather(ann.play(), ben.play())
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
        verdict = verify(record.record.splitlines())
        assert verdict.lawful, verdict.finding
        for player in (ann, ben):
            await player.unwatch()
        assert "table failed" not in server.log()
        assert server.errors.read_text(encoding="utf-8") == ""
