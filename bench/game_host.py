"""A game server to be measured: `python -m bench.game_host FOLDER [quiet]` prints its port and serves until SIGTERM.

It is what `shanghai-rum host` serves, without a limit that a bench would meet. `quiet` leaves the heartbeats out.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from shanghai_server.doors.garbage import collect_seldom
from shanghai_server.doors.server import GameServer
from shanghai_server.house.log import LogFile, file_log
from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings
from shanghai_server.journal.sqlite_journal import SqliteJournal

OFTEN = Rate(burst=1_000_000, per_second=1_000_000)
"""So often that no bench meets the limit."""
DAY_MS = 24 * 60 * 60 * 1000


async def main(folder: Path, *, quiet: bool) -> None:
    """Serve until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    settings = Settings(
        tables=20_000,
        heartbeat_ms=DAY_MS if quiet else Settings().heartbeat_ms,
        spectators=10_000,
        tables_per_peer=20_000,
        streams_per_peer=20_000,
        making_per_peer=OFTEN,
        joins_per_peer=OFTEN,
        calls_per_peer=OFTEN,
        calls=OFTEN,
    )
    async with SqliteJournal(folder) as journal:
        server = GameServer(journal, settings=settings, log=file_log(LogFile(folder / "server.log")))
        port = await server.start()
        # As `shanghai-rum host` does.
        collect_seldom()
        print(port, flush=True)
        await stop.wait()
        await server.stop()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), quiet="quiet" in sys.argv[2:]))
