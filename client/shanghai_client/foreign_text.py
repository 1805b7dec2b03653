"""The texts of a server's messages, made fit to be shown where they come in: a server may say anything."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from shanghai_wire.shown_text import cleaned

LONGEST = 1000
"""Characters of a text that are shown: five times what a server lets a player say."""
_M = TypeVar("_M", bound=Message)


def made_fit(message: _M) -> _M:
    """Give a message with every text in it, at any depth, in one line, without what acts on a terminal, and not long.

    The message itself is changed: nobody wants the other texts.
    """
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            # The only maps are those of rules, whose names are checked as they are read.
            continue
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for each in value if field.is_repeated else (value,):
                made_fit(each)
        elif field.type == FieldDescriptor.TYPE_STRING:
            if field.is_repeated:
                value[:] = [fit(text) for text in value]
            elif value != (shown := fit(value)):
                setattr(message, field.name, shown)
    return message


# The same names and the same chat come with every update.
@lru_cache(maxsize=1024)
def fit(text: str) -> str:
    """Give a text in one line, without what acts on a terminal, and not long."""
    return cleaned(text[:LONGEST])
