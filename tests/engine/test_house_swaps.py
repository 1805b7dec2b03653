"""R16 where it says what may be played in a turn: swaps, the swapped joker, laying off, further melds."""

from __future__ import annotations

from positions import accepted, lay_down, position, refused
from referee import is_lawful

from shanghai_engine.action import Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import JOKER, Card
from shanghai_engine.contract import Contract
from shanghai_engine.event import Discarded, EndReason, LaidDown, LaidOff
from shanghai_engine.meld import End
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase

PLAY_NOW = RuleSet(swapped_joker="play_this_turn")
LATER = RuleSet(lay_off_when_laying_down=False)
FURTHER = RuleSet(extra_melds=True)
ABLE = {0: "8H 9C 9D 9S KC KD 2C"}
"""Not down, and with the joker of the set of eights able to lay down two sets."""
EIGHTS = [(1, "8C 8D JK")]


def test_r16_joker_swap_everyone_lets_who_is_not_down_swap() -> None:
    """Who can lay down with the joker swaps before he is down, and who is down anyway (R10)."""
    accepted(position(turn=0, hands=ABLE, melds=EIGHTS), Swap(0, 0, 2, Card.H8))
    accepted(position(turn=0, hands=ABLE, melds=EIGHTS, down=(0,)), Swap(0, 0, 2, Card.H8))


def test_r16_joker_swap_down_only_refuses_who_is_not_down() -> None:
    """Only who is down swaps; to anybody else no swap is offered."""
    rules = RuleSet(joker_swap="down_only")
    game = position(turn=0, hands=ABLE, melds=EIGHTS, rules=rules)
    refused(game, Swap(0, 0, 2, Card.H8), Refusal.SWAP_WHEN_DOWN)
    assert game.decisions()[0].swaps == ()
    down = position(turn=0, hands=ABLE, melds=EIGHTS, down=(0,), rules=rules)
    assert down.decisions()[0].swaps == (Swap(0, 0, 2, Card.H8),)
    accepted(down, Swap(0, 0, 2, Card.H8))
    just_now = position(turn=0, hands={0: "8H 9C 9D 9S KC KD KS 2C"}, melds=EIGHTS, rules=rules)
    accepted(accepted(just_now, lay_down(0, "9C 9D 9S", "KC KD KS")), Swap(0, 0, 2, Card.H8))


def test_r16_joker_swap_nobody_refuses_everybody() -> None:
    """No joker leaves the table, whoever asks."""
    rules = RuleSet(joker_swap="nobody")
    for down in ((), (0,)):
        game = position(turn=0, hands=ABLE, melds=EIGHTS, down=down, rules=rules)
        refused(game, Swap(0, 0, 2, Card.H8), Refusal.NO_SWAPS)
        assert game.decisions()[0].swaps == ()


def test_r16_swap_in_sets_true_swaps_in_sets_and_runs() -> None:
    """Any card of the rank takes the joker out of a set (R10.1)."""
    game = position(turn=0, hands={0: "8H 6H 2C"}, melds=[(0, "8C 8D JK"), (0, "4H 5H JK 7H")])
    assert set(game.decisions()[0].swaps) == {Swap(0, 0, 2, Card.H8), Swap(0, 1, 2, Card.H6)}


def test_r16_swap_in_sets_false_swaps_in_runs_only() -> None:
    """The joker of a set stays there."""
    rules = RuleSet(swap_in_sets=False)
    game = position(turn=0, hands={0: "8H 6H 2C"}, melds=[(0, "8C 8D JK"), (0, "4H 5H JK 7H")], rules=rules)
    refused(game, Swap(0, 0, 2, Card.H8), Refusal.NO_SWAPS_IN_SETS)
    accepted(game, Swap(0, 1, 2, Card.H6))
    assert game.decisions()[0].swaps == (Swap(0, 1, 2, Card.H6),)


def test_r16_swapped_joker_keep_leaves_the_joker_in_the_hand() -> None:
    """Who is down may discard after a swap and play the joker when he likes (R10.3)."""
    game = accepted(position(turn=0, hands={0: "8H 2C"}, melds=EIGHTS, down=(0,)), Swap(0, 0, 2, Card.H8))
    assert game.state.must_play == ()
    after = accepted(game, Discard(0, Card.C2))
    assert after.state.hands[0] == (JOKER,)


