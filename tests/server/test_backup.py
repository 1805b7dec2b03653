"""A copy of a journal: whole, consistent, secret, never over another file."""

import asyncio
import errno
import os
import resource
import stat
from pathlib import Path

import pytest
from client_program import run_program

from shanghai_server.journal import journal_backup
from shanghai_server.journal.journal import BadJournal, JournalUnavailable
from shanghai_server.journal.journal_backup import BackupExists, CopyFailed, back_up
from shanghai_server.journal.journal_check import FILE_NAME, check_file
from shanghai_server.journal.sqlite_journal import SqliteJournal


def names(folder: Path) -> set[str]:
    """Give the names in a folder, save the index that SQLite makes beside a log when it likes."""
    return {file.name for file in folder.iterdir() if not file.name.endswith("-shm")}


def put_back(copy: Path, folder: Path) -> None:
    """Make a data folder with a copy as its journal."""
    folder.mkdir()
    copy.rename(folder / FILE_NAME)


async def restored(copy: Path, folder: Path) -> dict[str, list[bytes]]:
    """Put a copy into an empty folder, as the manual says, and give every record."""
    put_back(copy, folder)
    async with SqliteJournal(folder) as journal:
        return {
            entry.table: [record.record for record in await journal.read(entry.table, 0)]
            for entry in await journal.tables()
        }


async def test_a_copy_taken_while_a_server_writes_is_the_journal_at_one_moment(tmp_path: Path) -> None:
    """It holds all that was acknowledged before, nothing torn, and the server's appends go on."""
    record = b"record" * 100
    async with SqliteJournal(tmp_path / "data") as journal:
        acknowledged = dict.fromkeys("ABCD", 0)
        done, news = asyncio.Event(), asyncio.Event()

        async def write(table: str) -> None:
            while not done.is_set():
                last = acknowledged[table]
                acknowledged[table] = await journal.append(table, last, [record + b"%d" % (last + n) for n in (1, 2)])
                news.set()

        writers = [asyncio.create_task(write(table)) for table in acknowledged]
        for number in range(5):
            news.clear()
            await news.wait()
            before = dict(acknowledged)
            tables = await asyncio.to_thread(back_up, tmp_path / "data", tmp_path / f"copy {number}")
            assert stat.S_IMODE((tmp_path / f"copy {number}").stat().st_mode) == 0o600
            records = await restored(tmp_path / f"copy {number}", tmp_path / f"restored {number}")
            assert len(records) == tables
            for table, kept in records.items():
                assert len(kept) >= before[table]
                assert len(kept) % 2 == 0
                assert kept == [record + b"%d" % (place + 1) for place in range(len(kept))]
        done.set()
        await asyncio.gather(*writers)


async def test_a_journal_that_nobody_has_open_is_copied_and_left_as_it_is(tmp_path: Path) -> None:
    """In order or with the log of a killed server: the copy has every record, and the folder what it had."""
    async with SqliteJournal(tmp_path / "open") as journal:
        await journal.append("A", 0, [b"one", b"two"])
        killed = {file.name: file.read_bytes() for file in (tmp_path / "open").iterdir()}
    (tmp_path / "killed").mkdir()
    for name, content in killed.items():
        if not name.endswith("-shm"):
            (tmp_path / "killed" / name).write_bytes(content)
    for kind in ("open", "killed"):
        before = {file.name: file.read_bytes() for file in (tmp_path / kind).iterdir()}
        assert back_up(tmp_path / kind, tmp_path / f"{kind}.copy") == 1
        assert {name: (tmp_path / kind / name).read_bytes() for name in before} == before
        assert await restored(tmp_path / f"{kind}.copy", tmp_path / f"{kind} again") == {"A": [b"one", b"two"]}


