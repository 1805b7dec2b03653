"""The writer of a SQLite journal: what it commits together, and what is there after a kill."""

import asyncio
import importlib.util
import random
import sys
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from append_until_killed import record
from written_log import written_bytes

from shanghai_server.journal import journal_check, journal_file
from shanghai_server.journal.journal import Conflict, Entry, JournalError, JournalLocked, JournalUnavailable
from shanghai_server.journal.journal_file import Append, JournalFile
from shanghai_server.journal.sqlite_journal import SqliteJournal

Tasks = list[asyncio.Task[int]]


class Gate:
    """Holds the writer before its first commit until it is opened, and notes the tables of every commit."""

    def __init__(self) -> None:
        self.commits: list[list[str]] = []
        self.reached = threading.Event()
        self.open = threading.Event()

    def commit(self, file: JournalFile, appends: Sequence[Append]) -> list[int | JournalError]:
        """Wait for the gate, note, commit."""
        self.reached.set()
        assert self.open.wait(60)
        self.commits.append([append.table for append in appends])
        return append_all(file, appends)


append_all = JournalFile.append_all


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Put a gate before the commits of every journal file."""
    gate = Gate()
    # A method of the gate would get no file: only a function becomes a method of the class it is set in.
    monkeypatch.setattr(JournalFile, "append_all", lambda file, appends: gate.commit(file, appends))  # noqa: PLW0108
    yield gate
    gate.open.set()


async def start(gate: Gate, journal: SqliteJournal, appends: Sequence[Coroutine[Any, Any, int]]) -> Tasks:
    """Start an append of table `first`, wait until the writer has it in hand, and queue the others behind it."""
    tasks = [asyncio.ensure_future(journal.append("first", 0, [b"1", b"2"]))]
    await asyncio.to_thread(gate.reached.wait)
    tasks += [asyncio.ensure_future(append) for append in appends]
    await asyncio.sleep(0)
    return tasks


async def test_all_who_wait_share_one_commit_and_one_wake_up(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one commit is under way 200 appends gather; the next takes them all and wakes the event loop once."""
    async with SqliteJournal(tmp_path) as journal:
        names = [f"table {n}" for n in range(200)]
        tasks = await start(gate, journal, [journal.append(name, 0, [b"1", b"2", b"3"]) for name in names])
        loop = asyncio.get_running_loop()
        wake_ups: list[str] = []
        wake: Callable[..., asyncio.Handle] = loop.call_soon_threadsafe

        def count(*arguments: Any, **options: Any) -> asyncio.Handle:  # noqa: ANN401  whatever a loop takes
            wake_ups.append(threading.current_thread().name)
            return wake(*arguments, **options)

        monkeypatch.setattr(loop, "call_soon_threadsafe", count)
        gate.open.set()
        assert await asyncio.gather(*tasks) == [2] + [3] * 200
        monkeypatch.undo()
        assert gate.commits == [["first"], names]
        assert wake_ups == ["journal-writer"] * 2


async def test_a_conflict_in_a_commit_leaves_the_rest_of_it(tmp_path: Path, gate: Gate) -> None:
    """Each append of one commit is written whole or refused whole, whatever happens to its neighbours."""
    async with SqliteJournal(tmp_path) as journal:
        tasks = await start(
            gate,
            journal,
            [
                journal.append("A", 0, [b"1", b"2"]),
                journal.append("A", 0, [b"x", b"y"]),
                journal.append("B", 7, [b"x", b"y"]),
                journal.append("A", 2, [b"3", b"4"]),
            ],
        )
        gate.open.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [r if isinstance(r, int) else type(r) for r in results] == [2, 2, Conflict, Conflict, 4]
        assert gate.commits == [["first"], ["A", "A", "B", "A"]]
        assert [entry.record for entry in await journal.read("A", 0)] == [b"1", b"2", b"3", b"4"]
        assert [entry.table for entry in await journal.tables()] == ["first", "A"]


async def test_an_append_cancelled_in_the_queue_is_not_written(tmp_path: Path, gate: Gate) -> None:
    """Who is cancelled before the writer takes the append leaves nothing; who is cancelled later, the whole append."""
    async with SqliteJournal(tmp_path) as journal:
        tasks = await start(gate, journal, [journal.append("A", 0, [b"1", b"2"]), journal.append("B", 0, [b"1"])])
        tasks[0].cancel()
        tasks[1].cancel()
        await asyncio.sleep(0)
        gate.open.set()
        first, second, third = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(first, asyncio.CancelledError)
        assert isinstance(second, asyncio.CancelledError)
        assert third == 1
        assert await journal.read("A", 0) == []
        assert await journal.read("first", 0) == [Entry(1, b"1"), Entry(2, b"2")]
        assert gate.commits == [["first"], ["B"]]


async def test_closing_writes_what_waits(tmp_path: Path, gate: Gate) -> None:
    """Appends that wait when the journal is closed are written and answered; later ones are refused."""
    async with SqliteJournal(tmp_path) as journal:
        tasks = await start(gate, journal, [journal.append("A", 0, [b"1"]), journal.append("A", 1, [b"2"])])
        closing = asyncio.ensure_future(journal.close())
        await asyncio.sleep(0)
        with pytest.raises(JournalUnavailable, match="not open"):
            await journal.append("B", 0, [b"1"])
        gate.open.set()
        assert await asyncio.gather(*tasks) == [2, 1, 2]
        await closing
    async with SqliteJournal(tmp_path) as journal:
        assert [entry.record for entry in await journal.read("A", 0)] == [b"1", b"2"]


