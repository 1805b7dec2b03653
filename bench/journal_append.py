"""Appending to the journal, which every move waits for, against one write and one fsync of the same bytes.

With 1, 10 and 100 tables waiting at once: what they share is the commit, so the ratio to a bare write that they share
as well says what the journal adds to the disk. Appends per second are the tables divided by the seconds of the work.
"""

import asyncio
import itertools
import os
import tempfile
from pathlib import Path

from bench.ratio import Ratio, measure_ratio
from shanghai_server.journal.sqlite_journal import SqliteJournal

RECORD = b"x" * 250
RECORDS_PER_APPEND = 2  # an intent and the event it led to


def measure() -> list[Ratio]:
    """Append two records of 250 bytes to each of 1, 10 and 100 tables."""
    return [measure_waiting(tables) for tables in (1, 10, 100)]


def measure_waiting(tables: int) -> Ratio:
    """Append to so many tables at once, in a folder of its own beside the file of the bare write."""
    # Not in the folder for temporary files, which may be in memory.
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder, asyncio.Runner() as runner:
        journal = SqliteJournal(Path(folder) / "data")
        runner.run(journal.open())
        bare = os.open(Path(folder) / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        bare_bytes = RECORD * RECORDS_PER_APPEND * tables
        afters = itertools.count(0, RECORDS_PER_APPEND)
        records = [RECORD] * RECORDS_PER_APPEND

        async def append() -> None:
            after = next(afters)
            await asyncio.gather(*(journal.append(f"table {n}", after, records) for n in range(tables)))

        def write() -> None:
            os.write(bare, bare_bytes)
            os.fsync(bare)

        try:
            ratio = measure_ratio(
                work=f"appends of {tables} waiting tables",
                run=lambda: runner.run(append()),
                bare=f"one write and fsync of their {len(bare_bytes):,} bytes",
                run_bare=write,
            )
            written = runner.run(journal.tables())
            assert len(written) == tables
            assert {entry.sequence for entry in written} == {next(afters)}
        finally:
            runner.run(journal.close())
            os.close(bare)
        return ratio
