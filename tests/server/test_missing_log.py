"""A journal whose log was taken away: noticed while the server runs, and at its next start."""

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from shanghai_server.journal.journal import BadJournal, JournalUnavailable
from shanghai_server.journal.journal_check import FILE_NAME
from shanghai_server.journal.journal_log import log_of
from shanghai_server.journal.log_mark import mark_of
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


async def test_a_log_that_a_reader_folds_in_after_the_end_is_not_missed(tmp_path: Path) -> None:
    """The mark stays where a server ends beside a reader, and says how much the file holds once the log has gone."""
    path = tmp_path / "games" / FILE_NAME
    async with SqliteJournal(path.parent) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        assert await journal.append("B", 0, [b"two", b"three"]) == 2
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM record").fetchone()
        unfolded = path.read_bytes()
    assert log_of(path).exists()
    marked = mark_of(path).read_bytes()
    # As somebody who goes with the log in his hands: the file alone holds less than the mark says.
    (tmp_path / "robbed").mkdir()
    (tmp_path / "robbed" / FILE_NAME).write_bytes(unfolded)
    mark_of(tmp_path / "robbed" / FILE_NAME).write_bytes(marked)
    with pytest.raises(BadJournal, match="is missing; to go on"):
        await SqliteJournal(tmp_path / "robbed").open()
    reader.execute("COMMIT")
    reader.close()
    assert not log_of(path).exists()
    assert mark_of(path).exists()
    async with SqliteJournal(path.parent) as journal:
        assert not mark_of(path).exists()
        assert [entry.record for entry in await journal.read("B", 0)] == [b"two", b"three"]
        assert await journal.append("A", 1, [b"four"]) == 2
        assert mark_of(path).read_bytes() == b""


async def test_a_mark_of_an_earlier_end_says_nothing_of_what_came_later(tmp_path: Path) -> None:
    """A server that finds log and mark goes on: if it is killed and its log is lost, nothing passes for whole."""
    path = tmp_path / "games" / FILE_NAME
    async with SqliteJournal(path.parent) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM record").fetchone()
            await journal.close()
            assert mark_of(path).read_bytes() == b"1"
            async with SqliteJournal(path.parent):
                assert mark_of(path).read_bytes() == b""
                shutil.copytree(path.parent, tmp_path / "killed")
    log_of(tmp_path / "killed" / FILE_NAME).unlink()
    with pytest.raises(BadJournal, match="is missing; to go on"):
        await SqliteJournal(tmp_path / "killed").open()
