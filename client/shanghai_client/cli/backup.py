"""`shanghai-rum backup`: a copy of a server's games, taken while it runs."""

from __future__ import annotations

from pathlib import Path

import click

from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.folders import data_folder
from shanghai_client.language import _, later, plural
from shanghai_client.server_faults import journal_reason_text, server_fault_text


@command(
    help=later(
        "Copy all games of the server with the folder DIR into FILE, which must not exist, whether it runs or not.\n\n"
        "The copy holds everything that was acknowledged when it was taken. It is secret, because it holds the cards of"
        " unfinished games. To restore it, put it into an empty folder under the name journal.sqlite3, and host with"
        " that."
    )
)
@option("--data", type=click.Path(path_type=Path), metavar="DIR", help=later("Where the games are kept, as for host."))
@click.argument("file", type=click.Path(path_type=Path))
def backup(*, data: Path | None, file: Path) -> None:
    """Copy all games of a server into a file."""
    from shanghai_server.journal.journal import BadJournal, JournalError
    from shanghai_server.journal.journal_backup import BackupExists, back_up
    from shanghai_server.journal.journal_check import FILE_NAME

    folder = data if data is not None else data_folder() / "host"
    # A folder that is not there and one without games are the same mistake.
    if not (folder / FILE_NAME).is_file():
        text = _("there are no games in {folder!r}: name the folder that the server was started with")
        raise WrongInput(text.format(folder=str(folder)))
    try:
        tables = back_up(folder, file)
    except BackupExists as there:
        raise WrongInput(server_fault_text(str(there))) from there
    except BadJournal as bad:
        text = _("the journal {path!r} {reason}, so nothing was copied")
        raise WrongInput(text.format(path=str(bad.path), reason=journal_reason_text(bad.reason))) from bad
    except JournalError as error:
        raise Failed(_("nothing was copied: {why}").format(why=server_fault_text(str(error)))) from error
    text = plural("{count} table copied to {file}", "{count} tables copied to {file}", tables)
    click.echo(text.format(count=tables, file=file))
