"""How a server is run: its log, and where its numbers can be read. The options of `host` that say nothing of a game."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_client.cli.worded import option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later
from shanghai_client.system_errors import why

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

_STDERR = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What the options say; each is as it was given."""

    metrics: str
    log: str
    log_format: str
    log_level: str

    def open_log(self, folder: Path) -> FilteringBoundLogger:
        """Open the log of a server on a data folder; raises `WrongInput` where it cannot be written."""
        from shanghai_server.house.log import LogFile, LogFormat, LogLevel, file_log

        form, level = LogFormat(self.log_format), LogLevel(self.log_level)
        if self.log == _STDERR:
            return file_log(sys.stderr, form=form, level=level)
        path = Path(self.log) if self.log else folder / "server.log"
        try:
            file = LogFile(path)
        except OSError as error:
            text = _("the log cannot be written to {path!r}: {why}")
            raise WrongInput(text.format(path=str(path), why=why(error))) from error
        atexit.register(file.close)
        return file_log(file, form=form, level=level)

    def tell(self, metrics_port: int) -> None:
        """Say on the standard error where the numbers are read, and what is worth knowing before one leaves it alone.

        `metrics_port` is the port that was found for them; 0 where they are not served.
        """
        if not metrics_port:
            return
        from shanghai_server.doors.metrics import is_loopback, metrics_address

        host = metrics_address(self.metrics).rpartition(":")[0]
        text = _("The metrics are at {address}")
        click.echo(text.format(address=f"http://{host}:{metrics_port}/metrics"), err=True)
        if not is_loopback(metrics_address(self.metrics)):
            text = _("shanghai-rum: whoever reaches {address} can read how many play here, and no more than that")
            click.echo(text.format(address=self.metrics), err=True)


def serving_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, which it gets together as `serving`."""

    @option("--metrics", default="", metavar="ADDR", help=later("PORT, or HOST:PORT, to read metrics on (Prometheus)."))
    @option("--log", default="", metavar="FILE", help=later("The log, server.log in DIR; - is the standard error."))
    @option(
        "--log-format",
        type=click.Choice(["json", "text"]),
        default="json",
        show_default=True,
        help=later("One JSON object a line, or lines for people."),
    )
    @option(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"]),
        default="info",
        show_default=True,
        help=later("With debug every call is told."),
    )
    @wraps(command)
    def with_serving(
        *arguments: Any,  # noqa: ANN401 (whatever the command takes)
        metrics: str,
        log: str,
        log_format: str,
        log_level: str,
        **options: Any,  # noqa: ANN401
    ) -> None:
        serving = Serving(metrics=metrics, log=log, log_format=log_format, log_level=log_level)
        command(*arguments, serving=serving, **options)

    return with_serving
