"""The log: structured lines in a file, never over the game."""

from __future__ import annotations

import atexit
from pathlib import Path

import structlog


def log_to(path: Path) -> None:
    """Send the log of this process to a file, which grows at its end."""
    file = path.open("a", encoding="utf-8", buffering=1)
    atexit.register(file.close)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(20),
        logger_factory=structlog.WriteLoggerFactory(file=file),
        cache_logger_on_first_use=False,
    )
