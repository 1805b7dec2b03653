"""The tables of refusals in docs/protocol.md, made from the code: run this file to write them anew."""

from __future__ import annotations

from pathlib import Path

from catalogues import OF_MESSAGES
from grpc import StatusCode

from shanghai_engine.refusal import Refusal
from shanghai_server.house.refusal import TableRefusal
from shanghai_wire.bad_message import MISSING, UNREADABLE

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


def message_refusals() -> str:
    """Give what is refused because a field of a message cannot be read, as a table in Markdown."""
    sentences = [("BAD_MESSAGE", MISSING), ("BAD_MESSAGE", UNREADABLE), *OF_MESSAGES.items()]
    rows = [f"| `{reason}` | {StatusCode.INVALID_ARGUMENT.name} | {sentence} |" for reason, sentence in sentences]
    return "\n".join(["| reason | status | sentence |", "|---|---|---|", *rows])


def with_tables(page: str) -> str:
    """Give the page with its tables as the code has them now."""
    made = (("table", table_refusals()), ("messages", message_refusals()), ("rules", rule_refusals()))
    for name, table in made:
        before, opening, rest = page.partition(f"<!-- refusals of the {name} -->\n")
        _, closing, after = rest.partition("<!-- end -->")
        page = f"{before}{opening}{table}\n{closing}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
