"""The keys of the full screen without a terminal: what each does, asks, and names."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from drawn import model_of, twenty_melds
from key_steps import after
from positions import position
from scenes import scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import Leaving
from shanghai_client.screen.choosing import LETTERS, letters_of, place_letters
from shanghai_client.screen.guard import slip_of
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import KEYS, key_help, named_keys, pressed
from shanghai_client.screen.model import Choosing, Confirming, Kind, Look, Looking, Placing, Told, Wish
from shanghai_client.screen.panes.board import board, clamped
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen, told
from shanghai_client.screen.stepping import Act, Go, Open, Run, Step
from shanghai_engine.action import Discard, LayOff, Swap
from shanghai_engine.card import JOKER, Card
from shanghai_engine.meld import End


def test_a_usual_turn_takes_four_keys() -> None:
    """The draw is decided by one key, the best lay-down is laid down by one, and any card is discarded by two."""
    offered = model_of(scene("offer_on_turn"))
    assert after(offered, "t").effect == Run("take")
    assert after(offered, "p").effect == Run("pass")
    mine = model_of(scene("turn_that_can_lay_down"))
    assert after(mine, "l").effect == Run("lay")
    down = model_of(twenty_melds())
    two = after(down, "d", "k")
    assert two.effect == Act(Discard(0, Card.SA))


def test_one_key_claims_what_is_offered() -> None:
    """Only what one may answer stands in the key line."""
    offered = model_of(scene("offer_to_a_buyer"))
    assert [name for name, _word in named_keys(offered)][:2] == ["b", "p"]
    assert after(offered, "b").effect == Run("buy")
    mine = model_of(scene("offer_on_turn"))
    assert [name for name, _word in named_keys(mine)][:2] == ["t", "p"]


def test_a_rematch_is_asked_back() -> None:
    """It takes the sheet and the chart of the game from everybody's screen, so one key is not enough."""
    over = model_of(scene("game_over"))
    asked = after(over, "r")
    assert asked.effect is None
    assert isinstance(asked.model.mode, Confirming)
    assert after(over, "r", "y").effect == Run("rematch")
    assert isinstance(after(over, "r", "n").model.mode, Looking)


def test_a_lay_off_with_one_place_takes_one_key() -> None:
    """Where only one card fits, and in one place only, its key lays it off at once."""
    game = position(hand=1, turn=0, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: "8S 2C 3D"}, drawn="2C")
    assert after(model_of(scene_of(game)), "o").effect == Act(LayOff(0, 0, Card.S8))


def test_all_places_of_a_card_are_listed_and_have_a_key() -> None:
    """A joker that fits in six places is laid off by the key of one of them."""
    model = model_of(scene("turn_with_melds"))
    chosen = after(model, "o", "e").model
    assert isinstance(chosen.mode, Placing)
    assert list(place_letters(chosen).values()) == list("abcdef")
    text = "\n".join(text_of(line) for line in board(chosen))
    assert "b 5♥ JK=6♥ 7♥ 8♥ c" in text
    assert "a on 0 · b on 1 low · c on 1 high · d on 2 · e on 3 low · f on 3 high" in text
    assert after(chosen, "c").effect == Act(LayOff(0, 1, JOKER, End.HIGH))
    assert after(chosen, "z").model.note == "no place has the key z: Esc goes back"
    assert after(chosen, "escape").model.mode == Looking()


def test_where_only_one_card_fits_its_places_are_chosen_at_once() -> None:
    """There is nothing to choose a card for: the key of a place is the next; Esc takes it back."""
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    game = position(hand=1, turn=0, melds=melds, hands={0: "JK 2C 3D"}, drawn="2C")
    model = model_of(scene_of(game))
    chosen = after(model, "o").model
    assert list(place_letters(chosen).values()) == ["a", "b"]
    assert after(chosen, "b").effect == Act(LayOff(0, 1, JOKER))
    assert after(chosen, "escape").model.mode == Looking()


def test_a_swap_is_chosen_by_its_card() -> None:
    """Only what can be swapped has a key."""
    model = after(model_of(scene("turn_with_melds")), "s").model
    swapping = {model.hand[place] for place in letters_of(model)}
    assert swapping == {Card.H6, Card.S3}
    assert after(model, "b").effect == Act(Swap(0, 1, 1, Card.H6))


def test_what_cannot_be_chosen_is_left_to_the_command_that_says_why() -> None:
    """To lay off without being down runs the command, which is refused by its rule."""
    effect = after(model_of(scene("turn_that_can_lay_down")), "o").effect
    assert isinstance(effect, Run)
    assert effect.line.startswith("off ")