async def test_a_cancelled_close_goes_on(tmp_path: Path, gate: Gate) -> None:
    """Who is cancelled while closing leaves a journal that is closed all the same, and lets go of its folder."""
    async with SqliteJournal(tmp_path) as journal:
        (task,) = await start(gate, journal, [])
        closing = asyncio.ensure_future(journal.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        gate.open.set()
        assert await task == 2
        await journal.open()
        assert len(await journal.tables()) == 1


async def test_a_cancelled_open_lets_go_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is cancelled while opening leaves nothing open behind."""
    reached, go_on = threading.Event(), threading.Event()
    connect = journal_check.connect

    def wait_and_connect(path: Path, mode: str) -> Any:  # noqa: ANN401
        reached.set()
        assert go_on.wait(60)
        return connect(path, mode)

    monkeypatch.setattr(journal_file, "connect", wait_and_connect)
    opening = asyncio.ensure_future(SqliteJournal(tmp_path).open())
    await asyncio.to_thread(reached.wait)
    opening.cancel()
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    async with SqliteJournal(tmp_path) as journal:
        assert await journal.append("A", 0, [b"1"]) == 1


async def test_a_mistake_in_the_writer_reaches_who_waits_and_stops_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that nobody foresaw is raised where the append waits, leaves nothing, and the writer goes on."""
    async with SqliteJournal(tmp_path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(journal_file, "enumerate", lambda *_, **__: 1 / 0, raising=False)
            with pytest.raises(ZeroDivisionError):
                await journal.append("A", 0, [b"1"])
        assert await journal.tables() == []
        assert await journal.append("A", 0, [b"1"]) == 1


async def start_child(folder: Path, tables: int) -> Process:
    """Start a process that appends until it is killed."""
    spec = importlib.util.find_spec("append_until_killed")
    assert spec is not None
    assert spec.origin is not None
    return await asyncio.create_subprocess_exec(sys.executable, spec.origin, str(folder), str(tables), stdout=PIPE)


async def kill_after(process: Process, lines: int) -> dict[str, int]:
    """Kill the process when it has printed so many lines; give the last acknowledged sequence of each table."""
    assert process.stdout is not None
    acknowledged: dict[str, int] = {}

    def note(line: bytes) -> None:
        # The last line may be cut: then it does not count.
        if line.endswith(b"\n"):
            table, sequence = line.split()
            acknowledged[table.decode()] = int(sequence)

    for _ in range(lines):
        note(await process.stdout.readline())
    process.kill()
    while line := await process.stdout.readline():
        note(line)
    await process.wait()
    return acknowledged


async def check_after_kill(folder: Path, acknowledged: dict[str, int]) -> None:
    """Check that every acknowledged record is there, that each is the right one, and that there is no part of any."""
    async with SqliteJournal(folder) as journal:
        last = {entry.table: entry.sequence for entry in await journal.tables()}
        assert all(last[table] >= sequence for table, sequence in acknowledged.items())
        for table, sequence in last.items():
            assert await journal.read(table, 0) == [Entry(n, record(table, n)) for n in range(1, sequence + 1)]
            # Appends of one to three records: each of them whole.
            whole = [0]
            while whole[-1] < sequence:
                whole.append(whole[-1] + 1 + whole[-1] % 3)
            assert whole[-1] == sequence


async def kill_and_check(folder: Path, kills: int, seed: int) -> None:
    """Kill a process that appends to a journal, time and again, and check after each time."""
    rng = random.Random(seed)
    for _ in range(kills):
        tables = rng.choice([1, 5, 30])
        await check_after_kill(folder, await kill_after(await start_child(folder, tables), rng.randint(1, 600)))


async def test_every_acknowledged_record_survives_a_kill(tmp_path: Path) -> None:
    """Whenever a process is killed, all that it was told is written is there, each append whole."""
    await kill_and_check(tmp_path, kills=6, seed=1)


@pytest.mark.soak
async def test_every_acknowledged_record_survives_many_kills(tmp_path: Path) -> None:
    """The same two hundred times, on several journals."""
    for seed in range(20):
        await kill_and_check(tmp_path / str(seed), kills=10, seed=seed)


@pytest.mark.parametrize("where", ["behind the last commit", "at the end"])
async def test_the_torn_end_of_a_log_is_dropped(tmp_path: Path, where: str) -> None:
    """What a cut-off write leaves behind the last commit is passed over, and all commits before it are there."""
    acknowledged = await kill_after(await start_child(tmp_path, 5), 40)
    path = tmp_path / f"{journal_check.FILE_NAME}-wal"
    with path.open("r+b") as log:
        log.seek(path.stat().st_size if where == "at the end" else written_bytes(path))
        log.write(random.Random(1).randbytes(5000))
    await check_after_kill(tmp_path, acknowledged)


async def test_another_process_keeps_the_folder_to_itself(tmp_path: Path) -> None:
    """While another process has the journal open it cannot be opened, and can once that process was killed."""
    process = await start_child(tmp_path, 1)
    assert process.stdout is not None
    await process.stdout.readline()
    with pytest.raises(JournalLocked):
        await SqliteJournal(tmp_path).open()
    await check_after_kill(tmp_path, await kill_after(process, 1))


def test_what_is_committed_is_on_the_medium_before_anybody_is_told(tmp_path: Path) -> None:
    """A kill leaves a log that was never synced as it was, so no kill would find it out: a power cut alone."""
    file = JournalFile(tmp_path)
    try:
        connection = file._connection  # noqa: SLF001 (these settings are of this connection alone)
        settings = ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync")
        assert [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in settings] == ["wal", 2, 1, 1]
    finally:
        file.close()
