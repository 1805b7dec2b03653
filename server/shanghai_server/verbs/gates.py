"""The gates that every call which changes something passes, one after another, before the table takes anything in.

    token → request id → seat → decision id → what the verb and the engine check → room on the disk → facts, taken in

Behind them, for a batch of calls together (`table.py`): append to the journal → publish → answer. Before them: whether
the server and the table are open. A refused call changes nothing and is not kept: a repeat of it is judged anew. Only
a call that was accepted is kept with its answer, which a repeat then gets.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.ledger import Call, Case, Ledger
from shanghai_server.verbs.agreeing import pause_game, rematch, resume_game
from shanghai_server.verbs.hosting import add_bot, kick_seat, remove_bot
from shanghai_server.verbs.joining import hand_over_seat, join_table
from shanghai_server.verbs.lobby import come_back, commit_nonce, leave_table, reveal_nonce, say, start_game
from shanghai_server.verbs.playing import act

TOKEN_BYTES = 16
REQUEST_ID_CHARACTERS = 64
SITTING_MARK_DIGITS = 16

_VERBS: Mapping[str, Callable[[Case, Any], Message]] = {
    "JoinTable": join_table,
    "LeaveTable": leave_table,
    "HandOverSeat": hand_over_seat,
    "KickSeat": kick_seat,
    "AddBot": add_bot,
    "RemoveBot": remove_bot,
    "CommitNonce": commit_nonce,
    "StartGame": start_game,
    "RevealNonce": reveal_nonce,
    "PauseGame": pause_game,
    "ResumeGame": resume_game,
    "Rematch": rematch,
    "Act": act,
    "Say": say,
}
VERBS = tuple(_VERBS)
"""The methods that change a table that exists."""
_PRESENT = frozenset(VERBS) - {"JoinTable", "LeaveTable", "HandOverSeat", "RevealNonce", "CommitNonce", "Say", "Act"}
"""The methods by which an absent person, with all the rights that he has, shows that he is back. An `Act` does too, but
a sealed answer tells nobody (R7.14): `Standing` brings him back by what follows from it."""

_OF_THE_GAME = frozenset({"StartGame", "RevealNonce", "Act", "ResumeGame", "LeaveTable", "KickSeat"})
"""The methods that a table takes in however much it has written. None of them goes on without end where a game has one,
nobody new sits down, and nobody pauses it again."""


def token_hash(token: bytes) -> str:
    """Give what is kept of a token: its SHA-256 in hex; raises `CallRefused` where it is not of 16 bytes."""
    if len(token) != TOKEN_BYTES:
        raise CallRefused(TableRefusal.MALFORMED_TOKEN, bytes=len(token))
    # One text for each token, however many calls are kept under it.
    return sys.intern(hashlib.sha256(token).hexdigest())


def sitting_mark(sitting: str) -> str:
    """Give what is kept of the text that names a sitting: the start of its SHA-256 in hex; empty for no text.

    Two sittings of one person never have the same by chance, and however long the text is, its mark is short.
    """
    return hashlib.sha256(sitting.encode("utf-8")).hexdigest()[:SITTING_MARK_DIGITS] if sitting else ""


def check_request_id(request_id: str) -> str:
    """Give a request id back; raises `CallRefused` where it is none."""
    if not request_id or len(request_id) > REQUEST_ID_CHARACTERS or not request_id.isprintable():
        shown = request_id[:REQUEST_ID_CHARACTERS]
        raise CallRefused(TableRefusal.BAD_REQUEST_ID, request_id=shown, limit=REQUEST_ID_CHARACTERS)
    return request_id


def likeness(verb: str, request: Message) -> bytes:
    """Give what two calls of the same content have alike."""
    return hashlib.sha256(verb.encode("ascii") + b"\0" + request.SerializeToString(deterministic=True)).digest()


def read_call(verb: str, request: Any, peer: str) -> Call:  # noqa: ANN401 # any request with an id and a seat token
    """Give the call that a message from a peer is; raises `CallRefused` where it cannot be one."""
    token = token_hash(request.seat_token)
    request_id = check_request_id(request.request_id)
    return Call(
        verb=verb, request=request, token=token, request_id=request_id, likeness=likeness(verb, request), peer=peer
    )


def judge(ledger: Ledger, call: Call, connected: frozenset[int]) -> Message | bytes:
    """Give the answer to a call, the facts of which are in the ledger then, or the first answer to a repeated one.

    Raises `CallRefused`, the engine's `RuleViolation` and `Malformed`, and then nothing of the call has happened.
    """
    standing = ledger.standing
    seat = standing.seat_of(call.token)
    if seat is None and call.verb != "JoinTable" and call.token not in standing.requests:
        raise CallRefused(TableRefusal.BAD_TOKEN)
    first = standing.first_answer(call.token, call.request_id)
    if first is not None:
        if first.likeness != call.likeness:
            raise CallRefused(TableRefusal.REQUEST_ID_REUSED, request_id=call.request_id)
        return first.answer
    if seat is None and call.verb != "JoinTable":
        raise CallRefused(TableRefusal.BAD_TOKEN)
    case = Case(ledger=ledger, call=call, seat=seat, connected=connected)
    # Only what would be written down: a call that is refused for another reason, or writes nothing, needs no room.
    ledger.barred = _without_room(case)
    try:
        answer = _VERBS[call.verb](case, call.request)
    finally:
        ledger.barred = None
    if call.verb in _PRESENT:
        # Behind the verb, because a refused call changes nothing (R15.1); and by the token, as seats may have moved.
        seat = standing.seat_of(call.token)
        if seat is not None:
            come_back(ledger, seat)
    return answer


def _without_room(case: Case) -> CallRefused | None:
    """Give what refuses a call that could go on without end at a table that has written its part of the disk.

    Its game goes on: it is begun, played, and ended, and whoever will may go.
    """
    if not case.ledger.is_full or case.call.verb in _OF_THE_GAME:
        return None
    return CallRefused(TableRefusal.TABLE_WRITTEN_FULL, table=case.standing.table, limit=case.settings.table_bytes)
