"""A position as text: what it says, and that it gives the same game back."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables
from wire_strategies import random_game

from shanghai_engine import (
    Answer,
    BadRules,
    Card,
    Claim,
    Deal,
    Discard,
    Game,
    Malformed,
    Phase,
    RuleSet,
    RuleViolation,
    position_text,
    read_position,
)
from shanghai_engine.meld import Meld, MeldKind

SITUATION = """
# Ann is down, and the queen has just been drawn.
hand 2
turn 1 play 1 number 6
seat "Ann" total 35 buys 3 down cards 3C 4D
seat "Ben" total 0 buys 2 cards 8H 9H TH JH 8S 8C QD
meld 0 set 5C 5D JK
meld 0 run 4H JK 6H 7H
stock 2C KD
discards 4S QS
drawn QD
"""


def wild(players: int, rules: RuleSet, seed: int, actions: int) -> Game:
    """Play so many random actions of a game."""
    rng = random.Random(seed)
    game = Game.new(seed=rng.randbytes(32), players=players, rules=rules)
    for _ in range(actions):
        if game.state.phase is Phase.GAME_OVER:
            break
        owed = game.decisions()
        game.apply(rng.choice(list(owed[rng.choice(sorted(owed))].choices)) if owed else Deal())
    return game


@pytest.mark.parametrize("players", [2, 3, 8])
def test_every_position_of_a_game_reads_back(players: int) -> None:
    """Whatever the moment, the text gives an equal state, which has the same text."""
    rng = random.Random(players)
    for game in random_game(players=players, seed=players):
        if rng.random() < 0.05 or game.state.phase is Phase.GAME_OVER:
            text = game.position_text()
            twin = Game.from_position(text)
            assert twin == game
            assert twin.state == game.state
            assert twin.position_text() == text
            assert twin.decisions() == game.decisions()


@given(data=st.data(), players=st.integers(2, 5), seed=st.integers(0, 99), actions=st.integers(0, 150))
def test_a_position_reads_back_under_every_rule(data: st.DataObject, players: int, seed: int, actions: int) -> None:
    """Whatever the table's rules, the text gives an equal state, and what `repr` gives is equal, too."""
    game = wild(players, data.draw(tables(players=players)), seed, actions)
    assert read_position(position_text(game.state)) == game.state
    assert eval(repr(game), {"Game": Game}) == game  # noqa: S307 made here
    assert eval(repr(game.state), {"read_position": read_position}) == game.state  # noqa: S307 made here


def test_equal_texts_are_equal_games() -> None:
    """Two ways to the same position give one text, and one card elsewhere gives another."""
    game, other = Game.from_position(SITUATION), Game.from_position(SITUATION)
    assert game == other
    assert game.position_text() == other.position_text()
    other.state.stock.reverse()
    assert game != other
    assert game.position_text() != other.position_text()
    assert game != game.position_text()


def test_a_pasted_situation_is_played_on() -> None:
    """What the text says is what is asked and accepted."""
    game = Game.from_position(SITUATION)
    state = game.state
    assert (state.hand, state.dealer, state.turn, state.turn_number, state.step) == (2, 0, 1, 6, 1)
    assert (state.names, state.totals, state.buys_left, state.down) == (("Ann", "Ben"), (35, 0), [3, 2], [True, False])
    assert state.melds[1] == Meld(1, 0, MeldKind.RUN, (Card.H4, Card.JOKER, Card.H6, Card.H7), 4, 2, 1)
    assert state.stock[-1] is Card.C2
    assert [type(event).__name__ for event in game.apply(Discard(1, Card.DQ))] == ["Discarded"]
    game.apply(Answer(0, Claim.PASS))
    assert game.state.drawn is Card.C2
    with pytest.raises(RuleViolation, match=r"R4\.1"):
        game.apply(Discard(1, Card.H8))


def test_an_open_offer_asks_whom_the_rules_say() -> None:
    """The claim order is not in the text: it follows from the rest."""
    text = SITUATION.replace("turn 1 play 1", "turn 1 offer 0").replace("drawn QD", "discarder 0")
    game = Game.from_position(text.replace("buys 2 cards", "buys 2 answer pass cards"))
    assert game.state.upcard is Card.SQ
    assert game.state.answers == {1: Claim.PASS}
    assert game.decisions() == {}
    assert Game.from_position(text).state.asked.order == (1,)


