"""What somebody has typed, as a sentence repeats it: a long text cut, a byte that is no text as a question mark."""

from __future__ import annotations

MOST = 48
"""Characters of a text that are repeated."""


def quoted(value: object) -> str:
    """Give a value between quotes where it is text, as in `'12'`, else as it would be written."""
    return repr(shortened(value)) if isinstance(value, str) else shortened(repr(value))


def shortened(text: str) -> str:
    """Give a text, its beginning where it is long; half a sign, which is a byte that is no text, is a question mark."""
    kept = text if len(text) <= MOST else f"{text[: MOST // 2]}..."
    return whole_signs(kept)


def whole_signs(text: str) -> str:
    """Give a text that a message can hold: a byte that is no text of the terminal's encoding comes as half a sign."""
    return text.encode(errors="replace").decode()
