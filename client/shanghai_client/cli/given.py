"""Which options the user has given himself, and which are as they usually are."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from shanghai_client.language import plural


def given_options(names: Iterable[str]) -> tuple[str, ...]:
    """Give those of some options of the running command that stand on the command line, as `--pace` or `--no-hints`.

    The names are those of the command's parameters. Call it while the command runs.
    """
    context = click.get_current_context()
    return tuple(
        f"--{'no-' if context.params[name] is False else ''}{name.replace('_', '-')}"
        for name in names
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    )


def not_used(options: Iterable[str]) -> str:
    """Say that some options are not used, as in `--pace is not used`; empty where there are none."""
    given = tuple(options)
    text = plural("{options} is not used", "{options} are not used", len(given))
    return text.format(options=", ".join(given)) if given else ""
