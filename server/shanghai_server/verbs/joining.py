"""How one gets a seat: a free one before the game, a bot's later on, or one that its holder hands over."""

from __future__ import annotations

import hashlib
import hmac

from shanghai.v1 import service_pb2, table_pb2
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import read_name, told_apart
from shanghai_server.standing.fact import HandedOver, Joined, SeatOffered
from shanghai_server.standing.ledger import Case, Ledger
from shanghai_server.standing.seat import Occupant
from shanghai_server.standing.standing import Stage, Standing

COMMITMENT_BYTES = hashlib.sha256().digest_size
LEAST_CODE, MOST_CODE = 8, 32
"""How many letters and figures a hand-over code has."""


def join_table(case: Case, request: service_pb2.JoinTableRequest) -> service_pb2.JoinTableResponse:
    """Seat a person. A token that holds a seat already is told its seat, and nothing changes."""
    standing = case.standing
    if case.seat is not None:
        held = standing.seats[case.seat]
        promised = bool(held.nonce_commitment)
        return _joined(standing, case.seat, held.name, nonce_promised=promised, waits=held.waits)
    if case.call.token in standing.kicked:
        raise CallRefused(TableRefusal.KICKED)
    if request.hand_over_code:
        seat = _offered_seat(case, request.hand_over_code)
    else:
        check_passcode(case.ledger, request.passcode, case.call.peer)
        seat = _open_seat(case, request.seat if request.HasField("seat") else None)
    promise = read_commitment(request.nonce_commitment)
    limit = case.settings.name_characters
    # The name of who sat there is free again.
    others = (each.name for index, each in enumerate(standing.seats) if each.name and index != seat)
    name = told_apart(read_name(request.name, limit=limit), others, limit=limit)
    is_in_time = standing.stage is Stage.LOBBY and bool(promise)
    waits = standing.seats[seat].waits if request.hand_over_code else standing.newcomers_wait
    answer = _joined(standing, seat, name, nonce_promised=is_in_time, waits=waits)
    token, seated_from = case.call.token, ("join", case.call.peer)
    _check_joins(case, seated_from)
    kept = case.call.answered(answer)
    if request.hand_over_code:
        before = standing.seats[seat].token
        case.ledger.take(HandedOver(seat=seat, token=token, name=name, nonce_commitment=promise, request=kept))
        case.ledger.closings.append((before, table_pb2.CLOSE_REASON_HANDED_OVER))
    else:
        case.ledger.take(Joined(seat=seat, token=token, name=name, nonce_commitment=promise, request=kept))
    case.ledger.allowances.use(seated_from, case.settings.joins_per_peer, case.ledger.now)
    return answer


def _check_joins(case: Case, seated_from: tuple[str, str]) -> None:
    """Refuse a peer whose people take seats too often: each who comes has a token and a name of his own to write."""
    rate = case.settings.joins_per_peer
    wait = case.ledger.allowances.wait(seated_from, rate, case.ledger.now)
    if wait:
        table, per_second = case.standing.table, f"{rate.per_second:g}"
        raise CallRefused.for_now(
            TableRefusal.JOINS_TOO_FAST, wait, table=table, limit=rate.burst, per_second=per_second
        )


def hand_over_seat(case: Case, request: service_pb2.HandOverSeatRequest) -> service_pb2.HandOverSeatResponse:
    """Offer one's seat to whoever joins with a code, or take the offer back."""
    seat = case.holder
    code = _code(request.code)
    if request.code and not LEAST_CODE <= len(code) <= MOST_CODE:
        raise CallRefused(TableRefusal.BAD_HAND_OVER_CODE, least=LEAST_CODE, most=MOST_CODE, length=len(code))
    valid_ms = case.settings.hand_over_ms if code else 0
    answer = service_pb2.HandOverSeatResponse(valid_ms=valid_ms)
    fact = SeatOffered(
        seat=seat,
        code=_code_hash(code) if code else "",
        until=int(case.ledger.wall + valid_ms / 1000) if code else 0,
        request=case.call.answered(answer),
    )
    case.ledger.take(fact)
    return answer


def check_passcode(ledger: Ledger, passcode: str, peer: str) -> None:
    """Refuse whoever does not know the passcode of a private table, and a peer that tries too often."""
    standing = ledger.standing
    if standing.passcode is None:
        return
    rate = ledger.settings.wrong_codes
    wait = ledger.allowances.wait(("passcode", peer), rate, ledger.now)
    if wait:
        raise CallRefused.for_now(TableRefusal.TOO_MANY_TRIES, wait, table=standing.table)
    if not standing.passcode.opens(passcode):
        ledger.allowances.use(("passcode", peer), rate, ledger.now)
        raise CallRefused(TableRefusal.WRONG_PASSCODE, table=standing.table)


