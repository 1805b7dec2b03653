"""The catalogues: every text of the client has its translation, with the same values in it."""

from __future__ import annotations

import ast
import re
import string
import unicodedata
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from catalogues import CLIENT, KEYWORDS, brought_up_to_date, catalogue_files, collected, read, reasons, text_of

from shanghai_client.reasons import fields_of
from shanghai_client.rulebook import rulebook_text

pytestmark = pytest.mark.checkout


@pytest.fixture(params=catalogue_files(), ids=lambda path: path.parts[-3])
def path(request: pytest.FixtureRequest) -> Path:
    """Give the catalogue of each language."""
    found: Path = request.param
    return found


def _texts(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def _fields(text: str) -> set[str]:
    """Give the values that a text has, each with how it is written: `card`, `name!r`."""
    return {
        f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
        for _, name, form, conversion in string.Formatter().parse(text)
        if name is not None
    }


def test_a_catalogue_has_the_texts_of_the_code_and_no_others(path: Path) -> None:
    """What `make words` would add or remove is there, or gone, already."""
    there = {text_of(message) for message in read(path) if message.id}
    texts = {text_of(message) for message in collected() if message.id}
    assert texts - there == set()
    assert there - texts == set()
    assert read(path).obsolete == {}


def test_every_text_is_translated_for_certain(path: Path) -> None:
    """No translation is missing, and none is a guess that somebody has still to look at."""
    messages = [message for message in brought_up_to_date(read(path)) if message.id]
    assert [text_of(message) for message in messages if not all(_texts(message))] == []
    assert [text_of(message) for message in messages if message.fuzzy] == []


def test_a_translation_has_the_values_of_its_text(path: Path) -> None:
    """Each value in braces stands in the translation too, and nothing that is no value."""
    wrong = []
    for message in read(path):
        if text_of(message) in reasons():
            continue
        wanted = _fields(message.id if isinstance(message.id, str) else message.id[1]) if message.id else set()
        wrong += [text for text in _texts(message) if message.id and _fields(text) != wanted]
    assert wrong == []


def test_every_refusal_has_a_sentence_with_values_that_travel_with_it(path: Path) -> None:
    """Each reason of the engine and of the server is said in the language, and names no value that is not sent."""
    sentences = {text_of(message): _texts(message)[0] for message in read(path) if message.id}
    assert [reason for reason in reasons() if not sentences.get(reason)] == []
    unknown = {
        reason: fields_of(sentences[reason]) - fields_of(english)
        for reason, english in reasons().items()
        if not fields_of(sentences[reason]) <= fields_of(english)
    }
    assert unknown == {}


def test_every_sign_has_the_same_width_on_all_terminals(path: Path) -> None:
    """No sign of ambiguous width is used, such as an ellipsis or a multiplication sign: columns would not stand."""
    texts = [text for message in read(path) if message.id for text in _texts(message)]
    texts.append(rulebook_text(path.parts[-3]))
    assert {sign for text in texts for sign in text if unicodedata.east_asian_width(sign) == "A"} == set()


def test_no_sentence_is_left_out() -> None:
    """Every text of five words or more in the client is looked up, but for docstrings and what no player reads."""
    left_out = []
    for source in CLIENT.rglob("*.py"):
        tree = ast.parse(source.read_text(encoding="utf-8"))
        looked_up = {id(part) for node in ast.walk(tree) if _is_no_text(node) for part in ast.walk(node)}
        left_out += [
            f"{source.name}:{node.lineno} {node.value!r}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in looked_up
            and re.search(r"(?:[A-Za-z',]+ ){4}[a-z]", node.value)
            and source.name not in _NO_SENTENCES
        ]
    assert left_out == []


_NO_SENTENCES = {"style.py", "place.py", "chart_picture.py", "completion.py", "shells.py"}
"""Modules with names of styles, of places and of fonts, and with lines for a shell."""


def _is_no_text(node: ast.AST) -> bool:
    """Say whether what stands in a node is looked up already, or is for programmers."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {*KEYWORDS, "RuntimeError"}
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_no_text_is_hidden_from_the_collection() -> None:
    """What is looked up stands there as a plain text, in a call that is not within an f-string or another such call."""
    texts = {text_of(message) for message in collected() if message.id}
    hidden = []
    for source in CLIENT.rglob("*.py"):
        for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in KEYWORDS:
                continue
            text = call.args[0]
            if isinstance(text, ast.JoinedStr | ast.BinOp):
                hidden.append(f"{source.name}:{text.lineno} is put together before it is looked up")
            if isinstance(text, ast.Constant) and text.value not in texts:
                hidden.append(f"{source.name}:{text.lineno} is not found: {text.value!r}")
    assert hidden == []
