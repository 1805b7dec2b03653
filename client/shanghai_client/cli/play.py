"""`shanghai-rum play`: a game now, on a server inside this program, against bots."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from shanghai.v1 import table_pb2
from shanghai_client.cli.embedded import (
    InUse,
    Unreadable,
    begun_text,
    embedded_server,
    kept_games,
    new_game_folder,
    remove_game,
)
from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.logs import log_to
from shanghai_client.cli.naming import read_name
from shanghai_client.cli.record_file import RecordFile
from shanghai_client.cli.running import in_terminal, run
from shanghai_client.cli.sitting import play_at
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.commands.command import Leaving
from shanghai_client.connection import Connection
from shanghai_client.folders import data_folder, log_file, receipts_in
from shanghai_client.plain.desk import Interrupt
from shanghai_client.receipt import NONCE_BYTES, Receipt, ReceiptBook
from shanghai_client.seat import Seat
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.rules import RuleSet

_KEPT = "The game is kept: shanghai-rum play goes on with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a player asks of `play`, read and found possible."""

    players: int
    name: str
    level: str
    rules: RuleSet
    seed: str | None
    auto: bool
    resume: bool
    pace_ms: int


@click.command()
@click.option("--players", default=4, show_default=True, help="Seats, 2 to 8; bots take all but yours.")
@click.option("--name", help="Your name; usually that of your account.")
@click.option("--level", default=DEFAULT_LEVEL, show_default=True, help=f"How well the bots play: {', '.join(LEVELS)}.")
@click.option("--seed", help="Fix the whole game, its deals and its bots, by any text.")
@click.option("--auto", is_flag=True, help="Let a bot play your seat too, and print what happens.")
@click.option("--plain", is_flag=True, help="Lines only, for screen readers and pipes, even without a terminal.")
@click.option("--record", type=click.Path(path_type=Path), help="Write the game's record to this file when it is over.")
@click.option("--rules", default="standard", show_default=True, metavar="PRESET|FILE", help="The rules (R16).")
@click.option("--pace", type=click.FloatRange(0, 60), help="Seconds that a bot takes for what it does; usually 0.8.")
@click.option("--resume", is_flag=True, help="Go on with the last unfinished game without asking.")
def play(  # noqa: PLR0913 (one parameter for each option)
    *,
    players: int,
    name: str | None,
    level: str,
    seed: str | None,
    auto: bool,
    plain: bool,
    record: Path | None,
    rules: str,
    pace: float | None,
    resume: bool,
) -> None:
    """Play a game against bots, now. It is kept while it is not finished, and offered again the next time."""
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    if level not in LEVELS:
        raise WrongInput(f"there is no level {level!r}: the levels are {', '.join(LEVELS)}")
    nobody = not auto and not plain and not in_terminal()
    auto = auto or nobody
    wish = Wish(
        players=players,
        name=read_name(name),
        level=level,
        rules=rule_set,
        seed=seed,
        auto=auto,
        resume=resume,
        pace_ms=round((0.0 if auto else 0.8) * 1000) if pace is None else round(pace * 1000),
    )
    with RecordFile(record) as file:
        if nobody:
            click.echo(
                "There is no terminal here, so a bot plays your seat (--auto); --plain reads commands.", err=True
            )
        log_to(log_file())
        run(_play(wish, file))


async def _play(wish: Wish, record: RecordFile) -> None:
    book = receipts_in(data_folder())
    async with AsyncExitStack() as stack:
        kept = await _kept(wish, book, stack)
        folder, seat = kept if kept is not None else await _begun(wish, book, stack)
        try:
            left = await play_at(seat, auto=wish.auto, level=wish.level, salt=wish.seed, on_record=record.write)
        except Interrupt:
            click.echo(_KEPT, err=True)
            raise
    if left is None or left is Leaving.LEAVE:
        # The game is over, or given up.
        remove_game(folder)
    else:
        click.echo(_KEPT, err=True)


async def _kept(wish: Wish, book: ReceiptBook, stack: AsyncExitStack) -> tuple[Path, Seat] | None:
    """Find the last unfinished game, and ask whether to go on with it; none where a new one shall be begun."""
    for folder in kept_games():
        async with AsyncExitStack() as trial:
            found = await _unfinished(folder, book, trial)
            if found is None:
                continue
            seat, text = found
            if not wish.resume and (wish.auto or wish.seed is not None or not in_terminal()):
                click.echo(f"{text} is kept; this is a new one (--resume goes on with the old one).", err=True)
                return None
            if wish.resume or click.confirm(f"{text} is not finished. Go on with it?", default=True, err=True):
                stack.push_async_exit(trial.pop_all())
                return folder, seat
            return None
    if wish.resume:
        raise Failed("there is no unfinished game to go on with")
    return None


async def _unfinished(folder: Path, book: ReceiptBook, stack: AsyncExitStack) -> tuple[Seat, str] | None:
    """Open a kept game, and give one's seat and the game in words; none where there is nothing to go on with."""
    receipt = next(book.all(server=_server(folder)), None)
    if receipt is None:
        return None
    try:
        address = await stack.enter_async_context(embedded_server(folder, None))
    except InUse:
        return None
    except Unreadable as error:
        click.echo(f"Your game of {begun_text(folder)} cannot be gone on with: {error}", err=True)
        return None
    connection = await stack.enter_async_context(await Connection.to(address))
    tables = {table.table: table for table in await connection.tables()}
    table = tables.get(receipt.table)
    if table is None or table.status not in {table_pb2.TABLE_STATUS_PLAYING, table_pb2.TABLE_STATUS_PAUSED}:
        return None
    seat = await Seat.join(connection, receipt, keep=book.keep)
    return seat, f"Your game of {begun_text(folder)} (hand {table.hand} of {table.hands}, {len(table.seats)} players)"


async def _begun(wish: Wish, book: ReceiptBook, stack: AsyncExitStack) -> tuple[Path, Seat]:
    """Begin a new game: a table, one's seat, the bots, the start."""
    folder = new_game_folder()
    address = await stack.enter_async_context(embedded_server(folder, wish.seed))
    connection = await stack.enter_async_context(await Connection.to(address))
    # Nobody waits for a person who plays alone: the only clock is the pace of the bots.
    options = table_pb2.TableOptions(
        offer_ms=0,
        turn_ms=0,
        grace_ms=0,
        pause_ms=0,
        bot_pace_ms=wish.pace_ms,
        wait_for_absent=True,
        latecomers=False,
    )
    table = await connection.create_table(seats=wish.players, rules=wish.rules, options=options)
    receipt = Receipt.new(server=_server(folder), table=table.table, name=wish.name, nonce=_nonce(wish.seed))
    book.keep(receipt)
    seat = await Seat.join(connection, receipt, keep=book.keep)
    for _ in range(wish.players - 1):
        await seat.add_bot(level=wish.level)
    await seat.start()
    return folder, seat


def _server(folder: Path) -> str:
    """Give the name under which the receipts of a game inside this program are kept."""
    return f"play:{folder.name}"


def _nonce(seed: str | None) -> bytes | None:
    """Give the nonce that belongs to a seed, so that the seed alone fixes the game; none for a fresh one."""
    if seed is None:
        return None
    return hmac.digest(hashlib.sha256(seed.encode()).digest(), b"the player's nonce", "sha256")[:NONCE_BYTES]
