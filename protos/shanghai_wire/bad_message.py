"""What is raised for a message that cannot be read: which field of it, what stood there, and what would be right."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import Message

from shanghai_engine.malformed import Malformed

UNREADABLE = "{field} = {value} cannot be read: {right}"
MISSING = "{field} is missing: it is {right}"
"""The sentences of what is wrong with one field of a message, with its path and what would be right."""


class BadMessage(Malformed):
    """A message with a field that cannot be read, as `field`, written `lay_down.melds[1].cards[0]`."""

    def __init__(self, field: str, value: object, right: str) -> None:
        """Take the field's path within the message, its value, and a clause saying what would be right."""
        super().__init__(value, right)
        self.field = field
        self.args = (UNREADABLE.format(field=field, value=repr(value), right=right),)

    @property
    def is_missing(self) -> bool:
        """Whether there is no value at all: the field is absent."""
        return self.value is None


def missing(field: str, what: str) -> BadMessage:
    """Give the error for a field that is absent where `what` is needed."""
    bad = BadMessage(field, None, what)
    bad.args = (MISSING.format(field=field, right=what),)
    return bad


def given(message: Message, name: str, field: str, what: str) -> None:
    """Raise `BadMessage` where an optional field of a message is absent."""
    if not message.HasField(name):
        raise missing(within(field, name), what)


def chosen(message: Message, oneof: str, field: str, choices: Sequence[str]) -> str:
    """Give the name of the field that is set in a oneof; raises `BadMessage` where none is that this version knows."""
    name: str | None = message.WhichOneof(oneof)
    if name is None:
        raise missing(within(field, oneof), f"one of {', '.join(choices)}")
    return name


def within(field: str, name: str) -> str:
    """Give the path of a field of the message at the path `field`, which is empty for the outermost."""
    return f"{field}.{name}" if field else name
