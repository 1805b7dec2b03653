"""The best turn: against trying every turn, against turns played at random, and case by case."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from best_turns import RUN, SET, best_of, kinds, played, turn_of
from case_file import read_cases
from every_turn import cost_of, least_after_swaps, least_left
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import position
from strategies import crowded_turns, turns, turns_with_swaps

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.game import Game
from shanghai_engine.meld import End
from shanghai_engine.rules import PRESETS, STANDARD
from shanghai_engine.solver import Turn, best_lay_down, best_turn
from shanghai_engine.state import Phase, State


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(turns(most_cards=5, most_melds=3))
def test_the_best_turn_leaves_as_little_as_any_turn(game: Game) -> None:
    """Under any rules, no way of laying down, laying off and swapping leaves fewer points, or fewer cards with them."""
    known = least_left(game, most_positions=300)
    cost = played(game, best_of(game))
    if known is not None:
        assert cost == known


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(crowded_turns())
def test_the_best_turn_before_a_crowded_table_leaves_as_little_as_any_turn(game: Game) -> None:
    """Where several runs want the same cards, and jokers of some are swapped into others, none leaves less either."""
    known = least_left(game, most_positions=400)
    cost = played(game, best_of(game))
    if known is not None:
        assert cost == known


def named(case: dict[str, Any]) -> str:
    """Give the name of a case."""
    return f"{case['preset']}-{case['hand'][:11]}-{len(case['melds'])}"


def game_of(case: dict[str, Any]) -> Game:
    """Give the game of a case."""
    down = case["contract"] is None
    contract = SET if down else Contract.from_mapping(case["contract"])
    rules = replace(
        PRESETS[case["preset"]],
        extra_melds=case["extra_melds"],
        contracts=(contract,),
        buys=(3,),
        cards_dealt=(11,),
    )
    game = position(
        players=3, turn=0, melds=[(1, meld) for meld in case["melds"]], down=(0,) if down else (), rules=rules
    )
    game.state.hands[0] = parse_cards(case["hand"])
    return game


@pytest.mark.parametrize("case", read_cases("crowded_turns"), ids=named)
def test_best_turns_before_crowded_tables(case: dict[str, Any]) -> None:
    """Each of these hard turns leaves the points and cards that a search without today's bounds has found."""
    game = game_of(case)
    turn = best_of(game)
    assert played(game, turn) == (case["points_left"], case["cards_left"])
    assert turn.exact


@pytest.mark.parametrize("case", read_cases("swaps_before_lay_down"), ids=named)
def test_r10_2_the_best_turn_swaps_in_the_order_that_lets_it_lay_down(case: dict[str, Any]) -> None:
    """Of several jokers that the lay-down needs, those are swapped after each of which the hand can lay down."""
    game = game_of(case)
    turn = best_of(game)
    assert played(game, turn) == (case["points_left"], case["cards_left"])
    assert least_after_swaps(game, most_positions=500) == (case["points_left"], case["cards_left"])
    assert turn.exact


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(turns_with_swaps())
def test_r10_2_the_best_turn_leaves_as_little_as_after_any_swaps_before_the_lay_down(game: Game) -> None:
    """Whatever lawful swaps come before the lay-down, under any rules none leaves fewer points, or fewer cards."""
    known = least_after_swaps(game, most_positions=60)
    cost = played(game, best_of(game))
    if known is not None:
        assert cost == known


def random_turn(game: Game, rng: random.Random) -> list[State]:
    """Play a turn at random, cards to the table whenever that is possible; give the states in which it might end."""
    game = game.copy()
    states = [game.state.copy()]
    while True:
        plays = list(best_plays(game))
        if not plays or len(states) > 40:
            return states
        game.apply(rng.choice(plays))
        if game.state.phase is not Phase.PLAY:
            return [*states, game.state]
        if not game.state.must_play and not game.state.must_lay_down:
            states.append(game.state.copy())


