"""The commands around the game: the lobby, talk, help, and going."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import BadCommand, Command, Desk, Leaving, Topic, check_alone, nothing
from shanghai_client.language import _, later, plural
from shanghai_client.present.amounts import count
from shanghai_client.present.tables import free_seats
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_engine.bots import LEVELS

MOST_BOTS = 7
HAS_LEVELS = len(LEVELS) > 1
"""Whether there is a level of the bots to choose: help names none where there is only one."""
YES = "yes"
"""Stands behind a command that is for good, where it is meant."""


def own_seat(desk: Desk) -> Seat:
    """Give the seat that a command is for; raises `BadCommand` for a spectator."""
    if desk.seat is None:
        raise BadCommand(_("you watch this table, and hold no seat: only players can do that"))
    return desk.seat


def hosts_seat(desk: Desk, only_host: str) -> Seat:
    """Give the seat of the host; raises `BadCommand` for everybody else, with the sentence that only the host may."""
    seat = own_seat(desk)
    if not desk.scene.is_host():
        raise BadCommand(only_host)
    return seat


def _lobby(desk: Desk, *, begun: str, only_host: str) -> Seat:
    """Give a host's seat before the game; raises `BadCommand` with what to say once it has `begun`, or to others."""
    own_seat(desk)
    if desk.scene.table.status != table_pb2.TABLE_STATUS_LOBBY:
        raise BadCommand(begun)
    return hosts_seat(desk, only_host)


async def _start(desk: Desk, words: Sequence[str]) -> None:
    check_alone("start", words)
    begun = _("the game has begun: nothing is left to start")
    await _lobby(desk, begun=begun, only_host=_("only the host of the table starts the game")).start()


async def _bots(desk: Desk, words: Sequence[str]) -> None:
    if len(words) not in {1, 2} or not words[0].isascii() or not words[0].isdigit():
        raise BadCommand(_("say how many bots shall sit down, as in bots 2"))
    number = int(words[0])
    if not 1 <= number <= MOST_BOTS:
        text = (
            _("{count} bots are too few: say 1 to {most}")
            if number < 1
            else _("{count} bots are too many: say 1 to {most}")
        )
        raise BadCommand(text.format(count=number, most=MOST_BOTS))
    begun = _("the game has begun: bots sit down only before it")
    seat = _lobby(desk, begun=begun, only_host=_("only the host of the table seats bots"))
    free = free_seats(desk.scene.table.seats)
    if number > free:
        text = plural(
            "{bots} cannot sit down: there is {count} free seat",
            "{bots} cannot sit down: there are {count} free seats",
            free,
        )
        text = text if free else _("{bots} cannot sit down: no seat is free")
        raise BadCommand(text.format(bots=count(number, "bot"), count=free))
    for _bot in range(number):
        await seat.add_bot(level=words[1] if len(words) > 1 else "")


async def _say(desk: Desk, words: Sequence[str]) -> None:
    if not words:
        raise BadCommand(_("there is nothing to say: write say and a few words"))
    await own_seat(desk).say(" ".join(words))


async def _wait(desk: Desk, words: Sequence[str]) -> None:
    check_alone("wait", words)
    await desk.wait_for_decision()


async def _back(desk: Desk, words: Sequence[str]) -> None:
    check_alone("back", words)
    await desk.come_back()


async def _quit(desk: Desk, words: Sequence[str]) -> None:
    check_alone("quit", words)
    desk.leave(Leaving.QUIT)


def is_asked_back(desk: Desk, *, question: str, line: str, else_say: str, about: int | None = None) -> bool:
    """Ask a person by one key whether a line is meant; say whether that was asked, so that nothing is done yet.

    `about` is the seat of the person whom that is about; none where it is about nobody else.
    Raises `BadCommand` with `else_say` where lines are typed. Nobody is asked where commands come from a program.
    """
    if not desk.prompts:
        return False
    if not desk.asks_back(question, line, about=about):
        raise BadCommand(else_say)
    return True


async def _leave(desk: Desk, words: Sequence[str]) -> None:
    if [word.lower() for word in words] not in ([], [YES]):
        text = _("leave stands alone, or with yes behind it: {words!r} is neither")
        raise BadCommand(text.format(words=" ".join(words)))
    status = desk.scene.table.status
    playing = desk.seat is not None and status in {table_pb2.TABLE_STATUS_PLAYING, table_pb2.TABLE_STATUS_PAUSED}
    if playing and not words:
        question = _("Give up your seat for good? A bot plays it to the end (R2.3).")
        else_say = _(
            "leave gives your seat up for good, and a bot plays it to the end (R2.3): write leave yes if you mean"
            " it, or quit to keep the seat"
        )
        if is_asked_back(desk, question=question, line=f"leave {YES}", else_say=else_say):
            return
    if desk.seat is None:
        desk.say([_("You stop watching.")])
    elif playing:
        desk.say([_("You give up your seat: a bot plays it to the end (R2.3).")])
    else:
        desk.say([_("You leave the table.")])
    desk.leave(Leaving.LEAVE)


def _complete_leave(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return (YES,) if not words else ()


def _complete_bots(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [str(number) for number in range(1, MOST_BOTS + 1)] if not words else ()


SITTING: tuple[Command, ...] = (
    Command(
        name="start",
        topic=Topic.SITTING,
        help=later("start the game, if you are the host; bots take the free seats"),
        run=_start,
        complete=nothing,
    ),
    Command(
        name="bots",
        arguments=later("NUMBER [LEVEL]") if HAS_LEVELS else later("NUMBER"),
        topic=Topic.SITTING,
        help=later("seat so many bots, if you are the host"),
        run=_bots,
        complete=_complete_bots,
    ),
    Command(
        name="say",
        aliases=("'",),
        arguments=later("TEXT"),
        topic=Topic.SITTING,
        help=later("say something to everybody at the table"),
        run=_say,
        complete=nothing,
    ),
    Command(
        name="wait",
        topic=Topic.SITTING,
        help=later("wait until something is asked of you: for commands that come from a file or a program"),
        run=_wait,
        complete=nothing,
    ),
    Command(
        name="back",
        topic=Topic.SITTING,
        help=later("take your seat back from a stand-in that plays it while you are away (R14.2)"),
        run=_back,
        complete=nothing,
    ),
    Command(
        name="quit",
        aliases=("q", "exit"),
        topic=Topic.SITTING,
        help=later("end this program and keep the seat: you can come back"),
        run=_quit,
        complete=nothing,
    ),
    Command(
        name="leave",
        topic=Topic.SITTING,
        arguments=later("[yes]"),
        help=later(
            "give your seat up for good, and a bot plays it to the end (R2.3); on a terminal only with yes behind it"
        ),
        run=_leave,
        complete=_complete_leave,
    ),
)
"""The commands around the game, but for `help`, which knows the whole table."""
