"""The journal of an embedded server: one SQLite file, one thread that writes, one commit for all who wait.

While a commit is on its way to the disk, the appends of other tables gather; the next commit takes them all. So the
disk sets the pace of commits, and not of appends, and the event loop is woken once per commit.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from shanghai_server.journal.journal import Entry, JournalUnavailable, TableEntry, check_append, check_read
from shanghai_server.journal.journal_file import Append, JournalFile, JournalReader

T = TypeVar("T")

MARK_EVERY = 0.25
"""The seconds after which the mark beside the file names what was written since (`log_mark.py`): so much a log that was
cut short after a kill may lack without being missed."""


class SqliteJournal:
    """A `Journal` in the file `journal.sqlite3` of a data folder, which is made if there is none.

    The folder is locked while the journal is open. The file holds secrets (seeds, hashes of tokens): it is readable by
    its owner alone, and so is the folder if it is made here.
    """

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._threads: _Threads | None = None

    async def open(self) -> None:
        """Open as `Journal.open` does; checks the whole file. Raises `RuntimeError` if it is open."""
        if self._threads is not None:
            if not self._threads.is_closing:
                raise RuntimeError("the journal is open already")
            await self.close()
        self._threads = threads = _Threads(self._folder, asyncio.get_running_loop())
        try:
            await threads.opened()
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close as `Journal.close` does."""
        threads = self._threads
        if threads is not None:
            # Closing goes on when whoever waits for it is cancelled.
            await asyncio.shield(threads.closed())
            if self._threads is threads:
                self._threads = None

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Append as `Journal.append` does."""
        check_append(table, after_sequence, records, snapshot)
        kept = tuple(bytes(record) for record in records)
        return await self._usable().append(Append(table, after_sequence, kept, snapshot))

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Read as `Journal.read` does."""
        check_read(after, most)
        return await self._usable().read(lambda reader: reader.read(table, after, most))

    async def tables(self) -> list[TableEntry]:
        """List as `Journal.tables` does."""
        return await self._usable().read(JournalReader.tables)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _usable(self) -> "_Threads":
        if self._threads is None or not self._threads.is_usable:
            raise JournalUnavailable("it is not open")
        return self._threads


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An append and who waits for its new last sequence."""

    append: Append
    future: asyncio.Future[int]


class _Threads:
    """The threads of one opening of a journal: a writer that owns the file and its lock, and a reader.

    Its methods are called by the event loop, those named `_write...` run in the writer, those named
    `..._reader` and `_reader_here` in the reader.
    """

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.is_usable = False
        self._folder: Final = folder
        self._loop: Final = loop
        # What this turn of the event loop has appended: handed over at its end, or else the first would go alone.
        self._gathered: list[_Waiting] = []
        # None is the last: what stands before it is still written.
        self._queue: Final[queue.SimpleQueue[list[_Waiting] | None]] = queue.SimpleQueue()
        self._file_opened: Final[asyncio.Future[None]] = loop.create_future()
        self._file_closed: Final[asyncio.Future[None]] = loop.create_future()
        self._closing: asyncio.Task[None] | None = None
        self._renewed_at = 0.0
        self._reader: JournalReader | None = None
        self._reading: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal-reader")
        # A daemon, so that a program that forgets to close can end; a commit that is cut off then is rolled back.
        self._writing: Final = threading.Thread(target=self._write, name="journal-writer", daemon=True)
        self._writing.start()

    async def opened(self) -> None:
        """Wait until the file can be written and read. Raises what opening it raised."""
        await self._file_opened
        await self._loop.run_in_executor(self._reading, self._open_reader)
        self.is_usable = True

    @property
    def is_closing(self) -> bool:
        """Whether closing has begun."""
        return self._closing is not None

    def closed(self) -> "asyncio.Task[None]":
        """Give the task that closes; the same for everybody who asks."""
        self.is_usable = False
        if self._closing is None:
            self._closing = self._loop.create_task(self._close())
        return self._closing

    async def append(self, append: Append) -> int:
        """Queue the append for the next commit and wait for it."""
        waiting = _Waiting(append, self._loop.create_future())
        if not self._gathered:
            self._loop.call_soon(self._hand_over)
        self._gathered.append(waiting)
        return await waiting.future

    async def read(self, read: Callable[[JournalReader], T]) -> T:
        """Let the reader read, in its own thread."""
        return await self._loop.run_in_executor(self._reading, lambda: read(self._reader_here()))

    async def _close(self) -> None:
        # The reader goes first: the last connection to go is the writer's, which folds the log into the file.
        try:
            await self._loop.run_in_executor(self._reading, self._close_reader)
        finally:
            self._reading.shutdown()
            self._hand_over()
            self._queue.put(None)
            await self._file_closed
            self._writing.join()

    def _hand_over(self) -> None:
        if self._gathered:
            self._queue.put(self._gathered)
            self._gathered = []

    def _open_reader(self) -> None:
        self._reader = JournalReader(self._folder)

    def _reader_here(self) -> JournalReader:
        if self._reader is None:
            raise JournalUnavailable("it is not open")
        return self._reader

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _write(self) -> None:
        try:
            file = JournalFile(self._folder)
        except BaseException as error:  # noqa: BLE001  whoever opens gets it, whatever it is
            self._wake([(self._file_opened, error), (self._file_closed, None)])
            return
        try:
            self._wake([(self._file_opened, None)])
            while self._write_waiting(file):
                pass
        finally:
            try:
                file.close()
            finally:
                self._wake([(self._file_closed, None)])

    def _write_waiting(self, file: JournalFile) -> bool:
        """Commit all appends that wait, at least one; give False if none will follow."""
        taken = [self._next(file)]
        with contextlib.suppress(queue.Empty):
            while True:
                taken.append(self._queue.get_nowait())
        waiting = [one for gathered in taken for one in gathered or () if not one.future.cancelled()]
        outcomes: Sequence[int | BaseException]
        try:
            outcomes = file.append_all([one.append for one in waiting])
        except Exception as error:  # noqa: BLE001  whoever waits gets it, and the thread lives on for the others
            outcomes = [error] * len(waiting)
        self._wake(zip((one.future for one in waiting), outcomes, strict=True))
        if None in taken:
            return False
        file.allot()
        return True

    def _next(self, file: JournalFile) -> list[_Waiting] | None:
        """Wait for what is to be written next, and let the mark be renewed now and then meanwhile."""
        while file.is_ahead_of_mark:
            left = self._renewed_at + MARK_EVERY - time.monotonic()
            if left <= 0:
                file.renew_mark()
                self._renewed_at = time.monotonic()
            else:
                with contextlib.suppress(queue.Empty):
                    return self._queue.get(timeout=left)
        return self._queue.get()

    def _wake(self, outcomes: "Iterable[tuple[asyncio.Future[T], T | BaseException]]") -> None:
        """Resolve futures in the event loop, all in one call."""
        self._loop.call_soon_threadsafe(_resolve, list(outcomes))


def _resolve(outcomes: "Sequence[tuple[asyncio.Future[T], T | BaseException]]") -> None:
    for future, outcome in outcomes:
        if future.done():  # cancelled while it waited
            continue
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
