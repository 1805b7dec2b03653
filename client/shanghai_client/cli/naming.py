"""The player's name, as the command line says it, or else his settings, or else his account."""

from __future__ import annotations

from shanghai_client.cli.chosen import chosen_settings
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.person_name import BadName, account_name, read_name


def own_name(text: str | None) -> str:
    """Give the name that an option says, or else the settings, or else that of the user's account.

    Raises `WrongInput` for one that nobody could read.
    """
    said = text if text is not None else chosen_settings().settings.name or None
    try:
        return account_name() if said is None else read_name(said)
    except BadName as bad:
        raise WrongInput(str(bad)) from bad