def test_r16_swapped_joker_play_this_turn_must_be_played_before_the_discard() -> None:
    """The discard is refused and not offered until the joker is on the table."""
    game = position(turn=0, hands={0: "8H 2C"}, melds=EIGHTS, down=(0,), rules=PLAY_NOW)
    swapped = accepted(game, Swap(0, 0, 2, Card.H8))
    assert swapped.decisions()[0].must_play == (JOKER,)
    assert swapped.decisions()[0].discards == ()
    refused(swapped, Discard(0, Card.C2), Refusal.MUST_PLAY_JOKER)
    played = accepted(swapped, LayOff(0, 0, JOKER))
    assert played.decisions()[0].must_play == ()
    accepted(played, Discard(0, Card.C2))


def test_r16_swapped_joker_play_this_turn_refuses_a_swap_whose_joker_could_not_be_played() -> None:
    """The only meld takes no joker back where it already holds as many as it may."""
    melds = [(1, "8C 8D JK JK")]
    free = position(turn=0, hands={0: "8H 2C"}, melds=melds, down=(0,))
    accepted(free, Swap(0, 0, 2, Card.H8))
    # Three eights and a joker take one more joker: the swap is lawful.
    accepted(position(turn=0, hands={0: "8H 2C"}, melds=melds, down=(0,), rules=PLAY_NOW), Swap(0, 0, 2, Card.H8))
    rules = RuleSet(swapped_joker="play_this_turn", jokers_per_meld=1)
    full = position(
        turn=0, hands={0: "6H 2C"}, melds=[(1, "2H 3H 4H 5H JK 7H 8H 9H TH JH QH KH AH")], down=(0,), rules=rules
    )
    refused(full, Swap(0, 0, 4, Card.H6), Refusal.JOKER_COULD_NOT_BE_PLAYED)
    assert full.decisions()[0].swaps == ()
    beside = position(
        turn=0,
        hands={0: "6H 2C"},
        melds=[(1, "2H 3H 4H 5H JK 7H 8H 9H TH JH QH KH AH"), (1, "9C 9D 9S")],
        down=(0,),
        rules=rules,
    )
    accepted(accepted(beside, Swap(0, 0, 4, Card.H6)), LayOff(0, 1, JOKER))


def test_r16_swapped_joker_play_this_turn_refuses_a_play_that_would_leave_the_joker_in_the_hand() -> None:
    """While a joker is owed, no other joker may take the last place that it could have."""
    rules = RuleSet(swapped_joker="play_this_turn", jokers_per_meld=1, wild="jokers_and_twos")
    melds = [(1, "2H 3H 4H 5H JK 7H 8H 9H TH JH QH KH AH"), (1, "9C 9D 9S")]
    game = position(turn=0, hands={0: "6H 2C 3S"}, melds=melds, down=(0,), rules=rules)
    swapped = accepted(game, Swap(0, 0, 4, Card.H6))
    refused(swapped, LayOff(0, 1, Card.C2), Refusal.JOKER_COULD_NOT_BE_PLAYED)
    assert list(swapped.decisions()[0].actions()) == [LayOff(0, 1, JOKER)]


def test_r16_swapped_joker_play_this_turn_is_played_where_an_owed_two_is_swapped_in_its_own_place() -> None:
    """A wild two that is owed is on the table too when it takes another joker's place; that joker is owed then."""
    rules = RuleSet(swapped_joker="play_this_turn", wild="jokers_and_twos")
    melds = [(1, "run 4H 5H 2H 7H"), (1, "run JK 3H 4H 5H")]
    game = position(turn=0, hands={0: "6H KC"}, melds=melds, down=(0,), rules=rules)
    owing = accepted(game, Swap(0, 0, 2, Card.H6))
    assert owing.state.must_play == (Card.H2,)
    assert is_lawful(owing.state, Swap(0, 1, 0, Card.H2))
    swapped = accepted(owing, Swap(0, 1, 0, Card.H2))
    assert swapped.state.must_play == (JOKER,)
    assert JOKER in swapped.state.hands[0]
    accepted(accepted(swapped, LayOff(0, 0, JOKER, End.HIGH)), Discard(0, Card.CK))


