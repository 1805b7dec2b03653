"""The file of a SQLite journal: who may open it, and what is refused."""

import contextlib
import os
import random
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from written_log import written_bytes

from shanghai_server.journal import journal_check
from shanghai_server.journal.journal import BadJournal, DamagedRecord, JournalLocked, JournalUnavailable, TableEntry
from shanghai_server.journal.log_mark import mark_of
from shanghai_server.journal.sqlite_journal import SqliteJournal

RECORDS = [b"record %d" % n * 50 for n in range(100)]


def contents(folder: Path) -> dict[str, bytes]:
    """Give every file of a folder, save the index that SQLite makes beside a log and makes anew when it likes."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


async def fill(folder: Path) -> Path:
    """Make a journal with a few tables and several pages, and give its file."""
    async with SqliteJournal(folder) as journal:
        for table in ("A", "B"):
            await journal.append(table, 0, RECORDS)
    return folder / journal_check.FILE_NAME


def rewrite(change: Callable[[sqlite3.Connection], object]) -> Callable[[Path], None]:
    """Give a way to spoil a journal by SQL."""

    def spoil(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            change(connection)

    return spoil


def overwrite(offset: int, what: bytes) -> Callable[[Path], None]:
    """Give a way to spoil a journal by writing into the file."""

    def spoil(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[offset : offset + len(what)] = what
        path.write_bytes(content)

    return spoil


def other_database(path: Path) -> None:
    """Put a database of another program in the journal's place."""
    path.unlink()
    rewrite(lambda c: c.execute("CREATE TABLE recipe (name TEXT)"))(path)


def cut_behind(part: float) -> Callable[[Path], None]:
    """Give a way to keep only the first part of the file."""

    def spoil(path: Path) -> None:
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])

    return spoil


SPOILED: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "is empty"),
    "text": (lambda path: path.write_text("dear diary\n" * 1000), "is no SQLite database"),
    "zeros": (lambda path: path.write_bytes(bytes(8192)), "is no SQLite database"),
    "header only": (lambda path: path.write_bytes(path.read_bytes()[:60]), "is no SQLite database"),
    "another program": (other_database, "is a SQLite database, but not one of this program"),
    "newer": (rewrite(lambda c: c.execute("PRAGMA user_version = 3")), "has schema version 3, and this program reads"),
    "older": (rewrite(lambda c: c.execute("PRAGMA user_version = 0")), "has schema version 0, and this program reads"),
    "half": (cut_behind(0.5), "is damaged"),
    "last byte lost": (lambda path: path.write_bytes(path.read_bytes()[:-1]), "is damaged"),
    "first page torn": (overwrite(2000, bytes(2096)), "is damaged"),
    "page of zeros": (overwrite(4096 * 5, bytes(4096)), "is damaged"),
    "page of noise": (overwrite(4096 * 5, bytes(range(256)) * 16), "is damaged"),
    "record overwritten": (
        lambda path: path.write_bytes(path.read_bytes().replace(b"record 70", b"record 71", 1)),
        "is damaged (record 71 of table 'A' is not what was written)",
    ),
    "record made a number": (
        rewrite(lambda c: c.execute("UPDATE record SET bytes = 7 WHERE table_id = 1 AND sequence = 3")),
        "is damaged (record 3 of table 'A' is not what was written)",
    ),
    "record made a text": (
        rewrite(lambda c: c.execute("UPDATE record SET bytes = 'x' WHERE table_id = 1 AND sequence = 3")),
        "is damaged (record 3 of table 'A' is not what was written)",
    ),
    "no tables": (rewrite(lambda c: c.execute("DROP TABLE record")), "does not hold the tables of schema version 2"),
    "first record lost": (
        rewrite(lambda c: c.execute("DELETE FROM record WHERE table_id = 2 AND sequence = 1")),
        "lacks records of table 'B'",
    ),
    "a record lost": (
        rewrite(lambda c: c.execute("DELETE FROM record WHERE table_id = 1 AND sequence = 7")),
        "lacks records of table 'A'",
    ),
    "all records lost": (
        rewrite(lambda c: c.execute("DELETE FROM record WHERE table_id = 1")),
        "lacks records of table 'A'",
    ),
}


