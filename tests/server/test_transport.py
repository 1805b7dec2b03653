"""The gRPC library is told how to work before it is loaded, in words that it knows."""

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pytest

from shanghai_server.doors import transport
from shanghai_server.doors.transport import CHOICES, POLLED, settle_transport

_HOST = """
import os
from shanghai_client.cli.main import shanghai_rum
assert "grpc" not in __import__("sys").modules
shanghai_rum.get_command(None, "host")
print(os.environ.get("GRPC_EXPERIMENTS"))
"""
_SERVES = """
import asyncio, pathlib, grpc.aio

async def serve():
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await reader.read(1)
    writer.close()
    await server.stop(0)

asyncio.run(serve())
"""


def _run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
    return subprocess.run(  # noqa: S603 (a program of this file)
        [sys.executable, "-c", program], env={**kept, **environment}, capture_output=True, text=True, check=True
    )


def test_a_host_settles_it_before_the_library_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """`shanghai-rum host` loads the library only after that, in a process where nobody has said anything."""
    monkeypatch.delenv(CHOICES, raising=False)
    settle_transport()
    assert _run(_HOST).stdout.strip() == os.environ.get(CHOICES, "None")


def test_who_has_settled_it_himself_is_let_be() -> None:
    """What stands in the environment is not touched."""
    assert _run(_HOST, GRPC_EXPERIMENTS="-event_engine_client").stdout.strip() == "-event_engine_client"


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it settled")
def test_a_release_that_may_not_know_it_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would print a line about a word that it does not know, whoever runs the program."""
    monkeypatch.delenv(CHOICES, raising=False)
    monkeypatch.setattr(transport, "version", lambda _name: "1.85.9")
    settle_transport()
    assert os.environ[CHOICES] == POLLED
    for named in ("1.86.0rc1", "2.0.0", "unknown", "1.x.0", "1"):
        monkeypatch.delenv(CHOICES, raising=False)
        monkeypatch.setattr(transport, "version", lambda _name, named=named: named)
        settle_transport()
        assert CHOICES not in os.environ

    def none(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(transport, "version", none)
    settle_transport()
    assert CHOICES not in os.environ


@pytest.mark.skipif(sys.platform != "linux", reason="only there is it settled")
def test_this_release_knows_it_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of the library, told so, takes a connection and prints nothing."""
    monkeypatch.delenv(CHOICES, raising=False)
    settle_transport()
    told = {CHOICES: os.environ[CHOICES]} if CHOICES in os.environ else {}
    assert not _run(_SERVES, **told).stderr
