"""What one does around the game: give a seat up, promise and reveal a nonce, start, talk."""

from __future__ import annotations

import hashlib

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.bots import DEFAULT_LEVEL
from shanghai_engine.rules import FEWEST_PLAYERS
from shanghai_engine.shuffle import NONCE_BYTES
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import bot_name, read_chat
from shanghai_server.standing.fact import (
    BotAdded,
    CameBack,
    Left,
    NonceCommitted,
    NonceRevealed,
    Said,
    SatDown,
    SeatsClosed,
    Starting,
)
from shanghai_server.standing.ledger import Case, Ledger
from shanghai_server.standing.standing import Stage
from shanghai_server.verbs.hosting import check_host, check_lobby
from shanghai_server.verbs.joining import read_commitment, seat_list
from shanghai_wire.bad_message import BadMessage

_EMPTY_SEATS = {number: name.removeprefix("EMPTY_SEATS_") for name, number in service_pb2.EmptySeats.items()}
_EMPTY_SEATS_NAMED = ", ".join(f"{number} ({name})" for number, name in _EMPTY_SEATS.items())


def leave_table(case: Case, _request: service_pb2.LeaveTableRequest) -> service_pb2.LeaveTableResponse:
    """Give the seat up (R2.3)."""
    answer = service_pb2.LeaveTableResponse()
    case.ledger.closings.append((case.call.token, table_pb2.CLOSE_REASON_LEFT))
    case.ledger.may_agree = True
    level = case.standing.seats[case.holder].level or DEFAULT_LEVEL
    case.ledger.take(Left(seat=case.holder, level=level, request=case.call.answered(answer)))
    return answer


def commit_nonce(case: Case, request: service_pb2.CommitNonceRequest) -> service_pb2.CommitNonceResponse:
    """Take the promise of a nonce for the game that comes; nothing of it was revealed yet, so it may still change."""
    standing, seat = case.standing, case.holder
    if request.game_number != standing.game_number:
        raise CallRefused(TableRefusal.OTHER_GAME, game=request.game_number, current=standing.game_number)
    check_lobby(standing, "promising a nonce")
    promise = read_commitment(request.nonce_commitment)
    answer = service_pb2.CommitNonceResponse()
    case.ledger.take(NonceCommitted(seat=seat, nonce_commitment=promise, request=case.call.answered(answer)))
    return answer


def start_game(case: Case, request: service_pb2.StartGameRequest) -> service_pb2.StartGameResponse:
    """Close the lobby; only the host may. The game itself begins when the nonces are there."""
    standing = case.standing
    check_host(case, "starting the game")
    check_lobby(standing, "starting the game")
    if request.empty_seats not in _EMPTY_SEATS:
        raise BadMessage("empty_seats", request.empty_seats, f"it is one of {_EMPTY_SEATS_NAMED}")
    empty = standing.free_seats()
    players = len(standing.seats)
    closes = request.empty_seats == service_pb2.EMPTY_SEATS_CLOSE
    if empty and not closes and request.empty_seats != service_pb2.EMPTY_SEATS_BOTS:
        raise CallRefused(TableRefusal.SEATS_EMPTY, seats=seat_list(empty))
    if closes:
        players -= len(empty)
        if players < FEWEST_PLAYERS:
            raise CallRefused(TableRefusal.TOO_FEW_PLAYERS, players=players)
    standing.rules.check_players(players)
    if closes and empty:
        case.ledger.take(SeatsClosed(seats=empty))
    for seat in () if closes else empty:
        name = bot_name(standing.names())
        case.ledger.take(BotAdded(seat=seat, name=name, level=DEFAULT_LEVEL))
    answer = service_pb2.StartGameResponse()
    case.ledger.take(Starting(request=case.call.answered(answer)))
    return answer


def reveal_nonce(case: Case, request: service_pb2.RevealNonceRequest) -> service_pb2.RevealNonceResponse:
    """Take the nonce that was promised."""
    seat = case.holder
    sitting = case.standing.seats[seat]
    if case.standing.stage is not Stage.STARTING or not sitting.owes_nonce:
        raise CallRefused(TableRefusal.NO_NONCE_WANTED)
    nonce = request.nonce
    if len(nonce) != NONCE_BYTES or hashlib.sha256(nonce).digest() != sitting.nonce_commitment:
        raise CallRefused(TableRefusal.WRONG_NONCE)
    answer = service_pb2.RevealNonceResponse()
    case.ledger.take(NonceRevealed(seat=seat, nonce=nonce.hex(), request=case.call.answered(answer)))
    return answer


def say(case: Case, request: service_pb2.SayRequest) -> service_pb2.SayResponse:
    """Say something to the table."""
    seat, rate, ledger = case.holder, case.settings.chat, case.ledger
    text = read_chat(request.text, limit=case.settings.chat_characters)
    # By the seat, whoever sits there: else it would begin anew with each new person.
    said_by = ("chat", seat)
    wait = ledger.allowances.wait(said_by, rate, ledger.now)
    if wait:
        per_second = f"{rate.per_second:g}"
        raise CallRefused.for_now(TableRefusal.CHAT_TOO_FAST, wait, seat=seat, limit=rate.burst, per_second=per_second)
    ledger.allowances.use(said_by, rate, ledger.now)
    answer = service_pb2.SayResponse(number=case.standing.said + 1)
    ledger.take(Said(seat=seat, text=text, request=case.call.answered(answer)))
    return answer


def come_back(ledger: Ledger, seat: int) -> None:
    """Give an absent person the seat back from the stand-in."""
    if ledger.standing.seats[seat].absent:
        ledger.take(CameBack(seat=seat))


def sit_down(ledger: Ledger, seat: int, sitting: str) -> bool:
    """Go on with a person's sitting, by its mark, or begin it; gives false where it has lost the seat to a newer one.

    A client that names none, whose mark is empty, can always sit down.
    """
    seated = ledger.standing.seats[seat]
    if sitting == seated.sitting:
        return True
    if sitting and sitting in seated.sittings:
        return False
    if ledger.is_full:
        # A person sits down as often as he likes: that a restart forgets it is the lesser harm.
        ledger.standing.sit_down(seat, sitting)
    else:
        # Written down before the stream is let in: a restart would else forget who sat here last.
        ledger.take(SatDown(seat=seat, sitting=sitting))
    return True
