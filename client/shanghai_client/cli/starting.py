"""Where the program begins: before anything else is loaded, so that Ctrl-C ends it quietly from the first moment."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code after Ctrl-C; `wrong` has the others, and would have to be loaded first."""


def main() -> None:
    """Load and run the command line, and end the process with its exit code."""
    try:
        from shanghai_client.cli.main import main as run_main

        run_main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
