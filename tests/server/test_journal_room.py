"""The file of a SQLite journal without room: nothing is written, nothing is lost, and later appends work."""

import asyncio
import contextlib
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from written_log import written_bytes

from shanghai_server.journal import journal_check, journal_file
from shanghai_server.journal.journal import Conflict, JournalUnavailable, TableEntry
from shanghai_server.journal.sqlite_journal import SqliteJournal

RECORDS = [b"record %d" % n * 50 for n in range(100)]


def names(folder: Path) -> set[str]:
    """Give the names of what is in a folder."""
    return {file.name for file in folder.iterdir()}


@contextlib.contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size in bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_without_room_nothing_is_written_and_later_appends_work(tmp_path: Path) -> None:
    """When the system refuses to write, the whole batch fails and leaves nothing; with room again it goes through."""
    log = tmp_path / f"{journal_check.FILE_NAME}-wal"
    async with SqliteJournal(tmp_path) as journal:
        await journal.append("A", 0, [b"one"])
        batch: list[tuple[str, int, list[bytes]]] = [
            ("A", 1, [b"two"]),
            ("B", 0, [b"x" * 500] * 40),
            ("A", 2, [b"three"] * 2),
        ]
        with files_at_most(written_bytes(log) + 5000):
            for _ in range(3):
                results = await asyncio.gather(*(journal.append(*append) for append in batch), return_exceptions=True)
                assert all(isinstance(result, JournalUnavailable) for result in results)
                assert await journal.tables() == [TableEntry("A", 1)]
        assert await asyncio.gather(*(journal.append(*append) for append in batch)) == [2, 40, 4]
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.tables() == [TableEntry("A", 4), TableEntry("B", 40)]
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one", b"two", b"three", b"three"]


async def test_the_log_is_made_longer_ahead_where_there_is_room(tmp_path: Path) -> None:
    """Zeros stand behind what is written, and a journal that was killed is whole with them; without room it is too."""
    folder, killed = tmp_path / "data", tmp_path / "killed"
    log = folder / f"{journal_check.FILE_NAME}-wal"
    last = 0

    async def append(journal: SqliteJournal, times: int) -> None:
        nonlocal last
        for _ in range(times):
            last = await journal.append("A", last, [b"x" * 900])

    async with SqliteJournal(folder) as journal:
        await append(journal, 1)
        with files_at_most(written_bytes(log) + 200_000):
            await append(journal, 20)
            assert log.stat().st_size < journal_file.ALLOTMENT
        # It is tried again at the end of what there is, by the writer, before the next append.
        await append(journal, 60)
        assert log.stat().st_size > journal_file.ALLOTMENT
        before = log.stat().st_size
        await append(journal, 20)
        assert written_bytes(log) < before
        assert log.stat().st_size == before
        shutil.copytree(folder, killed)
    async with SqliteJournal(killed) as journal:
        assert await journal.tables() == [TableEntry("A", last)]
        assert [entry.record for entry in await journal.read("A", 0)] == [b"x" * 900] * last


async def test_a_log_becomes_no_longer_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as it is folded into the file it is not made longer, however much is written."""
    monkeypatch.setattr(journal_file, "LONGEST_LOG", 2 * journal_file.ALLOTMENT)
    monkeypatch.setattr(journal_file, "_SETTINGS", (*journal_file._SETTINGS, "PRAGMA wal_autocheckpoint = 512"))  # noqa: SLF001
    log = tmp_path / f"{journal_check.FILE_NAME}-wal"
    async with SqliteJournal(tmp_path) as journal:
        last, longest = 0, 0
        for _ in range(60):
            last = await journal.append("A", last, [b"x" * 5000] * 40)
            longest = max(longest, log.stat().st_size)
        assert 2 * journal_file.ALLOTMENT <= longest < 4 * journal_file.ALLOTMENT
        assert [entry.sequence for entry in await journal.read("A", 0)] == list(range(1, last + 1))


async def test_a_full_database_refuses_and_keeps_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When SQLite itself finds no room, the append fails whole, a smaller one works, and so does a conflict."""
    with monkeypatch.context() as patch:
        patch.setattr(journal_file, "_SETTINGS", (*journal_file._SETTINGS, "PRAGMA max_page_count = 12"))  # noqa: SLF001
        async with SqliteJournal(tmp_path) as journal:
            await journal.append("A", 0, [b"one"])
            with pytest.raises(JournalUnavailable, match="database or disk is full"):
                await journal.append("A", 1, [b"x" * 3000] * 30)
            with pytest.raises(Conflict):
                await journal.append("A", 0, [b"x" * 3000] * 30)
            assert await journal.append("A", 1, [b"two"]) == 2
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.append("A", 2, [b"x" * 3000] * 30) == 32


async def test_a_journal_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    """Without room for a new journal the opening fails, and works once there is room."""
    with files_at_most(4096), pytest.raises(JournalUnavailable):
        await SqliteJournal(tmp_path).open()
    assert names(tmp_path) == {"server.lock"}
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
