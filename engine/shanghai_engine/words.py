"""The words of a line, taken from the left: what a text form of something is read with."""

from __future__ import annotations

import json
from typing import TypeVar

from shanghai_engine.card import Card, parse_cards
from shanghai_engine.choice import Choice
from shanghai_engine.malformed import Malformed, quoted

NOTHING = "-"
"""What stands for no seat, and for a hand without cards."""
_MOST_DIGITS = 18
V = TypeVar("V")
C = TypeVar("C", bound=Choice)


class Words:
    """The words of one line, taken from the left."""

    def __init__(self, line: str) -> None:
        """Take a line."""
        self.line = line
        self._left = line.split(" ")

    def word(self) -> str:
        """Take the next word."""
        if not self._left:
            raise Malformed(self.line, "the line ends too early")
        return self._left.pop(0)

    def says(self, word: str) -> bool:
        """Take the next word if it is this one, and say whether it was."""
        if self._left and self._left[0] == word:
            self._left.pop(0)
            return True
        return False

    def expect(self, word: str) -> None:
        """Take a word that must stand here."""
        if not self.says(word):
            raise Malformed(self.line, f"{word!r} stands after {self._before()!r}")

    def _before(self) -> str:
        return self.line.removesuffix(" ".join(self._left)).strip()

    def number(self) -> int:
        """Take a whole number."""
        word = self.word()
        if not (word.isascii() and word.removeprefix("-").isdecimal()) or len(word) > _MOST_DIGITS:
            raise Malformed(word, f"a whole number of up to {_MOST_DIGITS} digits stands here, in {quoted(self.line)}")
        return int(word)

    def secret(self) -> bytes:
        """Take bytes in hexadecimal digits."""
        word = self.word()
        try:
            return bytes.fromhex(word)
        except ValueError:
            raise Malformed(word, f"hexadecimal digits stand here, in {quoted(self.line)}") from None

    def choice(self, kind: type[C]) -> C:
        """Take the value of an enum."""
        word = self.word()
        for member in kind:
            if member.value == word:
                return member
        raise Malformed(word, f"it is one of {', '.join(member.value for member in kind)}, in {quoted(self.line)}")

    def numbers(self) -> tuple[int, ...]:
        """Take whole numbers parted by commas."""
        word = self.word()
        return tuple(Words(part).number() for part in word.split(","))

    def more(self) -> bool:
        """Say whether words are left."""
        return bool(self._left)

    def last(self, value: V) -> V:
        """Give back the value of the last word; raises `Malformed` where more follow."""
        if self._left:
            raise Malformed(self.line, f"nothing stands after {self._before()!r}")
        return value

    def json_object(self) -> dict[str, object]:
        """Take a JSON object up to the end of the line."""
        text = self.rest()
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Malformed(text, "a JSON object stands here")
        return value

    def rest(self) -> str:
        """Take all that is left."""
        left = " ".join(self._left)
        self._left = []
        return left

    def cards(self) -> tuple[Card, ...]:
        """Take cards up to the end of the line."""
        text = self.rest()
        return () if text == NOTHING else parse_cards(text)

    def name(self) -> str:
        """Take a text in quotes."""
        text = self.rest()
        try:
            name, end = json.JSONDecoder().raw_decode(text)
        except ValueError:
            name, end = None, 0
        if not isinstance(name, str):
            raise Malformed(text, "a name stands here, in double quotes")
        self._left = text[end:].split()
        return name