def test_r16_swapped_joker_play_this_turn_is_laid_down_by_who_was_not_down() -> None:
    """Before laying down the joker goes into the lay-down, or is laid off after it in the same turn."""
    game = accepted(position(turn=0, hands=ABLE, melds=EIGHTS, rules=PLAY_NOW), Swap(0, 0, 2, Card.H8))
    refused(game, Discard(0, Card.C2), Refusal.MUST_LAY_DOWN)
    down = accepted(game, lay_down(0, "9C 9D 9S", "KC KD JK"))
    assert down.state.must_play == ()
    accepted(down, Discard(0, Card.C2))
    spare = accepted(
        position(turn=0, hands={0: "8H 9C 9D 9S KC KD KS 2C"}, melds=EIGHTS, rules=PLAY_NOW), Swap(0, 0, 2, Card.H8)
    )
    without_it = accepted(spare, lay_down(0, "9C 9D 9S", "KC KD KS"))
    refused(without_it, Discard(0, Card.C2), Refusal.MUST_PLAY_JOKER)
    accepted(accepted(without_it, LayOff(0, 1, JOKER)), Discard(0, Card.C2))


def test_r16_swapped_joker_play_this_turn_with_lay_offs_later_must_be_in_the_lay_down() -> None:
    """Where nothing is laid off in the turn of the lay-down, a lay-down without the joker is refused."""
    rules = RuleSet(swapped_joker="play_this_turn", lay_off_when_laying_down=False)
    hands = {0: "8H 9C 9D 9S KC KD KS 2C"}
    game = accepted(position(turn=0, hands=hands, melds=EIGHTS, rules=rules), Swap(0, 0, 2, Card.H8))
    refused(game, lay_down(0, "9C 9D 9S", "KC KD KS"), Refusal.JOKER_COULD_NOT_BE_PLAYED)
    offered = game.decisions()[0].lay_down
    assert offered is not None
    assert any(JOKER in draft.cards for draft in offered)
    after = accepted(accepted(game, LayDown(0, offered)), Discard(0, Card.C2))
    assert after.state.turn == 1


def test_r16_swapped_joker_play_this_turn_binds_nobody_to_a_joker_that_can_no_more_be_played() -> None:
    """No swap and no play leads there; a position that says so is discarded from, and the next turn owes nothing."""
    game = position(turn=0, hands={0: "JK 2C 3S"}, melds=[(1, "9C JK 9S JK")], down=(0,), rules=PLAY_NOW, drawn="2C")
    game.state.must_play = (JOKER,)
    assert list(game.decisions()[0].actions()) == [Discard(0, Card.C2), Discard(0, Card.S3), Discard(0, JOKER)]
    clock = game.copy()
    assert clock.apply(TimeOut(0))[-1] == Discarded(0, Card.C2)
    game.apply(Discard(0, Card.S3))
    assert game.state.must_play == clock.state.must_play == ()


def test_r14_2_r16_swapped_joker_play_this_turn_is_played_for_who_misses_the_turn() -> None:
    """The table plays the joker that is owed, lays down first where that is owed too, and discards the drawn card."""
    down = position(turn=0, hands={0: "8H 2C 3C"}, melds=EIGHTS, down=(0,), rules=PLAY_NOW, drawn="2C")
    events = accepted(down, Swap(0, 0, 2, Card.H8)).apply(TimeOut(0))
    assert [type(event) for event in events] == [LaidOff, Discarded]
    assert events[-1] == Discarded(0, Card.C2)
    fresh = position(turn=0, hands={0: "8H 9C 9D 9S KC KD KS 2C"}, melds=EIGHTS, rules=PLAY_NOW, drawn="2C")
    game = accepted(fresh, Swap(0, 0, 2, Card.H8))
    events = game.apply(TimeOut(0))
    assert isinstance(events[0], LaidDown)
    assert events[-1] == Discarded(0, Card.C2)
    assert game.state.must_play == ()
    assert game.state.phase is Phase.OFFER


def test_r16_lay_off_when_laying_down_true_lays_off_at_once() -> None:
    """Lay-offs and swaps follow the lay-down in the same turn (R9.1)."""
    game = position(turn=0, hands={0: "9C 9D 9S KC KD KS KH 8H 2C"}, melds=EIGHTS)
    down = accepted(game, lay_down(0, "9C 9D 9S", "KC KD KS"))
    accepted(down, LayOff(0, 2, Card.HK))
    accepted(down, Swap(0, 0, 2, Card.H8))


