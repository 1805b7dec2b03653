"""A host that is started again on its folder: what it says about what it finds there."""

from pathlib import Path

from client_program import Terminal
from server_table import playground

from shanghai_server.journal.sqlite_journal import SqliteJournal


async def test_a_host_names_the_tables_that_it_cannot_read_and_serves_the_others(tmp_path: Path) -> None:
    """One sentence for each, on the terminal and without a traceback; the readable table is announced as before."""
    data = tmp_path / "games"
    async with playground(journal=SqliteJournal(data)) as ground:
        good, spoilt = await ground.create(2), await ground.create(2)
        await ground.journal.append(spoilt, 1, [b'{"fact":"from the future"}'])
    terminal = Terminal("host", "--listen", "127.0.0.1:0", "--data", str(data), home=tmp_path)
    try:
        before = await terminal.expect(f"Table {good}")
        assert f"the table '{spoilt}' cannot be rebuilt: its record 2 cannot be taken in" in " ".join(before.split())
        assert "Traceback" not in before
        await terminal.expect("Ctrl-C stops the server")
    finally:
        terminal.close()
    async with playground(journal=SqliteJournal(data)) as ground:
        assert len(await ground.journal.read(spoilt, 0)) == 2
