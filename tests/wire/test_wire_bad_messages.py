"""Messages of strangers: each is read, or refused with the name of the field and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wire_strategies import random_game, views

from shanghai.v1 import card_pb2, event_pb2, rules_pb2, table_pb2, view_pb2
from shanghai_engine.event import Discarded
from shanghai_engine.malformed import BadRules, Malformed
from shanghai_engine.rules import STANDARD
from shanghai_engine.view import View
from shanghai_wire.actions import read_action
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.cards import read_table_meld
from shanghai_wire.decisions import read_decision, read_decision_id
from shanghai_wire.events import event_message, read_event
from shanghai_wire.rules import read_rules, rules_message
from shanghai_wire.views import own_message, public_message, read_view

SET, RUN = card_pb2.MELD_KIND_SET, card_pb2.MELD_KIND_RUN
HEARTS = (card_pb2.CARD_4H, card_pb2.CARD_5H, card_pb2.CARD_6H, card_pb2.CARD_7H)
TWOS = (card_pb2.CARD_2C, card_pb2.CARD_2D, card_pb2.CARD_2H)
UNKNOWN: Any = 99
NO_CARD = card_pb2.CARD_UNSPECIFIED


Act = view_pb2.Action


def lay_down(kind: card_pb2.MeldKind.ValueType = RUN, cards: Sequence[Any] = ()) -> view_pb2.Action:
    """Give a lay-down of one meld."""
    return Act(lay_down=view_pb2.LayDown(melds=[card_pb2.MeldDraft(kind=kind, cards=cards)]))


BAD_ACTIONS = [
    ("action.action", Act()),
    ("action.answer.claim", Act(answer=view_pb2.AnswerOffer())),
    ("action.answer.claim", Act(answer=view_pb2.AnswerOffer(claim=UNKNOWN))),
    ("action.answer.claim", Act(answer=view_pb2.AnswerOffer(claim=view_pb2.CLAIM_TIMEOUT))),
    ("action.lay_down.melds", Act(lay_down=view_pb2.LayDown())),
    ("action.lay_down.melds[0].kind", lay_down(kind=card_pb2.MELD_KIND_UNSPECIFIED, cards=HEARTS)),
    ("action.lay_down.melds[0].kind", lay_down(kind=UNKNOWN, cards=HEARTS)),
    ("action.lay_down.melds[0].cards", lay_down(kind=SET)),
    ("action.lay_down.melds[0].cards[4]", lay_down(kind=RUN, cards=[*HEARTS, 0])),
    ("action.lay_down.melds[0].cards[1]", lay_down(kind=RUN, cards=[card_pb2.CARD_JK, 54])),
    ("action.lay_off.meld", Act(lay_off=view_pb2.LayOff(card=card_pb2.CARD_2C))),
    ("action.lay_off.card", Act(lay_off=view_pb2.LayOff(meld=0))),
    ("action.lay_off.end", Act(lay_off=view_pb2.LayOff(meld=0, card=card_pb2.CARD_2C, end=UNKNOWN))),
    ("action.swap.meld", Act(swap=view_pb2.Swap(index=0, card=card_pb2.CARD_2C))),
    ("action.swap.index", Act(swap=view_pb2.Swap(meld=0, card=card_pb2.CARD_2C))),
    ("action.swap.card", Act(swap=view_pb2.Swap(meld=0, index=0))),
    ("action.discard.card", Act(discard=view_pb2.Discard())),
    ("action.discard.card", Act(discard=view_pb2.Discard(card=UNKNOWN))),
]


@pytest.mark.parametrize(("field", "message"), BAD_ACTIONS)
def test_an_action_that_is_none_is_refused_by_the_fields_name(field: str, message: view_pb2.Action) -> None:
    """What is absent, unspecified, empty or unknown is named, in one sentence that says what would be right."""
    with pytest.raises(BadMessage) as caught:
        read_action(message, seat=0)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field} ")
    assert str(caught.value).endswith(caught.value.right)


def test_the_sentences_of_a_missing_and_of_a_wrong_field() -> None:
    """A missing field is called so; a wrong one is shown."""
    with pytest.raises(BadMessage, match=r"^action\.lay_off\.meld is missing: it is the meld's id, from 0$"):
        read_action(Act(lay_off=view_pb2.LayOff(card=card_pb2.CARD_2C)), seat=0)
    with pytest.raises(
        BadMessage, match=r"^action\.discard\.card = 99 cannot be read: a card is a number from 1 to 53, "
    ):
        read_action(Act(discard=view_pb2.Discard(card=UNKNOWN)), seat=0)


@pytest.mark.parametrize("claim", [view_pb2.CLAIM_UNSPECIFIED, view_pb2.CLAIM_TIMEOUT, UNKNOWN])
def test_r7_11_an_answer_is_one_that_a_seat_may_give(claim: view_pb2.Claim.ValueType) -> None:
    """What would be right is named, and a time-out, which only the table gives, is not among it."""
    right = r"cannot be read: it is one of 1 \(TAKE\), 2 \(BUY\), 3 \(PASS\)$"
    with pytest.raises(BadMessage, match=rf"^action\.answer\.claim = {claim} {right}"):
        read_action(Act(answer=view_pb2.AnswerOffer(claim=claim)), seat=0)


@pytest.mark.parametrize(
    "text",
    ["", "3", "3.17.1", "1.3.17.1.0", "1.3.17.-1", "1.03.17.1", "1.3.17.1 ", "1.3.17.1\n", "1.٣.17.1", "a.b.c.d"],
)
def test_a_text_that_is_no_id_of_a_decision_is_refused(text: str) -> None:
    """An id has four numbers of plain digits, each in one form only."""
    with pytest.raises(BadMessage, match=r"^decision_id = .* cannot be read: it is the id of a decision, "):
        read_decision_id(text)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("decision.id", view_pb2.Decision(go_on=view_pb2.GoOnDecision())),
        ("decision.ask", view_pb2.Decision(id="1.1.1.0")),
        ("decision.offer.place", view_pb2.Decision(id="1.1.1.0", offer=view_pb2.OfferDecision())),
        (
            "decision.offer.claims[0]",
            view_pb2.Decision(id="1.1.1.0", offer=view_pb2.OfferDecision(place=0, claims=[view_pb2.CLAIM_UNSPECIFIED])),
        ),
        ("decision.play.discards[0]", view_pb2.Decision(id="1.1.1.1", play=view_pb2.PlayDecision(discards=[NO_CARD]))),
    ],
)
def test_a_decision_that_is_none_is_refused_by_the_fields_name(field: str, message: view_pb2.Decision) -> None:
    """A client, too, says which field it cannot read."""
    with pytest.raises(BadMessage) as caught:
        read_decision(message, seat=0, claim_order=(0,))
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("meld.id", card_pb2.Meld(owner=0, kind=RUN, cards=HEARTS, stands_for=HEARTS)),
        ("meld.owner", card_pb2.Meld(id=0, kind=RUN, cards=HEARTS, stands_for=HEARTS)),
        ("meld.cards", card_pb2.Meld(id=0, owner=0, kind=SET, cards=HEARTS)),
        ("meld.cards", card_pb2.Meld(id=0, owner=0, kind=RUN)),
        ("meld.stands_for", card_pb2.Meld(id=0, owner=0, kind=RUN, cards=HEARTS)),
        ("meld.stands_for", card_pb2.Meld(id=0, owner=0, kind=RUN, cards=HEARTS, stands_for=HEARTS[:3])),
        ("meld.stands_for", card_pb2.Meld(id=0, owner=0, kind=SET, cards=TWOS, stands_for=TWOS)),
    ],
)
def test_a_meld_that_cannot_lie_on_a_table_is_refused(field: str, message: card_pb2.Meld) -> None:
    """A meld on the table is lawful, and a run's places mean what its cards say."""
    with pytest.raises(BadMessage) as caught:
        read_table_meld(message, "meld")
    assert caught.value.field == field


