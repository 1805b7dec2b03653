"""The options of a table, as they are asked for and as they are kept."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from shanghai.v1 import table_pb2
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.settings import LONGEST_DELAY_MS, LONGEST_MS, LONGEST_PACE_MS, Options

_LONGEST = {"bot_pace_ms": LONGEST_PACE_MS, "spectator_delay_ms": LONGEST_DELAY_MS}
"""The longest times of the options that are not clocks, in milliseconds."""


def read_options(message: table_pb2.TableOptions, defaults: Options) -> Options:
    """Give the options of a new table; what is absent is as the server has it. Raises `CallRefused`."""
    given: dict[str, Any] = {field.name: value for field, value in message.ListFields()}
    for name, value in given.items():
        longest = _LONGEST.get(name, LONGEST_MS)
        if not 0 <= value <= longest:
            right = f"it is a time from 0 (none) to {longest} milliseconds"
            raise CallRefused(TableRefusal.BAD_FIELD, field=f"options.{name}", value=value, right=right)
    return replace(defaults, **given)


def options_mapping(options: Options) -> dict[str, Any]:
    """Give options as the journal keeps them."""
    return asdict(options)


def options_message(options: Options) -> table_pb2.TableOptions:
    """Give the options of a table as a message, with every field."""
    return table_pb2.TableOptions(**asdict(options))
