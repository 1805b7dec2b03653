"""A journal whose log was taken away: noticed while the server runs, and at its next start."""

import shutil
from pathlib import Path

import pytest

from shanghai_server.journal.journal import BadJournal, JournalUnavailable
from shanghai_server.journal.journal_check import FILE_NAME
from shanghai_server.journal.journal_log import log_of, mark_of
from shanghai_server.journal.sqlite_journal import SqliteJournal


async def killed(folder: Path) -> Path:
    """Give the file of a journal as a killed server leaves it: what it has acknowledged is in its log."""
    async with SqliteJournal(folder / "living") as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        shutil.copytree(folder / "living", folder / "killed")
    return folder / "killed" / FILE_NAME


async def test_a_start_without_the_log_of_a_killed_server_is_refused(tmp_path: Path) -> None:
    """The file alone is whole and older, so games would fall back; it is left as it is, until the host says so."""
    path = await killed(tmp_path)
    log_of(path).unlink()
    before = path.read_bytes()
    with pytest.raises(BadJournal, match=r"its log 'journal\.sqlite3-wal' is missing; to go on .* remove 'journal"):
        await SqliteJournal(path.parent).open()
    assert path.read_bytes() == before
    mark_of(path).unlink()
    async with SqliteJournal(path.parent) as journal:
        assert await journal.tables() == []


async def test_after_an_orderly_end_no_log_is_asked_for(tmp_path: Path) -> None:
    """Also where a killed server was followed by one that wrote nothing."""
    path = await killed(tmp_path)
    for _ in range(3):
        async with SqliteJournal(path.parent) as journal:
            assert [entry.record for entry in await journal.read("A", 0)] == [b"one"]
        assert not log_of(path).exists()
        assert not mark_of(path).exists()


async def test_nothing_is_acknowledged_once_the_log_is_not_at_its_place(tmp_path: Path) -> None:
    """What would be written to a log without a name is lost in a crash; what is in it is saved by an orderly end."""
    path = tmp_path / FILE_NAME
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        log_of(path).unlink()
        with pytest.raises(JournalUnavailable, match=r"journal\.sqlite3-wal' was removed or moved while it was open"):
            await journal.append("A", 1, [b"two"])
    async with SqliteJournal(tmp_path) as journal:
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one"]
