"""What cannot be is said in one line, with the exit code that the help promises, and nothing is left behind."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import click
import grpc
import grpc.aio
import pytest
from client_program import PROGRAM, Ran, environment, run_program
from server_table import playground

from shanghai.v1 import service_pb2
from shanghai_client import connection
from shanghai_client.cli.main import shanghai_rum
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect
from shanghai_client.retrying import BRIEF
from shanghai_wire import CONTRACT_REVISION

RECORDS = Path(__file__).parent.parent / "data" / "records"


def one_line(ran: Ran, code: int, *parts: str) -> None:
    """Check that a run ended with a code and one line that says certain things, and printed no result."""
    assert ran.code == code, ran
    assert ran.out == ""
    lines = ran.err.splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("shanghai-rum: ")
    assert [part for part in parts if part not in lines[0]] == [], lines[0]


def files_under(home: Path) -> list[str]:
    """Give every file in a home, but for logs."""
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and path.suffix != ".log")


def _helps(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """Give the help of a command, and of all below it."""
    yield command.get_help(ctx)
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(ctx):
        below = command.get_command(ctx, name)
        assert below is not None
        yield from _helps(below, below.make_context(name, [], parent=ctx, resilient_parsing=True))


def test_no_help_names_an_end_that_a_range_has_not() -> None:
    """The ends of a range are said where there are any, in no help as None."""
    helps = list(_helps(shanghai_rum, shanghai_rum.make_context("shanghai-rum", [], resilient_parsing=True)))
    assert [text for text in helps if "None" in text] == []
    assert any("0<=x<=60" in text for text in helps)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["play", "--rules", "texan"], ["'texan' is no preset", "standard, literal"]),
        (["play", "--players", "1"], ["1 player cannot play", "2 to 8", "(R1.2)"]),
        (["play", "--version"], ["--version stands alone, as in shanghai-rum --version"]),
        (["admin", "--version"], ["--version stands alone, as in shanghai-rum --version"]),
        (["play", "--players", "9"], ["9 players cannot play", "2 to 8", "(R1.2)"]),
        (["play", "--players", "some"], ["'some' is no whole number."]),
        (["play", "--pace", "some"], ["'some' is no number of seconds."]),
        (["play", "--pace", "61"], ["61 is too large: right would be 60 or less."]),
        (["play", "--pace", "-0.5"], ["-0.5 is too small: right would be 0 or more."]),
        (["host", "--max-tables", "10000001"], ["10000001 is too large: right would be 10000000 or less."]),
        (["replay", "none", "--hand", "0"], ["0 is too small: right would be 1 or more."]),
        (["play", "--name", ""], ["the name '' cannot be used"]),
        (["play", "--name", "   "], ["cannot be used: a name has at least one"]),
        (["play", "--name", "A\x07B"], [r"the name 'A\x07B' cannot be used", "cannot be printed"]),
        (["play", "--name", "A\u200d家族"], [r"the name 'A\u200d家族' cannot be used", "cannot be printed"]),
        (["play", "--name", "A\u202eB"], [r"the name 'A\u202eB' cannot be used"]),
        (["play", "--name", "x" * 25], ["it has 25 characters, and 24 are the most"]),
        (["play", "--name", "x" * 10_000], ["'xxxxxxxxxxxxxxxxxxxxxxxx...'", "it has 10000 characters"]),
        (["play", "--auto", "--name", "\u3164"], [r"the name '\u3164' cannot be used", "that can be seen"]),
        (["play", "--auto", "--name", "\u0301"], [r"the name '\u0301' cannot be used", "that can be seen"]),
        (["play", "--auto", "--seed", "\udcff"], [r"'\udcff' is not UTF-8 text", "--seed"]),
        (["play", "--auto", "--pace", "nan"], ["'nan' is no number of seconds", "--pace"]),
        (["join", "localhost:7410", "--new", "--table", "ABCDE", "--code", "x"], ["--code goes without --new"]),
        (["host", "--turn-time", "nan"], ["'nan' is no number of seconds", "--turn-time"]),
        (["join", "localhost:7410", "--passcode", "\udcff"], [r"'\udcff' is not UTF-8 text"]),
        (["play", "--level", "divine"], ["there is no level 'divine'"]),
        (["play", "--record", "nowhere/g.jsonl"], ["'nowhere/g.jsonl' cannot be written: No such file or directory"]),
        (["play", "--record", "."], ["cannot be written: it is a folder"]),
        (["play", "--bogus"], ["--bogus"]),
        (["dance"], ["'dance' is no command: shanghai-rum --help lists them"]),
        (["pla"], ["'pla' is no command; there is play"]),
        (["verfiy", "g.jsonl"], ["'verfiy' is no command; there is verify"]),
        (["x" * 5_000], ["'xxxxxxxxxxxxxxxxxxxxxxxx...' is no command"]),
        (["chart", "f.svg"], ["'chart' is typed at a table; replay FILE --svg PICTURE.svg draws the totals"]),
        (["score"], ["'score' is typed at a table, in play, join or watch"]),
        (["admin", "stats"], ["'stats' is no command; there is status"]),
        (["admin", "bogus"], ["'bogus' is no command: shanghai-rum admin --help lists them"]),
        (["--plain"], ["--plain stands behind a command, as in shanghai-rum play --plain"]),
        (["--no-bell", "play"], ["--no-bell stands behind a command"]),
        (["--bogus", "play"], ["No such option", "--bogus"]),
        (["host", "--players", "9"], ["9 players cannot play"]),
        (["host", "--bots", "4"], ["4 bots do not fit", "0 to 3"]),
        (["host", "--listen", "nonsense"], ["'nonsense' is no address"]),
        (["host", "--listen", "127.0.0.1:99999"], ["'127.0.0.1:99999' is no address"]),
        (["host", "--rules", "texan"], ["'texan' is no preset"]),
        *(
            ([*command, ""], [command[-1], "it is empty: leave it out, or give one."])
            for command in (
                ("host", "--passcode"),
                ("join", "localhost:7410", "--new", "--passcode"),
                ("join", "localhost:7410", "--table", "ABCDE", "--code"),
                ("watch", "localhost:7410", "--passcode"),
            )
        ),
        *(
            (["host", option, "0.0009"], [option, "0.0009 is too small: right would be 0, or 0.001 or more."])
            for option in ("--grace", "--turn-time", "--slow-after")
        ),
        (["host", "--passcode", "abc"], ["a passcode has 4 to 64 characters, not 3"]),
        (["join", "localhost"], ["'localhost' is no address: write HOST:PORT"]),
        (["join", "localhost:0", "--name", "Ann"], ["'localhost:0' is no address"]),
        (["tables", "::1:80"], ["'::1:80' is no address"]),
        (["replay", "missing.jsonl"], ["'missing.jsonl' cannot be read"]),
        (["verify", "missing.jsonl"], ["'missing.jsonl' cannot be read"]),
        (["rules", "R99"], ["there is no rule 'R99'"]),
        (["rules", "texan"], ["'texan' is no preset"]),
        (["rules", "standard", "--rules", "literal"], ["name the rules once"]),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
async def test_wrong_input_is_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    """Each wrong word on the command line is named with what would be right, and nothing is started or written."""
    one_line(await run_program(*arguments, home=tmp_path), 2, *parts)
    assert files_under(tmp_path) == []


async def test_an_empty_variable_makes_no_table_for_everybody(tmp_path: Path) -> None:
    """Who names a passcode in the environment does not want an open table, whatever came of the name."""
    empty = {"SHANGHAI_RUM_PASSCODE": ""}
    ran = await run_program("host", "--listen", "127.0.0.1:0", home=tmp_path, variables=empty)
    one_line(ran, 2, "--passcode", "it is empty: leave it out, or give one.")
    assert files_under(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("tempo = 3", ["tempo", "there is no such rule"]),
        ("buys = 3", ["buys"]),
        ("reshuffles = 'many'", ["reshuffles", "'many'", "whole number"]),
        ("aces = ", ["cannot be read as TOML"]),
        ("cards_dealt = [11]", ["cards_dealt", "contracts has 10 hands, and it has one entry for each"]),
        ("turn_limit = 5", ["turn_limit", "10 to 200"]),
    ],
)
@pytest.mark.parametrize("command", ["play", "rules", "host"])
async def test_r16_rules_that_cannot_be_are_refused_by_name(
    tmp_path: Path, command: str, text: str, parts: list[str]
) -> None:
    """A file of house rules with an unknown field or value is refused with the field, whatever the command."""
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    one_line(await run_program(command, "--rules", str(path), home=tmp_path), 2, *parts)
    assert files_under(tmp_path) == ["house.toml"]


async def test_a_record_may_come_through_the_standard_input(tmp_path: Path) -> None:
    """It is read as the file is; where nothing comes it is at its end at once."""
    path = next(path for path in sorted(RECORDS.iterdir()) if path.suffix == ".jsonl")
    for command in ("replay", "verify"):
        piped = await run_program(command, "-", home=tmp_path, typed=path.read_text(encoding="utf-8"))
        named = await run_program(command, str(path), home=tmp_path)
        assert (piped.code, piped.err) == (0, "")
        assert piped.out == named.out.replace(repr(str(path)), "'-'")
    one_line(await run_program("replay", "-", home=tmp_path, limit=20), 2, "'-' is no game record")


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"[]\n", b'{"event": "deal"}\n', b"hello\n"])
@pytest.mark.parametrize("command", ["replay", "verify"])
async def test_a_file_that_is_no_record_is_wrong_input(tmp_path: Path, command: str, content: bytes) -> None:
    """What does not even begin as a record is exit code 2, for telling it and for checking it."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(content)
    one_line(await run_program(command, str(path), home=tmp_path), 2, "is no game record")


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"[" * 200_000, "the brackets of line 1 lie over 200 deep"),
        (b'{"event": "game"}\n' + b'{"x_a":' * 100_000, "the brackets of line 2 lie over 200 deep"),
        (b'{"event": "game", "x_a": "' + b"a" * (1 << 20) + b'"}', "line 1 has more than 1048576 bytes"),
    ],
    ids=["nested", "nested later", "long"],
)
async def test_lines_that_could_not_be_read_make_no_record(
    tmp_path: Path, command: str, content: bytes, part: str
) -> None:
    """A line that is longer or deeper than any of a record is wrong input, before anything tries to parse it."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(content)
    one_line(await run_program(command, str(path), home=tmp_path), 2, "is no game record", part)


async def test_endless_and_nested_input_is_wrong_input(tmp_path: Path) -> None:
    """A device that never ends is read no further than a record can be, and rules are not read without end either."""
    one_line(await run_program("verify", "/dev/zero", home=tmp_path), 2, "'/dev/zero' cannot be read: it has more than")
    endless = tmp_path / "endless.toml"
    endless.symlink_to("/dev/zero")
    one_line(await run_program("rules", "--rules", str(endless), home=tmp_path), 2, "cannot be read: it has more than")
    nested = tmp_path / "nested.toml"
    nested.write_text("buys = " + "[" * 200_000, encoding="utf-8")
    one_line(await run_program("rules", "--rules", str(nested), home=tmp_path), 2, "their brackets lie too deep")


async def test_a_name_that_nobody_can_see_makes_no_table(tmp_path: Path) -> None:
    """A name that the server would refuse is refused before a table is made for it."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        ran = await run_program("join", address, "--new", "--name", "\u3164", home=tmp_path)
        one_line(ran, 2, "that can be seen")
        async with await Connection.to(address) as connection:
            assert list(await connection.tables()) == []


