"""`shanghai-rum play`: a game now, on a server inside this program, against bots."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from shanghai.v1 import table_pb2
from shanghai_client.cli.embedded import embedded_server, kept_games, new_game_folder, note_played, remove_game
from shanghai_client.cli.given import given_options
from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.kept import (
    KeptGame,
    forget,
    keep_record_of,
    list_lines,
    look,
    named,
    newest,
    record_of,
    server_name,
)
from shanghai_client.cli.levels import check_level, levels_help
from shanghai_client.cli.logs import log_as_user
from shanghai_client.cli.naming import own_name
from shanghai_client.cli.option_types import RULES, TEXT, Seconds, Whole
from shanghai_client.cli.record_file import RecordFile, Unwritten
from shanghai_client.cli.running import in_terminal, run
from shanghai_client.cli.screen_choice import Screen, chosen_screen, said_plain, screen_options
from shanghai_client.cli.sitting import play_at
from shanghai_client.cli.telling import remark
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.commands.command import Leaving
from shanghai_client.connection import Connection
from shanghai_client.folders import data_folder, receipts_in
from shanghai_client.language import _, later, plural
from shanghai_client.program import command_line
from shanghai_client.receipt import NONCE_BYTES, Receipt, ReceiptBook
from shanghai_client.seat import Seat
from shanghai_client.table_desk import Interrupt
from shanghai_engine.bots import DEFAULT_LEVEL
from shanghai_engine.rules import RuleSet

_OF_A_GAME = ("players", "name", "level", "seed", "rules", "pace")
"""The options that say how a new game is."""
_KEPT = later("The game is kept: {command} goes on with it.")
_NOT_KEPT = later("The game was a bot's alone and is not kept: {command} begins another.")
_RECORD_LATER = later("{why}; the game is over and kept: {command} writes its record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a player asks of `play`, read and found possible."""

    players: int
    name: str
    level: str
    rules: RuleSet
    seed: str | None
    auto: bool
    nobody: bool
    """Whether no terminal is there, and nothing was said about who plays."""
    resume: int | None
    """The number of the kept game to go on with, 0 for the newest, none where that is not asked for."""
    pace_ms: int
    given: tuple[str, ...]
    """The options of a new game that the player has given himself."""

    def contradicts(self, kept: KeptGame) -> tuple[str, ...]:
        """Give the options that this kept game cannot follow, because it was begun otherwise."""
        fits = {"--players": kept.players == self.players, "--name": kept.receipt.name == self.name}
        # With --auto the level is also that of the bot on one's own seat.
        fits["--level"] = self.auto or kept.levels == {self.level}
        return tuple(option for option in self.given if not fits.get(option, False))


@command(
    help=later(
        "Play a game against bots, now. It is kept while it is not finished, and offered again the next time.\n\n"
        "A game that a bot plays for you (--auto) is not kept."
    )
)
@option("--players", type=Whole(), default=4, show_default=True, help=later("Seats, 2 to 8; bots take all but yours."))
@option("--name", help=later("Your name; else that of your settings, or of your account."))
@option("--level", default=DEFAULT_LEVEL, show_default=True, help=levels_help)
@option("--seed", type=TEXT, help=later("Fix the whole game, its deals and its bots, by any text."))
@option("--auto", is_flag=True, help=later("Let a bot play your seat too, and print what happens."))
@screen_options
@option(
    "--record", type=click.Path(path_type=Path), help=later("Write the game's record to this file when it is over.")
)
@option("--force", is_flag=True, help=later("Let --record overwrite a file that is there."))
@option(
    "--rules", type=RULES, default="standard", show_default=True, metavar="PRESET|FILE", help=later("The rules (R16).")
)
@option("--pace", type=Seconds(60), help=later("Seconds that a bot takes for what it does; usually 0.8."))
@option(
    "--resume",
    is_flag=False,
    flag_value=0,
    type=Whole(min=0),
    metavar="[N]",
    help=later("Go on with a kept game without asking: the last played, or number N of --kept."),
)
@option("--kept", is_flag=True, help=later("List the kept games, and play none."))
@option(
    "--forget",
    "forgotten",
    type=Whole(min=1),
    multiple=True,
    metavar="N",
    help=later("Remove number N of --kept for good, and play none."),
)
def play(  # noqa: PLR0913 (one parameter for each option)
    *,
    players: int,
    name: str | None,
    level: str,
    seed: str | None,
    auto: bool,
    record: Path | None,
    force: bool,
    rules: str,
    pace: float | None,
    resume: int | None,
    kept: bool,
    forgotten: tuple[int, ...],
) -> None:
    """Play a game against bots, now."""
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    check_level(level)
    book = receipts_in(data_folder())
    if kept or forgotten:
        log_as_user()
        for line in run(forget(forgotten, book) if forgotten else list_lines(book)):
            click.echo(line)
        return
    nobody = not auto and not said_plain() and not in_terminal()
    auto = auto or nobody
    wish = Wish(
        players=players,
        name=own_name(name),
        level=level,
        rules=rule_set,
        seed=seed,
        auto=auto,
        nobody=nobody,
        resume=resume,
        pace_ms=round((0.0 if auto else 0.8) * 1000) if pace is None else round(pace * 1000),
        given=given_options(_OF_A_GAME),
    )
    with ExitStack() as stack:
        file = stack.enter_context(RecordFile(record, force=force))
        if nobody and resume is None:
            text = _("There is no terminal here, so a bot plays your seat (--auto); --plain reads commands.")
            remark(text)
        log_as_user()
        kept_game = _choose(wish, book)
        if kept_game is not None and record is None:
            file = stack.enter_context(RecordFile(record_of(kept_game.folder), force=force, kept=True))
        if kept_game is not None and kept_game.over:
            run(_write_record(book, kept_game.folder, file))
        else:
            screen = None if auto else chosen_screen()
            run(_play(wish, book, None if kept_game is None else kept_game.folder, file, screen))
        if file.written and record is None:
            click.echo(_("The record is in {path!r}.").format(path=str(file.path)), err=True)


