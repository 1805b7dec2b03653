"""One line of a game record: its text as a dict and back, and its fields read with a sentence for whatever is wrong.

Nothing here knows the game; `record.py` says which fields a line has.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NoReturn, TypeVar

from shanghai_engine.card import Card
from shanghai_engine.malformed import BadRecord, Malformed

Line = dict[str, object]
"""A line as it is written: keys in their order, and nothing but what JSON can hold."""

FREE_PREFIX = "x_"
"""Keys that begin so are everybody's to add, and are left out unread."""
DEEPEST = 16
"""How many lists and objects may stand within each other; a record needs five."""

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlevel = 3


_LONGEST = 100
"""Characters of a value that a sentence quotes."""


def shown(value: object) -> str:
    """Give a value as a sentence can quote it: on one line, printable, and cut where it is long."""
    if isinstance(value, dict | list | bool | None):
        # As it stands in the record, which is JSON.
        text = json.dumps(value, ensure_ascii=True, default=repr)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
    return _SHORT.repr(value)


def line_text(line: Mapping[str, object]) -> str:
    """Give a line as it is written, without the line feed."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False)


def parse_line(text: str | bytes) -> Line:
    """Read the text of a line; raises `BadRecord` where it is no JSON object in UTF-8.

    Free keys are left out. A key that stands twice in an object, or what JSON does not know (NaN), is refused.
    """
    right = "a line of a record is one JSON object in UTF-8"
    if not isinstance(text, str | bytes):
        raise BadRecord(f"the line is {shown(text)}, and no text", right)
    try:
        given = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as bad:
        raise BadRecord(f"the line is not UTF-8 at its byte {bad.start + 1}", right) from bad
    try:
        value = json.loads(given, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as bad:
        if not given.strip():
            raise BadRecord("the line is blank", right) from bad
        raise BadRecord(f"{shown(given)} is not JSON ({bad.msg} at character {bad.pos + 1})", right) from bad
    except RecursionError as bad:
        raise BadRecord("lists or objects stand too deep within each other", f"at most {DEEPEST} do") from bad
    except BadRecord:
        raise
    except ValueError as bad:
        raise BadRecord("a number of thousands of digits stands in the line", "numbers are small whole ones") from bad
    if not isinstance(value, dict):
        raise BadRecord(f"the line holds {shown(value)}", right)
    _check_depth(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> Line:
    line: Line = {}
    for key, value in pairs:
        if key.startswith(FREE_PREFIX):
            continue
        if key in line:
            raise BadRecord(f"the key {shown(key)} stands twice in one object", "every key stands once")
        line[key] = value
    return line


def _no_constant(text: str) -> NoReturn:
    raise BadRecord(f"{text} stands in the line", "JSON has no such number")


def _check_depth(value: object) -> None:
    """Keep what is read from being nested so deep that it cannot even be quoted."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            entry
            for outer in level
            for entry in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(entry, dict | list)
        ]
        if not level:
            return
    raise BadRecord("lists or objects stand too deep within each other", f"at most {DEEPEST} do")


