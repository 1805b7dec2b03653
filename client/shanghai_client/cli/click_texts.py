"""The texts of click that a user of this program can meet: click looks them up by itself, in our catalogues.

They stand here only to be collected. Releases of click word some of them differently, so there are several.
"""

from __future__ import annotations

from shanghai_client.language import _, plural


def click_texts(number: int) -> tuple[str, ...]:
    """Give the texts in the player's language, those of a count for a number."""
    return (
        _("Usage:"),
        _("Options"),
        _("Commands"),
        _("Show this message and exit."),
        _("default: {default}"),
        _("env var: {var}"),
        _("(dynamic)"),
        _("Missing command."),
        _("Missing argument"),
        _("Missing option"),
        _("Missing parameter"),
        _("No such option {name!r}."),
        _("No such option: {name}"),
        _("Option {name!r} does not take a value."),
        _("Invalid value: {message}"),
        _("Invalid value for {param_hint}: {message}"),
        _("{value!r} is not a valid {number_type}."),
        _("{value} is not in the range {range}."),
        _("Error: invalid input"),
        _("Error: {message}"),
        plural("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", number),
        plural("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", number),
        plural("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", number),
        plural("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", number),
    )
