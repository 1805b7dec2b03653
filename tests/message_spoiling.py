"""Requests that are wrong in every way: fields of values that nobody sends, and bytes that are no message."""

from __future__ import annotations

import random

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_TEXTS = (
    "",
    " ",
    "A" * 300,
    "\u202eAnn\u200b",
    "\n\r\t\0",
    "☃" * 40,
    "5H",
    "1.1.1.0",
    "%s{0}{limit}",
    "'; DROP TABLE record",
)
_NUMBERS = (-(2**31), -1, 0, 1, 7, 8, 99, 2**31 - 1)


def spoiled(message: Message, rng: random.Random) -> bytes:
    """Give the bytes of a message with some of it made wrong; the message itself is changed on the way."""
    kind = rng.random()
    if kind < 0.05:
        return rng.randbytes(rng.randrange(200))
    for _ in range(rng.choice([0, 1, 1, 1, 2, 5])):
        spoil_field(message, rng)
    data = bytearray(message.SerializeToString())
    if kind < 0.25:
        for _ in range(rng.randrange(1, 4)):
            spoil_bytes(data, rng)
    return bytes(data)


def spoil_bytes(data: bytearray, rng: random.Random) -> None:
    """Change, add, lose or repeat some bytes."""
    place = rng.randrange(len(data) + 1)
    match rng.randrange(4):
        case 0 if place < len(data):
            data[place] = rng.randrange(256)
        case 1:
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
        case 2:
            del data[place:]
        case _:
            data += data[place:]


def spoil_field(message: Message, rng: random.Random) -> None:
    """Set one field of a message, or of one within it, to a value of its type that makes little sense."""
    fields: list[FieldDescriptor] = [*message.DESCRIPTOR.fields]
    if not fields:
        return
    field = rng.choice(fields)
    if field.message_type is not None:
        if field.is_repeated:
            entries = getattr(message, field.name)
            if field.message_type.GetOptions().map_entry:
                return
            for _ in range(rng.choice([0, 1, 1, 40])):
                spoil_field(entries.add(), rng)
        else:
            within = getattr(message, field.name)
            within.SetInParent()
            spoil_field(within, rng)
        return
    values = [_value(field, rng) for _ in range(rng.choice([0, 1, 3, 200]) if field.is_repeated else 1)]
    if field.is_repeated:
        del getattr(message, field.name)[:]
        getattr(message, field.name).extend(values)
    else:
        setattr(message, field.name, values[0])


def _value(field: FieldDescriptor, rng: random.Random) -> object:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return rng.choice(_TEXTS)
        case FieldDescriptor.TYPE_BYTES:
            return rng.randbytes(rng.choice([0, 1, 15, 16, 17, 32, 300]))
        case FieldDescriptor.TYPE_BOOL:
            return rng.random() < 0.5
        case FieldDescriptor.TYPE_ENUM:
            return rng.choice([-1, 0, 1, 2, 54, 255, 2**31 - 1])
        case FieldDescriptor.TYPE_UINT64 | FieldDescriptor.TYPE_UINT32:
            return rng.choice([0, 1, 10**9])
        case _:
            return rng.choice(_NUMBERS)
