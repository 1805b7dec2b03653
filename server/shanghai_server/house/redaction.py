"""What no log tells: cards, seeds, nonces, tokens, passcodes and codes, whatever they stand in.

Nothing of the kind is given to a log on purpose. But the text of an error may name what was wrong with a card, and a
traceback whatever it was about; so everything that is logged passes through here, at every level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from structlog.typing import EventDict, WrappedLogger

SECRET_KEYS = frozenset({"card", "cards", "code", "nonce", "passcode", "seat_token", "seed", "token"})
"""Under these names nothing is logged, whatever it is."""
HIDDEN = "[hidden]"
"""What stands in the place of what is not told."""
_SECRET = re.compile(
    r"""
      (?<![A-Za-z0-9])(?:[2-9TJQKA][CDHS]|JK)(?![A-Za-z0-9])  # a card as people read it
    | \bCard(?:\.\w+|\(\d+\))                                 # a card as Python writes it
    | \bCARD_\w+                                              # a card as the contract names it
    | \bb(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")              # bytes
    | (?<![0-9A-Fa-f])[0-9A-Fa-f]{32,}(?![0-9A-Fa-f])         # 16 bytes and more, in hex
    """,
    re.VERBOSE,
)


def redacted(text: str) -> str:
    """Give a text in which no card can be read, and no secret that is long enough to be one."""
    return _SECRET.sub(HIDDEN, text)


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Take out of a log's line what is not told; the processor before the one that renders it."""
    return {str(key): _value(str(key), value) for key, value in event.items()}


def _value(key: str, value: object) -> object:
    # A hand is a number, or what somebody holds.
    if key in SECRET_KEYS or (key == "hand" and not isinstance(value, int)):
        return HIDDEN
    if value is None or (isinstance(value, bool | int | float) and type(value).__module__ == "builtins"):
        return value
    if isinstance(value, Mapping):
        return {str(name): _value(str(name), each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_value("", each) for each in value]
    if isinstance(value, bytes | bytearray):
        return HIDDEN
    # With its repr an enum of whole numbers is known for what it is.
    return redacted(value if isinstance(value, str) else repr(value))