def test_the_guard_asks_back() -> None:
    """A joker, or a card that could be played, is discarded only after a second thought; other keys go back."""
    model = model_of(scene("turn_with_melds"))
    asked = after(model, "d", "e").model
    assert isinstance(asked.mode, Confirming)
    assert asked.mode.question.startswith("JK is wild")
    assert after(asked, "y").effect == Act(Discard(0, JOKER))
    for key in ("n", "escape", "d", "e"):
        gone = after(asked, key)
        assert (gone.effect, gone.model.mode) == (None, Looking())
    assert after(replace(model, look=Look(guard=False)), "d", "e").effect == Act(Discard(0, JOKER))


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (Card.H4, "could be laid off"),
        (Card.H6, "could be swapped for a joker"),
        (Card.C2, ""),
    ],
)
def test_the_guard_knows_what_a_discard_gives_away(card: Card, said: str) -> None:
    """What could be laid off, and what could be swapped, is named so; what is plainly meant is not asked about."""
    question = slip_of(card, scene("turn_with_melds"))
    assert said in question
    assert bool(question) == bool(said)


def test_who_can_lay_down_is_asked_before_he_discards() -> None:
    """A discard before a lay-down that is there may be a slip, too."""
    assert slip_of(Card.S2, scene("turn_that_can_lay_down")) == "You can lay down now: discard 2S all the same?"


def test_below_the_smallest_size_no_key_does_anything() -> None:
    """In a terminal that is too small nothing can be pressed by accident."""
    small = model_of(scene("offer_on_turn"), size=(40, 15))
    assert place_of(small) is Place.SMALL
    for key in KEYS:
        for name in key.names:
            assert after(small, name) == Step(small)


def test_what_is_asked_can_be_answered_below_text() -> None:
    """The question stands below what lies over the table: its keys answer it and close the text, others do nothing."""
    model = after(model_of(scene("turn_that_can_lay_down")), "h").model
    assert place_of(model) is Place.OVERLAY
    laid = after(model, "l")
    assert (laid.effect, laid.model.overlay) == (Run("lay"), None)
    discarding = after(model, "d").model
    assert (discarding.mode, discarding.overlay) == (Choosing(Wish.DISCARD), None)
    assert after(model, "z") == Step(model)
    assert after(model, "escape").model.overlay is None
    assert after(model, "h").model.overlay is None


def test_scrolling_is_named_where_there_is_more() -> None:
    """A short text has no key for what lies below it."""
    short = clamped(after(model_of(scene("turn_that_can_lay_down")), "v").model)
    long = clamped(after(model_of(scene("turn_that_can_lay_down")), "f1").model)
    assert "down" not in dict(named_keys(short))
    assert "down" in dict(named_keys(long))


def test_it_is_said_which_cards_cannot_be_played() -> None:
    """Who is down and has nothing to lay off or to swap is told so, without a card that he has not chosen."""
    game = position(hand=1, turn=0, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: "2C 3D"}, drawn="2C")
    model = model_of(scene_of(game))
    assert after(model, "o").model.note == "none of your cards fits a meld on the table (R9.2)"
    assert after(model, "s").model.note == "none of your cards is what a joker on the table stands for (R10.1)"
    assert "no swap" in after(model_of(scene("turn_that_can_lay_down")), "s").model.note


def test_a_staged_meld_shows_by_a_sign_whether_it_is_one() -> None:
    """Colour alone does not say it."""
    built = after(model_of(scene("turn_that_can_lay_down")), "m", "a", "b", "c", "2", "d", "e", "f", "h").model
    text = "\n".join(text_of(line) for line in board(built))
    assert "4/4 ✗" in text
    assert "3/3 ✓" in "\n".join(text_of(line) for line in board(built))


def test_text_is_scrolled_to_its_end_and_not_beyond() -> None:
    """However often one scrolls down, one step up is seen at once."""
    model = after(model_of(scene("offer_on_turn")), "f1").model
    for _time in range(100):
        model = clamped(pressed(model, "pagedown").model)
    assert model.overlay is not None
    last = model.overlay.scroll
    up = clamped(pressed(model, "up").model)
    assert up.overlay is not None
    assert up.overlay.scroll == last - 1


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
def test_a_page_goes_on_where_the_last_one_ended(size: tuple[int, int]) -> None:
    """Of a page one line is seen again on the next, however many lines there are, and a page up leads back."""
    columns, rows = size
    first = clamped(pressed(replace(model_of(scene("offer_on_turn")), columns=columns, rows=rows), "f1").model)
    second = clamped(pressed(first, "pagedown").model)
    shown = []
    for model in (first, second):
        title = next(text_of(each) for each in board(model) if "The rules" in text_of(each))
        shown.append([int(number) for number in re.findall(r"(\d+)-(\d+) of", title)[0]])
    assert shown[0][0] == 1
    assert shown[1][0] == shown[0][1] > 10
    assert clamped(pressed(second, "pageup").model) == first


