"""The command line in the player's language: helps are looked up when they are shown, and so are click's own texts.

`command`, `option` and `group` are click's, for texts that are marked by `later`. Every command has `--lang`.
"""

from __future__ import annotations

import gettext
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.resources import files
from itertools import zip_longest
from typing import Any

import click
from click.shell_completion import CompletionItem

from shanghai_client.cli.streams import shown_encoding
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import DOMAIN, LANGUAGES, VARIABLE, _, choose, has_signs, later, speak
from shanghai_client.program import command_line

LANG = "--lang"
AUTO = "auto"
"""What the setting says where the language is that of the system."""
_VERBATIM = "\b"
"""Stands, alone in its line, before lines that are written as they are."""
_USAGE = 30
"""Cells of an option's usage; a longer one stands on a line of its own."""


def speak_as_asked(arguments: Sequence[str]) -> None:
    """Show every text in the language that the command line or the environment asks for.

    It is read before anything else of the command line, whose mistakes are told in that language. Where what is printed
    has no signs for it, English is spoken, and that is said to whoever asked for the language. Raises
    `UnknownLanguage`.
    """
    wanted = _wanted(arguments) or os.environ.get(VARIABLE, "")
    setting = "" if wanted else _setting()
    language = choose(_wanted(arguments), environment=os.environ, setting=setting)
    shown = all(has_signs(stream.encoding, language) for stream in (sys.stdout, sys.stderr))
    speak_everywhere(language if shown else LANGUAGES[0])
    if not shown and {wanted, setting} & {language}:
        # Loaded here: it is seldom needed.
        from shanghai_client.cli.telling import remark

        text = _("The encoding here, {encoding}, has no signs of the language {language!r}, so English is spoken.")
        remark(text.format(language=language, encoding=shown_encoding()))


def speak_everywhere(language: str) -> None:
    """Show every text in a language, those of click too, which asks the standard library."""
    speak(language)
    os.environ["LANGUAGE"] = language
    gettext.bindtextdomain(DOMAIN, str(files("shanghai_client") / "locale"))
    gettext.textdomain(DOMAIN)


def _setting() -> str:
    """Give what the settings file says; nothing where it cannot be read, which is told when its settings are used.

    It is only looked for this one setting: to read them all takes longer than many commands do.
    """
    # Loaded here: it is not always asked.
    import tomllib

    from shanghai_client.folders import MOST_SETTINGS, settings_path
    from shanghai_client.whole_file import read_own

    try:
        said = tomllib.loads(read_own(settings_path(), most=MOST_SETTINGS).decode("utf-8-sig")).get("lang", "")
    except (OSError, ValueError, RecursionError):
        return ""
    return said if isinstance(said, str) else ""


def _wanted(arguments: Sequence[str]) -> str:
    """Give what stands behind the last `--lang`; empty where it is nowhere."""
    wanted = ""
    for word, following in zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == "--":
            break
        if word == LANG:
            wanted = following
        elif word.startswith(f"{LANG}="):
            wanted = word.removeprefix(f"{LANG}=")
    return wanted


class Formatter(click.HelpFormatter):
    """Writes help in lines that are measured in cells."""

    def write_text(self, text: str) -> None:
        """Write paragraphs at the indent of the section."""
        # Loaded here: most runs show no help.
        from shanghai_client.present.cells import wrap

        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            if number:
                self.write("\n")
            begun, verbatim, rest = paragraph.partition(f"{_VERBATIM}\n")
            lines = [f"{indent}{line}" for line in rest.splitlines()]
            if begun or not verbatim:
                lines = wrap(indent + " ".join(paragraph.split()), width=self.width, indent=indent)
            self.write("".join(f"{line}\n" for line in lines))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _USAGE, col_spacing: int = 2) -> None:
        """Write what is explained and its explanation in two columns."""
        from shanghai_client.present.cells import cells, wrap

        rows = list(rows)
        widest = min(max(cells(usage) for usage, _text in rows), col_max)
        column = self.current_indent + widest + col_spacing
        for usage, text in rows:
            begun = f"{' ' * self.current_indent}{usage}"
            if cells(begun) > column - col_spacing:
                self.write(f"{begun}\n")
                begun = ""
            begun += " " * (column - cells(begun))
            for line in wrap(f"{begun}{text}", width=self.width, indent=" " * column):
                self.write(f"{line}\n")


_VERSION = "--version"
"""The option that the program itself has, and none of its commands."""


class Context(click.Context):
    """Where a command runs, with help as above."""

    formatter_class = Formatter


class Option(click.Option):
    """An option whose help is a text marked by `later`, or a function that gives it where it has values."""

    def __init__(self, *arguments: Any, help: str | Callable[[], str], **attributes: Any) -> None:  # noqa: A002, ANN401
        """Take the help, and everything else as click does."""
        super().__init__(*arguments, **attributes)
        self._told = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Give the option's row in the help."""
        self.word()
        return super().get_help_record(ctx)

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """Give what click itself says of the values; of a range without ends that is nothing."""
        extra = super().get_help_extra(ctx)
        if isinstance(self.type, click.IntRange | click.FloatRange) and self.type.min is self.type.max is None:
            extra.pop("range", None)
        return extra

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        """Give what the option's variable holds: an empty one, too, is given, as an empty word behind the option is."""
        found = super().resolve_envvar_value(ctx)
        return os.environ.get(self.envvar) if found is None and isinstance(self.envvar, str) else found

    def word(self) -> None:
        """Let the help be in the player's language from now on."""
        self.help = self._told() if callable(self._told) else _(self._told)


class _Worded(click.Command):
    """A command whose help and epilog are texts marked by `later`."""

    context_class = Context

    def __init__(self, *arguments: Any, **attributes: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **attributes)
        self.params.append(_language_option())
        self._told = self.help or ""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; of an option that only the program itself has it is said where it stands."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            if unknown.option_name != _VERSION:
                raise
            text = _("{option} stands alone, as in {path}")
            path = command_line(_VERSION)
            raise WrongInput(text.format(option=_VERSION, path=path)) from unknown

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the whole help, looked up now."""
        self.help = _(inspect.cleandoc(self._told))
        super().format_help(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Give what a word can become, with what is said of it in the help."""
        self.word_options()
        return super().shell_complete(ctx, incomplete)

    def word_options(self) -> None:
        """Let the help of every option be in the player's language from now on."""
        for each in self.params:
            if isinstance(each, Option):
                each.word()

    def get_short_help_str(self, limit: int = 0) -> str:
        """Give the first paragraph of the help, whole: the list of commands breaks it."""
        del limit
        return _(inspect.cleandoc(self._told)).partition("\n\n")[0]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text at the end."""
        del ctx
        if self.epilog:
            formatter.write_paragraph()
            formatter.write_text(_(self.epilog))


class Command(_Worded):
    """A command, as above."""


class Group(_Worded, click.Group):
    """A command with others below it, as above."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named; of one that there is not it is said what may be meant."""
        known = self.list_commands(ctx)
        if not ctx.resilient_parsing and args[0] not in known and not args[0].startswith("-"):
            # Loaded here: it is seldom needed.
            from shanghai_client.cli.unknown import unknown_command

            raise WrongInput(unknown_command(args[0], known, path=ctx.command_path))
        return super().resolve_command(ctx, args)


def _language_option() -> Option:
    # What it says has been read already.
    return Option(
        [LANG],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help=later("The language of everything that is shown; usually that of your system."),
    )


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)
