"""What the gRPC library is told before it is loaded: it looks at its environment once, and never again."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Final

CHOICES: Final = "GRPC_EXPERIMENTS"
"""The variable of the environment by which the library is told how to work inside."""
POLLED: Final = "-event_engine_listener"
"""What makes the thread that waits for the calls read and write the connections too. Otherwise some threads more do,
which wake each other for every message: a call and its updates take the server an eighth more processor time then."""
NEWEST: Final = (1, 85)
"""The newest release of the library that is known to know it. One that does not would say so wherever it is loaded."""


def settle_transport() -> None:
    """Settle how this process will serve, before the library is loaded; whoever has settled it himself is let be."""
    # Measured there.
    if sys.platform == "linux" and _release() <= NEWEST:
        os.environ.setdefault(CHOICES, POLLED)


def _release() -> tuple[float, float]:
    """Give the release of the library; one above all others where that stands nowhere, as in a packed program."""
    with contextlib.suppress(PackageNotFoundError, ValueError):
        major, minor, *_ = version("grpcio").split(".")
        return int(major), int(minor)
    return math.inf, 0