def test_rules_and_names_of_any_kind_stand_in_the_text() -> None:
    """Rules are those that differ from the standard, and a name may hold quotes, blanks and line breaks."""
    names = ('Q"uote', "two  blanks", "a\nline\u2028break #")
    game = Game.new(seed=bytes(range(32)), players=names, rules=RuleSet(reshuffles=0, packs=(3,) * 7))
    assert Game.from_position(game.position_text()) == game
    assert '"reshuffles": 0' in game.position_text().splitlines()[0]


@pytest.mark.parametrize(
    ("line", "spoilt"),
    [
        ("turn 1 play 1 number 6", ""),
        ("turn 1 play 1 number 6", "turn 1 play 1"),
        ("turn 1 play 1 number 6", "turn 1 dance 1 number 6"),
        ("turn 1 play 1 number 6", "turn 1 play one number 6"),
        ("turn 1 play 1 number 6", "turn 1 play 1 number 6 7"),
        ("hand 2", "hand 2\nhand 3"),
        ("hand 2", "hand 99"),
        ("hand 2", "hand \uff12"),
        ("hand 2", "seed xyz"),
        ("hand 2", "hand 2\ndealer 99"),
        ("hand 2", "hand 2\ndealer -1"),
        ("hand 2", "hand 2\ndiscarder 2"),
        ("turn 1 play 1 number 6", "turn 99 play 1 number 6"),
        ("turn 1 play 1 number 6", "turn -1 play 1 number 6"),
        ("meld 0 set 5C 5D JK", "meld 99 set 5C 5D JK"),
        ("hand 2", "hand 2\nresult 1 dealer 7 out 0 scores 0,5 totals 0,5 hands - / 3C"),
        ("hand 2", "hand 2\nresult 1 dealer 0 out 7 scores 0,5 totals 0,5 hands - / 3C"),
        ("hand 2", "hand 2\nresult 99 dealer 0 out 0 scores 0,5 totals 0,5 hands - / 3C"),
        ("stock 2C KD", "stack 2C KD"),
        ("stock 2C KD", "stock 2C 1D"),
        ("meld 0 set 5C 5D JK", "meld 0 set 5C 6D JK"),
        ("meld 0 set 5C 5D JK", "meld 0 set 5C 6D JK from 5H"),
        ("meld 0 set 5C 5D JK", "meld 0 run 5C 6D JK from X"),
        ('seat "Ann" total 35 buys 3 down cards 3C 4D', ""),
        ('seat "Ann" total 35', "seat Ann total 35"),
        ("hand 2", "rules [1]"),
        ("turn 1 play 1 number 6", "turn 1 offer 0 number 6\n#"),
    ],
)
def test_a_text_that_is_no_position_says_why(line: str, spoilt: str) -> None:
    """Each is malformed, and the error quotes what was wrong."""
    text = SITUATION.replace(line, spoilt)
    if "offer" in spoilt:
        text = text.replace("discards 4S QS\n", "")
    with pytest.raises(Malformed, match="cannot be read"):
        read_position(text)


def test_rules_that_there_are_not_are_refused() -> None:
    """The rules in a text are read as those of a record are."""
    with pytest.raises(BadRules, match="there is no such rule"):
        read_position('rules {"speed": 3}\n' + SITUATION)


@pytest.mark.parametrize("players", [4, 8])
def test_a_pickled_state_is_small_and_equal(players: int) -> None:
    """The pickle of a state stays under four KiB to the end of a game, and gives the state back."""
    largest = 0
    for game in random_game(players=players, seed=players):
        if game.state.phase in {Phase.HAND_OVER, Phase.GAME_OVER} or game.state.step > 3:
            pickled = pickle.dumps(game.state)
            largest = max(largest, len(pickled))
            assert pickle.loads(pickled) == game.state  # noqa: S301 made here
    assert 1000 < largest < 4096
