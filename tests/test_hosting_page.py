"""docs/hosting.md names the figures that a server has."""

from __future__ import annotations

from pathlib import Path

import pytest

from shanghai_server.doors import scraping
from shanghai_server.house.settings import DAY_S, Settings
from shanghai_server.table.audience import MOST_LATE_BYTES

pytestmark = pytest.mark.checkout
DOCS = Path(__file__).parents[1] / "docs"
NUMBERS = {1: "one", 5: "five", 8: "Eight"}


def words(page: str) -> str:
    """Give a page without its breaks of lines."""
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())


def test_both_pages_say_when_a_table_is_disposed_of() -> None:
    """After a month, a week, a day: hosts and writers of clients are told the same."""
    settings = Settings()
    kept, over, empty = (seconds // DAY_S for seconds in (settings.kept_s, settings.kept_over_s, settings.kept_empty_s))
    said = f"nobody has been for {kept} days is closed for good; {over} days are enough where its game is over, and "
    assert f"{said}{NUMBERS[empty]} day where it waits in its lobby" in words("hosting.md")
    assert f"nobody has been for {kept} days is disposed of, one whose game is over after {over}" in words(
        "protocol.md"
    )


def test_the_page_says_what_metrics_and_late_spectators_may_take() -> None:
    """How many ask at a time and for how long, and what is kept for who sees a table later."""
    asking, patience = NUMBERS[scraping.MOST_ASKING], NUMBERS[int(scraping.PATIENCE)]
    assert f"{asking} may ask at a time, each for {patience} seconds" in words("hosting.md")
    assert f"at most {MOST_LATE_BYTES // 2**20} MiB" in words("hosting.md")
