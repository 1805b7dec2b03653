"""A journal whose log was taken away or cut short: noticed while the server runs, and at its next start."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from written_log import FRAME, HEADER, written_bytes

from shanghai_server.journal import journal_file, sqlite_journal
from shanghai_server.journal.journal import BadJournal, Conflict, JournalUnavailable
from shanghai_server.journal.journal_backup import back_up
from shanghai_server.journal.journal_check import FILE_NAME, connect
from shanghai_server.journal.journal_file import Append, JournalFile
from shanghai_server.journal.journal_log import log_of
from shanghai_server.journal.log_mark import mark_of, marked_records, renew_mark, set_mark
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
    with pytest.raises(BadJournal, match=r"its log 'journal\.sqlite3-wal' is missing; put it back, or.* remove 'jo"):
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
    with pytest.raises(BadJournal, match="is missing; put it back"):
        await SqliteJournal(tmp_path / "robbed").open()
    reader.execute("COMMIT")
    reader.close()
    assert not log_of(path).exists()
    assert mark_of(path).exists()
    async with SqliteJournal(path.parent) as journal:
        assert not mark_of(path).exists()
        assert [entry.record for entry in await journal.read("B", 0)] == [b"two", b"three"]
        assert await journal.append("A", 1, [b"four"]) == 2
        assert marked_records(path) == 4


async def test_an_end_does_not_wait_for_who_reads_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server is to stop soon, and a copy that is being made may take longer than that."""
    statements: list[str] = []

    def traced(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(journal_file, "connect", traced)
    path = tmp_path / FILE_NAME
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM record").fetchone()
            await journal.close()
            assert log_of(path).exists()
    fold = next(number for number, each in enumerate(statements) if "wal_checkpoint" in each)
    waits = [int(each.rpartition("=")[2]) for each in statements[:fold] if "busy_timeout" in each]
    assert waits
    assert waits[-1] <= 500


async def test_a_mark_of_an_earlier_end_says_nothing_of_what_came_later(tmp_path: Path) -> None:
    """A server that finds log and mark goes on: if it is killed and its log is lost, nothing passes for whole."""
    path = tmp_path / "games" / FILE_NAME
    async with SqliteJournal(path.parent) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM record").fetchone()
            await journal.close()
            assert marked_records(path) == 1
            async with SqliteJournal(path.parent) as second:
                assert await second.append("A", 1, [b"two"]) == 2
                assert marked_records(path) == 2
                shutil.copytree(path.parent, tmp_path / "killed")
    log_of(tmp_path / "killed" / FILE_NAME).unlink()
    with pytest.raises(BadJournal, match="is missing; put it back"):
        await SqliteJournal(tmp_path / "killed").open()


async def test_a_start_goes_on_where_somebody_has_folded_in_the_log_of_a_killed_server(tmp_path: Path) -> None:
    """Any program that opens the file does so when it goes: then the file holds all that the mark asks for."""
    path = tmp_path / "living" / FILE_NAME
    async with SqliteJournal(path.parent) as journal:
        assert await journal.append("A", 0, [b"one", b"two"]) == 2
        for number in range(40):
            assert await journal.append("B", number, [b"three"]) == number + 1
        with pytest.raises(Conflict):
            await journal.append("B", 5, [b"not written"])
        shutil.copytree(path.parent, tmp_path / "killed")
    path = tmp_path / "killed" / FILE_NAME
    with contextlib.closing(sqlite3.connect(path)) as looked:
        assert looked.execute("SELECT count(*) FROM record").fetchone() == (42,)
    assert not log_of(path).exists()
    assert mark_of(path).exists()
    assert back_up(path.parent, tmp_path / "copy") == 2
    async with SqliteJournal(path.parent) as journal:
        assert not mark_of(path).exists()
        assert [entry.sequence for entry in await journal.read("B", 38)] == [39, 40]


async def test_a_log_that_is_lost_after_part_of_it_was_folded_in_is_missed(tmp_path: Path) -> None:
    """Of what was acknowledged since, the file alone holds nothing, and that is on the disk with the first of it."""
    path = tmp_path / "living" / FILE_NAME
    async with SqliteJournal(path.parent) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        with contextlib.closing(sqlite3.connect(path)) as beside:
            beside.execute("PRAGMA wal_checkpoint")
        assert await journal.append("A", 1, [b"two"]) == 2
        shutil.copytree(path.parent, tmp_path / "killed")
    path = tmp_path / "killed" / FILE_NAME
    log_of(path).unlink()
    with pytest.raises(BadJournal, match="is missing; put it back"):
        await SqliteJournal(path.parent).open()
    mark_of(path).write_text("1")
    async with SqliteJournal(path.parent) as journal:
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one"]


async def test_the_mark_is_on_the_disk_whenever_the_file_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit costs no second wait for the disk, but for the first after part of the log was folded in."""
    path = tmp_path / FILE_NAME
    noted: list[int] = []

    def note(path: Path, records: int) -> None:
        noted.append(records)
        set_mark(path, records)

    monkeypatch.setattr(journal_file, "set_mark", note)
    async with SqliteJournal(tmp_path) as journal:
        for number in range(3):
            await journal.append("A", number, [b"one"])
        with contextlib.closing(sqlite3.connect(path)) as beside:
            beside.execute("PRAGMA wal_checkpoint")
        for number in range(3, 6):
            await journal.append("A", number, [b"two"])
        assert noted == [1, 4]
        # By itself: that commit may be in the file whole, and the next one is not.
        last = 6
        while len(noted) == 2:
            last = await journal.append("A", last, [b"x" * 20_000] * 200)
        await journal.append("A", last, [b"three"])
        await journal.append("A", last + 1, [b"four"])
    assert noted == [1, 4, last, last + 1]


async def test_nothing_is_copied_that_no_server_would_start_with(tmp_path: Path) -> None:
    """A copy without the last games would pass for a checked one."""
    path = await killed(tmp_path)
    log = log_of(path).read_bytes()
    log_of(path).unlink()
    with pytest.raises(BadJournal, match=r"its log 'journal\.sqlite3-wal' is missing; put it back"):
        back_up(path.parent, tmp_path / "copy")
    log_of(path).write_bytes(b"x" + log[1:])
    with pytest.raises(BadJournal, match="is damaged"):
        back_up(path.parent, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    log_of(path).write_bytes(log)
    assert back_up(path.parent, tmp_path / "copy") == 1


async def test_a_log_that_was_emptied_or_cut_short_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What file and log hold together is compared with the mark; nothing is served or copied that falls back."""
    monkeypatch.setattr(sqlite_journal, "MARK_EVERY", 0.0)
    living = tmp_path / "living"
    async with SqliteJournal(living) as journal:
        for number in range(19):
            assert await journal.append("A", number, [b"one"]) == number + 1
        before_last = written_bytes(log_of(living / FILE_NAME))
        assert await journal.append("A", 19, [b"one"]) == 20
        shutil.copytree(living, tmp_path / "killed")
    path = tmp_path / "killed" / FILE_NAME
    whole, left = log_of(path).read_bytes(), path.read_bytes()
    # The last of them may have been marked by then, or not yet.
    assert marked_records(path) in {19, 20}
    for cut in (0, 1, HEADER - 1, *range(HEADER, before_last, FRAME), before_last - 1):
        for log in (whole[:cut], whole[:cut] + bytes(len(whole) - cut)):
            log_of(path).write_bytes(log)
            with pytest.raises(BadJournal, match=r"was emptied or cut short|is damaged|first bytes are wrong"):
                await SqliteJournal(path.parent).open()
            with pytest.raises(BadJournal):
                back_up(path.parent, tmp_path / "copy")
            assert (log_of(path).read_bytes(), path.read_bytes()) == (log, left)
    log_of(path).write_bytes(whole[: HEADER + FRAME * 5])
    sentence = r"cut short \((19|20) records were written, and \d are there\); put it back as it was, or.* remove"
    with pytest.raises(BadJournal, match=sentence):
        await SqliteJournal(path.parent).open()
    mark_of(path).unlink()
    async with SqliteJournal(path.parent) as journal:
        assert 0 < len(await journal.read("A", 0)) < 19


async def test_a_log_whose_end_was_torn_before_it_was_marked_is_served(tmp_path: Path) -> None:
    """A commit that was never acknowledged is none that is missed."""
    path = tmp_path / "killed" / FILE_NAME
    async with SqliteJournal(tmp_path / "living") as journal:
        for number in range(2):
            assert await journal.append("A", number, [b"one"]) == number + 1
        whole = written_bytes(log_of(tmp_path / "living" / FILE_NAME))
        assert await journal.append("A", 2, [b"one"]) == 3
        shutil.copytree(tmp_path / "living", tmp_path / "killed")
    set_mark(path, 2)
    os.truncate(log_of(path), whole + 100)
    async with SqliteJournal(path.parent) as journal:
        assert [entry.sequence for entry in await journal.read("A", 0)] == [1, 2]


async def test_the_mark_follows_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer renews it by itself when nothing is to be written, and never before it is on the disk."""
    path, renewed = tmp_path / FILE_NAME, threading.Event()

    def renew(path: Path, records: int) -> None:
        renew_mark(path, records)
        if records == 42:
            renewed.set()

    monkeypatch.setattr(journal_file, "renew_mark", renew)
    async with SqliteJournal(tmp_path) as journal:
        for number in range(40):
            assert await journal.append("A", number, [b"one"]) == number + 1
        assert await journal.append("A", 40, [b"two", b"three"]) == 42
        assert await asyncio.to_thread(renewed.wait, 300)
        assert marked_records(path) == 42
    assert not mark_of(path).exists()


def test_a_renewed_mark_waits_for_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes meanwhile would wait for it. A mark that was taken away by hand is made again by it."""
    path = tmp_path / FILE_NAME
    ahead: list[bool] = []
    with contextlib.closing(JournalFile(tmp_path)) as file:
        for number, records in enumerate([(b"one",), (b"two", b"three"), (b"four",)]):
            file.append_all([Append("ABC"[number], 0, records)])
            ahead.append(file.is_ahead_of_mark)
        assert ahead == [False, True, True]
        assert marked_records(path) == 1
        with monkeypatch.context() as patch:
            patch.delattr(os, "fsync")
            file.renew_mark()
        assert marked_records(path) == 4
        ahead.append(file.is_ahead_of_mark)
        mark_of(path).unlink()
        file.append_all([Append("A", 1, (b"five",))])
        file.renew_mark()
        ahead.append(file.is_ahead_of_mark)
        assert marked_records(path) == 5
    assert ahead[3:] == [False, False]


async def test_nothing_is_acknowledged_once_the_log_was_cut_short(tmp_path: Path) -> None:
    """What would be written behind the gap could not be read; with the log as it was it goes on."""
    log = log_of(tmp_path / FILE_NAME)
    async with SqliteJournal(tmp_path) as journal:
        for number in range(3):
            assert await journal.append("A", number, [b"one"]) == number + 1
        whole = log.read_bytes()
        for left in (0, HEADER + FRAME):
            os.truncate(log, left)
            with pytest.raises(JournalUnavailable, match=r"journal\.sqlite3-wal' was cut short while it was open"):
                await journal.append("A", 3, [b"two"])
        log.write_bytes(whole)
        assert await journal.append("A", 3, [b"two"]) == 4
    async with SqliteJournal(tmp_path) as journal:
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one"] * 3 + [b"two"]


async def test_a_log_that_is_cut_short_is_missed_after_an_orderly_end_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end cannot fold it in, and says of all that was written that it is to be there; put back it is whole."""
    monkeypatch.setattr(sqlite_journal, "MARK_EVERY", 3600.0)
    path = tmp_path / FILE_NAME
    async with SqliteJournal(tmp_path) as journal:
        for number in range(20):
            assert await journal.append("A", number, [b"one"]) == number + 1
        whole = log_of(path).read_bytes()
        os.truncate(log_of(path), HEADER + FRAME * 12)
    with pytest.raises(BadJournal, match=r"cut short \(20 records were written, and \d+ are there\)"):
        await SqliteJournal(tmp_path).open()
    log_of(path).write_bytes(whole)
    async with SqliteJournal(tmp_path) as journal:
        assert len(await journal.read("A", 0)) == 20


async def test_a_log_that_another_program_has_folded_in_and_emptied_is_no_harm(tmp_path: Path) -> None:
    """The file alone holds everything then."""
    path = tmp_path / FILE_NAME
    async with SqliteJournal(tmp_path) as journal:
        for number in range(3):
            assert await journal.append("A", number, [b"one"]) == number + 1
        with contextlib.closing(sqlite3.connect(path)) as beside:
            assert beside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        assert log_of(path).stat().st_size == 0
        for number in range(3, 6):
            assert await journal.append("A", number, [b"two"]) == number + 1
        assert log_of(path).stat().st_size > 0
    async with SqliteJournal(tmp_path) as journal:
        assert len(await journal.read("A", 0)) == 6


@pytest.mark.parametrize("text", ["", " " * 20, "9" * 5000, "x" * 20])
async def test_a_mark_that_names_no_number_says_nothing(tmp_path: Path, text: str) -> None:
    """Beside a log it is that of a first commit that never ended; without one the file is not taken for whole."""
    path = await killed(tmp_path)
    mark_of(path).write_text(text, encoding="ascii")
    async with SqliteJournal(path.parent) as journal:
        assert len(await journal.read("A", 0)) == 1
    mark_of(path).write_text(text, encoding="ascii")
    with pytest.raises(BadJournal, match="is not whole"):
        await SqliteJournal(path.parent).open()