async def test_a_journal_is_copied_with_its_log_from_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a disk that is being rescued, say; where the lock may not be taken for another reason, that is said."""
    wrong = errno.EROFS

    def lock(folder: Path) -> None:
        raise OSError(wrong, os.strerror(wrong), str(folder / "server.lock"))

    monkeypatch.setattr("shanghai_server.journal.journal_backup.FolderLock", lock)
    disk = tmp_path / "disk"
    disk.mkdir()
    async with SqliteJournal(tmp_path / "open") as journal:
        await journal.append("A", 0, [b"one", b"two"])
        for name in (FILE_NAME, f"{FILE_NAME}-wal"):
            (disk / name).write_bytes((tmp_path / "open" / name).read_bytes())
    before = {file.name: file.read_bytes() for file in disk.iterdir()}
    assert back_up(disk, tmp_path / "copy") == 1
    assert {file.name: file.read_bytes() for file in disk.iterdir()} == before
    assert names(tmp_path) == {"open", "disk", "copy"}
    assert await restored(tmp_path / "copy", tmp_path / "again") == {"A": [b"one", b"two"]}
    wrong = errno.EACCES
    with pytest.raises(JournalUnavailable, match=r"cannot be used: Permission denied: '[^']*server\.lock'$"):
        back_up(disk, tmp_path / "copy")


async def test_a_copy_is_made_at_a_name_as_one_types_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folder and file may be relative to where one is."""
    monkeypatch.chdir(tmp_path)
    async with SqliteJournal(tmp_path / "games") as journal:
        await journal.append("A", 0, [b"record"])
    assert back_up(Path("games"), Path("games-of-today.backup")) == 1
    assert names(tmp_path) == {"games", "games-of-today.backup"}
    assert await restored(Path("games-of-today.backup"), Path("restored")) == {"A": [b"record"]}


async def test_a_copy_has_its_name_only_once_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stops it half way leaves nothing that looks like a copy, and no file of somebody faster is replaced."""
    async with SqliteJournal(tmp_path / "data") as journal:
        await journal.append("A", 0, [b"record"])
    copy = tmp_path / "copy"
    check = check_file
    seen: list[set[str]] = []

    def overtake(part: Path) -> None:
        check(part)
        if part.parent == tmp_path / "data":
            # What is copied is looked at first.
            return
        seen.append(names(tmp_path) - {"data"})
        copy.write_text("somebody's own")

    monkeypatch.setattr(journal_backup, "check_file", overtake)
    with pytest.raises(BackupExists):
        back_up(tmp_path / "data", copy)
    ((part,),) = seen
    assert part.startswith("copy.")
    assert part.endswith(".part")
    assert copy.read_text() == "somebody's own"
    assert names(tmp_path) == {"data", "copy"}


async def test_a_copy_never_overwrites_and_leaves_no_half(tmp_path: Path) -> None:
    """A file that is there stays; without room, or from what is no journal, nothing is left."""
    data = tmp_path / "data"
    async with SqliteJournal(data) as journal:
        await journal.append("A", 0, [b"x" * 1000] * 50)
    (tmp_path / "there").write_text("the only letter")
    with pytest.raises(BackupExists, match=r"there' is there already, and is not overwritten"):
        back_up(data, tmp_path / "there")
    assert (tmp_path / "there").read_text() == "the only letter"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(CopyFailed, match=r"the copy '[^']*copy' cannot be written: "):
            back_up(data, tmp_path / "copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    with pytest.raises(JournalUnavailable, match="there is no journal in"):
        back_up(tmp_path, tmp_path / "copy")
    with pytest.raises(CopyFailed, match=r"the copy '[^']*/nowhere/copy' cannot be written: No such file"):
        back_up(data, tmp_path / "nowhere" / "copy")
    (data / FILE_NAME).write_bytes(b"dear diary\n" * 1000)
    with pytest.raises(BadJournal, match="is no SQLite database"):
        back_up(data, tmp_path / "copy")
    assert names(tmp_path) == {"data", "there"}


async def test_the_command_copies_while_the_journal_is_open(tmp_path: Path) -> None:
    """`shanghai-rum backup` says how many tables it copied, and refuses in one line with exit code 2."""
    data, copy = tmp_path / "data", tmp_path / "games.backup"
    async with SqliteJournal(data) as journal:
        await journal.append("A", 0, [b"one"])
        ran = await run_program("backup", "--data", str(data), str(copy), home=tmp_path)
        assert (ran.code, ran.out, ran.err) == (0, f"1 table copied to {copy}\n", "")
        await journal.append("A", 1, [b"two"])
    again = await run_program("backup", "--data", str(data), str(copy), home=tmp_path)
    assert (again.code, again.out) == (2, "")
    assert again.err.count("\n") == 1
    assert "is there already" in again.err
    assert await restored(copy, tmp_path / "again") == {"A": [b"one"]}
    (tmp_path / "empty").mkdir()
    for folder in ("no", "empty"):
        missing = await run_program("backup", "--data", str(tmp_path / folder), str(copy), home=tmp_path)
        assert (missing.code, missing.err.count("\n")) == (2, 1)
        assert "there are no games in" in missing.err
