"""A bare grpc.aio server: `python -m bench.bare_host SCRIPT` prints its port and serves until SIGTERM.

It knows nothing: a call names a table and a number, and what the script has under them goes to the table's streams. So
it is the least that any server on this library does which answers the same calls and sends the same bytes.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

Script = list[list[list[list[bytes]]]]
"""By table, by call and by stream the messages that follow."""
SERVICE = "bench.Bare"
CALL = f"/{SERVICE}/Do"
STREAM = f"/{SERVICE}/Watch"
NUMBER_BYTES = 4


def call_bytes(table: int, number: int, size: int) -> bytes:
    """Give a call of so many bytes that names a table and the number of the call."""
    named = table.to_bytes(NUMBER_BYTES, "big") + number.to_bytes(NUMBER_BYTES, "big")
    return named.ljust(size, b"\0")


def stream_bytes(table: int, stream: int) -> bytes:
    """Give what opens a stream of a table."""
    return call_bytes(table, stream, 2 * NUMBER_BYTES)


def _read(request: bytes) -> tuple[int, int]:
    return (
        int.from_bytes(request[:NUMBER_BYTES], "big"),
        int.from_bytes(request[NUMBER_BYTES : 2 * NUMBER_BYTES], "big"),
    )


class Bare:
    """The two methods."""

    def __init__(self, script: Script) -> None:
        """Take what is to be sent."""
        self._script = script
        self._streams: dict[tuple[int, int], asyncio.Queue[bytes]] = defaultdict(asyncio.Queue)

    async def do(self, request: bytes, _context: object) -> bytes:
        """Answer a call, and let the table's streams have what follows."""
        table, number = _read(request)
        for stream, messages in enumerate(self._script[table][number]):
            for message in messages:
                self._streams[table, stream].put_nowait(message)
        return b""

    async def watch(self, request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Send what comes for a stream."""
        waiting = self._streams[_read(request)]
        while True:
            await context.write(await waiting.get())


async def main(script: Script) -> None:
    """Serve until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    bare = Bare(script)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Do": grpc.unary_unary_rpc_method_handler(bare.do),
        "Watch": grpc.unary_stream_rpc_method_handler(bare.watch),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await stop.wait()
    # The library tells of every stream that it cuts.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    await server.stop(0)


if __name__ == "__main__":
    asyncio.run(main(pickle.loads(Path(sys.argv[1]).read_bytes())))  # noqa: S301 (the bench has just written it)