def bare(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Give a value without the free keys in it, however deep."""
    if isinstance(value, Mapping):
        return {key: bare(entry) for key, entry in value.items() if not str(key).startswith(FREE_PREFIX)}
    return [bare(entry) for entry in value] if isinstance(value, list) else value


class Fields:
    """The fields of one object of a line, taken out by name; every method raises `BadRecord` for a wrong one.

    `what` names the object in sentences. Once all fields that it may have are taken, `done` refuses the others.
    """

    __slots__ = ("_left", "what")

    def __init__(self, value: object, what: str) -> None:
        """Take an object; anything else is refused, and free keys are left out."""
        if not isinstance(value, Mapping):
            raise BadRecord(f"{shown(value)} stands for {what}", f"{what} is an object")
        self.what = what
        self._left = {key: entry for key, entry in value.items() if not str(key).startswith(FREE_PREFIX)}

    def take(self, key: str) -> object:
        """Give whatever a key holds; refused where it is missing."""
        if key not in self._left:
            raise BadRecord(f"{self.what} has no {key!r}", f"every {self._kind} has one")
        return self._left.pop(key)

    def take_or_none(self, key: str) -> object:
        """Give whatever a key holds; none where it is missing."""
        return self._left.pop(key, None)

    def rest(self) -> Line:
        """Give all that was not taken, without free keys however deep."""
        rest: Line = bare(self._left)
        self._left = {}
        return rest

    def names(self) -> tuple[str, ...]:
        """Give the keys that were not taken, in their order."""
        return tuple(self._left)

    def done(self) -> None:
        """Refuse the keys that were not taken."""
        for key in self._left:
            raise BadRecord(
                f"{self.what} has a key {shown(key)}",
                f"it has none of that name, and free keys begin with {FREE_PREFIX}",
            )

    @property
    def _kind(self) -> str:
        return self.what.removeprefix("the ").removeprefix("a ").removeprefix("an ")

    def wrong(self, key: str, value: object, right: str) -> BadRecord:
        """Give the exception for a key whose value cannot be read."""
        return BadRecord(f"{key!r} of {self.what} is {shown(value)}", right)

    def whole(self, key: str, low: int, high: int) -> int:
        """Give a whole number within bounds."""
        return self._whole(key, self.take(key), low, high)

    def whole_or_none(self, key: str, low: int, high: int) -> int | None:
        """Give a whole number within bounds; none where it is null or missing."""
        value = self.take_or_none(key)
        return None if value is None else self._whole(key, value, low, high)

    def _whole(self, key: str, value: object, low: int, high: int) -> int:
        # A bool is an int to Python, and not to JSON.
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(key, value, f"it is a whole number from {low} to {high}")
        return value

    def choice(self, key: str, values: type[E]) -> E:
        """Give the member of an enum whose value stands there."""
        return self._choice(key, self.take(key), values)

    def choice_or_none(self, key: str, values: type[E]) -> E | None:
        """Give the member of an enum whose value stands there; none where it is null or missing."""
        value = self.take_or_none(key)
        return None if value is None else self._choice(key, value, values)

    def _choice(self, key: str, value: object, values: type[E]) -> E:
        for member in values:
            if member.value == value:
                return member
        raise self.wrong(key, value, f"it is {' or '.join(repr(member.value) for member in values)}")

    def text(self, key: str, value: object) -> str:
        """Give a value of this key as text that UTF-8 can hold."""
        if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise self.wrong(key, value, "it is text")
        return value

    def secret(self, key: str, value: object, size: int) -> bytes:
        """Give a value of this key as bytes of this number, written as lower-case hexadecimal digits."""
        right = f"it is {size} bytes as {2 * size} lower-case hexadecimal digits"
        if not isinstance(value, str) or len(value) != 2 * size or set(value) - set("0123456789abcdef"):
            raise self.wrong(key, value, right)
        return bytes.fromhex(value)

    def card(self, key: str) -> Card:
        """Give a card."""
        return self._card(key, self.take(key))

    def _card(self, key: str, value: object) -> Card:
        try:
            # What is not text is no card either, and may not even be hashable.
            return Card.parse(value if isinstance(value, str) else "")
        except Malformed as bad:
            raise self.wrong(key, value, bad.right) from bad

    def cards(self, key: str) -> tuple[Card, ...]:
        """Give a list of cards in order."""
        return self._cards(key, self.take(key))

    def _cards(self, key: str, value: object) -> tuple[Card, ...]:
        return self.all(key, value, lambda entry: self._card(key, entry))

    def hands(self, key: str, players: int) -> tuple[tuple[Card, ...], ...]:
        """Give a list of cards for every seat."""
        return self.all(key, self.take(key), lambda hand: self._cards(key, hand), length=players)

    def whole_list(self, key: str, low: int, high: int, *, length: int | None = None) -> tuple[int, ...]:
        """Give a list of whole numbers within bounds."""
        return self.all(key, self.take(key), lambda entry: self._whole(key, entry, low, high), length=length)

    def all(self, key: str, value: object, read: Callable[[object], T], *, length: int | None = None) -> tuple[T, ...]:
        """Give a list, each entry as `read` gives it, of just this length where one is given."""
        if not isinstance(value, list | tuple):
            raise self.wrong(key, value, "it is a list")
        if length is not None and len(value) != length:
            raise self.wrong(key, value, f"it has {length} entries, one for each seat")
        return tuple(read(entry) for entry in value)
