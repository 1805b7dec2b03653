"""A record that ends anywhere gives a game that has a text, draws itself, and meets every action with an answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from records import GIVEN, given_lines, random_game

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import Card
from shanghai_engine.contract import STANDARD_CONTRACTS
from shanghai_engine.event import GameEnded, HandEnded
from shanghai_engine.game import Game
from shanghai_engine.line import Line, parse_line
from shanghai_engine.malformed import Malformed
from shanghai_engine.record import event_of, record_lines
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation

RULES = RuleSet(contracts=STANDARD_CONTRACTS[:2], buys=(3, 3), cards_dealt=(11, 11))
LINES = [parse_line(line) for line in given_lines(GIVEN[0])]


def cuts(lines: list[Line]) -> Iterator[Game]:
    """Give the game after each line, as `Game.from_record` does for the lines up to there."""
    game = Game.from_record(lines[:1])
    for line in lines[1:]:
        yield game
        game.evolve(event_of(line, game.state))
    yield game


def cut_after(event: str, *, last: bool = False) -> Game:
    """Give the game as it stands after the first line of an event, or after the last."""
    places = [place for place, line in enumerate(LINES) if line["event"] == event]
    return Game.from_record(LINES[: places[-1 if last else 0] + 1])


def test_a_record_that_ends_anywhere_is_a_position() -> None:
    """Wherever it ends, the text reads back as an equal game that owes the same, and the table can be drawn."""
    for lines in (LINES, list(record_lines(random_game(5, players=3, rules=RULES)))):
        for game in cuts(lines):
            twin = Game.from_position(game.position_text())
            assert twin == game
            assert repr(game) == f"Game.from_position({game.position_text()!r})"
            assert twin.decisions() == game.decisions()
            assert "None" not in str(game)


def test_a_record_that_ends_anywhere_meets_every_action_with_an_answer() -> None:
    """Nothing that is asked of such a game raises anything but a refusal with its rule."""
    for game in cuts(LINES):
        seat = max(0, game.state.turn)
        actions: list[Action] = [Deal(), TimeOut(seat), Answer(seat, Claim.PASS), Discard(seat, Card.H8)]
        actions += [LayDown(seat, ()), LayOff(seat, 0, Card.H8), Swap(seat, 0, 0, Card.H8)]
        for action in actions:
            said = ""
            try:
                game.copy().apply(action)
            except RuleViolation as refused:
                said = str(refused)
            assert "None" not in said


def test_r7_13_a_record_that_ends_between_an_offer_and_the_draw_owes_nothing() -> None:
    """Whether the upcard or a card of the stock is drawn stands only in the next line: the text says so."""
    game = cut_after("offer")
    assert game.state.phase is Phase.OFFER
    assert game.decisions() == {}
    assert "\noffer_closed\n" in game.position_text()
    assert "the offer is closed." in str(game)
    with pytest.raises(RuleViolation, match=r"there is no offer to answer.*\(R7\.10\)"):
        game.apply(Answer(game.state.turn, Claim.TAKE))


def test_an_offer_is_closed_only_where_there_is_one() -> None:
    """In any other phase the line says nothing that can be."""
    with pytest.raises(Malformed, match="offer_closed"):
        Game.from_position(
            'turn 0 play 1 number 1\noffer_closed\nseat "A" total 0 buys 3 cards 3C\nseat "B" total 0 buys 3 cards -'
        )


def test_r2_1_after_the_last_hand_there_is_none_to_deal() -> None:
    """A record that lacks only the end of the game is not dealt on."""
    game = cut_after("hand_end", last=True)
    assert game.state.hand == game.state.rules.hands
    assert not game.can(Deal())
    with pytest.raises(RuleViolation, match=r"R2\.1"):
        game.apply(Deal())


def test_r11_1_a_record_that_ends_with_the_last_card_played_is_ended_by_the_table() -> None:
    """The seat has gone out already: the clock of the table gives the end of the hand that the next line would give."""
    place = next(place for place, line in enumerate(LINES) if line["event"] == "hand_end" and line["reason"] == "out")
    game = Game.from_record(LINES[:place])
    seat = game.state.turn
    assert game.state.hands[seat] == ()
    events = game.apply(TimeOut(seat))
    assert [type(event) for event in events] in ([HandEnded], [HandEnded, GameEnded])
    assert game == Game.from_record(LINES[: place + len(events)])