def best_plays(game: Game) -> list[LayDown | LayOff | Swap]:
    """Give what can be played now, of the lay-downs the best."""
    decision = next(iter(game.decisions().values()))
    return [play for play in decision.actions() if isinstance(play, LayDown | LayOff | Swap)]


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(game=turns(most_cards=14, most_melds=7), seed=st.integers(0, 99))
def test_no_turn_played_at_random_beats_the_best(game: Game, seed: int) -> None:
    """With hands and tables of any size the plays are lawful, and no random turn leaves less."""
    cost = played(game, best_of(game))
    seat = game.state.turn
    rng = random.Random(seed)
    for _ in range(3):
        for state in random_turn(game, rng):
            assert cost <= cost_of(state, seat)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(game=turns(most_cards=8, most_melds=4), seed=st.integers(0, 9))
def test_the_order_of_the_hand_makes_no_difference_to_the_turn(game: Game, seed: int) -> None:
    """The same cards in another order have the same best turn."""
    turn = best_of(game)
    shuffled = list(game.state.hands[0])
    random.Random(seed).shuffle(shuffled)
    game.state.hands[0] = tuple(shuffled)
    assert best_of(game) == turn


def test_a_turn_without_plays_leaves_the_hand() -> None:
    """Where nothing can be played all points and cards stay."""
    assert turn_of("3C 9D JS", ["KC KD KH"]) == Turn(plays=(), points=20, cards=3, exact=True)
    assert turn_of("3C 9D JS", [], contract=SET) == Turn(plays=(), points=20, cards=3, exact=True)


@pytest.mark.parametrize("contract", STANDARD_CONTRACTS, ids=str)
def test_with_no_meld_on_the_table_it_is_the_best_lay_down(contract: Contract) -> None:
    """The first to lay down leaves what the best lay-down leaves: longer melds need no laying off."""
    hand = parse_cards("2H 3H 4H 5H 5C 5D 6S 6C 6D 7C 8C 9C TC QC JK KD KS KC 3D 4D 2S")
    best = best_lay_down(hand, contract, STANDARD) or ()
    turn = best_turn(hand, contract, (), STANDARD)
    laid = sum(STANDARD.card_points[card] for draft in best for card in draft.cards)
    assert turn.points == sum(STANDARD.card_points[card] for card in hand) - laid
    assert kinds(turn) == ([LayDown] if best else [])


def test_r9_1_it_lays_off_in_the_turn_of_the_lay_down() -> None:
    """What does not fit the lay-down goes to the melds of the others."""
    turn = turn_of("3C 3D 3H 8H KS", ["KC KD KH", "4H 5H 6H 7H"], contract=SET)
    assert (turn.points, turn.cards) == (0, 0)
    assert kinds(turn) == [LayDown, LayOff, LayOff]


def test_r9_2_a_joker_bridges_to_a_card_beyond() -> None:
    """The joker stands for the 8H, so that the 9H, TH and JH can follow."""
    turn = turn_of("JK 9H TH JH", ["4H 5H 6H 7H", "3C 3D 3H"])
    assert (turn.points, turn.cards) == (0, 0)


def test_r8_3_naturals_come_before_the_joker_that_they_allow() -> None:
    """At its limit a run takes the 3H first, and only then the joker at its other end, and the 9H behind it."""
    turn = turn_of("3H JK 9H", ["JK 5H 6H JK"])
    low, high = End.LOW, End.HIGH
    assert turn.plays == (LayOff(0, 0, Card.H3, low), LayOff(0, 0, JOKER, high), LayOff(0, 0, Card.H9, high))
    assert turn_of("JK 9H", ["JK 5H 6H JK"]).plays == ()


def test_r8_3_a_new_set_gets_the_card_that_a_run_would_take() -> None:
    """Laying off the 8H would leave the set without its second natural."""
    turn = turn_of("8H 8S JK", ["4H 5H 6H 7H"], contract=SET)
    assert (turn.points, turn.cards) == (0, 0)
    assert kinds(turn) == [LayDown]


