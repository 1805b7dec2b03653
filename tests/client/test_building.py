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

from shanghai.v1 import table_pb2
from shanghai_client.screen.choosing import letters_of
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import named_keys
from shanghai_client.screen.model import Building, Looking, Model
from shanghai_client.screen.panes.asking import asking_lines
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.staging import Slot, Staging, fault_of
from shanghai_client.screen.stepping import Act, Run
from shanghai_engine.action import LayDown
from shanghai_engine.card import JOKER, Card, cards_text, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import CLASSIC, STANDARD, RuleSet
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
        (("a", "b", "c"), "cannot fulfil the contract"),
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
    for way in (spare.draft(STANDARD).cards, *spare.ways(STANDARD)):
        draft = MeldDraft(MeldKind.RUN, way)
        assert isinstance(read_meld(draft, meld_id=0, owner=0, rules=STANDARD), Meld)
        assert replace(spare, cards=way).draft(STANDARD) == draft
    assert len(spare.ways(STANDARD)) == (low > 2) + (low + size <= 14)


@pytest.mark.parametrize(
    ("cards", "rules", "ways"),
    [
        ("5S 6S 7S JK JK", STANDARD, ["JK JK 5S 6S 7S", "JK 5S 6S 7S JK", "5S 6S 7S JK JK"]),
        ("3S 4S 5S JK JK", STANDARD, ["JK 3S 4S 5S JK", "3S 4S 5S JK JK"]),
        ("5S JK 7S JK 9S", STANDARD, ["5S JK 7S JK 9S"]),
        ("JS QS KS JK 2D", CLASSIC, ["JK 2D JS QS KS", "JK JS QS KS 2D", "2D JK JS QS KS", "2D JS QS KS JK"]),
        ("8S 9S TD JK", STANDARD, []),
    ],
)
def test_every_way_of_a_run_is_gone_through(cards: str, rules: RuleSet, ways: list[str]) -> None:
    """From the lowest to the highest, also with jokers at both ends; and which wild card fills which gap."""
    slot = Slot(MeldKind.RUN, 4, parse_cards(cards))
    assert [cards_text(way) for way in slot.ways(rules)] == ways
    staging = Staging((slot,))
    seen_ways = set()
    for _step in ways:
        seen_ways.add(cards_text(staging.slots[0].draft(rules).cards))
        staging = staging.turned(1, rules)
    assert seen_ways == set(ways)
    assert staging.turned(1, rules).turned(-1, rules).drafts(rules) == staging.drafts(rules)


def test_jokers_are_moved_by_two_keys() -> None:
    """`>` and `<` go from way to way, undo takes that back, and it is said where there is but one."""
    hand = "8C 8D 8H 5S 6S 7S JK JK KD"
    model = model_of(scene_of(position(hand=2, turn=0, hands={0: hand}, drawn="KD")))
    model = _built(model, "8C", "8D", "8H", "2", "5S", "6S", "7S", "JK", "JK")
    found = []
    for key in (">", ">", "<", "-"):
        found.append(str(model.staging.drafts(STANDARD)[1]))
        model = after(model, key).model
    assert found == ["5S 6S 7S JK JK", "JK JK 5S 6S 7S", "JK 5S 6S 7S JK", "JK JK 5S 6S 7S"]
    assert str(model.staging.drafts(STANDARD)[1]) == "JK 5S 6S 7S JK"
    assert "< and > move its jokers" in _asked(model)
    assert "this meld lies in one way only" in after(model, "1", ">").model.note


def _built(model: Model, *cards: str) -> Model:
    """Begin to build, and stage cards; a digit is that of a meld."""
    model = after(model, "m").model
    for card in cards:
        key = card
        if not card.isdigit():
            free = [place for place in letters_of(model) if place not in model.staged_places]
            key = letters_of(model)[next(place for place in free if model.hand[place].text == card)]
        model = after(model, key).model
    return model


def _asked(model: Model) -> str:
    return "\n".join(text_of(line) for line in asking_lines(model, width=80))


@given(hand=HANDS, hand_number=st.integers(0, 9), rules=st.sampled_from([STANDARD, CLASSIC]))
def test_the_best_melds_are_staged_as_they_are(hand: tuple[Card, ...], hand_number: int, rules: RuleSet) -> None:
    """What `=` stages is laid down as the best lay-down has it, its jokers for the same cards."""
    best = best_lay_down(hand, STANDARD_CONTRACTS[hand_number], rules)
    if best is not None:
        staging = Staging.of(STANDARD_CONTRACTS[hand_number]).filled(best)
        assert Counter(staging.drafts(rules)) == Counter(best)


def test_a_meld_that_asks_for_more_is_filled_first() -> None:
    """Melds of several sizes find their slots, whatever order they come in."""
    contract = Contract(sets=(3, 4))
    staging = Staging.of(contract).filled(best_lay_down(parse_cards("8C 8D 8H 8S 3C 3D 3H"), contract, STANDARD) or ())
    assert fault_of(staging, hand=1, contract=contract, rules=STANDARD) is None


