"""All commands in one table: by name and alias, with the help and the completion that follow from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shanghai_client.commands.command import BadCommand, Command, Desk, Topic
from shanghai_client.commands.company import COMPANY
from shanghai_client.commands.looking import LOOKING
from shanghai_client.commands.playing import PLAYING
from shanghai_client.commands.sitting import SITTING
from shanghai_client.commands.words import in_letters
from shanghai_client.language import _, later
from shanghai_client.present.cells import cells, comma_list, left, wrap
from shanghai_client.scene import USUAL_WIDTH, Scene

_USAGE = 30


async def _help(desk: Desk, words: Sequence[str]) -> None:
    if len(words) > 1:
        raise BadCommand(_("help takes one command: {words!r} is too much").format(words=" ".join(words[1:])))
    desk.say(help_lines(words[0] if words else "", width=desk.width))


def _complete_help(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [command.name for command in COMMANDS] if not words else ()


HELP = Command(
    name="help",
    arguments=later("[COMMAND]"),
    topic=Topic.SITTING,
    help=later("all commands, or one"),
    run=_help,
    complete=_complete_help,
)
COMMANDS: tuple[Command, ...] = (*PLAYING, *LOOKING, *SITTING, *COMPANY, HELP)
"""Every command, in the order of the help."""
BY_NAME: dict[str, Command] = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}
"""Every command by its name and by each alias."""


def find(word: str, words: Sequence[str] | None = None) -> Command:
    """Give the command of a name, an alias, or the beginning of one name alone; raises `BadCommand`.

    Where several names begin so, what stands behind it says which can be meant: `di KS` is no `discards`, which stands
    alone, and `di` alone no `discard`, which needs a card. Without `words` nothing is known of that.
    """
    name = word.lower()
    if name in BY_NAME:
        return BY_NAME[name]
    begun = [command for command in COMMANDS if command.name.startswith(name)]
    if len(begun) > 1 and words is not None:
        begun = [each for each in begun if (each.arguments if words else not each.needs_words)] or begun
    if len(begun) == 1:
        return begun[0]
    if begun:
        names = comma_list([command.name for command in begun])
        raise BadCommand(_("{word!r} can be {names}: write one more letter").format(word=word, names=names))
    raise BadCommand(_("{word!r} is no command: help lists them").format(word=word))


def split(line: str) -> tuple[str, list[str]]:
    """Give a line's command word and the words behind it; a quote or bracket means nothing special."""
    line = line.strip()
    if line.startswith("'"):
        return "'", line[1:].split()
    word, *words = line.split()
    return word, words


def help_lines(word: str = "", *, width: int = USUAL_WIDTH) -> list[str]:
    """Give the help of one command, or of all under their headings; raises `BadCommand` for an unknown one."""
    if word:
        return list(_entry(find(word), width))
    lines: list[str] = []
    for topic in Topic:
        lines.append(_("{topic}:").format(topic=_(topic.value)))
        for command in COMMANDS:
            if command.topic is topic:
                lines += _entry(command, width)
    cards = _("A card is its rank and its suit: 8H, TD (or 10D), AS; a joker is JK. Tab completes.")
    return [*lines, *wrap(cards, width=width)]


def _entry(command: Command, width: int) -> Iterator[str]:
    aliases = f" ({', '.join(command.aliases)})" if command.aliases else ""
    usage = f"  {command.usage}{aliases}"
    indent = " " * (_USAGE + 1 if width >= 2 * _USAGE else 4)
    if cells(usage) < len(indent):
        yield from wrap(f"{left(usage, len(indent))}{_(command.help)}", width=width, indent=indent)
    else:
        yield usage
        yield from wrap(indent + _(command.help), width=width, indent=indent)


def _names(begun: str, scene: Scene | None) -> list[str]:
    """Give the names that begin so; where nothing is begun, without those that answer what is not asked now."""
    names = [command.name for command in COMMANDS if command.name.startswith(begun)]
    return names if begun or scene is None else [name for name in names if _is_asked(BY_NAME[name], scene)]


def _is_asked(command: Command, scene: Scene) -> bool:
    """Say whether a command can answer now; all that answer no decision can."""
    if command.topic is not Topic.PLAYING:
        return True
    if command.name == "go":
        return scene.going_on
    if scene.offer is not None:
        return command.name in {claim.value for claim in scene.offer.claims}
    if scene.play is None:
        return False
    play = scene.play
    may = {"lay": play.lay_down is not None, "off": play.lay_offs, "swap": play.swaps, "discard": play.discards}
    return bool(may.get(command.name))


def completions(line: str, scene: Scene | None) -> list[str]:
    """Give what the word at the end of a line may become: a command, or what the command says comes next."""
    words = line.lstrip().split()
    current = "" if not line or line[-1].isspace() else words.pop() if words else ""
    if not words:
        return [f"{name} " if BY_NAME[name].arguments else name for name in _names(current.lower(), scene)]
    try:
        command = find(words[0], [*words[1:], current])
    except BadCommand:
        return []
    if scene is None:
        return []
    begun = {current.upper(), in_letters(current)}
    return [each for each in command.complete(scene, words[1:]) if each.upper().startswith(tuple(begun))]