@pytest.mark.parametrize("how", SPOILED)
async def test_a_foreign_or_torn_file_is_refused_and_left_as_it_is(tmp_path: Path, how: str) -> None:
    """A file that is no whole journal of this version is refused in one sentence, and no byte in the folder changes."""
    path = await fill(tmp_path)
    spoil, reason = SPOILED[how]
    spoil(path)
    before = contents(tmp_path)
    with pytest.raises(BadJournal) as refused:
        await SqliteJournal(tmp_path).open()
    assert refused.value.path == path
    assert refused.value.reason.startswith(reason)
    assert str(refused.value) == (
        f"the journal {str(path)!r} {refused.value.reason}; it was left as it is: move it away, or name another folder"
    )
    assert "\n" not in str(refused.value)
    assert contents(tmp_path) == before
    assert not path.with_name(f"{path.name}-shm").exists()
    # The refused opening holds nothing: with the file moved away, the folder can be used.
    path.rename(tmp_path / "moved away")
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.tables() == []


async def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    """Wherever the file ends too early, it is refused and stays as it is."""
    path = await fill(tmp_path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 1337):
        path.write_bytes(whole[:length])
        with pytest.raises(BadJournal):
            await SqliteJournal(tmp_path).open()
        assert path.read_bytes() == whole[:length]
    path.write_bytes(whole)
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.tables() == [TableEntry("A", 100), TableEntry("B", 100)]


async def test_a_file_with_one_wrong_byte_is_refused_or_holds_what_it_held(tmp_path: Path) -> None:
    """Whichever byte is wrong, either the file is refused or it was one that holds nothing: every record is right."""
    path = await fill(tmp_path)
    whole = path.read_bytes()
    rng = random.Random(5)
    refused = 0
    for _ in range(200):
        overwrite(rng.randrange(len(whole)), rng.randbytes(1))(path)
        spoiled = path.read_bytes()
        journal = SqliteJournal(tmp_path)
        try:
            await journal.open()
        except BadJournal:
            refused += 1
            assert path.read_bytes() == spoiled
        else:
            assert await journal.tables() == [TableEntry("A", 100), TableEntry("B", 100)]
            for table in ("A", "B"):
                assert [entry.record for entry in await journal.read(table, 0)] == RECORDS
            await journal.close()
        path.write_bytes(whole)
    assert refused > 100


async def test_a_log_without_its_file_is_refused(tmp_path: Path) -> None:
    """A log whose file is gone holds games: it is neither thrown away nor played into a new file."""
    log = tmp_path / f"{journal_check.FILE_NAME}-wal"
    log.write_bytes(b"the games of yesterday")
    with pytest.raises(BadJournal, match="is missing, but its log"):
        await SqliteJournal(tmp_path).open()
    assert contents(tmp_path) == {log.name: b"the games of yesterday", "server.lock": b""}


async def test_a_torn_file_with_a_log_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """The file and the log of a server that was killed are both left as they are if the file is torn."""
    async with SqliteJournal(tmp_path / "killed") as journal:
        await journal.append("A", 0, [b"record" * 999] * 20)
        # What a kill would leave: the file and the log, without the end that close makes.
        left = contents(tmp_path / "killed")
    path = tmp_path / "torn" / journal_check.FILE_NAME
    path.parent.mkdir()
    for name, content in left.items():
        (path.parent / name).write_bytes(content)
    path.write_bytes(path.read_bytes()[:6000])
    log = bytearray(left[f"{path.name}-wal"])
    log[32 + 24 + 2000 : 32 + 24 + 2100] = b"x" * 100  # the first frame, so that the log holds nothing that counts
    path.with_name(f"{path.name}-wal").write_bytes(log)
    before = contents(path.parent)
    with pytest.raises(BadJournal, match="is damaged"):
        await SqliteJournal(path.parent).open()
    assert contents(path.parent) == before


