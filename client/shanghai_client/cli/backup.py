"""`shanghai-rum backup`: a copy of a server's games, taken while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.folders import data_folder


@click.command()
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Where the games are kept, as for host.")
@click.argument("file", type=click.Path(path_type=Path))
def backup(*, data: Path | None, file: Path) -> None:
    """Copy all games of the server with the folder DIR into FILE, which must not exist, whether it runs or not.

    The copy holds everything that was acknowledged when it was taken. It is secret, because it holds the cards of
    unfinished games. To restore it, put it into an empty folder under the name journal.sqlite3, and host with that.
    """
    from shanghai_server.journal import BadJournal, JournalError
    from shanghai_server.journal_backup import BackupExists, back_up

    folder = data if data is not None else data_folder() / "host"
    if not folder.is_dir():
        raise WrongInput(f"there are no games in {str(folder)!r}: name the folder that the server was started with")
    try:
        tables = back_up(folder, file)
    except BackupExists as there:
        raise WrongInput(str(there)) from there
    except BadJournal as bad:
        raise WrongInput(f"the journal {str(bad.path)!r} {bad.reason}, so nothing was copied") from bad
    except JournalError as error:
        raise Failed(f"nothing was copied: {error}") from error
    click.echo(f"{tables} table{'' if tables == 1 else 's'} copied to {file}")
