"""Text that somebody else wrote, made fit to be shown in one line: by the server, and again by whoever shows it."""

from __future__ import annotations

import unicodedata

# Cc control, Cf format (bidi marks, zero-width characters), Cs surrogates, Co private use, Cn unassigned, Zl and Zp
# the separators of lines and paragraphs: nothing of them belongs into one line of text.
_LOST = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Blank, but letters or symbols to Unicode: the Hangul fillers and the empty Braille pattern.
_BLANK = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}

MOST_MARKS = 30
"""How many marks one sign may have above and below it."""


def cleaned(text: str) -> str:
    """Give a text as it is shown: NFC, one line, without control, bidi and zero-width characters and outer blanks."""
    lines = "".join(" " if character in "\t\n\r\v\f\u2028\u2029" else character for character in text)
    kept = "".join(c for c in lines if c not in _BLANK and unicodedata.category(c) not in _LOST)
    # Last, since what is left may compose where something stood between.
    return " ".join(unicodedata.normalize("NFC", _with_few_marks(kept)).split())


def _with_few_marks(text: str) -> str:
    """Give a text without the marks that follow so many others on one sign that no language has a use for them.

    Putting the marks of one sign into order takes the square of their number.
    """
    kept, marks = [], 0
    for character in text:
        # By category: some marks count as none until they are taken apart (U+0F73 is two).
        marks = marks + 1 if unicodedata.category(character).startswith("M") else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def visible(line: str) -> str:
    """Give a line that is printed whole, without what would act on a terminal instead of being shown there."""
    if line.isprintable():
        return line
    return "".join(
        " " if character.isspace() else character
        for character in line
        if character.isspace() or unicodedata.category(character) not in _LOST
    )


def can_be_seen(text: str) -> bool:
    """Say whether a cleaned text has a character that shows by itself: no blank, and no mark without a letter."""
    return any(unicodedata.category(character)[0] not in "ZM" for character in text)
