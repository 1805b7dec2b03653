"""R16 `extra_melds` against an independent referee: the best turn, every play within it, and the best further meld."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from positions import position
from referee import Lying, every_choice
from strategies import fitting, lawful_melds, meld_rules
from whole_turn import Turn, after_melds, every_meld, every_play, every_turn, turn_of

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card, card_of
from shanghai_engine.contract import Contract
from shanghai_engine.game import Game
from shanghai_engine.meld import MeldDraft, swaps_of
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import best_turn

MOST = 1_500
"""How many positions of a turn the referee looks at before he says that he cannot tell."""
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@st.composite
def further_turns(draw: st.DrawFn, *, swapping: bool = False) -> Game:
    """Draw a turn of few cards at a table that plays `extra_melds`: neighbours and pairs, of which there are melds.

    One that is `swapping` has cards for jokers of the table, which it may not keep.
    """
    contract = draw(st.sampled_from([Contract(sets=(3,)), Contract(runs=(4,)), Contract(sets=(4,))]))
    rules = replace(
        draw(meld_rules),
        contracts=(contract,),
        buys=(3,),
        cards_dealt=(11,),
        extra_melds=True,
        joker_swap="everyone" if swapping else draw(st.sampled_from(["everyone", "everyone", "down_only", "nobody"])),
        swap_in_sets=swapping or draw(st.booleans()),
        swapped_joker="play_this_turn" if swapping else draw(st.sampled_from(["keep", "play_this_turn"])),
        lay_off_when_laying_down=draw(st.sampled_from([True, True, False])),
    )
    melds = [draw(lawful_melds(rules, meld_id=number)) for number in range(draw(st.integers(int(swapping), 2)))]
    low, suits = draw(st.integers(2, 10)), draw(st.sampled_from([(0,), (0, 1), (0, 1, 2)]))
    near = st.builds(card_of, st.integers(low, low + 4), st.sampled_from(suits))
    held = draw(st.lists(near, min_size=3, max_size=6))
    held += draw(st.lists(st.sampled_from(fitting(melds, rules)), max_size=2))
    held += [JOKER] * draw(st.integers(0, 1))
    if swapping:
        wanted = [card for meld in melds for place in meld.joker_places() for card in swaps_of(meld, place, rules)]
        held += draw(st.lists(st.sampled_from(wanted), min_size=1, max_size=2)) if wanted else []
    game = position(players=3, turn=0, rules=rules)
    game.state.melds = melds
    game.state.down = [draw(st.booleans()), True, False]
    game.state.laid_down_now = game.state.down[0] and draw(st.booleans())
    game.state.hands[0] = tuple(draw(st.permutations(held)))
    return game


def as_read(game: Game) -> Turn:
    """Give the turn of a game as the referee sees it."""
    state = game.state
    turn = turn_of(
        state.hands[0],
        tuple(map(Lying.of, state.melds)),
        owed=state.must_play,
        down=state.down[0],
        laid_down_now=state.laid_down_now,
    )
    return replace(turn, must_lay_down=state.must_lay_down)


def cost(hand: tuple[Card, ...], rules: RuleSet) -> tuple[int, int]:
    """Give the points and the number of cards."""
    return sum(rules.card_points[card] for card in hand), len(hand)


@settings(suppress_health_check=SLOW)
@given(further_turns())
def test_r16_extra_melds_true_best_turn_is_that_of_the_referee(game: Game) -> None:
    """No way of laying down, laying off and swapping that the referee knows leaves less, and the plays are lawful."""
    state = game.state
    reached = every_turn(as_read(game), state.contract, state.rules, most=MOST)
    assume(reached is not None)
    assert reached is not None
    turn = best_turn(
        state.hands[0],
        None if state.down[0] else state.contract,
        state.melds,
        state.rules,
        laid_down_now=state.laid_down_now,
    )
    assert turn.exact
    assert (turn.points, turn.cards) == min(cost(end.hand, state.rules) for end in reached if end.may_end)
    after = game.copy()
    for play in turn.plays:
        after.apply(play)
    assert cost(after.state.hands[0], state.rules) == (turn.points, turn.cards)


@settings(suppress_health_check=SLOW)
@given(st.booleans().flatmap(lambda swapping: further_turns(swapping=swapping)), st.data())
def test_r16_extra_melds_true_plays_are_those_of_the_referee(game: Game, data: st.DataObject) -> None:
    """The lawful lay-downs of one meld, lay-offs and swaps are the referee's, also in a turn's middle."""
    for _ in range(data.draw(st.integers(0, 2))):
        plays = [play for play in game.decisions()[0].choices if isinstance(play, LayDown | LayOff | Swap)]
        assume(plays)
        plays = [play for play in plays if isinstance(play, Swap)] or plays
        game.apply(data.draw(st.sampled_from(plays)))
        assume(0 in game.decisions() and game.state.hands[0])
    state, now = game.state, as_read(game)
    able = {}
    for after in every_play(now, state.contract, state.rules):
        reached = {after} if not after.owed else every_turn(after, state.contract, state.rules, most=MOST)
        assume(reached is not None)
        assert reached is not None
        # A joker that must be played binds: after the play there must be a way to play it (R10.3).
        able[after] = any(not end.owed for end in reached)
    proposed = [LayDown(0, (MeldDraft(meld.kind, meld.cards),)) for meld in every_meld(now.hand, state.rules)]
    if not state.down[0]:
        sizes = {True: state.contract.sets, False: state.contract.runs}
        proposed = [play for play in proposed if any(len(play.melds[0].cards) >= n for n in sizes[_is_set(play)])]
    held = [play for play in every_choice(state) if isinstance(play, LayOff | Swap) and play.card in state.hands[0]]
    lawful = set()
    for play in [*proposed, *held]:
        if game.can(play):
            after_it = game.copy()
            after_it.apply(play)
            lawful.add(as_read(after_it))
    assert lawful == {after for after, can_end in able.items() if can_end}


def _is_set(play: LayDown) -> bool:
    return play.melds[0].kind.value == "set"


@settings(suppress_health_check=SLOW)
@given(further_turns())
def test_r16_extra_melds_true_offers_the_best_further_meld(game: Game) -> None:
    """Who is down is offered one set or run, if he holds any: that which leaves fewest points, then fewest cards."""
    state = game.state
    assume(state.down[0])
    left = [
        cost(after_melds(as_read(game), (meld,)).hand, state.rules)
        for meld in every_meld(as_read(game).hand, state.rules)
    ]
    decision = game.decisions()[0]
    assert decision.can_lay_down == bool(left)
    if decision.lay_down is not None:
        game.apply(LayDown(0, decision.lay_down))
        assert cost(game.state.hands[0], state.rules) == min(left)