def test_r8_3_a_new_set_gets_the_card_and_a_joker_its_place_in_the_run() -> None:
    """The set needs both eights; a joker stands for the 8H in the run, so that the 9H can follow."""
    turn = turn_of("8H 8S JK JK 9H", ["4H 5H 6H 7H"], contract=SET)
    assert (turn.points, turn.cards) == (0, 0)


def test_r8_3_a_card_goes_to_the_run_that_can_take_no_joker() -> None:
    """The 8H could bring the joker of the set, but only the 8H itself lets the 9H follow."""
    turn = turn_of("8H 9H", ["JK 5H 6H JK", "8C 8D JK"])
    assert kinds(turn) == [LayOff, LayOff]


def test_r1_3_a_joker_takes_the_place_of_a_card_of_fewer_points() -> None:
    """The run of 13 has room for four of the five cards: the joker stands for the 3H, which stays."""
    turn = turn_of("2H 3H KH AH JK", ["4H 5H 6H 7H 8H 9H TH JH QH"])
    assert (turn.points, turn.cards) == (5, 1)


def test_r10_1_a_swapped_joker_is_played_elsewhere() -> None:
    """The 5H brings the joker that bridges from 7S to 9S."""
    turn = turn_of("5H 9S", ["4H JK 6H 7H", "4S 5S 6S 7S"])
    assert (turn.points, turn.cards) == (0, 0)
    assert kinds(turn) == [Swap, LayOff, LayOff]


def test_r10_1_no_swap_where_the_joker_would_stay_and_cost_more() -> None:
    """A full suit takes no joker back: the 5 in hand counts less than the joker would."""
    full = "2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH AH"
    assert turn_of("5H", [full]) == Turn(plays=(), points=5, cards=1, exact=True)
    cheap = replace(STANDARD, points=(*STANDARD.points[:-1], 1))
    assert kinds(turn_of("5H", [full], rules=cheap)) == [Swap]


def test_r10_2_who_is_not_down_swaps_only_what_lets_him_lay_down() -> None:
    """One joker makes the run; the swap comes first, then the lay-down."""
    turn = turn_of("5H 4S 5S 7S", ["4H JK 6H 7H"], contract=RUN)
    assert (turn.points, turn.cards) == (0, 0)
    assert kinds(turn) == [Swap, LayDown]


def test_r10_2_a_lay_down_that_needs_two_swaps_is_refused() -> None:
    """With the joker of the first swap alone the hand could not lay down, so neither swap is made."""
    melds = ["4H JK 6H 7H", "4D JK 6D 7D"]
    assert turn_of("5H 5D 4S 7S 2C", melds, contract=RUN).plays == ()
    assert kinds(turn_of("5H 5D 4S 6S 7S 9S", melds, contract=RUN))[:2] == [Swap, LayDown]


def test_r10_2_a_lay_down_that_needs_two_swaps_is_refused_where_the_first_undoes_the_other() -> None:
    """The spades can be laid down; with the 4S swapped they cannot, and the ten hearts need the joker of the 5S too."""
    hand = "4S 5S 6S TS JK JK JK 2H 3H 9H TH JH"
    melds = ["3S JK 5S 6S", "3S 4S JK 6S"]
    turn = turn_of(hand, melds, contract=Contract(runs=(7,)))
    assert kinds(turn) == [LayDown]
    assert turn.points == 50
    assert turn_of(f"{hand} JK", melds, contract=Contract(runs=(7,))).points < 50


def test_more_than_23_cards_are_a_bound_or_exact_and_lawful() -> None:
    """With a huge hand the answer says whether it is certain; what it says is left is left."""
    everything = [*parse_cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"), *parse_cards("2S 3S 4S 5S 6S 7S 8S 9S")]
    hand = (*everything, *everything[::2], JOKER, JOKER, JOKER)
    rules = replace(STANDARD, contracts=(Contract(runs=(4, 4, 4)),), buys=(3,), cards_dealt=(11,))
    game = position(players=3, turn=0, melds=[(1, "KC KD KH"), (1, "5C 6C 7C 8C")], rules=rules)
    game.state.hands[0] = hand
    turn = best_of(game)
    played(game, turn)
    assert turn.cards < len(hand)
