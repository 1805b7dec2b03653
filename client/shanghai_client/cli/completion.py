"""`shanghai-rum completion`: what a shell needs to complete this command's words by Tab."""

from __future__ import annotations

import click

from shanghai_client.cli.shells import PROGRAM, SHELLS, VARIABLE
from shanghai_client.cli.worded import command
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later

_LINES = """\b
bash   ~/.bashrc                     eval "$(shanghai-rum completion bash)"
zsh    ~/.zshrc, after compinit      eval "$(shanghai-rum completion zsh)"
fish   ~/.config/fish/config.fish    shanghai-rum completion fish | source"""
"""Each shell, the file that it reads, and the line for it: the same in every language, and written as it stands."""


def _complete(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    return [shell for shell in SHELLS if shell.startswith(begun)]


@command(
    help=later("Print what a shell needs to complete commands and options by Tab; let it read that when it starts."),
    epilog=_LINES,
)
@click.argument("shell", metavar="bash|zsh|fish", shell_complete=_complete)
def completion(shell: str) -> None:
    """Print what a shell needs to complete these words."""
    if shell not in SHELLS:
        text = _("{shell!r} cannot be completed for: the shells are {shells}")
        raise WrongInput(text.format(shell=shell, shells=", ".join(SHELLS)))
    click.echo(SHELLS[shell](click.Command(PROGRAM), {}, PROGRAM, VARIABLE).source(), nl=False)
