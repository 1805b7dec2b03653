"""The log of a server: what became of every table and call, with the table and where it stands, and no secret."""

from __future__ import annotations

import io
import json
from typing import Any

import grpc.aio
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2
from shanghai_engine.action import Claim
from shanghai_server.doors.server import GameServer
from shanghai_server.house.log import LogFormat, LogLevel, file_log
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import BotRemoved, TimedOut
from shanghai_server.table.telling import tell


async def logged(level: LogLevel, form: LogFormat = LogFormat.JSON) -> tuple[str, list[Player]]:
    """Play a little, be refused once, and give what the log has, and who played."""
    file = io.StringIO()
    settings = Settings(options=AT_ONCE, chat=TALKATIVE)
    async with playground() as ground, MemoryJournal() as journal:
        server = GameServer(journal, settings=settings, log=file_log(file, form=form, level=level))
        port = await server.start()
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)])
        there = Playground(journal, ground.clock, settings, server, port, channel)
        players = await seated(there, ("Annabel", "Benedict"))
        await players[0].say("What a hand")
        await players[0].answer(Claim.PASS)
        await refusal(players[0].act(players[0].choose(), decision="1-1-9"))
        await refusal(there.stub.GetRecord(service_pb2.GetRecordRequest(table="QQQQQ")))
        await players[1].leave()
        await channel.close()
        await server.stop(1)
    return file.getvalue(), players


def lines(text: str) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


async def test_what_becomes_of_a_table_is_told_with_its_sequence() -> None:
    """Who sits down, the start and who leaves: each with the table, its update, its record, and the seat."""
    text, players = await logged(LogLevel.INFO)
    told = [line for line in lines(text) if "table" in line]
    assert [line["event"] for line in told] == [
        "a person sat down",
        "a person sat down",
        "the lobby was closed",
        "a game was started",
        "a person left",
    ]
    assert {line["table"] for line in told} == {players[0].table}
    assert [line["seat"] for line in told if "seat" in line] == [0, 1, 1]
    records = [line["record"] for line in told]
    assert records == sorted(records)
    assert records[0] == 2
    sequences = [line["sequence"] for line in told]
    assert sequences == sorted(sequences)
    assert sequences[-1] > sequences[1] > sequences[0] > 0
    assert sequences[2] == sequences[3]
    assert {line["event"] for line in lines(text) if "table" not in line} == {"listening", "stopped"}


def test_what_no_update_shows_by_itself_is_told_with_the_tables_last() -> None:
    """A time that runs out in an open offer is shown to nobody; what one update shows together has one number."""
    file = io.StringIO()
    facts = [
        TimedOut(seat=0, turn=False, lines=[]),
        BotRemoved(seat=1, shown=12),
        BotRemoved(seat=2),
        BotRemoved(seat=3, shown=13),
    ]
    tell(file_log(file), [*facts, TimedOut(seat=1, turn=False, lines=[])], record=9, sequence=14)
    assert [line["sequence"] for line in lines(file.getvalue())] == [12, 12, 13, 13, 14]


async def test_every_call_and_stream_is_told_when_it_ends() -> None:
    """With debug each has its method and outcome, the table where there is one, and the reason of a refusal."""
    text, players = await logged(LogLevel.DEBUG)
    calls = [line for line in lines(text) if line["event"] == "call"]
    assert {line["level"] for line in calls} == {"debug"}
    found = [(line["method"], line["outcome"], line.get("reason")) for line in calls]
    assert found.count(("JoinTable", "done", None)) == 2
    assert ("CreateTable", "done", None) in found
    assert ("Act", "done", None) in found
    assert ("Act", "refused", "STALE_DECISION") in found
    assert ("GetRecord", "refused", "NO_SUCH_TABLE") in found
    assert found.count(("Watch", "done", None)) == 2
    assert all(line["ms"] >= 0 for line in calls)
    act = next(line for line in calls if line["method"] == "Act")
    assert act["table"] == players[0].table
    assert act["sequence"] > 0
    assert "QQQQQ" not in text


async def test_r7_14_no_line_tells_that_an_open_offer_was_answered() -> None:
    """The calls by which it was are told once it has closed, in their order, and those of other tables at once."""
    file, journal = io.StringIO(), MemoryJournal()
    async with playground(journal=journal, log=file_log(file, level=LogLevel.DEBUG)) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        first, last = (ann, ben) if ann.last.public.game.claim_order[0] == 0 else (ben, ann)
        quiet = file.getvalue()
        await last.answer(Claim.PASS)
        assert (await refusal(last.answer_again(Claim.BUY, "1.1.1.0"))).reason == "ALREADY_ANSWERED"
        assert file.getvalue() == quiet
        await refusal(first.ground.stub.Act(service_pb2.ActRequest(table="QQQQQ", seat_token=first.token)))
        assert [line.get("reason") for line in acts(file.getvalue())] == ["NO_SUCH_TABLE"]
        await first.answer(Claim.PASS)
        await first.until(lambda: len(first.last.public.game.events) > 1)
        told = [(line["outcome"], line.get("reason")) for line in acts(file.getvalue())[1:]]
        assert told == [("done", None), ("refused", "ALREADY_ANSWERED"), ("done", None)]


async def test_what_was_kept_back_is_told_when_the_server_stops() -> None:
    """No number and no line is lost with an offer that is open then."""
    file = io.StringIO()
    async with playground(log=file_log(file, level=LogLevel.DEBUG)) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await (ann, ben)[ann.last.public.game.claim_order[-1]].answer(Claim.PASS)
        assert acts(file.getvalue()) == []
    assert [line["outcome"] for line in acts(file.getvalue())] == ["done"]


def acts(text: str) -> list[dict[str, Any]]:
    """Give the lines of a log that tell of a call by which a seat acts."""
    return [line for line in lines(text) if line.get("method") == "Act"]


@pytest.mark.parametrize("form", LogFormat)
async def test_no_secret_and_nobodys_name_is_in_it(form: LogFormat) -> None:
    """Neither names nor what was said nor tokens nor cards are told at any level, in either format."""
    text, players = await logged(LogLevel.DEBUG, form)
    hand = players[0].last.private.own.hand
    assert hand
    secrets = ["Annabel", "Benedict", "What a hand", *(player.token.hex() for player in players)]
    assert [secret for secret in secrets if secret in text] == []
    assert "card" not in text
    assert "hash" not in text


async def test_text_is_one_line_an_event_with_the_event_in_front() -> None:
    """Time, level, event, table and sequence come first; the other values follow by their names."""
    text, players = await logged(LogLevel.INFO, LogFormat.TEXT)
    (left,) = [line for line in text.splitlines() if "a person left" in line]
    assert left.index("timestamp=") < left.index("level='info'") < left.index("event='a person left'")
    assert left.index(f"table='{players[0].table}'") < left.index("sequence=") < left.index("seat=1")


async def test_a_level_leaves_out_what_is_below() -> None:
    """With error nothing is told of a server that has nothing to complain of."""
    assert (await logged(LogLevel.ERROR))[0] == ""
