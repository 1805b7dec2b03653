"""Every engine value that travels comes back equal, from the bytes of its message."""

from __future__ import annotations

from typing import TypeVar

import pytest
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import any_contracts, rule_sets
from wire_strategies import (
    actions,
    decision_ids,
    decisions,
    drafts,
    events,
    learned,
    melds,
    random_game,
    results,
    views,
)

from shanghai.v1 import table_pb2
from shanghai_engine.action import Answer, Discard, LayDown, LayOff, Swap
from shanghai_engine.contract import Contract
from shanghai_engine.decision import Decision, DecisionId
from shanghai_engine.history import Learned, PublicEvent
from shanghai_engine.meld import Meld, MeldDraft, MeldKind
from shanghai_engine.rules import PRESETS, RuleSet
from shanghai_engine.state import HandResult
from shanghai_engine.view import PublicView, View
from shanghai_wire.actions import GoOn, SeatAction, action_message, read_action
from shanghai_wire.cards import draft_message, meld_message, read_cards, read_draft, read_table_meld
from shanghai_wire.decisions import GoOnDecision, decision_message, decision_text, read_decision, read_decision_id
from shanghai_wire.events import (
    event_message,
    learned_message,
    read_event,
    read_learned,
    read_result,
    result_message,
)
from shanghai_wire.rules import contract_message, read_contract, read_rules, rules_message
from shanghai_wire.views import own_message, public_message, read_view

AnyMessage = TypeVar("AnyMessage", bound=Message)


def sent(message: AnyMessage) -> AnyMessage:
    """Give the message as whoever receives its bytes has it."""
    return type(message).FromString(message.SerializeToString())


def table_of(view: PublicView) -> table_pb2.TableView:
    """Give the table that a view is of: its rules, names and commitment."""
    return table_pb2.TableView(
        rules=rules_message(view.rules),
        seats=[table_pb2.Seat(name=seat.name) for seat in view.seats],
        commitment=view.commitment,
    )


@given(drafts)
def test_a_draft_comes_back(draft: MeldDraft) -> None:
    """A proposed meld travels whether it is lawful or not."""
    assert read_draft(sent(draft_message(draft)), "draft") == draft


@given(melds())
def test_a_meld_comes_back_with_what_its_jokers_stand_for(meld: Meld) -> None:
    """A meld's rank, suit and number of jokers are read from its cards, and a run says what each place means."""
    message = sent(meld_message(meld))
    assert read_table_meld(message, "meld") == meld
    places = [meld.stands_for(place) for place in range(len(meld.cards))] if meld.kind is MeldKind.RUN else []
    assert read_cards(message.stands_for, "meld.stands_for") == tuple(places)


@given(any_contracts)
def test_a_contract_comes_back(contract: Contract) -> None:
    """The sizes of a contract's sets and runs travel."""
    assert read_contract(sent(contract_message(contract)), "contract") == contract


@given(rule_sets())
def test_a_rule_set_comes_back(rules: RuleSet) -> None:
    """Every house rule that the engine plays travels."""
    assert read_rules(sent(rules_message(rules))) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_travels_with_every_field_given(name: str) -> None:
    """The message of a rule set leaves no field to be guessed."""
    message = rules_message(PRESETS[name])
    assert {field.name for field, _ in message.ListFields()} == set(message.DESCRIPTOR.fields_by_name)
    assert set(message.DESCRIPTOR.fields_by_name) == set(PRESETS[name].to_mapping())
    assert read_rules(sent(message)) == PRESETS[name]


@given(results)
def test_a_result_comes_back(result: HandResult) -> None:
    """The result of a hand travels, its seed and last cards included."""
    assert read_result(sent(result_message(result)), "result") == result


@given(events)
def test_an_event_comes_back(event: PublicEvent) -> None:
    """Whatever everybody sees happen travels."""
    assert read_event(sent(event_message(event))) == event


@given(learned)
def test_what_a_seat_learned_comes_back(known: Learned) -> None:
    """The cards that one seat alone saw travel with their event."""
    assert read_learned(sent(learned_message(known)), "learned") == known


@given(st.integers(0, 999_999_999), decision_ids)
def test_an_id_of_a_decision_comes_back(game: int, name: DecisionId) -> None:
    """The text of an id names one decision of one game."""
    assert read_decision_id(decision_text(game, name)) == (game, name)


@given(decisions())
def test_a_decision_comes_back(decision: Decision | GoOnDecision) -> None:
    """What a seat owes travels with every choice; its claim order is that of the public view."""
    order = decision.claim_order if isinstance(decision, Decision) else ()
    assert read_decision(sent(decision_message(decision, game=1)), seat=decision.seat, claim_order=order) == decision


@given(actions)
def test_an_action_comes_back(action: SeatAction) -> None:
    """What a seat does travels; who it is, the seat's secret says."""
    assert read_action(sent(action_message(action)), seat=action.seat) == action


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(views())
def test_a_view_comes_back(view: View) -> None:
    """What a seat or a spectator may know travels, with the rules and names of its table."""
    own = None if view.own is None else sent(own_message(view.own))
    assert read_view(sent(table_of(view.public)), sent(public_message(view.public)), own) == view


@pytest.mark.parametrize("players", [2, 3, 8])
def test_everything_of_a_whole_game_comes_back(players: int) -> None:
    """In a game of ten hands each seat's view, decision and choices travel, at every moment that is looked at."""
    kinds: set[type] = set()
    for moment, game in enumerate(random_game(players=players, seed=players)):
        seat = moment % players
        view = game.view(seat)
        assert view.own is not None
        if moment % 23 == 0 or game.state.places:
            message = public_message(view.public)
            table = table_of(view.public)
            assert read_view(table, sent(message), sent(own_message(view.own))) == view
            assert read_view(table, message) == game.view()
        decision = game.decisions().get(seat)
        if decision is not None:
            order = view.public.claim_order
            assert read_decision(sent(decision_message(decision, game=1)), seat=seat, claim_order=order) == decision
            for action in decision.actions():
                assert isinstance(action, SeatAction)
                assert read_action(sent(action_message(action)), seat=seat) == action
                kinds.add(type(action))
    assert kinds == {Answer, LayDown, LayOff, Swap, Discard}
    assert read_action(action_message(GoOn(1)), seat=1) == GoOn(1)
