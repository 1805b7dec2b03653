"""One who opens connections without end leaves a host the files that it needs itself."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
from client_program import host, run_program

from shanghai.v1 import service_pb2
from shanghai_client.connection import Connection
from shanghai_server.doors.descriptors import OF_ITS_OWN

FILES = 200
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"


def is_let_in(port: int, held: ExitStack) -> bool:
    """Open a connection on which nothing is asked; says whether the server keeps it."""
    connection = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
    try:
        connection.sendall(PREFACE)
        return connection.recv(1) != b""
    except ConnectionError:
        return False


@pytest.mark.parametrize(("name", "share"), [("127.0.0.1", 1), ("localhost", 2)])
async def test_connections_without_end_leave_files_for_the_journal_and_the_host(
    tmp_path: Path, name: str, share: int
) -> None:
    """Who is connected makes tables still, the host's own door opens, and who comes too late is hung up on at once."""
    games = str(tmp_path / "games")
    async with (
        host(tmp_path, "--data", games, "--listen", f"{name}:0", files=FILES) as (_, address, _),
        await Connection.to(address) as there,
    ):
        with ExitStack() as held:
            port = int(address.rpartition(":")[2])
            answers = [is_let_in(port, held) for _ in range(FILES)]
            assert answers == sorted(answers, reverse=True)
            # One of them is that of the client. A name may stand for two addresses, of which each has its share.
            most = (FILES - OF_ITS_OWN) // share
            assert most - 2 <= sum(answers) < most + share - 1
            await there.stub.CreateTable(service_pb2.CreateTableRequest(request_id="one more", seats=2))
            asked = await run_program("admin", "status", "--data", games, home=tmp_path)
            assert (asked.code, asked.err) == (0, "")
        # Once they have gone, others come in; a client tries until the server has seen that.
        async with await Connection.to(address) as another:
            assert another.info.version == there.info.version
