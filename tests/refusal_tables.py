"""The tables of refusals in docs/protocol.md, made from the code: run this file to write them anew."""

from __future__ import annotations

from pathlib import Path

from shanghai_engine.refusal import Refusal
from shanghai_server.house.refusal import TableRefusal

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"


def table_refusals() -> str:
    """Give what the table and the server refuse, as a table in Markdown."""
    rows = [
        f"| `{refusal.name}` | {refusal.status.name} | {refusal.sentence.replace('!a}', '}')} |"
        for refusal in TableRefusal
    ]
    return "\n".join(["| reason | status | sentence |", "|---|---|---|", *rows])


def rule_refusals() -> str:
    """Give what breaks a rule of the game, as a table in Markdown."""
    rows = [f"| `{refusal.name}` | {refusal.rule} | {refusal.sentence} |" for refusal in Refusal]
    return "\n".join(["| reason | rule | sentence |", "|---|---|---|", *rows])


def with_tables(page: str) -> str:
    """Give the page with its tables as the code has them now."""
    for name, table in (("table", table_refusals()), ("rules", rule_refusals())):
        before, opening, rest = page.partition(f"<!-- refusals of the {name} -->\n")
        _, closing, after = rest.partition("<!-- end -->")
        page = f"{before}{opening}{table}\n{closing}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