async def test_a_large_file_is_checked_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is opened at once; a record that is not what was written harms its table alone, a missing part is refused."""
    monkeypatch.setattr(journal_check, "CHECKED_WHOLE", 0)
    path = await fill(tmp_path)
    for how in ("record overwritten", "record made a number"):
        SPOILED[how][0](path)
    async with SqliteJournal(tmp_path) as journal:
        with pytest.raises(DamagedRecord, match="record 71 of table 'A' is not what was written"):
            await journal.read("A", 3)
        with pytest.raises(DamagedRecord, match="record 3 of table 'A' is not what was written"):
            await journal.read("A", 0)
        assert len(await journal.read("A", 71)) == 29
        assert [entry.record for entry in await journal.read("B", 0)] == RECORDS
    cut_behind(0.7)(path)
    before = contents(tmp_path)
    with pytest.raises(BadJournal, match="is damaged"):
        await SqliteJournal(tmp_path).open()
    assert contents(tmp_path) == before


async def test_a_damaged_log_is_refused_and_one_that_the_power_tore_is_not(tmp_path: Path) -> None:
    """Each commit was on the disk before the next began: only what was written last can lawfully be wrong."""
    async with SqliteJournal(tmp_path / "killed") as journal:
        lengths = []
        log = tmp_path / "killed" / f"{journal_check.FILE_NAME}-wal"
        for table in ("A", "B", "C"):
            await journal.append(table, 0, RECORDS)
            lengths.append(written_bytes(log))
        left = contents(tmp_path / "killed")
    # As long as the last of them has not been acknowledged.
    left[mark_of(tmp_path / journal_check.FILE_NAME).name] = b"%d" % (2 * len(RECORDS))
    folder = tmp_path / "spoiled"
    folder.mkdir()
    whole = left[log.name]
    frame = 24 + 4096
    heads = range(32, lengths[-1], frame)
    places = [0, 8, 16, 24, *heads, *(head + 8 for head in heads), *(head + 2000 for head in heads)]
    refused = 0
    for place in places:
        for name, content in left.items():
            (folder / name).write_bytes(content)
        (folder / log.name).write_bytes(
            whole[:place] + bytes(b ^ 255 for b in whole[place : place + 8]) + whole[place + 8 :]
        )
        before = contents(folder)
        if place in range(lengths[1] - frame, lengths[1] - 4096):
            # The head of a commit itself: nothing is left that says where one ended.
            continue
        if place < lengths[1]:
            refused += 1
            with pytest.raises(BadJournal, match=f"its log '{log.name}' is damaged"):
                await SqliteJournal(folder).open()
            assert contents(folder) == before
        else:
            async with SqliteJournal(folder) as journal:
                assert [entry.table for entry in await journal.tables()] == ["A", "B"]
        for file in folder.iterdir():
            file.unlink()
    assert refused > len(places) // 2


async def test_a_log_that_is_used_again_is_no_damage(tmp_path: Path) -> None:
    """After the log was folded into the file, frames of before stand behind those of now, and are nothing."""
    async with SqliteJournal(tmp_path / "killed") as journal:
        await journal.append("A", 0, RECORDS)
        with contextlib.closing(sqlite3.connect(tmp_path / "killed" / journal_check.FILE_NAME)) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        for number in range(3):
            await journal.append("A", 100 + number, [b"again"])
        left = contents(tmp_path / "killed")
    folder = tmp_path / "again"
    folder.mkdir()
    for name, content in left.items():
        (folder / name).write_bytes(content)
    async with SqliteJournal(folder) as journal:
        assert await journal.tables() == [TableEntry("A", 103, 0)]


@pytest.mark.parametrize("what", ["link", "dangling link", "pipe"])
async def test_what_is_no_file_of_its_own_is_refused(tmp_path: Path, what: str) -> None:
    """A link leads away from the log that lies beside it, and a pipe is waited for without an end."""
    path = tmp_path / "games" / journal_check.FILE_NAME
    path.parent.mkdir()
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(await fill(tmp_path / "other") if what == "link" else tmp_path / "nowhere")
    with pytest.raises(BadJournal, match="is no file" if what == "pipe" else "is a link to a file"):
        await SqliteJournal(path.parent).open()


async def test_a_large_torn_file_with_a_log_is_refused_unless_the_log_holds_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a kill the file may end early by as much as stands in the log, and not by a page more."""
    monkeypatch.setattr(journal_check, "CHECKED_WHOLE", 0)
    await fill(tmp_path / "killed")
    async with SqliteJournal(tmp_path / "killed") as journal:
        await journal.append("C", 0, RECORDS)
        left = contents(tmp_path / "killed")
    path = tmp_path / "torn" / journal_check.FILE_NAME
    path.parent.mkdir()
    whole = left[path.name]
    refused = 0
    for lost in (0, 1, 4095, 4096, *range(8192, len(whole), 4096)):
        for name, content in left.items():
            (path.parent / name).write_bytes(content)
        path.write_bytes(whole[: len(whole) - lost])
        before = contents(path.parent)
        try:
            async with SqliteJournal(path.parent) as journal:
                for table in "ABC":
                    assert [entry.record for entry in await journal.read(table, 0)] == RECORDS
        except BadJournal:
            refused += 1
            assert contents(path.parent) == before
            path.with_name(f"{path.name}-wal").unlink()
        else:
            assert lost < len(whole) // 2
    assert refused > len(whole) // 8192


