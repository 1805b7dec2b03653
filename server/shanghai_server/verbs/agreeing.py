"""What the host does alone and everybody else together: pause the game, let it go on, play another one.

A person who is not the host wishes for it; once everybody has the same wish, it happens (`agree`).
"""

from __future__ import annotations

from collections.abc import Collection

from shanghai.v1 import service_pb2
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import bot_name
from shanghai_server.standing.fact import CameBack, Paused, Rematched, Request, Resumed, Wished
from shanghai_server.standing.ledger import Case, Ledger
from shanghai_server.standing.seat import Wish
from shanghai_server.standing.standing import PausedBy, Stage, Standing

PAUSED_BY = {PausedBy.HOST: "the host", PausedBy.EVERYBODY: "everybody"}
"""Who paused a game, as it stands in a sentence."""


def pause_game(case: Case, _request: service_pb2.PauseGameRequest) -> service_pb2.PauseGameResponse:
    """Pause the game, or wish for it; while it is paused, take the wish back that it goes on."""
    standing = case.standing
    _check_playing(standing)
    answer = service_pb2.PauseGameResponse()
    request = case.call.answered(answer)
    if standing.pause is not None:
        if standing.seats[case.holder].wish is not Wish.RESUME:
            raise CallRefused(TableRefusal.ALREADY_PAUSED, who=PAUSED_BY[standing.pause])
        _wish(case, Wish.NONE, request)
    elif case.holder == case.host:
        case.ledger.take(Paused(by=PausedBy.HOST.value, request=request))
    else:
        _wish(case, Wish.PAUSE, request)
    return answer


def resume_game(case: Case, _request: service_pb2.ResumeGameRequest) -> service_pb2.ResumeGameResponse:
    """Let the paused game go on, or wish for it; while it is not paused, take the wish back that it is."""
    standing = case.standing
    _check_playing(standing)
    answer = service_pb2.ResumeGameResponse()
    request = case.call.answered(answer)
    if standing.pause is None:
        if standing.seats[case.holder].wish is not Wish.PAUSE:
            raise CallRefused(TableRefusal.NOT_PAUSED)
        _wish(case, Wish.NONE, request)
    elif case.holder == case.host:
        case.ledger.take(Resumed(request=request))
    else:
        _wish(case, Wish.RESUME, request)
    return answer


def rematch(case: Case, _request: service_pb2.RematchRequest) -> service_pb2.RematchResponse:
    """Prepare another game with the same people, or wish for it."""
    standing = case.standing
    if standing.stage is not Stage.OVER:
        raise CallRefused(TableRefusal.NO_REMATCH)
    answer = service_pb2.RematchResponse()
    request = case.call.answered(answer)
    if case.holder == case.host:
        _play_again(case.ledger, case.connected, request)
    else:
        _wish(case, Wish.REMATCH, request)
    return answer


def agree(ledger: Ledger, connected: frozenset[int]) -> None:
    """Do what everybody wishes for, if somebody has just wished for it, or has gone.

    Everybody is who is connected, and who has been away for less than the grace; not who waits for the next deal, as
    long as anybody plays. Gone is who leaves, is sent away, or has been away for longer. That a connection breaks, or
    comes back first after a restart, decides nothing for the others.
    """
    if not ledger.may_agree:
        return
    ledger.may_agree = False
    standing = ledger.standing
    seats = standing.seats
    if not standing.is_attended(connected):
        return
    connected = connected - seats.waiting or connected
    wishes = {seats[index].wish for index in connected}
    if len(wishes) != 1:
        return
    wish = wishes.pop()
    if _is_waited_with(wish, standing) and any(
        seats[index].wish is not wish for index in seats.present - connected - seats.waiting
    ):
        return
    if wish is Wish.REMATCH and standing.stage is Stage.OVER:
        _play_again(ledger, connected)
    elif standing.stage is not Stage.PLAYING:
        return
    elif wish is Wish.PAUSE and standing.pause is None:
        ledger.take(Paused(by=PausedBy.EVERYBODY.value))
    elif wish is Wish.RESUME and standing.pause is not None:
        ledger.take(Resumed())


def _is_waited_with(wish: Wish, standing: Standing) -> bool:
    """Say whether a wish waits for those who are away, until they are back or their grace is over.

    No grace runs in a pause: whoever would let the game go on might wait for ever.
    """
    return wish is not Wish.RESUME and standing.options.grace_ms > 0


def _wish(case: Case, wish: Wish, request: Request) -> None:
    has_it = case.standing.seats[case.holder].wish is wish
    if not (has_it and case.ledger.is_full):
        case.ledger.take(Wished(seat=case.holder, wish=wish.value, request=request))
    # Also where he has it already: the others may have gone since.
    case.ledger.may_agree = True


def _play_again(ledger: Ledger, connected: Collection[int], request: Request | None = None) -> None:
    """Draw a new seed and publish its hash, before anybody promises a nonce.

    Whoever is connected is back: of the game that begins he has missed nothing (R14.2).
    """
    standing = ledger.standing
    # Whoever had an inherited seat has gone, and is not in the next game.
    names = [seat.name for seat in standing.seats if seat.name and not seat.inherited]
    bots: dict[int, str] = {}
    for index, seat in enumerate(standing.seats):
        if seat.inherited:
            bots[index] = bot_name(names)
            names.append(bots[index])
    secrets = ledger.secrets
    fact = Rematched(game_seed=secrets.game_seed().hex(), bot_salt=secrets.bot_salt().hex(), bots=bots, request=request)
    ledger.take(fact)
    for index in sorted(connected):
        if standing.seats[index].absent:
            ledger.take(CameBack(seat=index))


def _check_playing(standing: Standing) -> None:
    if standing.stage is Stage.OVER:
        raise CallRefused(TableRefusal.GAME_OVER)
    if standing.stage is not Stage.PLAYING:
        raise CallRefused(TableRefusal.GAME_NOT_STARTED)
