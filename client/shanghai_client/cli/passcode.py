"""The passcode of a private table, as a command gets it: given, or typed at a terminal, where nobody sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from shanghai_client.cli.option_types import TEXT
from shanghai_client.cli.running import in_terminal
from shanghai_client.cli.telling import remark
from shanghai_client.cli.wrong import Failed
from shanghai_client.failure import Refused
from shanghai_client.language import _

PASSCODE = "SHANGHAI_RUM_PASSCODE"
"""The variable of the environment that holds a passcode, which a command line would show to others."""
WRONG_PASSCODE = "WRONG_PASSCODE"
"""The reason of the refusal of whoever does not know it."""
TRIES = 3
"""How often it is asked for: nobody sees what he types."""
Result = TypeVar("Result")


class IsPrivate(Failed):
    """A table asks for a passcode, and none was given."""

    def __init__(self, table: str) -> None:
        """Take the table's code."""
        text = _("the table {table} is private: give its passcode with --passcode, or in $SHANGHAI_RUM_PASSCODE")
        super().__init__(text.format(table=table))
        self.table = table


def with_passcode(given: str, work: Callable[[str], Result]) -> Result:
    """Do what may need a passcode; where it does, and none was given, it is asked for at a terminal, and done again.

    `work` raises `IsPrivate` where it was given none, and so does this where nobody can be asked.
    """
    passcode, table, left = given, "", TRIES
    while True:
        try:
            return work(passcode)
        except IsPrivate as private:
            if not in_terminal():
                raise
            table = private.table
        except Refused as refusal:
            if refusal.reason != WRONG_PASSCODE or not table or not left:
                raise
            remark(str(refusal))
        left -= 1
        # Between two runs of the loop: whoever thinks about it holds no connection open, and Ctrl-C ends the question.
        passcode = click.prompt(_("Passcode of {table}").format(table=table), hide_input=True, type=TEXT, err=True)
