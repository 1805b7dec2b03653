"""What one does around the game: take a seat and give it up, add bots, start, reveal a nonce, talk."""

from __future__ import annotations

import hashlib

from shanghai.v1 import service_pb2
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.rules import FEWEST_PLAYERS
from shanghai_engine.shuffle import NONCE_BYTES
from shanghai_server.fact import BotAdded, CameBack, Joined, Left, NonceRevealed, Said, SeatsClosed, Starting
from shanghai_server.ledger import Case, Ledger
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.seat import Occupant
from shanghai_server.standing import Stage, Standing
from shanghai_server.wording import read_chat, read_name, told_apart

COMMITMENT_BYTES = hashlib.sha256().digest_size


def join_table(case: Case, request: service_pb2.JoinTableRequest) -> service_pb2.JoinTableResponse:
    """Seat a person. A token that holds a seat already is told its seat, and nothing changes."""
    standing = case.standing
    if case.seat is not None:
        return _joined(standing, case.seat, standing.seats[case.seat].name)
    _check_lobby(standing, "joining")
    name = read_name(request.name, limit=case.settings.name_characters)
    if len(request.nonce_commitment) not in {0, COMMITMENT_BYTES}:
        right = f"it is a SHA-256 of {COMMITMENT_BYTES} bytes, or empty"
        raise bad_field("nonce_commitment", request.nonce_commitment.hex(), right)
    seat = _free_seat(standing, request.seat if request.HasField("seat") else None)
    name = told_apart(name, standing.names(), limit=case.settings.name_characters)
    answer = _joined(standing, seat, name)
    case.ledger.take(
        Joined(
            seat=seat,
            token=case.call.token,
            name=name,
            nonce_commitment=request.nonce_commitment.hex(),
            request=case.call.answered(answer),
        )
    )
    return answer


def leave_table(case: Case, _request: service_pb2.LeaveTableRequest) -> service_pb2.LeaveTableResponse:
    """Give the seat up (R2.3)."""
    answer = service_pb2.LeaveTableResponse()
    case.ledger.take(Left(seat=case.holder, level=DEFAULT_LEVEL, request=case.call.answered(answer)))
    return answer


def add_bot(case: Case, request: service_pb2.AddBotRequest) -> service_pb2.AddBotResponse:
    """Seat a bot; only the host may."""
    standing = case.standing
    _check_host(case, "adding a bot")
    _check_lobby(standing, "adding a bot")
    level = request.level or DEFAULT_LEVEL
    if level not in LEVELS:
        raise CallRefused(TableRefusal.NO_SUCH_LEVEL, level=ascii(level[:64]), levels=", ".join(LEVELS))
    seat = _free_seat(standing, request.seat if request.HasField("seat") else None)
    name = bot_name(standing, case.settings.name_characters)
    answer = service_pb2.AddBotResponse(seat=seat, name=name)
    case.ledger.take(BotAdded(seat=seat, name=name, level=level, request=case.call.answered(answer)))
    return answer


def start_game(case: Case, request: service_pb2.StartGameRequest) -> service_pb2.StartGameResponse:
    """Close the lobby; only the host may. The game itself begins when the nonces are there."""
    standing = case.standing
    _check_host(case, "starting the game")
    _check_lobby(standing, "starting the game")
    empty = standing.free_seats()
    players = len(standing.seats)
    closes = request.empty_seats == service_pb2.EMPTY_SEATS_CLOSE
    if empty and not closes and request.empty_seats != service_pb2.EMPTY_SEATS_BOTS:
        raise CallRefused(TableRefusal.SEATS_EMPTY, seats=_list(empty))
    if closes:
        players -= len(empty)
        if players < FEWEST_PLAYERS:
            raise CallRefused(TableRefusal.TOO_FEW_PLAYERS, players=players)
    standing.rules.check_players(players)
    if closes and empty:
        case.ledger.take(SeatsClosed(seats=empty))
    for seat in () if closes else empty:
        name = bot_name(standing, case.settings.name_characters)
        case.ledger.take(BotAdded(seat=seat, name=name, level=DEFAULT_LEVEL))
    answer = service_pb2.StartGameResponse()
    case.ledger.take(Starting(request=case.call.answered(answer)))
    return answer


def reveal_nonce(case: Case, request: service_pb2.RevealNonceRequest) -> service_pb2.RevealNonceResponse:
    """Take the nonce that was promised on joining."""
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
    text = read_chat(request.text, limit=case.settings.chat_characters)
    answer = service_pb2.SayResponse(number=case.standing.said + 1)
    case.ledger.take(Said(seat=case.holder, text=text, request=case.call.answered(answer)))
    return answer


def come_back(ledger: Ledger, seat: int) -> None:
    """Give an absent person the seat back from the stand-in."""
    if ledger.standing.seats[seat].absent:
        ledger.take(CameBack(seat=seat))


def bot_name(standing: Standing, limit: int) -> str:
    """Give a name for the next bot."""
    bots = sum(seat.occupant is Occupant.BOT for seat in standing.seats)
    return told_apart(f"Bot {bots + 1}", standing.names(), limit=limit)


def bad_field(field: str, value: object, right: str) -> CallRefused:
    """Give the refusal of a field that cannot be used."""
    return CallRefused(TableRefusal.BAD_FIELD, field=field, value=repr(value), right=right)


def _joined(standing: Standing, seat: int, name: str) -> service_pb2.JoinTableResponse:
    return service_pb2.JoinTableResponse(seat=seat, name=name, commitment=standing.commitment)


def _check_lobby(standing: Standing, what: str) -> None:
    if standing.stage is not Stage.LOBBY:
        raise CallRefused(TableRefusal.GAME_STARTED, what=what)


def _check_host(case: Case, what: str) -> None:
    host = case.standing.host
    if host is None or case.holder != host:
        name = "nobody yet" if host is None else case.standing.seats[host].name
        raise CallRefused(TableRefusal.NOT_HOST, host=name, what=what)


def _free_seat(standing: Standing, wanted: int | None) -> int:
    free = standing.free_seats()
    if wanted is not None and not 0 <= wanted < len(standing.seats):
        raise CallRefused(TableRefusal.NO_SUCH_SEAT, seat=wanted, last=len(standing.seats) - 1)
    if not free:
        raise CallRefused(TableRefusal.TABLE_FULL, seats=len(standing.seats), table=standing.table)
    if wanted is None:
        return free[0]
    if wanted not in free:
        raise CallRefused(TableRefusal.SEAT_TAKEN, seat=wanted, free=_list(free))
    return wanted


def _list(seats: list[int]) -> str:
    return ", ".join(map(str, seats))
