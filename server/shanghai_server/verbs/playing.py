"""What happens in the game: what seats do, what clocks do for them, and what follows by itself."""

from __future__ import annotations

from collections.abc import Collection

from structlog.typing import FilteringBoundLogger

from shanghai.v1 import service_pb2
from shanghai_engine.action import Action, Deal, TimeOut
from shanghai_engine.decide import decide
from shanghai_engine.event import GameStarted
from shanghai_engine.game import Game
from shanghai_engine.record import line_of
from shanghai_engine.shuffle import NO_NONCE
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.fact import Acted, HandDealt, Started, TimedOut, WentAbsent, WentOn
from shanghai_server.standing.ledger import Case, Ledger
from shanghai_server.standing.snapshot import snapshot_of
from shanghai_server.standing.standing import Stage, Standing
from shanghai_server.standing.timing import bots_that_owe
from shanghai_server.verbs.agreeing import PAUSED_BY
from shanghai_server.verbs.thinking import Choice
from shanghai_wire.actions import GoOn, read_action

MISSED_TURNS = 2
"""How many turns missed in a row make a player absent (R14.2)."""


def act(case: Case, request: service_pb2.ActRequest) -> service_pb2.ActResponse:
    """Answer the decision that a seat owes."""
    seat = case.holder
    standing = case.standing
    action = read_action(request.action, seat=seat)
    check_decision(standing, request.decision_id)
    if standing.pause is not None:
        raise CallRefused(TableRefusal.PAUSED, who=PAUSED_BY[standing.pause])
    answer = service_pb2.ActResponse(decision_id=request.decision_id)
    if isinstance(action, GoOn):
        if not standing.between_hands:
            raise CallRefused(TableRefusal.NOTHING_TO_GO_ON_FROM)
        if standing.seats[seat].ready:
            raise CallRefused(TableRefusal.ALREADY_GONE_ON, seat=seat)
        case.ledger.take(WentOn(seat=seat, request=case.call.answered(answer)))
        return answer
    if standing.seats[seat].waits:
        raise CallRefused(TableRefusal.SEAT_WAITS, seat=seat)
    lines, events = case.ledger.follow(action)
    fact = Acted(seat=seat, decision=request.decision_id, lines=lines, request=case.call.answered(answer))
    case.ledger.take(fact, events)
    return answer


def check_decision(standing: Standing, decision: str) -> None:
    """Refuse the answer to a decision that is not the open one."""
    if standing.stage is Stage.OVER:
        raise CallRefused(TableRefusal.GAME_OVER)
    if standing.stage is not Stage.PLAYING:
        raise CallRefused(TableRefusal.GAME_NOT_STARTED)
    if decision != standing.decision_text:
        raise CallRefused(TableRefusal.STALE_DECISION, decision_id=decision[:64], open=standing.decision_text)


def act_for(ledger: Ledger, seat: int, action: Action) -> None:
    """Do what a bot or a stand-in chose for a seat; raises `RuleViolation`."""
    lines, events = ledger.follow(action)
    ledger.take(Acted(seat=seat, decision=ledger.standing.decision_text, lines=lines, by_bot=True), events)


def play_choice(ledger: Ledger, choice: Choice, log: FilteringBoundLogger) -> None:
    """Do what a bot chose, or the least that is lawful if it failed, where its seat still owes that and is its own."""
    standing = ledger.standing
    if choice.decision != standing.decision_text or choice.seat not in bots_that_owe(standing):
        return
    if choice.action is not None:
        try:
            act_for(ledger, choice.seat, choice.action)
        except RuleViolation as refused:
            # Without the traceback: its text names cards, which stand in no log.
            log.error("a bot chose what is not lawful", seat=choice.seat, reason=refused.code)  # noqa: TRY400
        else:
            return
    time_out(ledger, choice.seat, missed=False)


def time_out(ledger: Ledger, seat: int, *, missed: bool) -> None:
    """Do the least that is lawful for a seat (R7.11, R14.2); `missed` says whether a person missed his turn."""
    lines, events = ledger.follow(TimeOut(seat))
    ledger.take(TimedOut(seat=seat, turn=missed, lines=lines), events)
    sitting = ledger.standing.seats[seat]
    if sitting.is_person and not sitting.absent and sitting.missed >= MISSED_TURNS:
        ledger.take(WentAbsent(seat=seat))


def time_out_offer(ledger: Ledger) -> None:
    """Answer the open offer for every seat that has not, in claim order, until it closes (R7.11)."""
    state = ledger.game.state
    opened = ledger.standing.decision_id
    for seat in state.asked.order:
        if ledger.standing.decision_id != opened or state.phase is not Phase.OFFER:
            return
        if seat not in state.answers:
            time_out(ledger, seat, missed=False)


def deal(ledger: Ledger, connected: Collection[int]) -> None:
    """Deal the next hand (R2.4). Whoever has waited for it plays, if he is there; else his bot plays this one too."""
    lines, events = ledger.follow(Deal())
    ledger.take(snapshot_of(ledger.standing))
    away = sorted(ledger.standing.seats.waiting.difference(connected))
    ledger.take(HandDealt(lines=lines, away=away), events)


def begin(ledger: Ledger) -> None:
    """Begin the game and deal its first hand; a nonce that was not revealed is zeros."""
    standing = ledger.standing
    started = GameStarted(
        rules=standing.rules,
        players=tuple(seat.name for seat in standing.seats),
        packs=standing.rules.packs_for(len(standing.seats)),
        game_seed=standing.game_seed,
        commitment=standing.commitment,
        nonces=tuple(seat.nonce or NO_NONCE for seat in standing.seats),
    )
    game = Game(started)
    events = (started, *decide(game.state, Deal(), game.chance))
    ledger.take(snapshot_of(standing))
    ledger.take(Started(lines=[line_of(event) for event in events]), events)


def go_on(ledger: Ledger, connected: Collection[int]) -> None:
    """Do what follows by itself: begin once every nonce is there, deal once all who are present have gone on (R2.4)."""
    standing = ledger.standing
    if standing.stage is Stage.STARTING and not any(seat.owes_nonce for seat in standing.seats):
        begin(ledger)
    if (
        standing.stage is Stage.PLAYING
        and standing.pause is None
        and standing.between_hands
        and standing.is_attended(connected)
    ):
        present = [standing.seats[index] for index in connected]
        if all(seat.ready or seat.absent for seat in present):
            deal(ledger, connected)
