"""What a server of this machine is refused for, and what is no TOML, is said in the player's language.

Every text that goes through the catalogues comes out here in letters that are no Latin ones, so what is left in Latin
letters was not looked up, whatever the catalogues hold by now.
"""

from __future__ import annotations

import ast
import errno
import gettext
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import shanghai_server
from shanghai_client import language
from shanghai_client.clauses import template_of
from shanghai_client.language import speaking
from shanghai_client.record_faults import bad_record_text, record_fault_text
from shanghai_client.server_faults import REASONS, SENTENCES, journal_reason_text, server_fault_text
from shanghai_client.settings import BadSetting, read_file
from shanghai_client.system_errors import said_by_system
from shanghai_client.toml_faults import CLAUSES, toml_fault_text
from shanghai_engine.line import parse_line
from shanghai_engine.malformed import BadRecord
from shanghai_server.doors.certificate import BadCertificate, read_certificate
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.journal.journal import BadJournal, DamagedRecord, JournalLocked, JournalUnavailable
from shanghai_server.journal.sqlite_journal import SqliteJournal
from shanghai_server.standing.disposal import MAKES_ROOM, NOBODY_CAME_BACK
from shanghai_server.table.table import CLOSED_BY_HOST

SERVER = Path(shanghai_server.__file__).parent
RAISED = {"JournalUnavailable", "BadJournal", "BadCertificate", "ListenError", "BadTable", "NoDoor", "_bad"}
"""What is raised with a text that its reader is shown."""


class Masking(gettext.NullTranslations):
    """A catalogue that has every text, in a language whose letters are all the same."""

    def gettext(self, message: str) -> str:
        """Give a text with other letters, and the same values."""
        return "".join(
            part if part.startswith("{") else re.sub("[A-Za-z]", "字", part)
            for part in re.split(r"({\w+[^}]*})", message)
        )


@pytest.fixture
def masked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Show every text in the language of the mask."""
    # What is patched is put back before the language is: else the mask's would stay behind.
    with speaking("ja"), monkeypatch.context() as patched:
        patched.setattr(language, "_catalogue", Masking())
        yield


def latin(text: str) -> str:
    """Give the Latin letters of a text that stand in no quotes: paths, names, and others' own words stand in them."""
    return "".join(re.findall("[A-Za-z]", re.sub(r"'[^']*'|\"[^\"]*\"", "", text)))


def texts_in(node: ast.AST) -> Iterator[str]:
    """Give the texts of an expression, with something in quotes for each value in them."""
    match node:
        case ast.JoinedStr():
            parts = (part.value if isinstance(part, ast.Constant) else "'a b: c'" for part in node.values)
            yield "".join(str(part) for part in parts)
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp():
            yield from (*texts_in(node.body), *texts_in(node.orelse))
        case _:
            pass


def said_by_the_server() -> list[str]:
    """Give every text with which the parts of the server raise what a person on this machine reads."""
    found = []
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in RAISED:
                found += [text for argument in node.args for text in texts_in(argument)]
    return found


def test_every_sentence_of_the_servers_parts_is_recognised() -> None:
    """Whatever is raised there with a text of its own has a template, in the one list or the other."""
    said = said_by_the_server()
    assert len(said) > 30
    assert [text for text in said if template_of(text, (*SENTENCES, *REASONS)) is None] == []


def test_no_template_is_kept_that_nobody_says() -> None:
    """Each is found in the server's sources, by its own words."""
    sources = "".join(path.read_text(encoding="utf-8") for path in SERVER.rglob("*.py"))
    sources = re.sub(r'"\s*\n\s*f?"', "", sources)
    for template in (*SENTENCES, *REASONS):
        words = [part.strip(" ()") for part in re.split(r"{\w+}", template)]
        assert all(word in sources for word in words), template


@pytest.mark.usefixtures("masked")
def test_nothing_english_is_left_of_what_a_journal_is_refused_for(tmp_path: Path) -> None:
    """Every kind of error is said again, with the reason in it, and with what the system said."""
    full = f"{os.strerror(errno.ENOSPC)}: {str(tmp_path / 'a b')!r}"
    for error in (
        JournalLocked(tmp_path),
        JournalUnavailable(full),
        JournalUnavailable("database or disk is full"),
        JournalUnavailable("something that sqlite has never said before"),
        BadJournal(tmp_path / "it's: here", "is empty"),
        BadJournal(tmp_path, "is not whole: its log 'x-wal' is damaged (its frame 7 is not what was written)"),
        BadJournal(tmp_path, "is damaged (of 4096 bytes it has 7)"),
        BadJournal(tmp_path, "is damaged (database disk image is malformed)"),
        DamagedRecord("ABCDE", 3),
        "the table 'ABCDE' cannot be rebuilt: its record 2 cannot be taken in: Invalid value 'from the future'",
    ):
        assert latin(server_fault_text(str(error))) == "", str(error)
    assert latin(journal_reason_text("is no SQLite database")) == ""


