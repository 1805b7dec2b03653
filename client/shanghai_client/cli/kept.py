"""A kept game of `play`: an unfinished one in its folder, what is known of it, and its record's place."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shanghai.v1 import table_pb2
from shanghai_client.cli.embedded import InUse, Unreadable, begun_text, embedded_server, kept_games, remove_game
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.connection import Connection
from shanghai_client.language import _
from shanghai_client.receipt import INSIDE, Receipt, ReceiptBook
from shanghai_client.whole_file import NoFile, read_own

_GOES_ON = frozenset({table_pb2.TABLE_STATUS_PLAYING, table_pb2.TABLE_STATUS_PAUSED, table_pb2.TABLE_STATUS_OVER})
_RECORD = "record-path"
"""The file in a game's folder that says where its record shall be written."""
_LONGEST_PATH = 1 << 16


class NothingLeft(Failed):
    """There is nothing in this folder to go on with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """An unfinished game: its folder, one's seat, the hand it is in, the seats, and the levels of its bots."""

    folder: Path
    receipt: Receipt
    hand: int
    hands: int
    players: int
    over: bool
    """Whether it has been played to its end, and only its record is still to be written."""
    levels: frozenset[str]

    @property
    def text(self) -> str:
        """The game in words."""
        text = _("Your game of {begun} (hand {hand} of {hands}, {players} players, as {name})")
        if self.over:
            text = _("Your game of {begun} (over, {players} players, as {name})")
        return text.format(
            begun=begun_text(self.folder),
            hand=self.hand,
            hands=self.hands,
            players=self.players,
            name=self.receipt.name,
        )


def server_name(folder: Path) -> str:
    """Give the name under which the receipts of a game inside this program are kept."""
    return f"{INSIDE}{folder.name}"


async def look(folder: Path, book: ReceiptBook) -> KeptGame:
    """Open the game of a folder, and close it again.

    Raises `InUse` where another program plays it, `Unreadable` where it cannot be opened, and `NothingLeft` where
    there is no unfinished game of this user in it.
    """
    receipt = next(book.all(server=server_name(folder)), None)
    if receipt is None:
        raise NothingLeft(_("it has no seat of yours"))
    async with embedded_server(folder, None) as address, await Connection.to(address) as connection:
        tables = {table.table: table for table in await connection.tables()}
    if not tables:
        # Another program ended its game while this one opened the folder, and so made it again.
        remove_game(folder)
    table = tables.get(receipt.table)
    if table is None or table.status not in _GOES_ON:
        raise NothingLeft(_("it is not on"))
    return KeptGame(
        folder=folder,
        receipt=receipt,
        hand=table.hand,
        hands=table.hands,
        players=len(table.seats),
        over=table.status == table_pb2.TABLE_STATUS_OVER,
        levels=frozenset(seat.level for seat in table.seats if seat.occupant == table_pb2.OCCUPANT_BOT),
    )


async def newest(book: ReceiptBook, *, over: bool) -> tuple[KeptGame | None, list[str]]:
    """Give the last played game that is kept, and a sentence for each later one that cannot be gone on with.

    With `over` that may be one of which only the record is still to be written.
    """
    notes: list[str] = []
    for folder in kept_games():
        try:
            game = await look(folder, book)
        except (InUse, NothingLeft):
            continue
        except Unreadable as error:
            notes.append(_cannot_go_on(folder, error))
            continue
        if over or not game.over:
            return game, notes
        text = _("{game} is kept for its record: --resume --record FILE writes it, --forget removes it.")
        notes.append(text.format(game=game.text))
    return None, notes


async def list_lines(book: ReceiptBook) -> list[str]:
    """Give a line for each kept game, with the number by which it is named, the last played first."""
    lines = []
    for number, folder in enumerate(kept_games(), start=1):
        try:
            text = (await look(folder, book)).text
        except InUse:
            text = _playing(folder, book)
        except (NothingLeft, Unreadable) as error:
            text = _cannot_go_on(folder, error)
        record = record_of(folder)
        if record is not None:
            text = _("{game}, record in {path!r}").format(game=text, path=str(record))
        lines.append(f"{number:>2}  {text}")
    return lines or [_("No game is kept.")]


def _playing(folder: Path, book: ReceiptBook) -> str:
    """Say that another program plays a game, which nobody else can look into: but the name there is known."""
    receipt = next(book.all(server=server_name(folder)), None)
    if receipt is None:
        return _("Your game of {begun}: another program is playing it").format(begun=begun_text(folder))
    text = _("Your game of {begun} (as {name}): another program is playing it")
    return text.format(begun=begun_text(folder), name=receipt.name)


def _cannot_go_on(folder: Path, why: Failed) -> str:
    return _("Your game of {begun} cannot be gone on with: {why}").format(begun=begun_text(folder), why=why)


def named(number: int) -> Path:
    """Give the folder of a kept game by its number in the list; raises `WrongInput` where there is none."""
    folders = list(kept_games())
    if not 1 <= number <= len(folders):
        text = _("there is no kept game {number}: none is kept")
        if folders:
            text = _("there is no kept game {number}: they have the numbers 1 to {last}, and --kept lists them")
        raise WrongInput(text.format(number=number, last=len(folders)))
    return folders[number - 1]


async def forget(numbers: Sequence[int], book: ReceiptBook) -> list[str]:
    """Remove kept games by their numbers in the list, and give a sentence for each.

    Raises `WrongInput` where there is none of a number, and `InUse` where another program plays one; what is named
    before that one has gone then.
    """
    told = []
    for folder in [named(number) for number in dict.fromkeys(numbers)]:
        try:
            await look(folder, book)
        except InUse as playing:
            text = _("your game of {begun} stays: another program is playing it")
            raise InUse(text.format(begun=begun_text(folder))) from playing
        except (NothingLeft, Unreadable):
            # It can only go.
            pass
        remove_game(folder)
        told.append(_("Your game of {begun} is removed.").format(begun=begun_text(folder)))
    return told


def record_of(folder: Path) -> Path | None:
    """Give where the record of a kept game shall be written; none where it shall not."""
    try:
        return Path(os.fsdecode(read_own(folder / _RECORD, most=_LONGEST_PATH)))
    except (FileNotFoundError, NoFile):
        return None


def keep_record_of(folder: Path, record: Path) -> None:
    """Keep where the record of a game shall be written, for when it is gone on with."""
    (folder / _RECORD).write_bytes(os.fsencode(record.absolute()))