def test_help_parts_what_is_of_use_now_from_the_rest() -> None:
    """The keys of the key line stand under a headline of their own, every other one under the next."""
    model = after(model_of(scene("offer_to_a_buyer")), "?").model
    assert model.overlay is not None
    lines = list(model.overlay.present(scene("offer_to_a_buyer")))
    now, others = lines.index("Now:"), lines.index("At other moments, and always:")
    assert now == 0
    assert any(line.startswith("  b ") for line in lines[now:others])
    assert any(line.startswith("  d ") for line in lines[others:])
    assert not any(line.startswith("  d ") for line in lines[now:others])


def test_help_names_every_key_of_the_place() -> None:
    """Help by context: each key that works here has a line, and no other."""
    for keys in ((), ("d",), ("m",), ("d", "a", "escape")):
        model = after(model_of(scene("turn_that_can_lay_down")), *keys).model
        said = {name for keys in key_help(model) for names, _help in keys for name in names.split(", ")}
        here = {key for key in KEYS if place_of(model) in key.places}
        assert len(said) >= sum(len(key.names) for key in here)


def test_the_letter_of_a_lone_choice_means_nothing_at_the_table() -> None:
    """A lay-off or swap that can go to one place is made by one key, and a letter by habit behind it does nothing."""
    down = position(hand=1, turn=0, melds=[(0, "8C 8D 8H"), (0, "4C 4D 4H")], hands={0: "8S KD 3C"}, drawn="3C")
    model = model_of(scene_of(down))
    step = after(model, "o")
    assert isinstance(step.effect, Act)
    assert after(step.model, LETTERS[0]) == Step(step.model)


def test_the_waiting_page_names_what_can_be_done_there() -> None:
    """A bot is added only where a seat is free; after a rematch nothing is left of what was played before."""
    shown = scene("lobby")
    assert ("b", "add a bot") in list(named_keys(model_of(shown)))
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    table.game_number = 2
    for seat in table.seats:
        if seat.occupant == table_pb2.OCCUPANT_NOBODY:
            seat.occupant = table_pb2.OCCUPANT_BOT
    again = replace(shown, table=table)
    played = told(
        model_of(scene("game_over")), [Told(Kind.EVENT, "Bot 2 lays off 9D"), Told(Kind.TALK, "Ann says: hi")]
    )
    waiting = seen(played, again, now=1.0)
    assert [name for name, _word in named_keys(waiting)][:1] == ["s"]
    assert "b" not in [name for name, _word in named_keys(waiting)]
    assert [line.text for line in waiting.told] == ["Ann says: hi"]
    assert seen(waiting, again, now=2.0).told == waiting.told


def test_no_key_means_two_things_in_one_place() -> None:
    """In every place each key has one meaning."""
    for place in Place:
        names = [name for key in KEYS if place in key.places for name in key.names]
        assert [name for name, times in Counter(names).items() if times > 1] == []


def test_the_command_line_opens_and_leaving_is_asked() -> None:
    """`:` opens the command line, `'` begins to say something; quit keeps the seat and is asked of a player."""
    model = model_of(scene("offer_on_turn"))
    assert after(model, ":").effect == Open("")
    assert after(model, "'").effect == Open("say ")
    assert after(model_of(scene("spectator")), "q").effect == Go(Leaving.QUIT)
    assert isinstance(after(model, "q").model.mode, Confirming)
    assert after(model, "q", "y").effect == Go(Leaving.QUIT)


def test_what_lies_over_the_table_names_the_keys_that_answer_below_it() -> None:
    """The question stands below the text, and so do the keys that answer it there."""
    model = after(model_of(scene("offer_to_a_buyer")), "?").model
    assert [name for name, _word in named_keys(model)][-2:] == ["b", "p"]
    assert after(model, "p").effect == Run("pass")
    for name in ("spectator", "lobby"):
        assert not {"t", "b", "p"} & {key for key, _word in named_keys(after(model_of(scene(name)), "?").model)}
