"""The server's log: one JSON object per line, to a file that the caller gives, and never over a game."""

from __future__ import annotations

from typing import TextIO

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, WrappedLogger


def file_log(file: TextIO) -> FilteringBoundLogger:
    """Give a log that writes to an open text file. Tokens, seeds and cards are never given to it."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(file),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
    )
    return log


def no_log() -> FilteringBoundLogger:
    """Give a log that keeps nothing."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        None, processors=[_drop], wrapper_class=structlog.make_filtering_bound_logger("critical")
    )
    return log


def _drop(_logger: WrappedLogger, _method: str, _event: EventDict) -> EventDict:
    raise structlog.DropEvent