def test_r16_what_a_rule_set_does_not_say_is_standard() -> None:
    """An absent field, and an empty list or map, has its standard value; so has a missing key."""
    assert read_rules(rules_pb2.Rules()) == STANDARD
    few = rules_pb2.Rules(points={"JK": 50}, packs={"2": 3}, down_may_buy=True)
    rules = read_rules(few)
    assert rules.points == (*STANDARD.points[:-1], 50)
    assert rules.packs == (3, *STANDARD.packs[1:])
    assert rules.changes().keys() == {"points", "packs", "down_may_buy"}


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("aces", rules_pb2.Rules(aces="")),
        ("wild", rules_pb2.Rules(wild="sevens")),
        ("jokers_per_meld", rules_pb2.Rules(jokers_per_meld="9" * 5000)),
        ("jokers_per_meld", rules_pb2.Rules(jokers_per_meld="many")),
        ("jokers_per_meld", rules_pb2.Rules(jokers_per_meld="٣")),
        ("buy_extra_cards", rules_pb2.Rules(buy_extra_cards=4)),
        ("buys", rules_pb2.Rules(buys=[3, 3])),
        ("turn_limit", rules_pb2.Rules(turn_limit=0)),
        ("contracts", rules_pb2.Rules(contracts=[rules_pb2.Contract()])),
        ("contracts", rules_pb2.Rules(contracts=[rules_pb2.Contract(sets=[2])])),
        ("points", rules_pb2.Rules(points={"X": 1})),
        ("packs", rules_pb2.Rules(packs={"9": 4})),
        ("packs", rules_pb2.Rules(packs={"2": 0})),
    ],
)
def test_r16_a_rule_that_is_unknown_or_impossible_is_refused_by_name(field: str, message: rules_pb2.Rules) -> None:
    """An unknown or impossible value of a rule raises the engine's error for rules."""
    with pytest.raises(BadRules) as caught:
        read_rules(message)
    assert caught.value.field == field


