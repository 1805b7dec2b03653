"""What a server of this machine could not do, in the player's language: its sentences are recognised, and said again.

Whoever runs a server, or plays alone on one inside this program, reads what its journal, its certificate and its
addresses are refused for. The server speaks English.
"""

from __future__ import annotations

from collections.abc import Iterable

from shanghai_client.clauses import template_of, values_in
from shanghai_client.language import LANGUAGES, _, later, spoken
from shanghai_client.system_errors import said_by_system

SENTENCES = (
    later("the journal cannot be used: {reason}"),
    later("the copy {path} cannot be written: {why}"),
    later("the data folder {folder} is in use by another server: stop that one, or name another folder"),
    later("the journal {path} {reason}; it was left as it is: move it away, or name another folder"),
    later("the journal is damaged: record {number} of table {table} is not what was written"),
    later("the table {table} cannot be rebuilt: its record {number} {reason}"),
    later("{path} is there already, and is not overwritten: name another file"),
    later("{path} holds no certificate: it is a PEM file"),
    later("the key in {path} asks for a password: it is a PEM file without one"),
    later("{path} holds no private key: it is a PEM file"),
    later("the key in {path} is not that of the certificate in {other}"),
    later("the certificate in {path} begins on {date}, not before"),
    later("the certificate in {path} ended on {date}"),
    later("the key in {path} can be read by every user of this machine: chmod o= closes it to them"),
    later("no certificate can be kept in {folder}: {why}"),
    later("{path} cannot be read: {why}"),
    later("cannot listen on {address}: {reason}"),
    later("no server runs on it: name the folder of a running one"),
    later("its {file} cannot be read: {why}"),
    later("its {file} was not written by a server: {why}"),
    later("something in it failed; the game is kept as it was before, until the server is started again"),
    later("what is kept of it cannot be read"),
    later("the server's host closed it"),
    later("nobody came back"),
    later("its game is over, and the server needed the room for another table"),
)
"""What the parts of a server say in whole sentences, the more definite first."""
REASONS = (
    later("is a link to a file: link the whole folder instead"),
    later("is no file"),
    later("is no SQLite database"),
    later("is empty"),
    later("is missing"),
    later("is a SQLite database, but not one of this program"),
    later("has schema version {version}, and this program reads version {ours}"),
    later("does not hold the tables of schema version {version}"),
    later("lacks records of table {table}"),
    later("is missing, but its log {file} is there"),
    later(
        "is not whole: its log {file} is missing; put it back, or, to go on with the older games that the file alone"
        " holds, remove {mark}"
    ),
    later(
        "is not whole: its log {file} was emptied or cut short ({written} records were written, and {held} are there);"
        " put it back as it was, or, to go on with the older games that are left, remove {mark}"
    ),
    later("is not whole: its log {file} is damaged ({reason})"),
    later("is damaged (of {whole} bytes it has {size})"),
    later("is damaged (it has {size} bytes, and its log does not hold page {page} either)"),
    later("is damaged (record {number} of table {table} is not what was written)"),
    later("is damaged ({why})"),
    later("its first bytes are wrong"),
    later("its frame {number} is not what was written"),
    later("there is no journal in {folder}"),
    later("the file system of {folder} cannot hold a write-ahead log"),
    later("its log {path} was removed or moved while it was open: stop the server, which saves it"),
    later("its log {path} was cut short while it was open: stop the server, and put the log back"),
    later("{path} was removed or moved while it was open"),
    later("it is not open"),
    later("does not say how the table was made"),
    later("cannot be taken in: {why}"),
    later("cannot be read: {why}"),
    later("there is no host {host}"),
    later("it is in use by another program"),
    later("it is in use, or cannot be used"),
    later("it cannot be used: {why}"),
    later("it is HOST:PORT, with a port from 0 (any free one) to {highest}"),
    later("{why}: {path}"),
)
"""What stands within such a sentence as the reason, the more definite first."""


def server_fault_text(sentence: str) -> str:
    """Give a sentence of a server's part: its own in English, and else what it says, said again."""
    return sentence if spoken() == LANGUAGES[0] else _said_again(sentence, SENTENCES)


def journal_reason_text(reason: str) -> str:
    """Give the reason alone for which a journal or an address cannot be used."""
    return reason if spoken() == LANGUAGES[0] else _said_again(reason, REASONS)


def _said_again(clause: str, templates: Iterable[str]) -> str:
    """Give a clause by its template; what has none is somebody else's word, and stands in quotes."""
    template = template_of(clause, templates)
    if template is None:
        return said_by_system(clause)
    values = values_in(clause, template) or {}
    if "reason" in values:
        values["reason"] = _said_again(values["reason"], REASONS)
    if "why" in values:
        values["why"] = said_by_system(values["why"])
    return _(template).format(**values)
