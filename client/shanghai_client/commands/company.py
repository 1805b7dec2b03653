"""The commands about the people at the table: who stays, who takes over, who plays for whom; pauses and rematches."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import BadCommand, Command, Desk, Topic, check_alone, nothing
from shanghai_client.commands.sitting import HAS_LEVELS, YES, hosts_seat, is_asked_back, own_seat
from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import clip_name
from shanghai_client.present.people import level_text, name_text
from shanghai_client.program import line_for_others
from shanghai_client.receipt import INSIDE
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_client.security import SYSTEM
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS

STOP = "stop"
_MINUTE = 60
_NAME = 24
"""Cells of a name within a question, which has one line."""


async def _kick(desk: Desk, words: Sequence[str]) -> None:
    seat = hosts_seat(desk, _("only the host of the table sends somebody away"))
    is_meant = len(words) > 1 and words[-1].lower() == YES
    wanted = _read_seat(" ".join(words[:-1] if is_meant else words), desk.scene, "kick")
    sitting = desk.scene.table.seats[wanted]
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and wanted != desk.scene.seat and not is_meant:
        line = f"kick {_called(wanted, desk.scene)} {YES}"
        question, else_say = _send_away(desk.scene, clip_name(name_text(sitting.name), _NAME), line)
        if is_asked_back(desk, question=question, line=line, else_say=else_say, about=wanted):
            return
    await seat.kick(wanted)


def _send_away(scene: Scene, name: str, line: str) -> tuple[str, str]:
    """Give what is asked before somebody is sent away, by one key and where lines are typed."""
    if scene.table.status == table_pb2.TABLE_STATUS_LOBBY:
        question = _("Send {name} away for good? The seat is free for others.")
        else_say = _("kick sends {name} away for good, and the seat is free for others: write {line} if you mean it")
    else:
        question = _("Send {name} away for good? A bot plays the seat on (R2.3).")
        else_say = _("kick sends {name} away for good, and a bot plays the seat on (R2.3): write {line} if you mean it")
    return question.format(name=name), else_say.format(name=name, line=line)


async def _bot(desk: Desk, words: Sequence[str]) -> None:
    if not words:
        text = _("say which seat a bot shall have, as in bot 2")
        if HAS_LEVELS:
            text = _("say which seat a bot shall have, or which bot shall play at another level, as in bot 2 basic")
        raise BadCommand(text)
    seat = hosts_seat(desk, _("only the host of the table seats bots"))
    level = words[-1].lower() if len(words) > 1 and words[-1].lower() in LEVELS else ""
    wanted = _read_seat(" ".join(words[:-1] if level else words), desk.scene, "bot")
    sitting = desk.scene.table.seats[wanted]
    await seat.add_bot(level=level, seat=wanted)
    if sitting.occupant == table_pb2.OCCUPANT_BOT:
        # Nobody comes and nobody goes, so no news will tell of it.
        text = _("{name} plays at the level {level}.")
        desk.say([text.format(name=name_text(sitting.name), level=level_text(level or DEFAULT_LEVEL))])


async def _remove(desk: Desk, words: Sequence[str]) -> None:
    seat = hosts_seat(desk, _("only the host of the table takes bots away"))
    await seat.remove_bot(_read_seat(" ".join(words), desk.scene, "remove"))


async def _give(desk: Desk, words: Sequence[str]) -> None:
    seat = own_seat(desk)
    if [word.lower() for word in words] == [STOP]:
        await seat.keep_seat()
        desk.say([_("You keep your seat: the code is good no more.")])
        return
    if words:
        text = _("give stands alone, or with stop behind it: {words!r} is neither")
        raise BadCommand(text.format(words=" ".join(words)))
    if seat.receipt.server.startswith(INSIDE):
        raise BadCommand(_("nobody else can reach this game, which is played inside your program: host opens one"))
    code, seconds = await seat.hand_over()
    line = line_for_others("join", seat.connection.address, "--table", seat.table, "--code", code, *_secured(seat))
    minutes = count(round(seconds / _MINUTE), "minute")
    desk.say(
        [
            _("Whoever joins with this code within {minutes} has your seat:").format(minutes=minutes),
            f"  {line}",
            _("give stop takes it back."),
        ]
    )


def _secured(seat: Seat) -> tuple[str, ...]:
    """Give the options that secure the connection of somebody else as this one is."""
    authority = seat.connection.authority
    if authority:
        return ("--ca", authority if authority == SYSTEM else "FILE")
    return ("--tls",) if seat.connection.speaks_tls else ()


async def _pause(desk: Desk, words: Sequence[str]) -> None:
    check_alone("pause", words)
    await own_seat(desk).pause()


async def _resume(desk: Desk, words: Sequence[str]) -> None:
    check_alone("resume", words)
    await own_seat(desk).resume()


async def _rematch(desk: Desk, words: Sequence[str]) -> None:
    check_alone("rematch", words)
    await own_seat(desk).rematch()


def _read_seat(text: str, scene: Scene, command: str) -> int:
    """Read a seat by its number or by the name of who sits there; raises `BadCommand`."""
    seats = scene.table.seats
    if not text:
        text = _("say which seat, by its number or by a name, as in {command}")
        raise BadCommand(text.format(command=f"{command} 2"))
    # A bot's name is known as it is shown, and as others know it.
    names = {seat.index: {seat.name.casefold(), name_text(seat.name).casefold()} for seat in seats}
    named = [index for index, called in names.items() if text.casefold() in called]
    if named:
        return named[0]
    if text.isascii() and text.isdigit() and int(text) < len(seats):
        return int(text)
    said = _("nobody here is called {name!r}, and the seats are 0 to {last}: who shows them")
    raise BadCommand(said.format(name=text, last=len(seats) - 1))


def _called(seat: int, scene: Scene) -> str:
    """Give what names who sits on a seat in a command: the name, for the seat may be another's before that is sent.

    Where the name alone would be read as somebody else's it is the number.
    """
    name = " ".join(scene.name(seat).split())
    try:
        is_read = _read_seat(name, scene, "kick") == seat
    except BadCommand:
        is_read = False
    return name if is_read else str(seat)


def _complete_kick(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    if len(words) == 1:
        return (YES,)
    return _seats(scene, words, table_pb2.OCCUPANT_PERSON)


def _complete_remove(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return _seats(scene, words, table_pb2.OCCUPANT_BOT)


def _complete_bot(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    if len(words) == 1:
        return list(LEVELS) if HAS_LEVELS else ()
    return _seats(scene, words, table_pb2.OCCUPANT_BOT, table_pb2.OCCUPANT_NOBODY)


def _complete_give(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return () if words else (STOP,)


def _seats(scene: Scene, words: Sequence[str], *occupants: table_pb2.Occupant.ValueType) -> Sequence[str]:
    if words:
        return ()
    return [str(seat.index) for seat in scene.table.seats if seat.occupant in occupants and seat.index != scene.seat]


COMPANY: tuple[Command, ...] = (
    Command(
        name="pause",
        topic=Topic.SITTING,
        help=later("pause the game, if you are the host; else it is paused once everybody here says so"),
        run=_pause,
        complete=nothing,
    ),
    Command(
        name="resume",
        topic=Topic.SITTING,
        help=later("let the paused game go on, if you are the host; else once everybody here says so"),
        run=_resume,
        complete=nothing,
    ),
    Command(
        name="rematch",
        topic=Topic.SITTING,
        help=later("after a game, play another with the same people: the host says so, or everybody does"),
        run=_rematch,
        complete=nothing,
    ),
    Command(
        name="give",
        arguments=later("[stop]"),
        topic=Topic.SITTING,
        help=later("make a code with which somebody else takes over your seat (R2.3); stop takes it back"),
        run=_give,
        complete=_complete_give,
    ),
    Command(
        name="bot",
        arguments=later("SEAT [LEVEL]") if HAS_LEVELS else later("SEAT"),
        topic=Topic.SITTING,
        help=later("seat a bot on a seat, or let the bot there play at another level, if you are the host")
        if HAS_LEVELS
        else later("seat a bot on a seat, if you are the host"),
        run=_bot,
        complete=_complete_bot,
    ),
    Command(
        name="remove",
        arguments=later("SEAT"),
        topic=Topic.SITTING,
        help=later("take a bot away before the game, if you are the host"),
        run=_remove,
        complete=_complete_remove,
    ),
    Command(
        name="kick",
        arguments=later("SEAT [yes]"),
        topic=Topic.SITTING,
        help=later(
            "send somebody away for good, if you are the host: in a game a bot plays his seat on (R2.3); on a terminal"
            " only with yes behind it"
        ),
        run=_kick,
        complete=_complete_kick,
    ),
)
"""The commands about people."""