def check_spectator(ledger: Ledger, passcode: str, peer: str) -> None:
    """Refuse whoever may not see a table without a seat at it, neither while it is played nor in its records."""
    standing = ledger.standing
    if not standing.options.spectators:
        raise CallRefused(TableRefusal.NO_SPECTATORS, table=standing.table)
    check_passcode(ledger, passcode, peer)


def read_commitment(commitment: bytes) -> str:
    """Give the promise of a nonce in hex; raises `CallRefused` where it is none."""
    if len(commitment) not in {0, COMMITMENT_BYTES}:
        right = f"it is a SHA-256 of {COMMITMENT_BYTES} bytes, or empty"
        raise bad_field("nonce_commitment", commitment[:COMMITMENT_BYTES].hex(), right)
    return commitment.hex()


def bad_field(field: str, value: object, right: str, *, rule: str = "") -> CallRefused:
    """Give the refusal of a field that cannot be used; `rule` is the number of the rule of the game that says so."""
    refused = CallRefused(TableRefusal.BAD_FIELD, field=field, value=value, right=right)
    refused.rule = rule
    return refused


def seat_list(seats: list[int]) -> str:
    """Give seats as they stand in a sentence."""
    return ", ".join(map(str, seats)) or "none"


def check_seat(standing: Standing, seat: int) -> int:
    """Give a seat back; raises `CallRefused` where there is no such seat."""
    if not 0 <= seat < len(standing.seats):
        raise CallRefused(TableRefusal.NO_SUCH_SEAT, seat=seat, last=len(standing.seats) - 1)
    return seat


def free_seat(standing: Standing, wanted: int | None, free: list[int]) -> int:
    """Give the seat that is wanted, or the first of those that are free; raises `CallRefused`."""
    if wanted is not None:
        check_seat(standing, wanted)
    if not free:
        raise CallRefused(TableRefusal.TABLE_FULL, seats=len(standing.seats), table=standing.table)
    if wanted is None:
        return free[0]
    if wanted not in free:
        raise CallRefused(TableRefusal.SEAT_TAKEN, seat=wanted, free=seat_list(free))
    return wanted


def _joined(
    standing: Standing, seat: int, name: str, *, nonce_promised: bool, waits: bool
) -> service_pb2.JoinTableResponse:
    return service_pb2.JoinTableResponse(
        seat=seat,
        name=name,
        commitment=standing.commitment,
        game_number=standing.game_number,
        nonce_promised=nonce_promised,
        waits_for_deal=waits,
    )


def _open_seat(case: Case, wanted: int | None) -> int:
    """Give a seat for somebody new: a free one, or that of a bot once the game has begun.

    Nobody new comes to a game that waits for its players: he would be the one for whom it goes on, without them.
    """
    standing = case.standing
    _check_not_starting(standing)
    if standing.stage is Stage.LOBBY:
        return free_seat(standing, wanted, standing.free_seats())
    if not standing.options.latecomers:
        raise CallRefused(TableRefusal.NO_LATECOMERS)
    if standing.stage is Stage.PLAYING and not standing.is_attended(case.connected):
        raise CallRefused(TableRefusal.NOBODY_PLAYS)
    bots = [index for index, seat in enumerate(standing.seats) if seat.occupant is Occupant.BOT]
    return free_seat(standing, wanted, bots)


def _offered_seat(case: Case, given: str) -> int:
    """Give the seat that a code opens; every seat is compared with, so that it takes as long for each."""
    _check_not_starting(case.standing)
    rate = case.settings.wrong_codes
    tried = ("hand-over code", case.call.peer)
    wait = case.ledger.allowances.wait(tried, rate, case.ledger.now)
    if wait:
        raise CallRefused.for_now(TableRefusal.TOO_MANY_TRIES, wait, table=case.standing.table)
    code = _code_hash(_code(given))
    found = None
    for index, seat in enumerate(case.standing.seats):
        is_open = bool(seat.offered) and case.ledger.wall < seat.offered_until
        if hmac.compare_digest(seat.offered, code) and is_open:
            found = index
    if found is None:
        case.ledger.allowances.use(tried, rate, case.ledger.now)
        raise CallRefused(TableRefusal.WRONG_HAND_OVER_CODE)
    return found


def _check_not_starting(standing: Standing) -> None:
    if standing.stage is Stage.STARTING:
        raise CallRefused(TableRefusal.GAME_STARTING)


def _code(text: str) -> str:
    """Give a code as it is compared: its letters and figures."""
    return "".join(character for character in text[: 4 * MOST_CODE].upper() if character.isalnum())


def _code_hash(code: str) -> str:
    return hashlib.sha256(b"hand-over\0" + code.encode()).hexdigest()
