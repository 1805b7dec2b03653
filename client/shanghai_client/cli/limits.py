"""What a server allows at most, as options of the command that starts one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from shanghai_client.cli.option_types import Seconds, Whole
from shanghai_client.cli.worded import option
from shanghai_client.language import _, later

if TYPE_CHECKING:
    from shanghai_server.house.settings import Settings

_LONGEST_SLOW = 24 * 60 * 60
_MOST = 10_000_000
"""What no limit exceeds: beyond it there is none to speak of."""
_COUNTS = (
    ("max_tables", "tables", 0, later("Tables that the server holds; usually 1000.")),
    ("max_tables_per_address", "tables_per_peer", 0, later("Tables made from one address and not over; usually 100.")),
    ("max_streams_per_address", "streams_per_peer", 1, later("Streams open to one address; usually 500.")),
    ("max_spectators", "spectators", 0, later("Spectators of one table; usually 1000.")),
    ("max_request_bytes", "request_bytes", 1024, later("Bytes of one request; usually 65536.")),
    ("max_waiting_calls", "queued_intents", 1, later("Calls that wait at one table; usually 64.")),
    ("max_waiting_streams", "queued_streams", 1, later("Streams that wait to be let in at a table; usually 1000.")),
    ("max_waiting_updates", "queued_updates", 1, later("Updates that wait for one slow client; usually 64.")),
)
"""Parameter, setting, the least that makes sense, and the help."""
_RATES = (
    ("seat_calls", "calls", later("Calls of one seat: at once, and then a second; usually 100/20.")),
    (
        "address_calls",
        "calls_per_peer",
        later("Calls of one address without a seat: at once, and then a second; usually 200/50."),
    ),
    (
        "address_tables",
        "making_per_peer",
        later("Tables made from one address: at once, and then a second; usually 200/0.02."),
    ),
    (
        "address_joins",
        "joins_per_peer",
        later("Seats at one table taken from one address: at once, and then a second; usually 20/0.2."),
    ),
    ("chat_lines", "chat", later("Lines that one seat says: at once, and then a second; usually 10/1.")),
)
_SLOW = "slow_after"
_TABLE = "max_table_mib"
_NAMES = (*(name for name, *_texts in (*_COUNTS, *_RATES)), _SLOW, _TABLE)


_SLOWEST = 0.001
"""Once in a quarter of an hour: nobody waits longer than that, and a wait can always be told."""


class _Rate(click.types.StringParamType):
    """So many at once, and so many a second: `100/20`."""

    name = "rate"

    def convert(
        self,
        value: Any,  # noqa: ANN401 (as click has it)
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 (what click calls a string here is a pair of numbers)
        """Give both numbers; refuses what is none, and what would let nothing through."""
        burst, _slash, per_second = str(value).partition("/")
        try:
            rate = int(burst), float(per_second)
        except ValueError:
            rate = 0, 0.0
        # A number that is none lies in no range.
        if not (1 <= rate[0] <= _MOST and _SLOWEST <= rate[1] <= _MOST):
            text = _("{value!r} is no rate: it is as 100/20, so many at once and so many a second.")
            self.fail(text.format(value=value), param, ctx)
        return rate


def limit_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, which it gets together as the `settings` of a server."""

    @wraps(command)
    def with_limits(*arguments: Any, **options: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        given = {name: options.pop(name) for name in _NAMES}
        command(*arguments, settings=settings_of(given), **options)

    added: Callable[..., None] = with_limits
    slow = later("Seconds after which a client that reads nothing is let go of, 0 for never; usually 60.")
    added = option(_flag(_SLOW), type=Seconds(_LONGEST_SLOW), metavar="SECONDS", help=slow)(added)
    for name, _setting, text in reversed(_RATES):
        added = option(_flag(name), type=_Rate(), metavar="N/PER-SECOND", help=text)(added)
    size = later("MiB that one table writes to the disk, beside what the game that it is at still needs; usually 256.")
    added = option(_flag(_TABLE), type=Whole(1, _MOST), metavar="N", help=size)(added)
    for name, _setting, least, text in reversed(_COUNTS):
        added = option(_flag(name), type=Whole(least, _MOST), metavar="N", help=text)(added)
    return added


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def settings_of(given: dict[str, Any]) -> Settings:
    """Give the settings of a server, from the values of these options by parameter; none is what is usual."""
    from shanghai_server.house.rate import Rate
    from shanghai_server.house.settings import Settings

    wanted: dict[str, Any] = {setting: given[name] for name, setting, *_ in _COUNTS if given[name] is not None}
    for name, setting, _text in _RATES:
        if given[name] is not None:
            burst, per_second = given[name]
            wanted[setting] = Rate(burst=burst, per_second=per_second)
    if given[_SLOW] is not None:
        wanted["too_slow_ms"] = round(given[_SLOW] * 1000)
    if given[_TABLE] is not None:
        wanted["table_bytes"] = given[_TABLE] * 2**20
    return Settings(**wanted)