async def test_an_occupied_port_is_wrong_input_and_leaves_nothing(tmp_path: Path) -> None:
    """A host does not start where something else listens, and makes no data folder."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        address = f"127.0.0.1:{other.getsockname()[1]}"
        data = tmp_path / "games"
        ran = await run_program("host", "--listen", address, "--data", str(data), home=tmp_path)
    one_line(ran, 2, f"cannot listen on '{address}'")
    assert not data.exists()
    assert files_under(tmp_path) == []


async def test_a_data_folder_that_is_a_file_is_wrong_input(tmp_path: Path) -> None:
    """Games cannot be kept in a file."""
    data = tmp_path / "games"
    data.touch()
    ran = await run_program("host", "--listen", "127.0.0.1:0", "--data", str(data), home=tmp_path)
    one_line(ran, 2, "cannot be kept in", "it is a file")


@pytest.mark.parametrize("command", ["join", "watch"])
async def test_a_table_that_does_not_exist_is_wrong_input(tmp_path: Path, command: str) -> None:
    """An unknown code is named with the codes that there are."""
    async with playground() as ground:
        code = await ground.create(2)
        name = ["--name", "Ann"] if command == "join" else []
        ran = await run_program(command, f"127.0.0.1:{ground.port}", "--table", "ZZZZZ", *name, home=tmp_path)
    one_line(ran, 2, "there is no table 'ZZZZZ'", code)
    assert files_under(tmp_path) == []


async def test_a_host_that_does_not_answer_is_exit_code_3_within_five_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A port behind which nobody speaks is given up in time, and one where nobody listens as good as at once."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        one_line(await run_program("tables", address, home=tmp_path), 3, f"cannot connect to '{address}'")
        with pytest.raises(CannotConnect, match="no answer"):
            await Connection.to(address)
    # By the client's own clock: how long the whole takes is the machine's business, too.
    assert BRIEF.whole < 5
    one_line(await run_program("join", address, "--name", "Ann", home=tmp_path), 3, f"cannot connect to '{address}'")
    # Nobody needs to be waited for where nothing listens, however patient one is.
    monkeypatch.setattr(connection, "BRIEF", replace(BRIEF, attempt=3600.0, whole=3600.0))
    with pytest.raises(CannotConnect, match="nothing listens there"):
        await asyncio.wait_for(Connection.to(address), 120)


async def say_another_revision(
    request: service_pb2.GetServerInfoRequest, context: grpc.aio.ServicerContext[object, object]
) -> service_pb2.GetServerInfoResponse:
    """Answer as a server of another time."""
    del request, context
    return service_pb2.GetServerInfoResponse(version="9.9", contract_revision=CONTRACT_REVISION + 1)


@pytest.fixture
async def future_server() -> AsyncIterator[str]:
    """Give the address of a server that speaks another revision of the contract."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handler = grpc.unary_unary_rpc_method_handler(
        say_another_revision,
        request_deserializer=service_pb2.GetServerInfoRequest.FromString,
        response_serializer=service_pb2.GetServerInfoResponse.SerializeToString,
    )
    service = service_pb2.DESCRIPTOR.services_by_name["TableService"].full_name
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service, {"GetServerInfo": handler})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await server.stop(0)


@pytest.mark.parametrize("arguments", [["tables"], ["join", "--name", "Ann"], ["watch"]], ids=lambda given: given[0])
async def test_another_revision_of_the_contract_is_exit_code_4(
    tmp_path: Path, future_server: str, arguments: list[str]
) -> None:
    """A server of another revision is named with both, and what to update."""
    command, *rest = arguments
    ran = await run_program(command, future_server, *rest, home=tmp_path)
    one_line(ran, 4, f"speaks revision {CONTRACT_REVISION + 1}", f"revision {CONTRACT_REVISION}", "update the client")


async def test_a_server_of_something_else_is_exit_code_3(tmp_path: Path) -> None:
    """A server that knows nothing of this game is no server of this game."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        ran = await run_program("tables", f"127.0.0.1:{port}", home=tmp_path)
    finally:
        await server.stop(0)
    one_line(ran, 3, "no Shanghai Rum server answers there")


async def test_output_that_nobody_reads_is_no_traceback(tmp_path: Path) -> None:
    """A reader that has gone ends the program without a word."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        "rules",
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 (there is no other way to hang up)
    err = await process.stderr.read()
    await process.wait()
    assert err == b""
