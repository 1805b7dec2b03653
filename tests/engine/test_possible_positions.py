"""A position is refused where no game can have it, and every position of a game is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import eager_player, game_seed, play
from strategies import tables

from shanghai_engine import Deal, Game, HandResult, Malformed, Phase, RuleSet, read_position
from shanghai_engine.event import EndReason

PLAY = """
hand 2
turn 1 play 1 number 6
seat "Ann" total 35 buys 3 down cards 3C 4D
seat "Ben" total 0 buys 2 cards 8H 9H TH JH 8S 8C QD
seat "Cai" total 0 buys 1 cards 3C
meld 0 set 5C 5D JK
meld 0 run 4H JK 6H 7H
stock 2C KD
discards 4S QS
drawn QD
"""
OFFER = PLAY.replace("turn 1 play 1", "turn 1 offer 0").replace("drawn QD\n", "discarder 0\n")


@pytest.mark.parametrize(
    ("position", "line", "spoilt", "sentence"),
    [
        (
            PLAY,
            "stock 2C KD",
            "stock 2C 3C KD",
            "'3C 3C 3C' cannot be read: 2 packs have 2 of each card, and 4 jokers (R1.1)",
        ),
        (
            PLAY,
            "stock 2C KD",
            "stock JK JK JK",
            "'JK JK JK JK JK' cannot be read: 2 packs have 2 of each card, and 4 jokers (R1.1)",
        ),
        (
            PLAY,
            "drawn QD",
            "drawn KS",
            "'drawn KS' cannot be read: the card just drawn is in the hand of seat 1, which is on turn (R4.2)",
        ),
        (
            PLAY,
            "drawn QD",
            "drawn 5C",
            "'drawn 5C' cannot be read: the card just drawn is in the hand of seat 1, which is on turn (R4.2)",
        ),
        (
            PLAY.replace("play 1", "play 2"),
            "drawn QD",
            "drawn KS",
            "'drawn KS' cannot be read: the card drawn in this turn is in the hand of seat 1, or in a meld (R4.2)",
        ),
        (
            OFFER,
            "discarder 0",
            "discarder 0\ndrawn QD",
            "'drawn QD' cannot be read: while an offer is open nobody has drawn (R7.13)",
        ),
        (PLAY, "buys 3", "buys 9", "'buys 9' cannot be read: in hand 2 a seat has 0 to 3 buys left (R7.2)"),
        (PLAY, "buys 3", "buys -1", "'buys -1' cannot be read: in hand 2 a seat has 0 to 3 buys left (R7.2)"),
        (
            PLAY,
            "down cards",
            "cards",
            "'meld 0 set 5C 5D JK' cannot be read: who has laid a meld is 'down', and seat 0 is not (R8.5)",
        ),
        (
            PLAY,
            "drawn QD",
            "laid_down_now",
            "'laid_down_now' cannot be read: who has laid down is 'down', and seat 1 is not (R8.5)",
        ),
        (
            PLAY.replace("turn 1", "turn 0").replace("drawn QD", "drawn 3C"),
            "drawn 3C",
            "must_lay_down",
            "'must_lay_down' cannot be read: it binds who is on turn, has swapped a joker, and is not down (R10.2)",
        ),
        (
            PLAY,
            "drawn QD",
            "must_play JK",
            "'must_play JK' cannot be read: what must be played is in the hand of seat 1, which is on turn (R16)",
        ),
        (
            PLAY,
            "play 1",
            "play 0",
            "'play 0' cannot be read: the plays of a turn count from 1, as in 'turn 1 play 1 number 5'",
        ),
        (
            OFFER,
            "offer 0",
            "offer 1",
            "'offer 1' cannot be read: the offer is play 0 of a turn, as in 'turn 1 offer 0 number 5'",
        ),
        (PLAY, "number 6", "number 0", "'number 0' cannot be read: the turns of a hand count from 1 (R14.1)"),
        (
            PLAY,
            "hand 2",
            "hand 0",
            "'hand 0, play' cannot be read: before the first deal the turn is at 'hand_over' (R2.4)",
        ),
        (
            OFFER,
            "buys 2",
            "buys 2 answer buy",
            (
                "'answer buy' cannot be read: the player on turn does not buy: "
                "he can take QS or pass and draw from the stock (R7.9)"
            ),
        ),
        (
            OFFER,
            "buys 1",
            "buys 1 answer take",
            (
                "'answer take' cannot be read: only the player on turn, seat 1, can take QS as his draw; "
                "seat 2 can buy it or pass (R7.5)"
            ),
        ),
    ],
)
def test_what_no_game_can_have_is_refused(position: str, line: str, spoilt: str, sentence: str) -> None:
    """Each with a sentence of its own; without it the position is read, and `read_position` asks for the form alone."""
    assert line in position
    Game.from_position(position)
    text = position.replace(line, spoilt, 1)
    read_position(text)
    with pytest.raises(Malformed) as caught:
        Game.from_position(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("line", "spoilt", "sentence"),
    [
        ("hand 2", "hand 2\nseed 00", "'00' cannot be read: a game seed has 32 bytes"),
        ("hand 2", "hand 2\nnonces 00 00 00", "'00' cannot be read: a nonce has 16 bytes"),
        ("hand 2", f"hand 2\nnonces {'00' * 16}", "'nonces' cannot be read: there is one for each of 3 seats"),
        ("hand 2", "hand 2\npacks 7", "'packs 7' cannot be read: a game has 1 to 6 packs (R16)"),
        ("total 35", "total -1", "'total -1' cannot be read: points are never below 0 (R12.1)"),
        (
            "drawn QD",
            "must_lay_down",
            "'must_lay_down' cannot be read: the hand of seat 1 can be laid down then (R10.2)",
        ),
        (
            "drawn QD",
            "reshuffles 2",
            "'reshuffles 2' cannot be read: by these rules the stock is made anew 0 to 1 times (R13.2)",
        ),
        (
            '"Ann"',
            r'"\ud800"',
            r"'\ud800' cannot be read: a name is whole text, without half signs (surrogates), which no record can hold",
        ),
    ],
)
def test_what_no_game_begins_or_goes_on_with_is_refused(line: str, spoilt: str, sentence: str) -> None:
    """Seeds, names, packs and numbers are those that `Game.new` and the rules allow."""
    text = PLAY.replace(line, spoilt, 1)
    assert text != PLAY
    with pytest.raises(Malformed) as caught:
        Game.from_position(text)
    assert str(caught.value) == sentence


def test_a_result_is_that_of_all_seats() -> None:
    """A hand's scores, totals and cards are those of every seat."""
    line = "result 1 dealer 0 out 0 scores 0,5 totals 0,5 hands - / 3C"
    with pytest.raises(Malformed, match=r"totals and hands of all 3 seats \(R12\.2\)"):
        Game.from_position(PLAY.replace("hand 2", f"{line}\nhand 2"))


