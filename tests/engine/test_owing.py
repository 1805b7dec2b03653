"""What is owed after a swap that is not kept: the search among likely plays and the solver's best turn agree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hands, meld_rules, small_contracts

from shanghai_engine import owing
from shanghai_engine.card import JOKER, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.owing import Owing, can_play_owed, way_to_play
from shanghai_engine.rules import RuleSet

TABLE = ("set 8C 8D JK", "run 4H 5H JK 7H", "run 4H JK JK 7H", "set 9C 9D 9S", "run 2S 3S 4S 5S", "run JK QD KD AD")
WHOLE_SUIT = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def on_the_table(texts: list[str], rules: RuleSet) -> tuple[Meld, ...]:
    """Give those of some melds that are melds under the rules, numbered as they lie."""
    melds: list[Meld] = []
    for text in texts:
        kind, _, cards = text.partition(" ")
        read = read_meld(MeldDraft(MeldKind(kind), parse_cards(cards)), meld_id=len(melds), owner=1, rules=rules)
        if isinstance(read, Meld):
            melds.append(read)
    return tuple(melds)


@st.composite
def turns(draw: st.DrawFn) -> Owing:
    """Draw a turn in which one or two jokers of the hand are owed, by a seat that is down or not."""
    rules = replace(
        draw(meld_rules),
        swapped_joker="play_this_turn",
        lay_off_when_laying_down=draw(st.booleans()),
        extra_melds=draw(st.booleans()),
        joker_swap=draw(st.sampled_from(["everyone", "nobody"])),
    )
    held = draw(hands(least=1, most=7, most_jokers=3))
    hand = tuple(sorted((*held, JOKER)))
    wild = [card for card in hand if rules.wild_cards[card]]
    down = draw(st.booleans())
    return Owing(
        rules=rules,
        contract=draw(small_contracts),
        seat=0,
        hand=hand,
        melds=on_the_table(draw(st.lists(st.sampled_from(TABLE), max_size=3)), rules),
        must_play=tuple(sorted(wild[: draw(st.integers(1, 2))])),
        down=down,
        laid_down_now=down and draw(st.booleans()),
    )


@given(turn=turns())
def test_r16_swapped_joker_play_this_turn_search_and_solver_agree(turn: Owing) -> None:
    """Trying every way, and asking the solver at once, find a way alike, and what is found leads there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owing, "LIKELY", 10**9)
        tried = way_to_play(turn)
        patch.setattr(owing, "LIKELY", 0)
        solved = way_to_play(turn)
    assert (tried is None) == (solved is None)
    for way in (tried, solved, way_to_play(turn)):
        after = turn
        for play in way or ():
            after = after.play(play)
        assert (not after.must_play) == (way is not None)


def test_r16_swapped_joker_play_this_turn_is_answered_soon_where_no_way_is_left() -> None:
    """Very many lay-downs and no place for the jokers: the answer comes after few positions, not thousands."""
    rules = RuleSet(swapped_joker="play_this_turn", jokers_per_meld=0)
    turn = Owing(
        rules=rules,
        contract=STANDARD_CONTRACTS[0],
        seat=0,
        hand=tuple(sorted(parse_cards("JK JK 8C 8D 8S 8H 9C 9D 9S 9H TC TD TS TH JC JD JS"))),
        melds=on_the_table([f"run {WHOLE_SUIT}"], rules),
        must_play=(JOKER, JOKER),
        down=False,
        laid_down_now=False,
    )
    assert not can_play_owed(turn)
    assert can_play_owed(replace(turn, rules=replace(rules, jokers_per_meld=1)))