def test_r16_lay_off_when_laying_down_false_waits_for_the_next_turn() -> None:
    """In the turn of the lay-down neither a lay-off nor a swap is accepted or offered; in the next both are."""
    game = position(turn=0, hands={0: "9C 9D 9S KC KD KS KH 8H 2C"}, melds=EIGHTS, rules=LATER)
    down = accepted(game, lay_down(0, "9C 9D 9S", "KC KD KS"))
    refused(down, LayOff(0, 2, Card.HK), Refusal.NOT_IN_THE_SAME_TURN)
    refused(down, Swap(0, 0, 2, Card.H8), Refusal.NOT_IN_THE_SAME_TURN)
    decision = down.decisions()[0]
    assert (decision.lay_offs, decision.swaps) == ((), ())
    assert decision.discards
    later = position(turn=0, hands={0: "KH 8H 2C"}, melds=[*EIGHTS, (0, "KC KD KS")], rules=LATER)
    accepted(later, LayOff(0, 1, Card.HK))
    accepted(later, Swap(0, 0, 2, Card.H8))


def test_r16_lay_off_when_laying_down_false_still_wins_by_laying_down_all() -> None:
    """A lay-down that empties the hand wins as ever (R11.1); a swap before it is as ever bound to R10.2."""
    game = position(turn=0, hands={0: "9C 9D 9S KC KD KS"}, rules=LATER)
    assert accepted(game, lay_down(0, "9C 9D 9S", "KC KD KS")).state.results[-1].reason is EndReason.OUT
    swapper = position(turn=0, hands={0: "8H 9C 9D 9S KC KD"}, melds=EIGHTS, rules=LATER)
    swapped = accepted(swapper, Swap(0, 0, 2, Card.H8))
    assert accepted(swapped, lay_down(0, "9C 9D 9S", "KC KD JK")).state.results[-1].winner == 0


def test_r16_extra_melds_false_refuses_a_second_lay_down() -> None:
    """Who is down makes no more melds in the hand (R8.5)."""
    game = position(turn=0, hands={0: "9C 9D 9S 2C"}, melds=[(0, "8C 8D 8S")])
    refused(game, lay_down(0, "9C 9D 9S"), Refusal.ALREADY_DOWN)
    assert game.decisions()[0].lay_down is None


def test_r16_extra_melds_true_lets_who_is_down_lay_further_sets_and_runs() -> None:
    """One or more sets of 3 and runs of 4, also in the turn of the lay-down, and the last cards win."""
    game = position(turn=0, hands={0: "9C 9D 9S 4H 5H 6H 7H 2C"}, melds=[(0, "8C 8D 8S")], rules=FURTHER)
    offered = game.decisions()[0].lay_down
    assert offered is not None
    accepted(game, LayDown(0, offered))
    both = accepted(game, lay_down(0, "9C 9D 9S", "4H 5H 6H 7H"))
    assert [str(meld) for meld in both.state.melds] == ["8C 8D 8S", "9C 9D 9S", "4H 5H 6H 7H"]
    one = accepted(game, lay_down(0, "4H 5H 6H 7H"))
    assert accepted(one, lay_down(0, "9C 9D 9S")).state.hands[0] == (Card.C2,)
    fresh = position(turn=0, hands={0: "9C 9D 9S KC KD KS 4H 5H 6H 7H"}, rules=FURTHER)
    down = accepted(fresh, lay_down(0, "9C 9D 9S", "KC KD KS"))
    won = accepted(down, lay_down(0, "4H 5H 6H 7H"))
    assert won.state.results[-1].winner == 0


