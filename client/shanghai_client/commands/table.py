"""All commands in one table: by name and alias, with the help and the completion that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shanghai_client.commands.command import BadCommand, Command, Desk, Topic
from shanghai_client.commands.company import COMPANY
from shanghai_client.commands.looking import LOOKING
from shanghai_client.commands.playing import PLAYING
from shanghai_client.commands.sitting import SITTING
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene

_USAGE = 30


async def _help(desk: Desk, words: Sequence[str]) -> None:
    desk.say(help_lines(words[0] if words else ""))


def _complete_help(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [command.name for command in COMMANDS] if not words else ()


HELP = Command(
    name="help",
    arguments="[COMMAND]",
    topic=Topic.SITTING,
    help="all commands, or one",
    run=_help,
    complete=_complete_help,
)
COMMANDS: tuple[Command, ...] = (*PLAYING, *LOOKING, *SITTING, *COMPANY, HELP)
"""Every command, in the order of the help."""
BY_NAME: dict[str, Command] = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}
"""Every command by its name and by each alias."""


def find(word: str) -> Command:
    """Give the command of a name, an alias, or the beginning of one name alone; raises `BadCommand`."""
    name = word.lower()
    if name in BY_NAME:
        return BY_NAME[name]
    begun = [command for command in COMMANDS if command.name.startswith(name)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise BadCommand(f"{word!r} can be {', '.join(command.name for command in begun)}: write one more letter")
    raise BadCommand(f"{word!r} is no command: help lists them")


def split(line: str) -> tuple[str, list[str]]:
    """Give a line's command word and the words behind it; a quote or bracket means nothing special."""
    line = line.strip()
    if line.startswith("'"):
        return "'", line[1:].split()
    word, *words = line.split()
    return word, words


def help_lines(word: str = "") -> list[str]:
    """Give the help of one command, or of all under their headings; raises `BadCommand` for an unknown one."""
    if word:
        return list(_entry(find(word)))
    lines: list[str] = []
    for topic in Topic:
        lines.append(f"{topic.value}:")
        for command in COMMANDS:
            if command.topic is topic:
                lines += _entry(command)
    return [*lines, "A card is its rank and its suit: 8H, TD (or 10D), AS; a joker is JK. Tab completes."]


def _entry(command: Command) -> Iterator[str]:
    aliases = f" ({', '.join(command.aliases)})" if command.aliases else ""
    usage = f"  {command.usage}{aliases}"
    if len(usage) < _USAGE:
        yield from wrap(f"{usage:<{_USAGE}} {command.help}", width=80, indent=" " * (_USAGE + 1))
    else:
        yield usage
        yield from wrap(" " * (_USAGE + 1) + command.help, width=80, indent=" " * (_USAGE + 1))


def completions(line: str, scene: Scene | None) -> list[str]:
    """Give what the word at the end of a line may become: a command, or what the command says comes next."""
    words = line.lstrip().split()
    current = "" if not line or line[-1].isspace() else words.pop() if words else ""
    if not words:
        return [command.name for command in COMMANDS if command.name.startswith(current.lower())]
    command = BY_NAME.get(words[0].lower())
    if command is None or scene is None:
        return []
    return [each for each in command.complete(scene, words[1:]) if each.lower().startswith(current.lower())]