async def test_a_half_made_journal_of_a_killed_server_is_made_anew(tmp_path: Path) -> None:
    """A server killed while it made its journal leaves a draft, which stands in nobody's way."""
    (tmp_path / f"{journal_check.FILE_NAME}.new").write_bytes(b"half made")
    (tmp_path / f"{journal_check.FILE_NAME}.new-journal").write_bytes(b"half made")
    async with SqliteJournal(tmp_path) as journal:
        await journal.append("A", 0, [b"one"])
    assert set(contents(tmp_path)) == {journal_check.FILE_NAME, "server.lock"}


async def test_a_folder_is_for_one_server(tmp_path: Path) -> None:
    """A second journal on the same folder is refused while the first is open, and works afterwards."""
    async with SqliteJournal(tmp_path) as first:
        with pytest.raises(JournalLocked) as refused:
            await SqliteJournal(tmp_path).open()
        assert str(refused.value).startswith(f"the data folder {str(tmp_path)!r} is in use by another server")
        assert await first.append("A", 0, [b"one"]) == 1
    async with SqliteJournal(tmp_path) as second:
        assert await second.append("A", 1, [b"two"]) == 2


async def test_only_the_owner_can_read_the_journal(tmp_path: Path) -> None:
    """The folder is made for its owner alone, and so is every file in it; a file that others could read is closed."""
    folder = tmp_path / "games" / "data"
    for _ in range(2):
        async with SqliteJournal(folder) as journal:
            await journal.append("A", len(await journal.read("A", 0)), [b"secret"])
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
            assert len(list(folder.iterdir())) == 5
        (folder / journal_check.FILE_NAME).chmod(0o644)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """If a file stands where the folder should be, or a folder where the file should be, the sentence names it."""
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalUnavailable, match=r"File exists: .*file"):
        await SqliteJournal(tmp_path / "file").open()
    (tmp_path / "folder" / journal_check.FILE_NAME).mkdir(parents=True)
    with pytest.raises(JournalUnavailable, match=r"Is a directory: .*journal"):
        await SqliteJournal(tmp_path / "folder").open()


async def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    """The application id and the schema version stand in the header, where other programs look for them."""
    header = (await fill(tmp_path)).read_bytes()[:100]
    assert header[68:72] == b"ShRm"
    assert int.from_bytes(header[60:64], "big") == journal_check.SCHEMA_VERSION


async def test_nothing_is_acknowledged_once_the_file_is_not_at_its_place(tmp_path: Path) -> None:
    """What is written to a file without a name is lost when the server ends; what was written before can be read."""
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    async with SqliteJournal(data) as journal:
        assert await journal.append("A", 0, [b"one"]) == 1
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one"]
        data.rename(elsewhere)
        with pytest.raises(JournalUnavailable, match=r"journal\.sqlite3' was removed or moved while it was open"):
            await journal.append("A", 1, [b"two"])
        data.mkdir()
        (data / journal_check.FILE_NAME).write_bytes(b"")
        with pytest.raises(JournalUnavailable, match="was removed or moved"):
            await journal.append("B", 0, [b"two"])
        assert [entry.record for entry in await journal.read("A", 0)] == [b"one"]
        (data / journal_check.FILE_NAME).unlink()
        data.rmdir()
        elsewhere.rename(data)
        assert await journal.append("A", 1, [b"two", b"three"]) == 3
    async with SqliteJournal(data) as journal:
        assert await journal.tables() == [TableEntry("A", 3)]
