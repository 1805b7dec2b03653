"""A host as people run it, in a process of its own, ended in order."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from client_program import PROGRAM, environment

PORT = re.compile(rb"join 127\.0\.0\.1:(\d+) --table ([A-Z]{5})")


@asynccontextmanager
async def hosted(home: Path, data: Path, *options: str) -> AsyncIterator[tuple[str, str]]:
    """Run `shanghai-rum host` while the block runs; gives its port and its table's code, and ends it by SIGTERM."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *("host", "--listen", "127.0.0.1:0", "--data", str(data), *options),
        env=environment(home),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        found = None
        while found is None:
            line = await asyncio.wait_for(process.stdout.readline(), 60)
            assert line, "the host ended"
            found = PORT.search(line)
        yield found[1].decode(), found[2].decode()
        process.send_signal(signal.SIGTERM)
        out, err = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 0, (out, err)
        assert b"The server has stopped." in err
        assert b"Traceback" not in err
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
