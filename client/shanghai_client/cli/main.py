"""The `shanghai-rum` command: its sub-commands, each loaded when it is used, and the one place where errors end."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from shanghai_client.cli.streams import let_go_of_streams, prepare_streams
from shanghai_client.cli.worded import Group, Option, speak_as_asked
from shanghai_client.cli.wrong import FAILED, INTERRUPTED, WRONG, Failed, WrongInput
from shanghai_client.language import UnknownLanguage, _, later

_COMMANDS = {
    "lobby": later("servers, their tables, and games against bots, on one screen"),
    "play": later("play a game now, against bots"),
    "host": later("serve tables for others, and open one"),
    "join": later("sit down at a table of a server"),
    "watch": later("watch a table as a spectator"),
    "tables": later("list the tables of a server"),
    "backup": later("copy the games of a server, also while it runs"),
    "admin": later("look after a server that runs on this machine"),
    "replay": later("tell a recorded game in words"),
    "verify": later("check a record: seeds, deals and every rule"),
    "rules": later("print the rules"),
    "settings": later("show and change your settings"),
    "completion": later("print what a shell needs to complete these words"),
}
"""The sub-commands, with what they do; each is the function of its name in the module of its name."""
_SERVES = "host"
"""The sub-command whose process is a server for many."""


class _Lazy(Group):
    """A group that loads a sub-command's module only when it is used, so that each starts as fast as it can."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names, in the order of the help."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a sub-command; none for an unknown name."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        if cmd_name == _SERVES:
            # Loaded here, as only this needs it; and now, as its module loads the gRPC library.
            from shanghai_server.doors.transport import settle_transport

            settle_transport()
        module = import_module(f"shanghai_client.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Open the lobby where no sub-command is named, on a terminal that can show it; elsewhere that is a mistake."""
        if not ctx.resilient_parsing and _names_nothing(args):
            # Loaded here: whoever names a command need not wait for it.
            from shanghai_client.cli.running import opens_screen

            args = [*args, "lobby"] if opens_screen() else args
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as unknown:
            # Loaded here: it is seldom needed.
            from shanghai_client.cli.unknown import misplaced_option

            sentence = misplaced_option(unknown.option_name)
            if sentence:
                raise WrongInput(sentence) from unknown
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a sub-command's name without loading any."""
        names = [CompletionItem(name, help=_(text)) for name, text in _COMMANDS.items() if name.startswith(incomplete)]
        # What every command completes besides: its options.
        self.word_options()
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the sub-commands without loading them."""
        del ctx
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(text)) for name, text in _COMMANDS.items()])


def _names_nothing(arguments: Sequence[str]) -> bool:
    """Say whether no more is said than in which language to speak."""
    match arguments:
        case [] | ["--lang", _]:
            return True
        case [one]:
            return one.startswith("--lang=")
        case _:
            return False


@click.group(
    cls=_Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=later("Shanghai Rum, the card game of ten hands: play it, host it, join it."),
    epilog=later(
        "Exit codes: 0 done, 1 failed, 2 wrong input, 3 cannot connect, 4 versions do not fit, 130 interrupted."
    ),
)
@click.version_option(package_name="shanghai-rum", cls=Option, help=later("Show the version and exit."))
def shanghai_rum() -> None:
    """Shanghai Rum, the card game of ten hands: play it, host it, join it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process with its exit code; no error leaves here but as one sentence."""
    # The library's own lines about lost connections would be printed over the game.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    prepare_streams()
    try:
        code = run(arguments)
    finally:
        let_go_of_streams()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and give its exit code."""
    if os.environ.get("_SHANGHAI_RUM_COMPLETE"):
        # Loaded here: only a shell asks.
        from shanghai_client.cli.shells import answer_shells

        answer_shells()
    try:
        speak_as_asked(sys.argv[1:] if arguments is None else arguments)
        code = shanghai_rum.main(
            args=None if arguments is None else list(arguments), prog_name="shanghai-rum", standalone_mode=False
        )
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as nothing:
        click.echo(nothing.format_message())
        return WRONG
    except click.ClickException as wrong:
        return _end(wrong.format_message().replace("\n", " "), wrong.exit_code)
    except (click.Abort, KeyboardInterrupt) as stopped:
        if isinstance(stopped, click.Abort):
            # The cursor still stands behind a question.
            click.echo(err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has gone: there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (WrongInput, UnknownLanguage) as wrong:
        return _end(str(wrong), WRONG)
    except Failed as failed:
        return _end(str(failed), FAILED)
    except Exception as error:  # noqa: BLE001 (the program's outermost line: what it does not know is logged whole)
        from shanghai_client.cli.fault import end_with

        sentence, code = end_with(error)
        return _end(sentence, code)
    return code if isinstance(code, int) else 0


def _end(sentence: str, code: int) -> int:
    if sentence:
        # Loaded here: most runs end without a word. A server, or a file, may have said what stands in the sentence.
        from shanghai_client.cli.telling import remark
        from shanghai_wire.shown_text import visible

        # Where nobody reads it, the code says enough.
        with contextlib.suppress(OSError):
            remark(visible(f"shanghai-rum: {sentence}"))
    return code
