"""The tables of keys in docs/screen.md, made from the keys themselves.

python tests/key_page.py      writes them anew
"""

from __future__ import annotations

from pathlib import Path

from shanghai_client.screen.keyboard.place import Place
from shanghai_client.screen.keys import KEYS, shown_name

PAGE = Path(__file__).parents[1] / "docs" / "screen.md"
_BEGIN = "## Keys\n"
_TITLES = {
    Place.TABLE: "At the table",
    Place.CHOOSE: "While a card is chosen",
    Place.PLACE: "While a place is chosen",
    Place.BUILD: "While melds are built",
    Place.CONFIRM: "When something is asked back",
    Place.BETWEEN: "Between two hands, and after the game",
    Place.LOBBY: "Before the game",
    Place.OVERLAY: "While text lies over the table",
    Place.SETTINGS: "In the settings",
}


def page_lines() -> list[str]:
    """Give a table of keys for each place."""
    lines: list[str] = []
    for place, title in _TITLES.items():
        lines += ["", f"### {title}", "", "| key | |", "|---|---|"]
        for key in KEYS:
            if place in key.places:
                names = ", ".join(f"`{shown_name(name)}`" for name in key.names)
                lines.append(f"| {names} | {key.help} |")
    return lines


def page() -> str:
    """Give the page with its tables as they have to be."""
    text = PAGE.read_text(encoding="utf-8")
    return text[: text.index(_BEGIN) + len(_BEGIN)] + "\n".join(page_lines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
