"""A walk through a message: every field that is set, with its path, so that a test sees all that was sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a message: its path without the places in lists, the enum's name where it is one, and the value."""

    path: str
    enum: str
    value: object


def walk(message: Message, path: str = "") -> Iterator[Found]:
    """Give every value that is set in a message, in the messages within it, and in its maps, keys included."""
    for field, value in message.ListFields():
        here = f"{path}.{field.name}" if path else field.name
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            for key, entry in value.items():
                yield Found(f"{here}.key", "", key)
                yield Found(f"{here}.value", "", entry)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            for each in value if field.is_repeated else (value,):
                yield from walk(each, here)
        else:
            enum = field.enum_type.name if field.enum_type is not None else ""
            for each in value if field.is_repeated else (value,):
                yield Found(here, enum, each)


def unknown_fields(message: Message) -> bool:
    """Say whether a message or one within it holds anything that the contract does not name."""
    twin = type(message)()
    twin.CopyFrom(message)
    twin.DiscardUnknownFields()
    return bool(twin.ByteSize() != message.ByteSize())