def _with_further_melds() -> Model:
    rules = replace(STANDARD, extra_melds=True)
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    hands = {0: "3C 3D 3H 4S 5S 6S 7S AC AD AS 2C"}
    return model_of(scene_of(position(hand=1, turn=0, melds=melds, hands=hands, drawn="2C", rules=rules)))


def test_r16_extra_melds_a_further_meld_that_was_built_is_laid_down_before_the_best() -> None:
    """Who is down builds a further meld, and `l` lays that one down, as the question says."""
    model = _with_further_melds()
    assert ("m", "build melds") in list(named_keys(model))
    model = _built(model, "3C", "3D", "3H")
    laid = after(model, "enter").effect
    assert isinstance(laid, Act)
    assert isinstance(laid.action, LayDown)
    assert [str(draft) for draft in laid.action.melds] == ["3C 3D 3H"]
    back = after(model, "escape").model
    assert after(back, "l").effect == laid
    assert "l lays down 3♣ 3♦ 3♥" in _asked(back)
    assert "3C 3D is too short" in after(model, "backspace", "enter").model.note


def test_why_a_staged_meld_is_none_is_said_at_once() -> None:
    """As soon as there are enough cards the rule that they break stands below the question."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", *"abd").model
    assert "is no set: all its cards but the jokers are of one rank (R8.1)" in _asked(model)
    assert "the same letter takes a card back" in _asked(after(model, "d").model)


@pytest.mark.parametrize(
    ("turn", "said"),
    [(0, "Your turn: take 3♣, or pass and draw from the stock?"), (3, "Buy 3♣? It is Zoë's turn.")],
)
def test_what_is_offered_is_said_while_one_builds(turn: int, said: str) -> None:
    """The question of the table stands above what is built, with the way to its keys; a message does not hide it."""
    others = scene_of(position(hand=2, turn=2, phase=Phase.PLAY, hands={0: "8C 8D 8H 4H 5H"}))
    building = after(model_of(others), "m", "a").model
    offered = position(hand=2, turn=turn, phase=Phase.OFFER, hands={0: "8C 8D 8H 4H 5H"}, discards="3C")
    model = seen(building, scene_of(offered), now=1.0)
    assert isinstance(model.mode, Building)
    first, second = _asked(model).splitlines()
    assert first.strip() == f"{said} Esc leads there."
    assert "Build meld 1, a set of 3 or more" in second
    assert said in _asked(after(model, "Z").model)
    assert after(model, "escape", "p").effect == Run("pass")


def test_r13_1_a_pass_that_may_end_the_hand_is_warned_of_while_one_builds() -> None:
    """The warning takes the second line."""
    model = after(model_of(scene("offer_that_ends_the_hand")), "m").model
    assert isinstance(model.mode, Building)
    assert "Esc leads there." in _asked(model)
    assert "nobody wins it (R13.1)" in _asked(model)


def test_r14_2_a_stand_in_is_told_of_while_one_builds() -> None:
    """Who is taken for absent while he builds learns it, and how he comes back."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m").model
    assert model.scene is not None
    model = replace(model, scene=scene_of(position(hand=2, turn=3, hands={0: "8C 8D"}), 0, away=0))
    assert model.scene is not None
    assert model.scene.stood_in
    assert "Esc, then k takes your seat again." in _asked(model)


def test_it_is_said_when_what_is_staged_can_be_laid_down() -> None:
    """With the last card the points stand there that are left; before one's turn, that one lays down later."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", *"abc", "2", *"def").model
    assert "Ready" not in _asked(model)
    assert "Ready: Enter lays them down, 30 points left." in _asked(after(model, "g").model)
    others = position(hand=2, turn=2, phase=Phase.PLAY, hands={0: "8C 8D 8H 4H 5H 6H 7H"})
    waiting = _built(model_of(scene_of(others)), "8C", "8D", "8H", "2", "4H", "5H", "6H", "7H")
    assert "Your melds are ready: you lay them down on your own turn, after drawing (R8.5)" in _asked(waiting)
    assert "Ready: Enter lays them down" in _asked(_built(_with_further_melds(), "3C", "3D", "3H"))


def test_melds_that_are_none_together_are_said_to_be_so_at_once() -> None:
    """Each is a meld, and the table asks for sets of different ranks."""
    rules = replace(STANDARD, distinct_set_ranks=True)
    game = position(hand=1, turn=0, hands={0: "8C 8D 8H 8S 8C JK KD"}, drawn="KD", rules=rules)
    model = _built(model_of(scene_of(game)), "8C", "8D", "8H", "2", "8S", "8C", "JK")
    assert "8♣ 8♦ 8♥ / 8♠ 8♣ JK hold two sets of one rank: at this table they differ in" in _asked(model)
    assert "rank (R8.6)" in _asked(model)


def test_a_table_without_hints_names_no_key_for_them() -> None:
    """The key still says why there are none."""
    shown = scene("turn_that_can_lay_down")
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    table.options.no_hints = True
    for each, named in ((shown, True), (replace(shown, table=table), False)):
        assert (("h", "hint") in list(named_keys(model_of(each)))) is named