def test_r16_extra_melds_true_refuses_what_is_no_meld_and_who_is_not_down() -> None:
    """Each further meld is a set of 3 or a run of 4 at least, from the own hand, and only for who is down."""
    game = position(turn=0, hands={0: "9C 9D 9S 4H 5H 6H 8C 2C"}, melds=[(0, "8C 8D 8S")], rules=FURTHER)
    refused(game, LayDown(0, ()), Refusal.NO_MELDS)
    refused(game, lay_down(0, "set 9C 9D"), Refusal.SET_TOO_SHORT)
    refused(game, lay_down(0, "4H 5H 6H"), Refusal.RUN_TOO_SHORT)
    refused(game, lay_down(0, "9C 9D 9H"), Refusal.CARDS_NOT_IN_HAND)
    refused(game, lay_down(0, "9C 9D 9S", "9C 9D 9S"), Refusal.CARDS_NOT_IN_HAND)
    above = position(turn=0, hands={0: "9C 9D 9S TC TD TS KC KD KS 2C"}, rules=FURTHER)
    refused(above, lay_down(0, "9C 9D 9S", "TC TD TS", "KC KD KS"), Refusal.NOT_THE_CONTRACT)
    refused(above, lay_down(0, "9C 9D 9S"), Refusal.NOT_THE_CONTRACT)


def test_r16_extra_melds_true_plays_a_swapped_joker_in_a_further_meld() -> None:
    """Where a swapped joker is to be played in the turn, a further meld is a way to play it."""
    rules = RuleSet(extra_melds=True, swapped_joker="play_this_turn", jokers_per_meld=1)
    game = position(
        turn=0,
        hands={0: "6H 9C 9D 2C"},
        melds=[(1, "2H 3H 4H 5H JK 7H 8H 9H TH JH QH KH AH")],
        down=(0,),
        rules=rules,
    )
    swapped = accepted(game, Swap(0, 0, 4, Card.H6))
    decision = swapped.decisions()[0]
    assert decision.lay_down is not None
    assert decision.discards == ()
    after = accepted(swapped, LayDown(0, decision.lay_down))
    assert after.state.must_play == ()
    accepted(after, Discard(0, Card.C2))


def test_r16_distinct_set_ranks_true_leaves_further_melds_alone() -> None:
    """What is laid beyond the contract by `extra_melds` may repeat a rank that was laid down."""
    rules = RuleSet(extra_melds=True, distinct_set_ranks=True, packs=(4,) * 7)
    game = position(turn=0, hands={0: "8H 8C 8D 2C"}, melds=[(0, "8C 8D 8S")], rules=rules)
    accepted(game, lay_down(0, "8H 8C 8D"))


def test_r10_3_who_is_down_plays_a_kept_joker_in_any_later_turn() -> None:
    """The joker swapped in one turn is laid off in the next."""
    game = position(turn=0, hands={0: "8H 2C 3C"}, melds=[*EIGHTS, (1, "4S 5S 6S 7S")], down=(0,))
    game = accepted(accepted(game, Swap(0, 0, 2, Card.H8)), Discard(0, Card.C2))
    for seat in (1, 2, 3):
        while game.state.phase is Phase.OFFER:
            game.apply(TimeOut(min(game.decisions())))
        game.apply(TimeOut(seat))
    while game.state.phase is Phase.OFFER:
        game.apply(TimeOut(min(game.decisions())))
    accepted(game, LayOff(0, 1, JOKER, End.HIGH))


def test_r14_2_a_wild_two_is_a_joker_that_a_missed_turn_does_not_discard_first() -> None:
    """Where the drawn card was played already, the costliest card that is no joker goes, wild twos being jokers."""
    rules = RuleSet(wild="jokers_and_twos")
    game = position(turn=0, hands={0: "3C KC JK 2H"}, melds=[(0, "8C 8D 8S")], drawn="8H", rules=rules)
    assert game.apply(TimeOut(0)) == (Discarded(0, Card.CK),)
    standard = position(turn=0, hands={0: "3C KC JK 2H"}, melds=[(0, "8C 8D 8S")], drawn="8H")
    assert standard.apply(TimeOut(0)) == (Discarded(0, Card.H2),)


def test_r8_5_a_contract_of_another_table_is_asked_in_full() -> None:
    """R16 `contracts`: the lay-down is that of the table's contract for this hand."""
    rules = RuleSet(contracts=(Contract(sets=(4,)), Contract(runs=(5,))), cards_dealt=(11, 11), buys=(3, 3))
    game = position(turn=0, hands={0: "8C 8D 8S 8H 9C 9D 9S 2C"}, rules=rules)
    refused(game, lay_down(0, "9C 9D 9S"), Refusal.NOT_THE_CONTRACT)
    accepted(game, lay_down(0, "8C 8D 8S 8H"))
