"""The best turn: against trying every turn, against turns played at random, and case by case."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from case_file import read_cases
from every_turn import Cost, cost_of, least_after_swaps, least_left
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import position
from strategies import crowded_turns, turns, turns_with_swaps

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.game import Game
from shanghai_engine.meld import End
from shanghai_engine.rules import PRESETS, STANDARD, RuleSet
from shanghai_engine.solver import Turn, best_lay_down, best_turn
from shanghai_engine.state import Phase, State

SET = Contract(sets=(3,))
RUN = Contract(runs=(4,))


def best_of(game: Game) -> Turn:
    """Give the best turn of the seat that is on turn."""
    state = game.state
    return best_turn(
        state.hands[state.turn],
        None if state.down[state.turn] else state.contract,
        state.melds,
        state.rules,
        seat=state.turn,
        laid_down_now=state.laid_down_now,
        must_play=state.must_play,
    )


def played(game: Game, turn: Turn) -> Cost:
    """Play a turn through the door of the game and give what it leaves: just what it says."""
    after = game.copy()
    for play in turn.plays:
        after.apply(play)
    cost = cost_of(after.state, game.state.turn)
    assert cost == (turn.points, turn.cards)
    if after.state.phase is Phase.PLAY:
        assert not after.state.must_play
        assert not after.state.must_lay_down
    return cost


def turn_of(hand: str, melds: list[str], *, rules: RuleSet = STANDARD, contract: Contract | None = None) -> Turn:
    """Give the best turn of seat 0, which is down unless a contract is given, before these melds; it is lawful."""
    rules = replace(rules, contracts=(contract or SET,), buys=(3,), cards_dealt=(11,))
    game = position(
        players=3,
        turn=0,
        hands={0: hand},
        melds=[(1, meld) for meld in melds],
        down=() if contract else (0,),
        rules=rules,
    )
    turn = best_of(game)
    played(game, turn)
    assert turn.exact
    return turn


def kinds(turn: Turn) -> list[type]:
    """Give the kinds of the plays."""
    return [type(play) for play in turn.plays]


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


def test_r16_joker_swap_down_only_swaps_after_the_lay_down() -> None:
    """Who is not down yet lays down first; where that needs the joker he cannot."""
    rules = replace(STANDARD, joker_swap="down_only")
    turn = turn_of("5H 9S KC KD KH", ["4H JK 6H 7H", "4S 5S 6S 7S"], rules=rules, contract=SET)
    assert turn.cards == 0
    assert kinds(turn)[:2] == [LayDown, Swap]
    assert turn_of("5H 4S 5S 7S", ["4H JK 6H 7H"], rules=rules, contract=RUN).plays == ()


def test_r16_joker_swap_down_only_lengthens_the_new_run_with_the_joker() -> None:
    """The run is laid down short, and the joker of the later swap bridges the gap to its other half."""
    rules = replace(STANDARD, joker_swap="down_only")
    turn = turn_of("5H 4S 5S 6S 7S 9S TS", ["4H JK 6H 7H"], rules=rules, contract=RUN)
    assert turn.cards == 0
    assert kinds(turn) == [LayDown, Swap, LayOff, LayOff, LayOff]


def test_r16_joker_swap_down_only_lays_a_further_run_that_is_shorter_than_the_contracts() -> None:
    """Where a swap is to come, a further run of four low cards is laid down beside the run of seven that is asked."""
    rules = replace(STANDARD, joker_swap="down_only", extra_melds=True)
    turn = turn_of("5S 6S 7S 8S 9S TS JS 2H 3H 4H 5H KS 7H", ["KC KD JK"], rules=rules, contract=Contract(runs=(7,)))
    assert turn.cards == 0
    assert kinds(turn) == [LayDown, Swap, LayDown]


def test_r16_joker_swap_down_only_lays_down_a_set_that_it_could_lay_off() -> None:
    """The sixes could all join a set of the table, but only with them is the contract laid down before the swaps."""
    rules = replace(STANDARD, joker_swap="down_only", extra_melds=True, jokers_per_meld="any")
    turn = turn_of("6C 6S 6H 6D 7S QH", ["6H JK JK JK", "JH JK KH AH"], rules=rules, contract=SET)
    assert turn.cards == 0
    assert kinds(turn)[0] is LayDown
    assert sorted(map(str, kinds(turn))).count(str(Swap)) == 2


def test_r16_joker_swap_nobody_leaves_the_jokers() -> None:
    """No card goes in the place of a joker."""
    rules = replace(STANDARD, joker_swap="nobody")
    assert turn_of("5H 9S", ["4H JK 6H 7H", "4S 5S 6S 7S"], rules=rules).plays == ()


def test_r16_swap_in_sets_false_swaps_in_runs_only() -> None:
    """The joker of the set stays, so that the card goes there without bringing it."""
    rules = replace(STANDARD, swap_in_sets=False)
    melds = ["8C 8D JK", "4S 5S 6S 7S"]
    assert turn_of("8H 9S", melds).cards == 0
    assert turn_of("8H 9S", melds, rules=rules).cards == 1


def test_r16_swapped_joker_play_this_turn_makes_no_swap_that_cannot_be_used() -> None:
    """Even where jokers count nothing, one that could not be played is not swapped for."""
    free = replace(STANDARD, points=(*STANDARD.points[:-1], 0))
    full = "2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH AH"
    assert kinds(turn_of("5H", [full], rules=free)) == [Swap]
    assert turn_of("5H", [full], rules=replace(free, swapped_joker="play_this_turn")).plays == ()


def test_r16_lay_off_when_laying_down_false_only_lays_down() -> None:
    """In the turn of the lay-down nothing else is played; from the next turn on it is."""
    rules = replace(STANDARD, lay_off_when_laying_down=False)
    turn = turn_of("3C 3D 3H 8H KS", ["KC KD KH", "4H 5H 6H 7H"], rules=rules, contract=SET)
    assert kinds(turn) == [LayDown]
    assert turn.points == 15
    assert turn_of("8H KS", ["KC KD KH", "4H 5H 6H 7H"], rules=rules).cards == 0


def test_r16_extra_melds_true_lays_further_melds() -> None:
    """Who is down lays a set and a run more; who lays down does so in the same turn."""
    rules = replace(STANDARD, extra_melds=True)
    hand = "3C 3D 3H 4S 5S 6S 7S"
    assert turn_of(hand, ["KC KD KH"], rules=rules).cards == 0
    assert turn_of(hand, ["KC KD KH"]).cards == 7
    assert kinds(turn_of(hand, [], rules=rules, contract=SET)) == [LayDown, LayDown]


def test_r16_aces_high_or_low_lays_off_below_the_two() -> None:
    """A run that begins with 2 takes the ace at its low end, where the table plays so."""
    rules = replace(STANDARD, aces="high_or_low")
    assert turn_of("AH", ["2H 3H 4H 5H"], rules=rules).cards == 0
    assert turn_of("AH", ["2H 3H 4H 5H"]).cards == 1


def test_r16_wild_jokers_and_twos_leaves_the_cheaper_wild_card() -> None:
    """Of a joker and a two one finds room: the joker is laid off, and the two, 20 points, stays."""
    rules = replace(STANDARD, wild="jokers_and_twos", jokers_per_meld=1)
    turn = turn_of("JK 2C", ["KC KD KH"], rules=rules)
    assert (turn.points, turn.plays) == (20, (LayOff(0, 0, JOKER, None),))
    cheap = replace(rules, points=(30, *STANDARD.points[1:]))
    assert turn_of("JK 2C", ["KC KD KH"], rules=cheap).plays == (LayOff(0, 0, Card.C2, None),)


def test_r16_wild_jokers_and_twos_lays_a_two_at_its_own_place() -> None:
    """At the low end of 3H 4H 5H 6H the 2H is no joker, and needs no room."""
    rules = replace(STANDARD, wild="jokers_and_twos", jokers_per_meld=0)
    assert turn_of("2H", ["3H 4H 5H 6H"], rules=rules).cards == 0
    assert turn_of("2C", ["3H 4H 5H 6H"], rules=rules).cards == 1


def test_r16_jokers_per_meld_any_puts_all_jokers_away() -> None:
    """Where a meld may have any number of them, every joker goes to the set."""
    rules = replace(STANDARD, jokers_per_meld="any")
    assert turn_of("JK JK JK JK", ["KC KD KH"], rules=rules).cards == 0
    assert turn_of("JK JK JK JK", ["KC KD KH"]).cards == 1


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