def test_r16_a_rule_of_a_later_contract_is_refused_and_not_ignored() -> None:
    """A field that this version does not know, in the rules or in a contract of a hand, is a rule it does not play."""
    later = b"\xf8\x06\x01"  # field 111 = 1
    for message in (
        rules_pb2.Rules.FromString(rules_message(STANDARD).SerializeToString() + later),
        rules_pb2.Rules(contracts=[rules_pb2.Contract.FromString(b"\x0a\x01\x03" + later)]),
    ):
        with pytest.raises(
            BadRules, match=r"field 111 of (Rules|Contract) = 1 cannot be used: this version does not know"
        ):
            read_rules(message)


def test_an_event_of_a_later_contract_is_left_out_and_the_others_stay_paired() -> None:
    """An unknown kind of event reads as none; what a seat learned still names the right event of those that remain."""
    assert read_event(event_pb2.PublicEvent()) is None
    *_, game = random_game(players=2, seed=5)
    view = game.view(0)
    assert view.own is not None
    table = table_pb2.TableView(
        rules=rules_message(view.public.rules),
        seats=[table_pb2.Seat(name=seat.name) for seat in view.public.seats],
        commitment=view.public.commitment,
    )
    message, own = public_message(view.public), own_message(view.own)
    message.events.insert(0, event_pb2.PublicEvent())
    message.events.append(event_pb2.PublicEvent())
    for known in own.learned:
        known.event_index += 1
    own.learned.add(event_index=0, cards=TWOS)
    assert read_view(table, message, own) == view
    own.learned.add(event_index=len(message.events))
    with pytest.raises(BadMessage, match=r"^own\.learned\[\d+\]\.event_index = \d+ cannot be read: "):
        read_view(table, message, own)


def test_a_view_needs_the_table_that_it_is_of() -> None:
    """There are as many seats in the view as at the table, whose names they have."""
    game = next(random_game(players=3, seed=1))
    message = public_message(game.view().public)
    with pytest.raises(BadMessage, match=r"^game\.seats = 3 cannot be read: there are as many as table\.seats, 0$"):
        read_view(table_pb2.TableView(rules=rules_message(STANDARD)), message)


def test_an_event_is_named_by_its_place() -> None:
    """Of a long history, the error says which event cannot be read."""
    game = next(random_game(players=2, seed=1))
    public = game.view().public
    table = table_pb2.TableView(rules=rules_message(STANDARD), seats=[table_pb2.Seat(), table_pb2.Seat()])
    message = public_message(public)
    message.events.append(event_message(Discarded(1, public.upcard or public.dead[0])))
    message.events[1].discarded.ClearField("seat")
    with pytest.raises(BadMessage, match=r"^game\.events\[1\]\.discarded\.seat is missing: it is a seat, from 0$"):
        read_view(table, message)


READERS: dict[type[Message], Callable[[Any], object]] = {
    view_pb2.Action: lambda message: read_action(message, seat=0),
    view_pb2.Decision: lambda message: read_decision(message, seat=0, claim_order=(0, 1)),
    event_pb2.PublicEvent: read_event,
    rules_pb2.Rules: read_rules,
}


@pytest.mark.parametrize("kind", READERS, ids=lambda kind: kind.__name__)
@settings(max_examples=300)
@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(kind: type[Message], data: bytes) -> None:
    """Whatever bytes make a message, reading it gives a value or raises what is malformed, and nothing else."""
    try:
        message = kind.FromString(data)
    except DecodeError:
        return
    with suppress(Malformed):
        READERS[kind](message)


def spoil(message: Message, data: st.DataObject) -> None:
    """Clear one field somewhere within a message, or give a number in it a strange value."""
    fields = [field for field, _ in message.ListFields()]
    if not fields:
        return
    field = data.draw(st.sampled_from(fields))
    value = getattr(message, field.name)
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    if field.type == FieldDescriptor.TYPE_MESSAGE and not is_map and data.draw(st.booleans()):
        spoil(value if isinstance(value, Message) else data.draw(st.sampled_from(list(value))), data)
    elif field.type in {FieldDescriptor.TYPE_ENUM, FieldDescriptor.TYPE_INT32} and data.draw(st.booleans()):
        strange = data.draw(st.sampled_from([-1, 0, 54, 99, 2**31 - 1]))
        if isinstance(value, int):
            setattr(message, field.name, strange)
        else:
            value[data.draw(st.integers(0, len(value) - 1))] = strange
    else:
        message.ClearField(field.name)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(view=views(), data=st.data())
def test_a_spoilt_view_is_read_or_refused(view: View, data: st.DataObject) -> None:
    """With any field cleared or any number strange, a view reads or raises what is malformed, and nothing else."""
    table = table_pb2.TableView(
        rules=rules_message(view.public.rules),
        seats=[table_pb2.Seat(name=seat.name) for seat in view.public.seats],
        commitment=view.public.commitment,
    )
    game = public_message(view.public)
    own = None if view.own is None else own_message(view.own)
    spoil(data.draw(st.sampled_from([message for message in (table, game, own) if message is not None])), data)
    with suppress(Malformed):
        read_view(table, game, own)
