"""What only the host of a table does: send a person away, and say where bots sit and how well they play."""

from __future__ import annotations

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import bot_name
from shanghai_server.standing.fact import BotAdded, BotLevelSet, BotRemoved, Kicked
from shanghai_server.standing.ledger import Case
from shanghai_server.standing.seat import Occupant, Seat
from shanghai_server.standing.standing import Stage, Standing
from shanghai_server.verbs.joining import check_seat, free_seat
from shanghai_wire.bad_message import missing


def check_host(case: Case, what: str) -> None:
    """Refuse a call of anybody but the host."""
    host = case.host
    if host is None or case.holder != host:
        name = "nobody yet" if host is None else case.standing.seats[host].name
        raise CallRefused(TableRefusal.NOT_HOST, host=name, what=what)


def check_lobby(standing: Standing, what: str) -> None:
    """Refuse what is possible before the game only."""
    if standing.stage is not Stage.LOBBY:
        raise CallRefused(TableRefusal.GAME_STARTED, what=what)


def kick_seat(case: Case, request: service_pb2.KickSeatRequest) -> service_pb2.KickSeatResponse:
    """Take a seat from its person; its stream ends, and its token sits down here no more."""
    check_host(case, "sending somebody away")
    seat = _named_seat(case.standing, request)
    sitting = case.standing.seats[seat]
    if not sitting.is_person:
        raise CallRefused(TableRefusal.NOT_A_PERSON, seat=seat)
    if seat == case.holder:
        raise CallRefused(TableRefusal.NOT_YOURSELF)
    # He is absent, or he would be the host: what is his alone must be there when he is back.
    host = case.standing.seats[case.holder]
    if sitting.joined < host.joined and not _stands_still(case, host):
        raise CallRefused(TableRefusal.CAME_BEFORE_YOU, name=sitting.name)
    answer = service_pb2.KickSeatResponse()
    case.ledger.closings.append((sitting.token, table_pb2.CLOSE_REASON_KICKED))
    case.ledger.may_agree = True
    case.ledger.take(Kicked(seat=seat, level=sitting.level or DEFAULT_LEVEL, request=case.call.answered(answer)))
    return answer


def _stands_still(case: Case, host: Seat) -> bool:
    """Say whether a game that its host plays would wait for ever for who is absent."""
    standing = case.standing
    return standing.stage is Stage.PLAYING and standing.options.wait_for_absent and not host.waits


def add_bot(case: Case, request: service_pb2.AddBotRequest) -> service_pb2.AddBotResponse:
    """Seat a bot before the game, or let the bot of a seat play at another level."""
    standing = case.standing
    check_host(case, "adding a bot")
    level = request.level or DEFAULT_LEVEL
    if level not in LEVELS:
        raise CallRefused(TableRefusal.NO_SUCH_LEVEL, level=level[:64], levels=", ".join(LEVELS))
    wanted = check_seat(standing, request.seat) if request.HasField("seat") else None
    if wanted is not None and wanted in standing.seats.bots:
        seated = standing.seats[wanted]
        answer = service_pb2.AddBotResponse(seat=wanted, name=seated.bot_name if seated.waits else seated.name)
        case.ledger.take(BotLevelSet(seat=wanted, level=level, request=case.call.answered(answer)))
        return answer
    check_lobby(standing, "adding a bot")
    seat = free_seat(standing, wanted, standing.free_seats())
    name = bot_name(standing.names())
    answer = service_pb2.AddBotResponse(seat=seat, name=name)
    case.ledger.take(BotAdded(seat=seat, name=name, level=level, request=case.call.answered(answer)))
    return answer


def remove_bot(case: Case, request: service_pb2.RemoveBotRequest) -> service_pb2.RemoveBotResponse:
    """Take a bot away before the game."""
    standing = case.standing
    check_host(case, "taking a bot away")
    check_lobby(standing, "taking a bot away")
    seat = _named_seat(standing, request)
    if standing.seats[seat].occupant is not Occupant.BOT:
        raise CallRefused(TableRefusal.NOT_A_BOT, seat=seat)
    answer = service_pb2.RemoveBotResponse()
    case.ledger.take(BotRemoved(seat=seat, request=case.call.answered(answer)))
    return answer


def _named_seat(standing: Standing, request: service_pb2.KickSeatRequest | service_pb2.RemoveBotRequest) -> int:
    if not request.HasField("seat"):
        raise missing("seat", f"a number from 0 to {len(standing.seats) - 1}")
    return check_seat(standing, request.seat)
