"""A server inside this program, for one person's game: each game has a folder of its own with its journal.

games/20261129-213005-3f2a/journal.sqlite3     in the user's data folder
"""

from __future__ import annotations

import secrets as system
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from pathlib import Path
from shutil import rmtree

import structlog

from shanghai_client.cli.wrong import Failed
from shanghai_client.folders import data_folder
from shanghai_client.language import _
from shanghai_client.server_faults import server_fault_text
from shanghai_client.whole_file import read_own

_PLAYED = "last-played"
"""The file in a game's folder that says when it was played last."""
_LONGEST_TIME = 64
"""The bytes of that file at most."""
_FOR_EVER_S = 100 * 365 * 24 * 60 * 60


def games_folder() -> Path:
    """Give the folder of all games of `play`."""
    return data_folder() / "games"


def new_game_folder() -> Path:
    """Give a path for a new game, which is made by its journal."""
    now = datetime.now().astimezone()
    return games_folder() / f"{now:%Y%m%d-%H%M%S}-{system.token_hex(2)}"


def kept_games() -> Iterator[Path]:
    """Give the folders of games that were not finished, the last played first; another program may be playing them."""
    if games_folder().is_dir():
        kept = (path for path in games_folder().iterdir() if path.is_dir() and not path.name.startswith("."))
        yield from sorted(kept, key=lambda folder: (_played_at(folder), folder.name), reverse=True)


def note_played(folder: Path) -> None:
    """Write down that a game is played now; nothing where it is gone."""
    # Its journal does not say so: who only looks into a game opens that, too.
    with suppress(FileNotFoundError):
        (folder / _PLAYED).write_text(f"{time.time():.6f}\n", encoding="ascii")


def _played_at(folder: Path) -> float:
    """Give when a game was played last, in seconds since 1970; when it was begun, where that is not written down."""
    try:
        return float(read_own(folder / _PLAYED, most=_LONGEST_TIME))
    except (OSError, ValueError):
        begun = _begun_at(folder)
        return begun.timestamp() if begun is not None else 0.0


def _begun_at(folder: Path) -> datetime | None:
    """Give when a game was begun, from the name of its folder; none where that does not say so."""
    try:
        return datetime.strptime(folder.name[:15], "%Y%m%d-%H%M%S").astimezone()
    except ValueError:
        return None


def begun_text(folder: Path) -> str:
    """Give when a game was begun, in words."""
    begun = _begun_at(folder)
    return folder.name if begun is None else begun.strftime(_("%d %B, %H:%M"))


def remove_game(folder: Path) -> None:
    """Remove a game that is over, was given up or shall not be kept; one that is not there is removed already."""
    # Out of sight in one step: nobody shall find half of a game, or make its folder again while it is being removed.
    going = folder.with_name(f".{folder.name}.{system.token_hex(4)}")
    try:
        folder.rename(going)
    except FileNotFoundError:
        return
    rmtree(going)


class InUse(Failed):
    """Another program is playing this game."""


class Unreadable(Failed):
    """The journal of this game cannot be opened; the text says why."""


@asynccontextmanager
async def embedded_server(folder: Path, seed: str | None) -> AsyncIterator[str]:
    """Serve the game in a folder on a free port of this machine alone; gives its address.

    A seed fixes everything that is drawn. Raises `InUse` where another program has the folder open, and `Unreadable`
    where the journal cannot be opened for another reason.
    """
    from shanghai_server.doors.server import GameServer
    from shanghai_server.house.rate import Rate
    from shanghai_server.house.secret import SeededSecrets, SystemSecrets
    from shanghai_server.house.settings import Settings
    from shanghai_server.journal.journal import JournalError, JournalLocked
    from shanghai_server.journal.sqlite_journal import SqliteJournal

    journal = SqliteJournal(folder)
    try:
        await journal.open()
    except JournalLocked as locked:
        raise InUse(server_fault_text(str(locked))) from locked
    except JournalError as error:
        raise Unreadable(server_fault_text(str(error))) from error
    try:
        secrets = SystemSecrets() if seed is None else SeededSecrets(seed)
        # A game of one's own is kept until it is over, its record is written or it is given up, not for some days.
        # Nobody else can reach it, so nobody is held up either: a bot on one's seat may play as fast as it can.
        settings = Settings(
            kept_s=_FOR_EVER_S,
            kept_over_s=_FOR_EVER_S,
            kept_empty_s=_FOR_EVER_S,
            calls=Rate(burst=10**9, per_second=1e9),
        )
        log = structlog.get_logger("server")
        server = GameServer(journal, listen="127.0.0.1:0", settings=settings, secrets=secrets, log=log)
        port = await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop()
    finally:
        await journal.close()
