"""The version of the program, as it was installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Give the version of the program; 0 where it is not installed."""
    try:
        return version("shanghai-rum")
    except PackageNotFoundError:
        return "0"
