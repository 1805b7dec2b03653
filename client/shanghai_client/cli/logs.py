"""The log: structured lines in a file, never over the game."""

from __future__ import annotations

import atexit
import os
from pathlib import Path
from typing import TextIO, cast

import structlog

from shanghai_client.folders import log_file


def log_as_user() -> None:
    """Send the log of this process to the user's own file; where that cannot be made, the log is lost and no more."""
    try:
        path = log_file()
        # Whoever opens a pipe that nobody reads waits for ever.
        log_to(path if not path.exists() or path.is_file() else Path(os.devnull))
    except OSError:
        log_to(Path(os.devnull))


def log_to(path: Path) -> None:
    """Send the log of this process to a file, which grows at its end; what finds no room on the disk is lost."""
    # Loaded here: whoever only joins loads nothing else of the server.
    from shanghai_server.house.log import LogFile
    from shanghai_server.house.redaction import redact

    file = LogFile(path)
    atexit.register(file.close)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            redact,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(20),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", file)),
        cache_logger_on_first_use=False,
    )