def _choose(wish: Wish, book: ReceiptBook) -> KeptGame | None:
    """Give the kept game to go on with, asking where a person is there to answer; none where a new one is wanted.

    It is asked while no event loop runs: one Ctrl-C ends the question.
    """
    if wish.resume:
        kept: KeptGame | None = run(look(named(wish.resume), book))
    else:
        kept, notes = run(newest(book, over=wish.resume is not None))
        for note in notes:
            remark(note)
    if kept is None:
        if wish.resume is not None:
            raise Failed(_("there is no unfinished game to go on with"))
        return None
    others = wish.contradicts(kept)
    if wish.resume is not None:
        if others:
            text = _("{options} cannot be used with --resume: a kept game goes on as it was begun")
            raise WrongInput(text.format(options=", ".join(others)))
        if wish.nobody and not kept.over:
            raise WrongInput(
                _(
                    "there is no terminal here: with --resume say --plain, which reads commands, or --auto, which lets"
                    " a bot play your game"
                )
            )
        return kept
    if others or wish.auto or not in_terminal():
        text = _("{game} is kept; this is a new one (--resume goes on with the old one).")
        if others:
            text = _("{game} is kept; this is a new one, because of {options} (--resume goes on with the old one).")
        remark(text.format(game=kept.text, options=", ".join(others)))
        return None
    return kept if _wants(kept) else None


def _wants(kept: KeptGame) -> bool:
    unfinished = _("{game} is not finished.").format(game=kept.text)
    others = _others_text()
    screen = chosen_screen(says=False)
    if screen is None:
        remark(" ".join(filter(None, [unfinished, others])))
        return click.confirm(_("Go on with it?"), default=True, err=True)
    # Loaded here: who plays line by line need not wait for it.
    from shanghai_client.screen.asked import ask

    answers = {"enter": _("go on with it"), "n": _("a new game"), "q": _("quit")}
    sentences = [unfinished, _("Go on with it? If you begin a new game, this one stays kept."), *filter(None, [others])]
    answer = run(ask(sentences, answers, look=screen.look))
    if answer == "q":
        raise click.exceptions.Exit(0)
    return answer == "enter"


def _others_text() -> str:
    """Say how the kept games are found beside the one that is asked about; empty where there are none."""
    others = len(list(kept_games())) - 1
    if others < 1:
        return ""
    text = plural(
        "{n} other game is kept: {list} shows it, and {resume} goes on with it.",
        "{n} other games are kept: {list} shows them, and {resume} goes on with one.",
        others,
    )
    resume = command_line("play", "--resume", "N")
    return text.format(n=others, list=command_line("play", "--kept"), resume=resume)