async def test_a_real_journal_and_a_real_certificate_are_refused_in_the_players_language(
    tmp_path: Path, masked: None
) -> None:
    """What they say of files that are none is recognised."""
    (tmp_path / "journal.sqlite3").write_text("dear diary\n" * 1000, encoding="utf-8")
    with pytest.raises(BadJournal) as bad:
        await SqliteJournal(tmp_path).open()
    assert latin(server_fault_text(str(bad.value))) == ""
    for name in ("missing.pem", "journal.sqlite3"):
        with pytest.raises(BadCertificate) as refused_certificate:
            read_certificate(tmp_path / name, tmp_path / name)
        assert latin(server_fault_text(str(refused_certificate.value))) == ""
    assert masked is None


def test_in_english_everything_is_said_as_it_was() -> None:
    """Nothing is parsed or quoted anew in the language in which it was written."""
    for text in said_by_the_server():
        assert server_fault_text(text) == text
        assert journal_reason_text(text) == text
    error = tomllib.TOMLDecodeError("Invalid value (at line 1, column 5)")
    assert toml_fault_text(error) == "Invalid value (at line 1, column 5)"


WRONG_TOML = (
    "=",
    "a = 1 b = 2",
    "a 1",
    "[a",
    "[[a",
    "a = ?",
    'a = "x',
    'a = "\\x"',
    'a = "\\ud800"',
    'a = "\\uzzzz"',
    "a = [1",
    "a = {b = 1",
    "a = {b = 1, b = 2}",
    "a = 1\na = 2",
    "[a]\n[a]",
    "a = 1\n[a.b]",
    "a = {}\n[a.b]",
    "a = 2026-13-45",
    "a = '\x01'",
    "a.b = 1\n[a]\nb.c = 2",
    "# \x01",
    "[[a]]\n[a]",
    "a = '''x",
)


@pytest.mark.parametrize("text", WRONG_TOML)
@pytest.mark.usefixtures("masked")
def test_what_is_no_toml_is_said_in_the_players_language(text: str, tmp_path: Path) -> None:
    """The library's clause is known, and the place in the file is said in words of the player."""
    with pytest.raises(tomllib.TOMLDecodeError) as bad:
        tomllib.loads(text)
    assert template_of(str(bad.value).partition(" (at ")[0], CLAUSES) is not None
    assert latin(toml_fault_text(bad.value)) == ""
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSetting) as refused_setting:
        read_file(file)
    assert latin(str(refused_setting.value)) == ""


@pytest.mark.usefixtures("masked")
def test_what_the_library_has_never_said_stands_in_quotes() -> None:
    """A newer one has other words: they are a detail of a sentence that is the player's."""
    assert toml_fault_text(tomllib.TOMLDecodeError("New words (at line 3, column 4)")).startswith('"New words"')
    assert '"New words"' in toml_fault_text(tomllib.TOMLDecodeError("New words (at end of document)"))
    assert toml_fault_text(ValueError("New words")) == '"New words"'
    assert said_by_system("New words") == '"New words"'


NO_RECORD = (
    "{",
    '{"event": 7 8}',
    '{"event" 7}',
    "",
    "[1] 2",
    '{"event": "x',
    '{"a": "\\x"}',
    '{"a": "\\uxyz0"}',
    '{"a": "\t"}',
)


@pytest.mark.parametrize("line", NO_RECORD)
@pytest.mark.usefixtures("masked")
def test_a_line_of_a_record_that_cannot_be_read_is_told_in_the_players_language(line: str) -> None:
    """The line's number, what is wrong and the rule stand in one sentence, whatever stands in the line itself."""
    with pytest.raises(BadRecord) as bad:
        parse_line(line)
    named = BadRecord(bad.value.found, bad.value.right, line=7)
    assert latin(bad_record_text(named).removesuffix("(record)")) == ""
    assert "7" in bad_record_text(named)
    assert latin(record_fault_text(bad.value.sentence)) == ""


@pytest.mark.usefixtures("masked")
def test_the_reason_why_a_table_is_closed_is_said_again() -> None:
    """It is a value of the refusal, and a sentence of the server."""
    for reason in ("what is kept of it cannot be read", CLOSED_BY_HOST, NOBODY_CAME_BACK, MAKES_ROOM):
        error = CallRefused(TableRefusal.TABLE_CLOSED, table="ABCDE", reason=reason)
        assert template_of(error.values["reason"], SENTENCES) == reason
