"""The commands around the game: the lobby, talk, help, and going."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import BadCommand, Command, Desk, Leaving, Topic, nothing
from shanghai_client.present.amounts import count
from shanghai_client.present.tables import free_seats
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat

MOST_BOTS = 7


def own_seat(desk: Desk) -> Seat:
    """Give the seat that a command is for; raises `BadCommand` for a spectator."""
    if desk.seat is None:
        raise BadCommand("you watch this table, and hold no seat: only players can do that")
    return desk.seat


def hosts_seat(desk: Desk, what: str) -> Seat:
    """Give the seat of the host; raises `BadCommand` for everybody else, with what the host does."""
    seat = own_seat(desk)
    if not desk.scene.is_host():
        raise BadCommand(f"only the host of the table {what}")
    return seat


def _lobby(desk: Desk, *, begun: str, host: str) -> Seat:
    """Give a host's seat before the game; raises `BadCommand` with what is so once it has `begun`, or of hosts."""
    own_seat(desk)
    if desk.scene.table.status != table_pb2.TABLE_STATUS_LOBBY:
        raise BadCommand(f"the game has begun: {begun}")
    return hosts_seat(desk, host)


async def _start(desk: Desk, words: Sequence[str]) -> None:
    if words:
        raise BadCommand(f"start stands alone: {' '.join(words)!r} is too much")
    await _lobby(desk, begun="nothing is left to start", host="starts the game").start()


async def _bots(desk: Desk, words: Sequence[str]) -> None:
    if len(words) not in {1, 2} or not words[0].isascii() or not words[0].isdigit():
        raise BadCommand("say how many bots shall sit down, as in bots 2")
    number = int(words[0])
    if not 1 <= number <= MOST_BOTS:
        raise BadCommand(f"{number} bots are too {'few' if number < 1 else 'many'}: say 1 to {MOST_BOTS}")
    seat = _lobby(desk, begun="bots sit down only before it", host="seats bots")
    free = free_seats(desk.scene.table.seats)
    if number > free:
        there = f"there {'is' if free == 1 else 'are'} {count(free, 'free seat')}" if free else "no seat is free"
        raise BadCommand(f"{count(number, 'bot')} cannot sit down: {there}")
    for _ in range(number):
        await seat.add_bot(level=words[1] if len(words) > 1 else "")


async def _say(desk: Desk, words: Sequence[str]) -> None:
    if not words:
        raise BadCommand("there is nothing to say: write say and a few words")
    await own_seat(desk).say(" ".join(words))


async def _wait(desk: Desk, _words: Sequence[str]) -> None:
    await desk.wait_for_decision()


async def _back(desk: Desk, _words: Sequence[str]) -> None:
    await desk.come_back()


async def _quit(desk: Desk, _words: Sequence[str]) -> None:
    desk.leave(Leaving.QUIT)


async def _leave(desk: Desk, words: Sequence[str]) -> None:
    status = desk.scene.table.status
    playing = desk.seat is not None and status in {table_pb2.TABLE_STATUS_PLAYING, table_pb2.TABLE_STATUS_PAUSED}
    if playing and desk.prompts and [word.lower() for word in words] != ["yes"]:
        raise BadCommand(
            "leave gives your seat up for good, and a bot plays it to the end (R2.3): write leave yes if you mean it,"
            " or quit to keep the seat"
        )
    if desk.seat is None:
        desk.say(["You stop watching."])
    elif playing:
        desk.say(["You give up your seat: a bot plays it to the end (R2.3)."])
    else:
        desk.say(["You leave the table."])
    desk.leave(Leaving.LEAVE)


def _complete_leave(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return ("yes",) if not words else ()


def _complete_bots(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [str(number) for number in range(1, MOST_BOTS + 1)] if not words else ()


SITTING: tuple[Command, ...] = (
    Command(
        name="start",
        topic=Topic.SITTING,
        help="start the game, if you are the host; bots take the free seats",
        run=_start,
        complete=nothing,
    ),
    Command(
        name="bots",
        arguments="NUMBER [LEVEL]",
        topic=Topic.SITTING,
        help="seat so many bots, if you are the host",
        run=_bots,
        complete=_complete_bots,
    ),
    Command(
        name="say",
        aliases=("'",),
        arguments="TEXT",
        topic=Topic.SITTING,
        help="say something to everybody at the table",
        run=_say,
        complete=nothing,
    ),
    Command(
        name="wait",
        topic=Topic.SITTING,
        help="wait until something is asked of you: for commands that come from a file or a program",
        run=_wait,
        complete=nothing,
    ),
    Command(
        name="back",
        topic=Topic.SITTING,
        help="take your seat back from a stand-in that plays it while you are away (R14.2)",
        run=_back,
        complete=nothing,
    ),
    Command(
        name="quit",
        aliases=("q", "exit"),
        topic=Topic.SITTING,
        help="end this program and keep the seat: you can come back",
        run=_quit,
        complete=nothing,
    ),
    Command(
        name="leave",
        topic=Topic.SITTING,
        arguments="[yes]",
        help="give your seat up for good, and a bot plays it to the end (R2.3); on a terminal only with yes behind it",
        run=_leave,
        complete=_complete_leave,
    ),
)
"""The commands around the game, but for `help`, which knows the whole table."""
