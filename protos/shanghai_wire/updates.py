"""The bytes of an update: what everybody gets alike is encoded once, and joined with each seat's own.

An encoded message is its encoded fields one after another, and a field that is repeated or a message may be written in
parts (protobuf calls it merging). So the history of a hand is written once, event by event, and what a seat alone
sees is joined to the public bytes without looking into them.
"""

from __future__ import annotations

from google.protobuf.message import Message

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.meld import Meld
from shanghai_engine.view import OwnView, PublicView
from shanghai_wire.cards import meld_message
from shanghai_wire.events import event_message, learned_message, result_message
from shanghai_wire.views import fixed_message, present_message, present_own_message

_VARINT, _LENGTH = 0, 2
"""Protobuf's wire types: a number, and bytes behind their length."""
_SHORT = 0x7F


_ONE_BYTE = [bytes((number,)) for number in range(_SHORT + 1)]
_TWO_BYTES = [bytes((low | 0x80, high)) for high in range(_SHORT + 1) for low in range(_SHORT + 1)]


def _varint(number: int) -> bytes:
    """Give a number as protobuf writes it; nearly all lengths have one byte or two."""
    if number <= _SHORT:
        return _ONE_BYTE[number]
    if number < len(_TWO_BYTES):
        return _TWO_BYTES[number]
    out = bytearray()
    while number > _SHORT:
        out.append(number & _SHORT | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _tag(message: type[Message], field: str, wire_type: int) -> bytes:
    """Give the bytes before a field's value, from the contract's own description of it."""
    return _varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | wire_type)


_TABLE = _tag(table_pb2.PublicUpdate, "table", _LENGTH)
_CLOCK = _tag(table_pb2.PublicUpdate, "clock", _LENGTH)
_GAME = _tag(table_pb2.PublicUpdate, "game", _LENGTH)
_MELDS = _tag(view_pb2.PublicView, "melds", _LENGTH)
_RESULTS = _tag(view_pb2.PublicView, "results", _LENGTH)
_EVENTS = _tag(view_pb2.PublicView, "events", _LENGTH)
_LEARNED = _tag(view_pb2.OwnView, "learned", _LENGTH)
_OWN = _tag(table_pb2.PrivateUpdate, "own", _LENGTH)
_DECISION = _tag(table_pb2.PrivateUpdate, "decision", _LENGTH)
_SEQUENCE = _tag(table_pb2.Update, "sequence", _VARINT)
_NEW_FROM = _tag(table_pb2.Update, "new_from", _VARINT)
_EVENTS_SKIPPED = _tag(table_pb2.Update, "events_skipped", _VARINT) + b"\x01"
_PUBLIC = _tag(table_pb2.Update, "public", _LENGTH)
_PRIVATE = _tag(table_pb2.Update, "private", _LENGTH)
_UPDATE = _tag(service_pb2.WatchResponse, "update", _LENGTH)


def _field(tag: bytes, value: bytes) -> bytes:
    return tag + _varint(len(value)) + value


class GameBytes:
    """The bytes of one game's public view (`PublicView`), change after change.

    The results and the events of a hand are only added to, so each is encoded once; the melds are encoded when one is
    another, and what is the same in the whole hand at its beginning. Everything else is encoded anew.
    """

    __slots__ = ("_events", "_events_done", "_fixed", "_hand", "_meld_bytes", "_melds", "_results", "_results_done")

    def __init__(self) -> None:
        """Begin with nothing encoded; each game needs its own."""
        self._hand = -1
        self._fixed = b""
        self._melds: tuple[Meld, ...] = ()
        self._meld_bytes = b""
        self._events = bytearray()
        self._events_done = 0
        self._results = bytearray()
        self._results_done = 0

    def encode(self, view: PublicView) -> bytes:
        """Give the bytes of `PublicView` for this game's view as it is now, which is no older than the last one."""
        if view.hand != self._hand:
            self._hand = view.hand
            self._fixed = fixed_message(view).SerializeToString()
            self._events.clear()
            self._events_done = 0
        if view.melds != self._melds:
            self._melds = view.melds
            self._meld_bytes = b"".join(_field(_MELDS, meld_message(meld).SerializeToString()) for meld in view.melds)
        for event in view.events[self._events_done :]:
            self._events += _field(_EVENTS, event_message(event).SerializeToString())
        self._events_done = len(view.events)
        for result in view.results[self._results_done :]:
            self._results += _field(_RESULTS, result_message(result).SerializeToString())
        self._results_done = len(view.results)
        present = present_message(view).SerializeToString()
        return b"".join((self._fixed, present, self._meld_bytes, self._results, self._events))


class OwnBytes:
    """The bytes of what a seat alone knows (`OwnView`), change after change; what it learned is encoded once.

    Most of what happens changes nothing of it.
    """

    __slots__ = ("_bytes", "_done", "_hand", "_learned", "_own")

    def __init__(self) -> None:
        """Begin with nothing encoded; each seat of each game needs its own."""
        self._hand = 0
        self._learned = bytearray()
        self._done = 0
        self._own: OwnView | None = None
        self._bytes = b""

    def encode(self, own: OwnView, *, hand: int) -> bytes:
        """Give the bytes of `OwnView` in a hand, counted from 1, for this seat's view, no older than the last one."""
        if hand != self._hand:
            self._hand = hand
            self._learned.clear()
            self._done = 0
        elif own == self._own:
            return self._bytes
        for learned in own.learned[self._done :]:
            self._learned += _field(_LEARNED, learned_message(learned).SerializeToString())
        self._done = len(own.learned)
        self._own, self._bytes = own, present_own_message(own).SerializeToString() + self._learned
        return self._bytes


def public_bytes(*, table: bytes, clock: bytes | None = None, game: bytes | None = None) -> bytes:
    """Give the bytes of `PublicUpdate` from those of its parts: `TableView`, `Clock` and `PublicView`.

    `clock` is none where no clock runs, `game` before the first deal.
    """
    parts = [_field(_TABLE, table)]
    if clock is not None:
        parts.append(_field(_CLOCK, clock))
    if game is not None:
        parts.append(_field(_GAME, game))
    return b"".join(parts)


def private_bytes(*, own: bytes, decision: bytes | None = None) -> bytes:
    """Give the bytes of `PrivateUpdate` from those of its parts: `OwnView` and `Decision`.

    `decision` is none where the seat owes nothing.
    """
    return _field(_OWN, own) if decision is None else _field(_OWN, own) + _field(_DECISION, decision)


def update_bytes(
    *, sequence: int, new_from: int, events_skipped: bool, public: bytes, private: bytes | None = None
) -> bytes:
    """Give the bytes of `WatchResponse` with an update, from those of `PublicUpdate` and of `PrivateUpdate`.

    `private` is none for a spectator.
    """
    head = _SEQUENCE + _varint(sequence) if sequence else b""
    if new_from:
        head += _NEW_FROM + _varint(new_from)
    if events_skipped:
        head += _EVENTS_SKIPPED
    head += _PUBLIC + _varint(len(public))
    size = len(head) + len(public)
    if private is None:
        return b"".join((_UPDATE, _varint(size), head, public))
    own_head = _PRIVATE + _varint(len(private))
    size += len(own_head) + len(private)
    return b"".join((_UPDATE, _varint(size), head, public, own_head, private))
