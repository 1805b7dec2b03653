"""The limits of a server are set on the command line of `host`, and every client is told them."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from client_program import host, run_program

from shanghai.v1 import service_pb2
from shanghai_client.cli.host import host as host_command
from shanghai_client.connection import Connection
from shanghai_server.house.settings import Settings

GIVEN = {
    "--max-tables": "11",
    "--max-tables-per-address": "12",
    "--max-streams-per-address": "13",
    "--max-spectators": "14",
    "--max-request-bytes": "15000",
    "--max-waiting-calls": "16",
    "--max-waiting-streams": "17",
    "--max-waiting-updates": "18",
    "--seat-calls": "19/1.5",
    "--address-calls": "20/2.5",
    "--address-tables": "21/2.75",
    "--address-joins": "21/3.25",
    "--chat-lines": "21/3.5",
    "--slow-after": "22.5",
    "--max-table-mib": "3000",
}
ASKED = service_pb2.Limits(
    tables=11,
    seats=8,
    name_characters=24,
    chat_characters=200,
    request_bytes=15_000,
    tables_per_peer=12,
    streams_per_peer=13,
    spectators=14,
    calls=service_pb2.Rate(burst=19, per_second=1.5),
    chat=service_pb2.Rate(burst=21, per_second=3.5),
    calls_per_peer=service_pb2.Rate(burst=20, per_second=2.5),
    queued_calls=16,
    queued_streams=17,
    queued_updates=18,
    too_slow_ms=22_500,
    table_bytes=3000 * 2**20,
    # No option changes it.
    wrong_codes=service_pb2.Rate(burst=20, per_second=1),
    making_per_peer=service_pb2.Rate(burst=21, per_second=2.75),
    joins_per_peer=service_pb2.Rate(burst=21, per_second=3.25),
)


async def test_a_server_has_the_limits_that_were_asked_for(tmp_path: Path) -> None:
    """Each option of `host` is one of the limits that `GetServerInfo` shows."""
    given = [word for option in GIVEN.items() for word in option]
    async with (
        host(tmp_path, "--listen", "127.0.0.1:0", *given) as (_, address, _),
        await Connection.to(address) as there,
    ):
        assert there.info.limits == ASKED


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--max-tables", "-1"),
        ("--max-streams-per-address", "0"),
        ("--max-request-bytes", "10"),
        ("--seat-calls", "100"),
        ("--seat-calls", "0/1"),
        ("--seat-calls", "1/0"),
        ("--seat-calls", "1/nan"),
        ("--seat-calls", "60/1e-320"),
        ("--chat-lines", "5/0.0001"),
        ("--address-calls", "x/y"),
        ("--slow-after", "-1"),
    ],
)
async def test_a_limit_that_cannot_be_is_wrong_input(tmp_path: Path, option: str, value: str) -> None:
    """It is refused with the option's name, and no server is started."""
    ran = await run_program("host", option, value, home=tmp_path)
    assert ran.code == 2
    assert option in ran.err


def usual_limits() -> dict[str, str]:
    """Give for each option what a server has without it."""
    usual = Settings()
    return {
        "--max-tables": str(usual.tables),
        "--max-tables-per-address": str(usual.tables_per_peer),
        "--max-streams-per-address": str(usual.streams_per_peer),
        "--max-spectators": str(usual.spectators),
        "--max-request-bytes": str(usual.request_bytes),
        "--max-waiting-calls": str(usual.queued_intents),
        "--max-waiting-streams": str(usual.queued_streams),
        "--max-waiting-updates": str(usual.queued_updates),
        "--seat-calls": f"{usual.calls.burst}/{usual.calls.per_second:g}",
        "--address-calls": f"{usual.calls_per_peer.burst}/{usual.calls_per_peer.per_second:g}",
        "--address-tables": f"{usual.making_per_peer.burst}/{usual.making_per_peer.per_second:g}",
        "--address-joins": f"{usual.joins_per_peer.burst}/{usual.joins_per_peer.per_second:g}",
        "--chat-lines": f"{usual.chat.burst}/{usual.chat.per_second:g}",
        "--slow-after": f"{usual.too_slow_ms / 1000:g}",
        "--max-table-mib": f"{usual.table_bytes / 2**20:g}",
    }


def test_the_help_names_what_is_usual() -> None:
    """What stands in the help of an option is what a server has without it."""
    context = click.Context(host_command)
    records = [param.get_help_record(context) for param in host_command.params]
    texts = {usage.split()[0]: text for usage, text in filter(None, records)}
    assert usual_limits().keys() == GIVEN.keys()
    for option, value in usual_limits().items():
        assert texts[option].partition("  [")[0].endswith(f"usually {value}.")


@pytest.mark.checkout
def test_the_page_for_hosts_names_what_is_usual() -> None:
    """docs/hosting.md has a row for each limit, with what a server has without the option."""
    page = Path(__file__).parents[2] / "docs" / "hosting.md"
    rows = re.findall(r"^\| `(--[\w-]+) [^`]+` \| (\S+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == usual_limits()