def test_two_seats_may_have_one_name() -> None:
    """Seats are told apart by their numbers (R2.2), in a game that is dealt as in a position."""
    game = Game.new(seed=bytes(32), players=["Ann", "Ann"])
    assert Game.from_position(game.position_text()) == game


def test_buys_without_a_limit_are_never_too_many() -> None:
    """Where a table sets none, any number is possible."""
    text = 'rules {"buys": [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1]}\n' + PLAY.replace("buys 2", "buys -1")
    assert Game.from_position(text).state.buys_left == [3, -1, 1]


@given(data=st.data(), players=st.integers(2, 6), seed=st.integers(0, 999))
def test_every_position_of_a_game_is_possible(data: st.DataObject, players: int, seed: int) -> None:
    """Under any rules, also where an answer is sealed: of a game whose players lay down, lay off, swap and buy."""
    rules = data.draw(tables(players=players))
    left = data.draw(st.integers(1, 120))

    def watch(game: Game, _action: object) -> None:
        nonlocal left
        left -= 1
        if left % 3 == 0:
            assert Game.from_position(game.position_text()) == game

    game = Game.new(seed=game_seed(seed), players=players, rules=rules)
    play(game, [eager_player] * players, salt=str(seed), watch=watch)
    assert Game.from_position(game.position_text()) == game


def test_a_game_that_is_not_dealt_yet_or_resumed_is_possible() -> None:
    """Before the first deal, and between two hands without what the last one left on the table."""
    whole = Game.new(seed=game_seed(7), players=["Ann", "Ben"], rules=RuleSet(buys=(-1,) * 10))
    first = Game.from_record(list(whole.record())[:1])
    assert Game.from_position(first.position_text()) == first
    state = whole.state
    result = HandResult(
        hand=1,
        contract=state.contract,
        dealer=state.dealer,
        reason=EndReason.STOCK,
        winner=None,
        hands=tuple(state.hands),
        scores=(5, 5),
        totals=(5, 5),
        seed=state.hand_seed,
        commitment=state.hand_commitment,
    )
    resumed = Game(whole.events[0], results=(result,))  # type: ignore[arg-type]
    assert resumed.state.phase is Phase.HAND_OVER
    assert Game.from_position(resumed.position_text()) == resumed
    resumed.apply(Deal())
    assert Game.from_position(resumed.position_text()) == resumed


def test_r2_4_a_game_that_is_not_dealt_yet_says_so() -> None:
    """The first line of a record tells the players and the rules, and no hand."""
    game = Game.from_record(list(Game.new(seed=bytes(32), players=["Ann", "Ben"]).record())[:1])
    expected = "Before hand 1 of 10: 2 sets of 3. Nothing is dealt yet.\n\n       total  buys  cards\n"
    assert str(game) == expected + "  Ann      0     0      0\n  Ben      0     0      0"
    assert str(game.view()) == str(game)
