"""The catalogues of the client's texts, kept with the code: run this file (`make words`) to collect the texts anew.

The sentences of refusals are collected too, under their reasons: the server says them in English.

What is new stands there without a translation, and what is gone is removed; `tests/client/test_catalogues.py` says
what is missing.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from shanghai_engine.refusal import Refusal
from shanghai_server.house.refusal import TableRefusal

CLIENT = Path(__file__).parent.parent / "client"
LOCALE = CLIENT / "shanghai_client" / "locale"
OF_MESSAGES = {
    "BAD_RULES": "rules: {field} = {value} cannot be used: {right}",
    "MALFORMED": "{value} cannot be read: {right}",
}
"""What the reading of messages refuses beside the lists of the engine and of the server."""
KEYWORDS = {"_": None, "later": None, "plural": (1, 2)}
"""The functions whose texts are collected."""


def collected() -> Catalog:
    """Give every text of the client, with the files in which it stands."""
    catalogue = Catalog(project="shanghai-rum", charset="utf-8")
    for file, text in _texts():
        catalogue.add(text, None, [(f"client/shanghai_client/{file}", 1)])
    for reason, sentence in reasons().items():
        catalogue.add(reason, None, [("refusals", 1)], auto_comments=[sentence])
    return catalogue


@cache
def _texts() -> list[tuple[str, str | tuple[str, ...]]]:
    """Give every text that the client looks up, with its file."""
    found = extract_from_dir(CLIENT / "shanghai_client", keywords=KEYWORDS)
    return [(file, text) for file, _line, text, _comments, _context in found]


def reasons() -> dict[str, str]:
    """Give every reason of the contract with its sentence in English."""
    sentences: dict[str, str] = {refusal.name: refusal.sentence for refusal in TableRefusal}
    return sentences | {refusal.name: refusal.sentence for refusal in Refusal} | OF_MESSAGES


def catalogue_files() -> list[Path]:
    """Give the file of every other language."""
    return sorted(LOCALE.rglob("*.po"))


def read(path: Path) -> Catalog:
    """Read a catalogue."""
    return read_po(io.BytesIO(path.read_bytes()))


def written(catalogue: Catalog) -> bytes:
    """Give the text of a catalogue as it stands in its file."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120, include_lineno=False, sort_by_file=True, ignore_obsolete=True)
    return file.getvalue()


def brought_up_to_date(catalogue: Catalog) -> Catalog:
    """Give a catalogue with the texts that the code has now."""
    texts = collected()
    texts.creation_date = catalogue.creation_date
    catalogue.update(texts, no_fuzzy_matching=True)
    return catalogue


def text_of(message: Message) -> str:
    """Give the English text, the first of two where there are two."""
    return message.id if isinstance(message.id, str) else message.id[0]


if __name__ == "__main__":
    for each in catalogue_files():
        each.write_bytes(written(brought_up_to_date(read(each))))
