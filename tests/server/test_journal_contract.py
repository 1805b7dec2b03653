"""What every journal promises, tried on each implementation of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from shanghai_server.journal.journal import Conflict, Entry, Journal, JournalUnavailable, TableEntry
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.journal.sqlite_journal import SqliteJournal

KINDS: dict[str, Callable[[Path], Journal]] = {"memory": lambda _: MemoryJournal(), "sqlite": SqliteJournal}


@pytest.fixture(params=KINDS)
async def journal(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Journal]:
    """Give an open, empty journal of each kind."""
    async with KINDS[request.param](tmp_path / "data") as journal:
        yield journal


async def test_records_count_from_one_without_gaps(journal: Journal) -> None:
    """Appends of several records number them one after another, and give the last number."""
    assert await journal.append("A", 0, [b"one", b"two"]) == 2
    assert await journal.append("A", 2, [b""]) == 3
    assert await journal.append("A", 3, [b"\x00\xff" * 5000, b"five"]) == 5
    assert await journal.read("A", 0) == [
        Entry(1, b"one"),
        Entry(2, b"two"),
        Entry(3, b""),
        Entry(4, b"\x00\xff" * 5000),
        Entry(5, b"five"),
    ]


async def test_reading_starts_behind_the_sequence_given(journal: Journal) -> None:
    """A read gives what follows a sequence, which is nothing at the end, beyond it, and for an unknown table."""
    await journal.append("A", 0, [b"one", b"two", b"three"])
    assert await journal.read("A", 2) == [Entry(3, b"three")]
    assert await journal.read("A", 3) == []
    assert await journal.read("A", 99) == []
    assert await journal.read("B", 0) == []


async def test_tables_are_listed_with_their_last_sequence(journal: Journal) -> None:
    """Tables are listed in the order of their first records, whatever their names and later appends."""
    assert await journal.tables() == []
    await journal.append("Zoë's table", 0, [b"1", b"2"])
    await journal.append("a", 0, [b"1"])
    await journal.append("Zoë's table", 2, [b"3"])
    assert await journal.tables() == [TableEntry("Zoë's table", 3), TableEntry("a", 1)]


@pytest.mark.parametrize("after", [0, 1, 3, 2**70])
async def test_an_append_is_refused_when_the_table_stands_elsewhere(journal: Journal, after: int) -> None:
    """A conflict names the table and both sequences, and writes nothing."""
    await journal.append("A", 0, [b"one", b"two"])
    with pytest.raises(Conflict) as refused:
        await journal.append("A", after, [b"late"])
    assert (refused.value.table, refused.value.expected, refused.value.found) == ("A", after, 2)
    assert str(refused.value) == f"table 'A' stands at sequence 2, and the append was to follow {after}"
    assert await journal.read("A", 2) == []


async def test_an_append_to_a_table_that_is_not_there_is_refused(journal: Journal) -> None:
    """Only sequence 0 makes a table; another one finds 0, and no table is made."""
    with pytest.raises(Conflict) as refused:
        await journal.append("A", 1, [b"two"])
    assert refused.value.found == 0
    assert await journal.tables() == []


async def test_a_conflict_fails_that_append_alone(journal: Journal) -> None:
    """Of appends that wait together, those in conflict are refused whole and all others are written whole."""
    await journal.append("stale", 0, [b"one", b"two"])
    results = await asyncio.gather(
        journal.append("A", 0, [b"one", b"two"]),
        journal.append("stale", 1, [b"x", b"y"]),
        journal.append("A", 2, [b"three"]),
        journal.append("A", 2, [b"x", b"y"]),
        journal.append("B", 0, [b"one"]),
        return_exceptions=True,
    )
    assert [r if isinstance(r, int) else type(r) for r in results] == [2, Conflict, 3, Conflict, 1]
    assert [entry.record for entry in await journal.read("A", 0)] == [b"one", b"two", b"three"]
    assert [entry.record for entry in await journal.read("stale", 0)] == [b"one", b"two"]
    assert await journal.tables() == [TableEntry("stale", 2), TableEntry("A", 3), TableEntry("B", 1)]


async def test_two_hundred_tables_append_at_once(journal: Journal) -> None:
    """Each of 200 tables that append at the same time finds its own records, in its own order."""

    async def play(table: str) -> None:
        last = 0
        for _ in range(5):
            last = await journal.append(table, last, [f"{table} {last + n}".encode() for n in (1, 2)])
            # What has returned can be read.
            assert (await journal.read(table, last - 1))[0].sequence == last

    names = [f"table {n}" for n in range(200)]
    await asyncio.gather(*(play(name) for name in names))
    assert {(entry.table, entry.sequence) for entry in await journal.tables()} == {(name, 10) for name in names}
    for name in names:
        assert await journal.read(name, 0) == [Entry(n, f"{name} {n}".encode()) for n in range(1, 11)]


async def test_of_writers_of_one_table_one_wins(journal: Journal) -> None:
    """When twenty append behind the same sequence, one is written and nineteen are refused."""
    results = await asyncio.gather(
        *(journal.append("A", 0, [str(n).encode()]) for n in range(20)), return_exceptions=True
    )
    winners = [n for n, result in enumerate(results) if result == 1]
    assert len(winners) == 1
    assert sum(isinstance(result, Conflict) for result in results) == 19
    assert await journal.read("A", 0) == [Entry(1, str(winners[0]).encode())]


async def test_a_cancelled_append_is_written_whole_or_not_at_all(journal: Journal) -> None:
    """Whoever is cancelled while waiting leaves whole appends behind, and the others are not disturbed."""
    tasks = [asyncio.ensure_future(journal.append(f"table {n}", 0, [b"one", b"two"])) for n in range(50)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(result, asyncio.CancelledError) for result in results[::2])
    assert results[1::2] == [2] * 25
    sequences = {entry.table: entry.sequence for entry in await journal.tables()}
    assert all(sequences[f"table {n}"] == 2 for n in range(1, 50, 2))
    assert set(sequences.values()) == {2}


async def test_the_records_are_there_after_closing_and_opening(journal: Journal) -> None:
    """A journal that is closed and opened again goes on where it was."""
    await journal.append("A", 0, [b"one"])
    await journal.close()
    await journal.close()
    await journal.open()
    assert await journal.read("A", 0) == [Entry(1, b"one")]
    assert await journal.append("A", 1, [b"two"]) == 2


async def test_a_closed_journal_refuses_everything(journal: Journal) -> None:
    """Before it is opened and after it is closed, a journal says that it is not open."""
    await journal.close()
    for use in (journal.append("A", 0, [b"one"]), journal.read("A", 0), journal.tables()):
        with pytest.raises(JournalUnavailable, match=r"^the journal cannot be used: it is not open$"):
            await use
    await journal.open()
    assert await journal.tables() == []


async def test_an_open_journal_is_not_opened_again(journal: Journal) -> None:
    """Opening twice is a mistake of the program; the journal stays as usable as it was."""
    with pytest.raises(RuntimeError, match="open already"):
        await journal.open()
    assert await journal.append("A", 0, [b"one"]) == 1


@pytest.mark.parametrize("table", ["", "line\nbreak", "\ud800", "nul\0"])
async def test_a_table_without_a_printable_name_is_refused(journal: Journal, table: str) -> None:
    """A table has a name that can be shown in one line."""
    with pytest.raises(ValueError, match="name of a table"):
        await journal.append(table, 0, [b"one"])


async def test_an_append_or_read_without_sense_is_refused(journal: Journal) -> None:
    """No records and negative sequences are mistakes of the program."""
    with pytest.raises(ValueError, match="at least one record"):
        await journal.append("A", 0, [])
    with pytest.raises(ValueError, match="-1"):
        await journal.append("A", -1, [b"one"])
    with pytest.raises(ValueError, match="-1"):
        await journal.read("A", -1)


async def test_records_are_copied_when_they_are_appended(journal: Journal) -> None:
    """What the caller does with its list afterwards does not reach the journal."""
    records = [b"one"]
    append = asyncio.ensure_future(journal.append("A", 0, records))
    await asyncio.sleep(0)
    records.append(b"two")
    assert await append == 1
    assert await journal.read("A", 0) == [Entry(1, b"one")]


async def test_the_place_of_the_last_snapshot_is_kept(journal: Journal) -> None:
    """`tables` names the sequence of the last record that was appended as a snapshot, also after a restart."""
    await journal.append("A", 0, [b"one", b"two"])
    await journal.append("B", 0, [b"snapshot", b"two"], snapshot=0)
    assert await journal.tables() == [TableEntry("A", 2, 0), TableEntry("B", 2, 1)]
    await journal.append("A", 2, [b"three", b"snapshot", b"five"], snapshot=1)
    await journal.append("A", 5, [b"six"])
    with pytest.raises(Conflict):
        await journal.append("A", 5, [b"snapshot"], snapshot=0)
    await journal.close()
    await journal.open()
    assert await journal.tables() == [TableEntry("A", 6, 4), TableEntry("B", 2, 1)]
    for place in (-1, 1):
        with pytest.raises(ValueError, match="the snapshot is one of the 1 records"):
            await journal.append("A", 6, [b"x"], snapshot=place)


async def test_no_more_is_read_than_was_asked_for(journal: Journal) -> None:
    """A number of records bounds a reading from its start."""
    await journal.append("A", 0, [b"one", b"two", b"three"])
    assert await journal.read("A", 0, most=1) == [Entry(1, b"one")]
    assert await journal.read("A", 1, most=5) == [Entry(2, b"two"), Entry(3, b"three")]
    assert await journal.read("A", 0, most=0) == []
    with pytest.raises(ValueError, match="-1"):
        await journal.read("A", 0, most=-1)


async def test_the_memory_journal_fails_on_request() -> None:
    """While a failure is set nothing is written, and afterwards appends work again."""
    async with MemoryJournal() as journal:
        journal.failure = "database or disk is full"
        with pytest.raises(JournalUnavailable, match="disk is full"):
            await journal.append("A", 0, [b"one"])
        journal.failure = None
        assert await journal.append("A", 0, [b"one"]) == 1
