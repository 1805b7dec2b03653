"""The server's log: one line for each event, to a file that the caller gives, and never over a game."""

from __future__ import annotations

import contextlib
import os
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TextIO, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from shanghai_server.house.redaction import redact


class LogFile:
    """A file that a log grows in. A line for which there is no room is lost: no game stops for it."""

    def __init__(self, path: Path) -> None:
        """Open it, or make it, for its owner alone; raises `OSError`."""
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def write(self, text: str) -> None:
        """Add a line, or lose it."""
        try:
            os.write(self._file, text.encode("utf-8", "backslashreplace"))
        except OSError:
            # Nobody could be told but by the log.
            return

    def flush(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


class Writable(Protocol):
    """What a log needs of a file."""

    def write(self, text: str, /) -> object:
        """Take a line."""

    def flush(self) -> object:
        """Write what waits."""


class _Losing:
    """A file to which a line is written, or lost where there is no room for it: a log never fails whoever writes it."""

    def __init__(self, file: Writable) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()


class LogFormat(StrEnum):
    """How a line of the log is written."""

    JSON = "json"
    """One JSON object, for programs."""
    TEXT = "text"
    """Time, level, event and then names and values, for people."""


class LogLevel(StrEnum):
    """From which level on the log is kept. Every call is told at `DEBUG`, what becomes of a table at `INFO`."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def file_log(
    file: Writable, *, form: LogFormat = LogFormat.JSON, level: LogLevel = LogLevel.INFO
) -> FilteringBoundLogger:
    """Give a log that writes to an open text file, or to a `LogFile`.

    What no log tells (`redaction.py`) is not in it.

    A line that the file does not take (`OSError`) is lost, and what is below the level is not written.
    """
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(cast("TextIO", _Losing(file))),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact,
            *_renderers(form),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level.value),
    ).bind()  # at once, and not anew for every line
    return log


def _renderers(form: LogFormat) -> list[Processor]:
    if form is LogFormat.JSON:
        return [structlog.processors.JSONRenderer()]
    # With `repr`, so that a value never breaks the line.
    return [
        structlog.processors.KeyValueRenderer(
            key_order=["timestamp", "level", "event", "table", "sequence"], drop_missing=True, sort_keys=True
        )
    ]


def no_log() -> FilteringBoundLogger:
    """Give a log that keeps nothing."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        None, processors=[_drop], wrapper_class=structlog.make_filtering_bound_logger("critical")
    ).bind()
    return log


def _drop(_logger: WrappedLogger, _method: str, _event: EventDict) -> EventDict:
    raise structlog.DropEvent
