"""`shanghai-rum admin` as its user meets it: beside a real server, with exit codes and sentences."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.request
from pathlib import Path

import pytest
from client_program import PROGRAM, environment, host, run_program
from hosted import hosted

from shanghai.v1 import admin_pb2, table_pb2
from shanghai_client.cli.admin import peer_lines, table_lines


@pytest.mark.long
async def test_the_host_looks_after_a_server_that_runs(tmp_path: Path) -> None:
    """Status, tables and peers are listed for people and for programs; a closed table is gone, a notice is seen."""
    data = tmp_path / "games"

    async def admin(*arguments: str) -> tuple[int, str, str]:
        ran = await run_program("admin", arguments[0], "--data", str(data), *arguments[1:], home=tmp_path)
        assert "Traceback" not in ran.err
        return ran.code, ran.out, ran.err

    async with hosted(tmp_path, data, "--players", "2", "--log-level", "debug") as (port, table):
        code, out, _ = await admin("status", "--json")
        assert code == 0
        assert json.loads(out)["tables"] == 1
        assert (await admin("announce", "Restart at ten"))[0] == 0
        watching = await asyncio.create_subprocess_exec(
            *PROGRAM,
            *("watch", f"127.0.0.1:{port}", "--table", table, "--plain"),
            env=environment(tmp_path),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert watching.stdout is not None
        seen = await asyncio.wait_for(watching.stdout.readuntil(b"Restart at ten"), 60)
        assert seen.endswith(b"The server's host says: Restart at ten")
        for how in ((), ("--json",)):
            listed = await run_program("tables", f"127.0.0.1:{port}", *how, home=tmp_path)
            assert (listed.code, listed.err) == (0, "The server's host says: Restart at ten\n")
            assert "Restart" not in listed.out
        code, out, _ = await admin("tables", "--json")
        (line,) = [json.loads(line) for line in out.splitlines()]
        assert (line["table"], line["streams"], line["damage"]) == (table, 1, "")
        code, out, _ = await admin("peers")
        assert code == 0
        assert f"({table} spectator)" in out
        code, out, _ = await admin("tables")
        assert code == 0
        assert f"{table}" in out
        assert "1 stream" in out
        code, out, _ = await admin("close", table, "--reason", "Good night")
        assert (code, out) == (0, f"The table {table} is closed; 1 stream ended.\n")
        rest, told = await asyncio.wait_for(watching.communicate(), 60)
        assert b"the table has been closed: Good night" in rest + told
        why = f"the table {table} was closed: Good night"
        code, _, err = await admin("close", table)
        assert (code, err) == (1, f"shanghai-rum: {why}\n")
        code, _, err = await admin("close", "QQQQQ")
        assert (code, "there is no table" in err) == (2, True), err
        for command in ("join", "watch"):
            # Whoever was away then is told it when he comes back.
            ran = await run_program(command, f"127.0.0.1:{port}", "--table", table, home=tmp_path)
            assert (ran.code, ran.out, ran.err) == (1, "", f"shanghai-rum: {why}\n")
        assert (await admin("announce", "x" * 300))[0] == 2
        assert (await admin("announce", ""))[1].startswith("The notice is taken away")
    code, _, err = await admin("status")
    assert code == 3
    assert "no server runs on it" in err
    assert err.count(str(data)) == 1
    log = [json.loads(line) for line in (data / "server.log").read_text(encoding="utf-8").splitlines()]
    assert [line["reason"] for line in log if line["event"] == "the table was closed"] == ["Good night"]
    assert {"CloseTable", "Announce"} <= {line.get("method") for line in log if line["event"] == "the host called"}


def test_what_is_listed_stands_in_columns() -> None:
    """Where a table is begins in one column for all, however long their names are; so do the streams of addresses."""
    person = table_pb2.Seat(occupant=table_pb2.OCCUPANT_PERSON, name="Ann", connected=True)
    shown = [
        admin_pb2.TableInspection(summary=summary, in_use=bool(streams), streams=streams, damage=damage)
        for summary, streams, damage in (
            (table_pb2.TableSummary(table="JJRUS", status=table_pb2.TABLE_STATUS_PAUSED, seats=[person]), 0, ""),
            (table_pb2.TableSummary(table="VTCXN", name="家族", status=table_pb2.TABLE_STATUS_LOBBY), 2, ""),
            (table_pb2.TableSummary(table="BROKE"), 0, "its records end too soon"),
        )
    ]
    assert table_lines(shown) == [
        "JJRUS         paused                      Ann",
        "VTCXN '家族'  waiting for players         nobody yet; 2 streams",
        "BROKE         cannot be read: its records end too soon",
    ]
    assert table_lines([]) == ["No tables."]
    peers = [admin_pb2.Peer(address=address) for address in ("10.0.0.5", "192.168.178.20")]
    assert peer_lines(peers) == ["10.0.0.5        0 streams", "192.168.178.20  0 streams"]
    assert peer_lines([]) == ["Nobody."]


async def test_a_folder_that_is_none_is_wrong_input(tmp_path: Path) -> None:
    """What cannot be a server's folder is said before anybody is asked."""
    ran = await run_program("admin", "status", "--data", str(tmp_path / "nowhere"), home=tmp_path)
    assert ran.code == 2
    assert "there is no folder" in ran.err


async def test_metrics_and_log_of_a_host(tmp_path: Path) -> None:
    """An address that nobody can listen on, and a log that cannot be written, are said in one sentence."""
    data = str(tmp_path / "games")
    taken = await run_program("host", "--listen", "127.0.0.1:0", "--data", data, "--metrics", "nowhere", home=tmp_path)
    assert taken.code == 2
    assert "cannot listen on 'nowhere'" in taken.err
    log = str(tmp_path / "nowhere" / "log")
    lost = await run_program("host", "--listen", "127.0.0.1:0", "--data", data, "--log", log, home=tmp_path)
    assert lost.code == 2
    assert "the log cannot be written" in lost.err


async def test_a_host_says_where_its_metrics_are(tmp_path: Path) -> None:
    """The address is the one that a browser opens, with the port that was found."""
    options = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), "--metrics", "0")
    async with host(tmp_path, *options) as (process, _address, _code):
        assert process.stderr is not None
        said = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        found = re.fullmatch(r"The metrics are at (http://127\.0\.0\.1:[1-9]\d*/metrics)\n", said)
        assert found is not None, said
        answer = await asyncio.to_thread(_get, found[1])
        assert b"shanghai_tables" in answer


def _get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 (an address of this machine)
        return bytes(answer.read())