async def _play(wish: Wish, book: ReceiptBook, kept: Path | None, record: RecordFile, screen: Screen | None) -> None:
    folder = new_game_folder() if kept is None else kept
    # A game in which nobody plays is not worth keeping, however it ends; only a record is not thrown away.
    stays = kept is not None or not wish.auto
    try:
        left = await _played(wish, book, kept, folder, record, screen)
    except Unwritten as unwritten:
        raise _record_later(unwritten) from unwritten
    except (Interrupt, asyncio.CancelledError):
        if not stays:
            remove_game(folder)
        # A game that had not begun yet is gone already.
        if folder.exists() or not stays:
            _tell_end(kept=stays)
        raise
    except BaseException:
        if not stays:
            remove_game(folder)
        raise
    if left is None or left is Leaving.LEAVE:
        # The game is over, or given up.
        remove_game(folder)
    else:
        _tell_end(kept=True)


def _tell_end(*, kept: bool) -> None:
    """Say what has become of a game that was left, and the line that goes on with it, or begins another."""
    click.echo(_(_KEPT if kept else _NOT_KEPT).format(command=command_line("play")), err=True)


def _record_later(why: Unwritten) -> Unwritten:
    """Give the error with the line that writes the record once it can be written."""
    command = command_line("play", "--resume", "--record", "FILE")
    return Unwritten(_(_RECORD_LATER).format(why=why, command=command))


async def _played(
    wish: Wish, book: ReceiptBook, kept: Path | None, folder: Path, record: RecordFile, screen: Screen | None
) -> Leaving | None:
    """Play a game in its folder, a new one or a kept one, and give how the player left it."""
    async with AsyncExitStack() as stack:
        if kept is None:
            seat = await _begun(wish, book, folder, stack)
        else:
            seat = await _gone_on_with(book, folder, stack)
        if record.path is not None:
            keep_record_of(folder, record.path)
        note_played(folder)
        try:
            return await play_at(
                seat, auto=wish.auto, level=wish.level, salt=wish.seed, on_record=record.write, screen=screen
            )
        finally:
            note_played(folder)


async def _write_record(book: ReceiptBook, folder: Path, record: RecordFile) -> None:
    """Write the record of a kept game that is over, and keep it no longer; raises `WrongInput` without a file."""
    if record.path is None:
        raise WrongInput(_("that game is over, and only its record is still to be written: say --record FILE"))
    try:
        async with AsyncExitStack() as stack:
            seat = await _gone_on_with(book, folder, stack)
            record.write(await seat.record())
    except Unwritten as unwritten:
        raise _record_later(unwritten) from unwritten
    remove_game(folder)


async def _gone_on_with(book: ReceiptBook, folder: Path, stack: AsyncExitStack) -> Seat:
    """Take one's seat in a kept game again."""
    receipt = next(book.all(server=server_name(folder)))
    address = await stack.enter_async_context(embedded_server(folder, None))
    connection = await stack.enter_async_context(await Connection.to(address))
    return await Seat.join(connection, receipt, keep=book.keep)


async def _begun(wish: Wish, book: ReceiptBook, folder: Path, stack: AsyncExitStack) -> Seat:
    """Begin a new game in a folder: a table, one's seat, the bots, the start."""
    # Outermost, so that it happens once the server has stopped.
    begun = stack.enter_context(_removed_unless_begun(folder))
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
    receipt = Receipt.new(server=server_name(folder), table=table.table, name=wish.name, nonce=_nonce(wish.seed))
    book.keep(receipt)
    try:
        seat = await Seat.join(connection, receipt, keep=book.keep)
        for _ in range(wish.players - 1):
            await seat.add_bot(level=wish.level)
        await seat.start()
    except BaseException:
        # A table at which no game has begun is nothing to go on with.
        book.forget(receipt)
        raise
    begun.set()
    return seat


@contextmanager
def _removed_unless_begun(folder: Path) -> Iterator[asyncio.Event]:
    """Remove a new game in the end, unless the event was set that is given: then it has begun."""
    begun = asyncio.Event()
    try:
        yield begun
    finally:
        if not begun.is_set():
            remove_game(folder)


def _nonce(seed: str | None) -> bytes | None:
    """Give the nonce that belongs to a seed, so that the seed alone fixes the game; none for a fresh one."""
    if seed is None:
        return None
    return hmac.digest(hashlib.sha256(seed.encode()).digest(), b"the player's nonce", "sha256")[:NONCE_BYTES]
