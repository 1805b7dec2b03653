"""A program for the tests: it opens a journal, appends to several tables at once, and prints what is acknowledged.

`python append_until_killed.py FOLDER TABLES` prints one line `TABLE SEQUENCE` per append that has returned, and goes on
until it is killed.
"""

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from shanghai_server.journal.sqlite_journal import SqliteJournal


def record(table: str, sequence: int) -> bytes:
    """Give the one record that belongs at this place: of changing length, and recognisable if cut or mixed up."""
    seed = hashlib.sha256(f"{table}/{sequence}".encode()).hexdigest().encode()
    return seed * (1 + sequence * 7 % 90)


async def append_for_ever(journal: SqliteJournal, table: str) -> None:
    """Append one to three records at a time behind what is there."""
    last = len(await journal.read(table, 0))
    while True:
        count = 1 + last % 3
        last = await journal.append(table, last, [record(table, last + n) for n in range(1, count + 1)])
        # One write per line: what the parent has read was acknowledged, whatever happens next.
        os.write(1, f"{table} {last}\n".encode())


async def main(folder: Path, tables: int) -> None:
    """Append to all tables at once."""
    async with SqliteJournal(folder) as journal:
        await asyncio.gather(*(append_for_ever(journal, f"table-{n}") for n in range(tables)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
