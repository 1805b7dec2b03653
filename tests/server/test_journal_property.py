"""Any history of a journal against the plainest model of it: a dict of lists."""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shanghai_server.journal.journal import Conflict, Entry, Journal, TableEntry
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.journal.sqlite_journal import SqliteJournal


@dataclass(frozen=True, slots=True)
class Wish:
    """An append as it is drawn: behind the last sequence of the table, or off by some."""

    table: str
    off_by: int
    records: list[bytes]


TABLES = st.sampled_from(["A", "B", "Ünï", "a"])
WISHES = st.builds(
    Wish,
    table=TABLES,
    off_by=st.sampled_from([0, 0, 0, 0, 1, -1, 5]),
    records=st.lists(
        st.binary(max_size=9) | st.sampled_from([b"long" * 300, b"longer" * 1000]), min_size=1, max_size=4
    ),
)
# Several wishes in one step are appended at the same time; an empty step closes the journal and opens it again.
HISTORIES = st.lists(st.lists(WISHES, max_size=6), max_size=8)


def foresee(model: dict[str, list[bytes]], wish: Wish, after: int) -> int | tuple[int, int]:
    """Do in the model what the journal is to do; give the new sequence, or the two sequences of the conflict."""
    found = len(model.get(wish.table, []))
    if found != after:
        return after, found
    model.setdefault(wish.table, []).extend(wish.records)
    return len(model[wish.table])


async def compare(journal: Journal, history: list[list[Wish]]) -> None:
    """Let the journal and the model live through a history, and compare every answer."""
    model: dict[str, list[bytes]] = {}
    async with journal:
        for wishes in history:
            if not wishes:
                await journal.close()
                await journal.open()
            afters: list[int] = []
            foreseen: list[int | tuple[int, int]] = []
            for wish in wishes:
                afters.append(max(0, len(model.get(wish.table, [])) + wish.off_by))
                foreseen.append(foresee(model, wish, afters[-1]))
            answers = await asyncio.gather(
                *(journal.append(wish.table, after, wish.records) for wish, after in zip(wishes, afters, strict=True)),
                return_exceptions=True,
            )
            assert [(a.expected, a.found) if isinstance(a, Conflict) else a for a in answers] == foreseen
            assert await journal.tables() == [TableEntry(table, len(records)) for table, records in model.items()]
            for table, records in model.items():
                entries = [Entry(n, record) for n, record in enumerate(records, start=1)]
                assert await journal.read(table, 0) == entries
                assert await journal.read(table, len(records) // 2) == entries[len(records) // 2 :]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@given(history=HISTORIES)
async def test_a_journal_does_what_a_dict_of_lists_does(kind: str, history: list[list[Wish]]) -> None:
    """Appends alone and together, conflicts, reads and restarts give what the model foresees."""
    if kind == "memory":
        await compare(MemoryJournal(), history)
    else:
        with tempfile.TemporaryDirectory() as folder:
            await compare(SqliteJournal(Path(folder)), history)
