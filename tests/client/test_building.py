"""Melds that are built by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from drawn import model_of
from hypothesis import given
from hypothesis import strategies as st
from key_steps import HANDS, after
from positions import position
from scenes import played, scene, scene_of

from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.model import Building, Looking
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.staging import Slot, Staging, fault_of
from shanghai_client.screen.stepping import Act
from shanghai_engine.action import LayDown
from shanghai_engine.card import JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.meld import End, Meld, MeldKind, read_meld
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import Phase


def test_melds_are_built_and_laid_down() -> None:
    """Letters stage cards, digits change the meld, Enter lays down what fulfils the contract."""
    model = model_of(scene("turn_that_can_lay_down"))
    built = after(model, "m", "a", "b", "c", "2", "d", "e", "f", "g").model
    assert built.staging.cards == parse_cards("8C 8D JK 4H 5H 6H 7H")
    laid = after(built, "enter").effect
    assert isinstance(laid, Act)
    assert isinstance(laid.action, LayDown)
    assert [str(each) for each in laid.action.melds] == ["8C 8D JK", "4H 5H 6H 7H"]
    assert after(built, "escape", "l").effect == laid


def test_what_is_staged_can_be_taken_back() -> None:
    """The letter of a staged card takes it back, so does Backspace; undo takes the last change back, Delete all."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", "a", "b").model
    assert after(model, "a").model.staging.cards == (Card.D8,)
    assert after(model, "backspace").model.staging.cards == (Card.C8,)
    assert after(model, "a", "-").model.staging.cards == model.staging.cards
    assert after(model, "delete").model.staging.cards == ()
    assert after(model, "delete", "c-z").model.staging.cards == model.staging.cards
    assert after(model, "escape").model.staging == model.staging


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ((), "nothing to lay down"),
        (("a", "b"), "8C 8D is too short: a set has 3 cards or more (R8.1)"),
        (("a", "b", "d"), "all its cards but the jokers are of one rank (R8.1)"),
        (("a", "b", "c"), "do not fulfil the contract"),
    ],
)
def test_melds_that_do_not_fulfil_the_contract_are_refused_with_the_reason(keys: tuple[str, ...], said: str) -> None:
    """What is not laid down is said in the table's words, before the table is asked."""
    step = after(model_of(scene("turn_that_can_lay_down")), "m", *keys, "enter")
    assert step.effect is None
    assert said in step.model.note


def test_the_best_melds_are_a_beginning() -> None:
    """`=` stages the best lay-down, to be changed."""
    step = after(model_of(scene("turn_that_can_lay_down")), "m", "=")
    assert Counter(step.model.staging.cards) == Counter(parse_cards("8C 8D JK 4H 5H 6H 7H"))
    assert isinstance(after(step.model, "enter").effect, Act)


def test_who_is_not_on_turn_can_build_but_not_lay_down() -> None:
    """Melds are planned while others play."""
    hand = "8C 8D 8H 4H 5H 6H 7H"
    game = position(hand=2, turn=3, phase=Phase.OFFER, hands={0: hand}, discards="8S")
    built = after(model_of(scene_of(game)), "m", *"abc", "2", *"defg").model
    step = after(built, "enter")
    assert step.effect is None
    assert "on your own turn" in step.model.note


def test_what_is_built_ends_with_the_hand() -> None:
    """The score sheet comes with its own keys, though one was in the middle of a meld and is not down."""
    over = scene_of(played(3), 0)
    assert over.game is not None
    assert over.game.phase is Phase.HAND_OVER
    assert not over.down
    building = after(model_of(scene_of(position(hand=3, turn=0, hands={0: "8S 9S 2C 3D"}, drawn="2C"))), "m", "a").model
    assert isinstance(building.mode, Building)
    shown = seen(building, over, now=1.0)
    assert shown.staging == Staging()
    assert isinstance(shown.mode, Looking)
    assert place_of(shown) is Place.BETWEEN


def test_staged_melds_stay_while_their_cards_do() -> None:
    """An update keeps what is staged; a card that has gone is taken out; the next hand begins empty."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", "a", "b", "2", "d").model
    again = seen(model, scene("turn_that_can_lay_down"), now=1.0)
    assert (again.staging, again.mode, again.cursor) == (model.staging, model.mode, model.cursor)
    without = position(hand=2, turn=0, hands={0: "8C JK 4H 5H 6H 7H KD 2S"}, drawn="KD")
    assert seen(model, scene_of(without), now=1.0).staging.cards == parse_cards("8C 4H")
    assert seen(model, scene("offer_on_turn"), now=1.0).staging.cards == ()


@given(hand=HANDS, hand_number=st.integers(0, 9))
def test_what_is_staged_as_the_best_can_be_laid_down(hand: tuple[Card, ...], hand_number: int) -> None:
    """Every best lay-down fills the slots of its contract, and what the slots make of it is lawful."""
    contract: Contract = STANDARD_CONTRACTS[hand_number]
    best = best_lay_down(hand, contract, STANDARD)
    if best is None:
        return
    staging = Staging.of(contract).filled(best)
    assert Counter(staging.cards) == Counter(card for draft in best for card in draft.cards)
    assert fault_of(staging, hand=hand_number + 1, contract=contract, rules=STANDARD) is None
    assert staging.undo() == Staging.of(contract)


@given(suit=st.integers(0, 3), low=st.integers(2, 8), size=st.integers(4, 7), data=st.data())
def test_a_run_is_put_in_order_with_its_jokers_in_the_gaps(suit: int, low: int, size: int, data: st.DataObject) -> None:
    """The cards of a run may be staged in any order: jokers go where the gaps are, spare ones to an end."""
    places = data.draw(st.sets(st.integers(1, size - 2), max_size=size // 2 - 1))
    run = [JOKER if place in places else Card(suit * 13 + low - 1 + place) for place in range(size)]
    slot = Slot(MeldKind.RUN, 4, tuple(data.draw(st.permutations(run))))
    assert slot.draft(STANDARD).cards == tuple(run)
    spare = replace(slot, cards=(*slot.cards, JOKER))
    for end, place in ((End.LOW, 0), (End.HIGH, -1)):
        draft = replace(spare, lean=end).draft(STANDARD)
        assert isinstance(read_meld(draft, meld_id=0, owner=0, rules=STANDARD), Meld) or low + size > 14
        assert draft.cards[place] == JOKER or low + size > 14 or low == 2
