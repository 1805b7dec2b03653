"""A program for the tests: a server on a data folder that says when it serves, and does so until it is killed.

`python serve_until_killed.py FOLDER PORT [before|after N]`: with the last two it kills itself as by SIGKILL just before
its n-th append, or just after that append is on disk and before anybody is told. With `limited 0` an address calls only
so often: as much as is usual at once, and then so seldom that a flood is refused on the slowest machine, too.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from shanghai_server.doors.server import GameServer
from shanghai_server.house.log import LogFile, file_log
from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings
from shanghai_server.journal.sqlite_journal import SqliteJournal

OFTEN = Rate(burst=1_000_000, per_second=1000.0)
UNLIMITED = Settings(
    chat=OFTEN,
    calls=OFTEN,
    calls_per_peer=OFTEN,
    making_per_peer=OFTEN,
    joins_per_peer=OFTEN,
    tables_per_peer=10_000,
    streams_per_peer=100_000,
    tables=10_000,
)
"""So much that no test meets a limit: all of it comes from one address."""
LIMITED = Settings(chat=OFTEN, calls=OFTEN, calls_per_peer=Rate(burst=200, per_second=1.0))


class FatalJournal(SqliteJournal):
    """A journal whose process dies around one of its appends."""

    def __init__(self, folder: Path, moment: str, number: int) -> None:
        super().__init__(folder)
        self._moment = moment
        self._left = number

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Append as a journal does, or die."""
        self._left -= 1
        is_last = self._left == 0
        if is_last and self._moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        written = await super().append(table, after_sequence, records, snapshot=snapshot)
        if is_last and self._moment == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return written


async def main(folder: Path, port: str, moment: str, number: int) -> None:
    """Serve for ever."""
    log = file_log(LogFile(folder / "server.log"))
    async with FatalJournal(folder, moment, number) as journal:
        settings = LIMITED if moment == "limited" else UNLIMITED
        server = GameServer(journal, listen=f"127.0.0.1:{port}", settings=settings, log=log)
        await server.start()
        os.write(1, b"serving\n")
        await asyncio.Event().wait()


if __name__ == "__main__":
    given = sys.argv[3:]
    Path(sys.argv[1]).mkdir(exist_ok=True)
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], *((given[0], int(given[1])) if given else ("never", 0))))
