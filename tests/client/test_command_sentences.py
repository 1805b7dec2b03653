"""What is said of commands that cannot be done as they stand: the true reason, and what would be right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from positions import position
from scenes import scene, scene_of

from shanghai_client.commands.command import BadCommand, Leaving
from shanghai_client.commands.looking import hint_lines
from shanghai_client.commands.table import find, split
from shanghai_client.connection import Connection
from shanghai_client.present.cards import hand_line, hand_lines
from shanghai_client.present.choices import choice_lines
from shanghai_client.receipt import Receipt
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_engine.action import Action
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation
from shanghai_wire.actions import GoOn, SeatAction


class TrialDesk:
    """A desk at a game: an action is judged by the engine, and a lawful one is kept instead of being done."""

    prompts = True
    width = 80

    def __init__(self, game: Game) -> None:
        connection = Connection.__new__(Connection)
        receipt = Receipt.new(server="test", table="ABCDE", name="Ann")
        self.seat: Seat | None = Seat(connection, receipt, index=0, name="Ann")
        self.scene: Scene = scene_of(game)
        self.done: list[SeatAction] = []
        self._game = game

    def say(self, lines: Sequence[str]) -> None:
        """Nothing is looked at here."""

    async def act(self, action: SeatAction) -> None:
        """Judge an action."""
        if not isinstance(action, GoOn):
            judged: Action = action
            try:
                self._game.copy().apply(judged)
            except RuleViolation as refused:
                raise BadCommand(str(refused)) from refused
        self.done.append(action)

    async def wait_for_decision(self) -> None:
        """Nobody waits here."""

    async def come_back(self) -> None:
        """Nobody is away here."""

    def asks_back(self, question: str, line: str, *, about: int | None = None) -> bool:
        """Nobody is asked back here."""
        del question, line, about
        return False

    def leave(self, how: Leaving) -> None:
        """Nobody leaves here."""


def turn() -> Game:
    """Give a turn of a player who is down, with a set of queens (0) and the run 5H to 8H (1) on the table."""
    melds = [(2, "QC QD QS"), (2, "5H 6H 7H 8H"), (0, "3C 3D 3S"), (0, "9S TS JS QS")]
    return position(hand=2, turn=0, melds=melds, hands={0: "4H 2D JK QH KC"}, drawn="KC")


async def told(game: Game, text: str) -> str:
    """Give what is said of a line that cannot be done; empty where it is lawful."""
    word, words = split(text)
    try:
        await find(word).run(TrialDesk(game), words)
    except BadCommand as bad:
        return str(bad)
    return ""


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("off TH", "TH is not in the hand"),
        ("off TH 1", "TH is not in the hand"),
        ("off KC", "KC fits no meld on the table (R9.2)"),
        ("off KC 0", "KC does not fit the set"),
        ("off 2D 1", "2D fits neither end of the run 5H 6H 7H 8H: it takes the next card of its suit (R9.2)"),
        ("off 2D 1 low", "2D does not fit the low end of the run"),
        ("off 2D 1 lo", "2D does not fit the low end of the run"),
        ("off jk 1 up", "'up' is no end of a run: say low or high"),
        ("off jk 1 low now", "off takes a card, a meld and an end of a run: 'now' is too much"),
        ("off jk nine", "'nine' is no meld"),
        ("off jk 1", "JK fits in 2 places: say which by off JK 1 low, off JK 1 high"),
        ("swap QH 1 2", "swap takes a card and a meld: '2' is too much"),
        ("lay", "you are down already: one lays down once per hand, and then only lays cards off on melds (R8.5)"),
        ("off 4H", ""),
        ("off jk 1 lo", ""),
        ("off jk 1 hig", ""),
        ("off jk 1 h", ""),
    ],
)
async def test_a_slip_gets_the_true_reason(typed: str, sentence: str) -> None:
    """A card that is not held, an end that is none and a word too much are each told as what they are."""
    said = await told(turn(), typed)
    assert said.startswith(sentence)
    assert bool(said) is bool(sentence)


async def test_r8_5_who_is_down_is_told_so_on_anothers_turn_too() -> None:
    """`lay` says that one is down already, whoever is on turn."""
    game = position(hand=1, turn=1, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: "2C"}, drawn="6D")
    assert (await told(game, "lay")).startswith("you are down already")
    assert (await told(game, "off TH")).startswith("seat 0 is not on turn")


def test_r8_5_who_is_down_is_told_by_the_hint_that_no_further_meld_is_laid_down() -> None:
    """Three of a kind in hand are of no use then; where the table plays further melds that is not said."""
    said = "sets and runs that you hold now are not laid down in this hand"
    assert said in " ".join(hint_lines(scene_of(turn(), 0)))
    rules = replace(STANDARD, extra_melds=True)
    further = position(hand=2, turn=0, melds=[(0, "3C 3D 3S")], hands={0: "9C 9D 9S KC"}, rules=rules)
    assert said not in " ".join(hint_lines(scene_of(further, 0)))


def test_r2_4_between_two_hands_the_hint_is_to_go_on() -> None:
    """A hint for a finished hand names what is owed, and no cards that are missing."""
    assert hint_lines(scene("between_hands")) == ["Go on to the next hand: go (g)."]
    assert hint_lines(scene("game_over")) == ["The game is over."]


def test_a_card_that_was_played_is_not_told_as_drawn() -> None:
    """Once the card of the turn has been played, the turn goes on without its name."""
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    with_it = position(hand=1, turn=0, melds=melds, hands={0: "JC 2D"}, drawn="JC")
    without = position(hand=1, turn=0, melds=melds, hands={0: "2D"}, drawn="JC")
    assert _begun(with_it) == "Your turn. You have drawn JC."
    assert _begun(without) == "Your turn goes on."


def _begun(game: Game) -> str:

    return choice_lines(scene_of(game))[0]


def test_r11_2_an_empty_hand_floats_in_every_view() -> None:
    """Who floats is told so by the whole hand and by the hand in one line."""
    game = position(hand=1, turn=1, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: ""}, phase=Phase.PLAY)
    assert [hand_line(scene_of(game))] == hand_lines(scene_of(game)) == ["Your hand is empty: you float."]


async def test_r10_1_a_swap_that_names_no_meld_is_refused_for_all_of_them() -> None:
    """Where no joker on the table is that card, nothing is said of a place that nobody has named."""
    melds = [(2, "5H JK 7H 8H"), (0, "8C 8D JK"), (0, "KC KD KH")]
    game = position(hand=2, turn=0, melds=melds, hands={0: "TH 2D"}, drawn="2D")
    assert await told(game, "swap TH") == "TH is not what a joker on the table stands for (R10.1)"
    assert await told(game, "swap TH 0") == "TH is not what the joker at place 1 of 5H JK 7H 8H stands for (R10.1)"


async def test_a_game_inside_the_program_has_no_seat_to_give() -> None:
    """No line is made that nobody else could use."""
    desk = TrialDesk(turn())
    receipt = Receipt.new(server="play:20261130-023000-abcd", table="ABCDE", name="Ann")
    desk.seat = Seat(Connection.__new__(Connection), receipt, index=0, name="Ann")
    with pytest.raises(BadCommand, match="nobody else can reach this game"):
        await find("give").run(desk, [])
