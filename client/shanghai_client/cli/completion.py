"""`shanghai-rum completion`: what a shell needs to complete this command's words by Tab."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from shanghai_client.cli.wrong import WrongInput

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "shanghai-rum"
_VARIABLE = "_SHANGHAI_RUM_COMPLETE"
"""The variable in which a shell asks for completions: the one that click looks at."""


def _complete(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    return [shell for shell in SHELLS if shell.startswith(begun)]


@click.command()
@click.argument("shell", metavar="bash|zsh|fish", shell_complete=_complete)
def completion(shell: str) -> None:
    """Print what a shell needs to complete commands and options by Tab; let it read that when it starts.

    \b
    bash   eval "$(shanghai-rum completion bash)"     in ~/.bashrc
    zsh    eval "$(shanghai-rum completion zsh)"      in ~/.zshrc, behind compinit
    fish   shanghai-rum completion fish | source      in ~/.config/fish/config.fish
    """  # noqa: D301 (click reads the \b)
    if shell not in SHELLS:
        raise WrongInput(f"{shell!r} cannot be completed for: the shells are {', '.join(SHELLS)}")
    kind = get_completion_class(shell)
    if kind is None:
        raise RuntimeError(f"click knows no {shell}")
    script = kind(click.Command(PROGRAM), {}, PROGRAM, _VARIABLE)
    # Not `source()`: that would run the shell to find its version.
    click.echo(script.source_template % script.source_vars())
