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
from shanghai_client.language import _, speaking
from shanghai_client.screen.choosing import LETTERS, letters_of, place_letters
from shanghai_client.screen.guard import slip_of
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import KEYS, key_help, named_keys, pressed
from shanghai_client.screen.looking import signs_lines
from shanghai_client.screen.model import Choosing, Confirming, Kind, Link, Look, Looking, Placing, Told, Wish
from shanghai_client.screen.panes.asking import key_line
from shanghai_client.screen.panes.board import board, clamped, last_line
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen, told
from shanghai_client.screen.stepping import Act, Go, Open, Run, Step
from shanghai_engine.action import Discard, LayOff, Swap
from shanghai_engine.card import JOKER, Card
from shanghai_engine.meld import End
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import Phase


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


def test_a_question_names_no_help_that_is_not_there() -> None:
    """Where every other key goes back, the key line names none but those that answer; elsewhere the help is named."""
    offered = model_of(scene("offer_on_turn"))
    asked = after(offered, "q").model
    assert text_of(key_line(asked, width=80)).split() == ["y", "yes", "Esc", "back"]
    assert "?" in text_of(key_line(offered, width=80)).split()


@pytest.mark.parametrize(
    ("keys", "named", "said"),
    [
        ((), ("? help", ": command", "q quit"), "Trying again in 4 s."),
        (("q",), ("y yes", "Esc back"), "End this program? Your seat is kept."),
        (("d", "a"), ("y yes", "Esc back"), "all the same?"),
        (("d",), ("Esc back", "? help"), "Trying again in 4 s."),
        (("o", "e"), ("Esc back", "? help"), "Trying again in 4 s."),
    ],
)
def test_while_the_connection_is_lost_what_is_asked_and_its_keys_are_seen(
    keys: tuple[str, ...], named: tuple[str, ...], said: str
) -> None:
    """Whether it was asked before or is asked since; the key that ends the program is named where nothing is."""
    lost = Link(lost_at=10.0, retry_at=20.0, sentence="the connection is lost")
    whole = replace(model_of(scene("turn_with_melds")), now=16.0)
    before, since = replace(after(whole, *keys).model, link=lost), after(replace(whole, link=lost), *keys).model
    for model in (before, since):
        shown = [text_of(line) for line in board(model)[-2:]]
        assert said in " ".join(shown)
        assert "The connection is lost, for 0:06 now." in " ".join(shown)
        assert all(each in text_of(last_line(model)) for each in named)


@pytest.mark.parametrize("keys", ["mab", "mabd"])
def test_while_the_connection_is_lost_melds_are_built_but_not_laid_down(keys: str) -> None:
    """The keys that stage are named, and that which lays down is not."""
    lost = Link(lost_at=10.0, retry_at=20.0, sentence="the connection is lost")
    model = replace(after(model_of(scene("turn_that_can_lay_down")), *keys).model, link=lost)
    assert {"Tab", "Esc", "Ctrl-Z"} <= set(text_of(last_line(model)).split())
    assert "Enter" not in text_of(last_line(model)).split()


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


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Zoë", "Buy 8♠? It is Zoë's turn. A buy brings 2 more cards; 3 buys left."),
        ("W" * 24, "Buy 8♠? It is WWWWWWWWW~'s turn. A buy brings 2 more cards; 3 buys left."),
    ],
)
def test_a_question_is_not_cut_by_what_a_buy_costs(name: str, first: str) -> None:
    """A long name is shortened, so that the price and the whole claim order have room."""
    shown = scene("offer_to_a_buyer")
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    turn = 0 if shown.game is None else shown.game.turn
    table.seats[turn].name = name
    lines = [text_of(each).strip() for each in board(model_of(replace(shown, table=table)))][-2:]
    assert lines[0] == first
    assert lines[1].startswith("You come 2nd of 4: ")
    assert lines[1].endswith(".")


def test_a_price_without_room_stands_before_the_claim_order() -> None:
    """Who alone can claim a card on his own turn, and may buy it, reads the question whole, and the price below it."""
    rules = replace(STANDARD, turn_may_buy="always")
    game = position(hand=1, turn=0, phase=Phase.OFFER, players=2, hands={0: "8C KD"}, discards="8S", rules=rules)
    lines = [text_of(each).strip() for each in board(model_of(scene_of(game)))][-2:]
    assert lines[0] == "Your turn: take 8♠, or pass and draw from the stock?"
    assert lines[1].startswith("A buy brings 2 more cards; 3 buys left. You come 1st of 2: YOU, ")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ["日本太郎さんの長い名前です", "A name of 24 characters!"])
def test_the_claim_order_of_eight_is_whole_whatever_their_names_are(name: str, language: str) -> None:
    """Names are shortened before any is left out, and one's own place is always told."""
    game = position(players=8, hand=2, turn=3, phase=Phase.OFFER, hands={0: "8C 8D 4H 5H"}, discards="8S")
    shown = scene_of(game)
    for number, each in enumerate(shown.table.seats):
        each.name = f"{number}{name}"[:24]
    with speaking(language):
        lines = [text_of(line).rstrip() for line in board(model_of(shown))[-2:]]
    assert not any(line.endswith(("~", "…")) for line in lines)
    order = lines[1]
    assert all(f"{seat}{name[0]}" in order for seat in range(1, 8)), order


def test_names_that_would_be_alike_are_the_numbers_of_their_seats_in_the_claim_order() -> None:
    """Seven whose short names are one and the same can be told apart; bots keep their numbers and need no others."""
    game = position(players=8, hand=2, turn=3, phase=Phase.OFFER, hands={0: "8C 8D 4H 5H"}, discards="8S")
    shown = scene_of(game)
    orders = []
    for called in ("Machine {}", "Bot {}"):
        for number, each in enumerate(shown.table.seats):
            each.name = called.format(number if called == "Bot {}" else "abcdefgh"[number])
        with speaking("ja"):
            orders.append(text_of(board(model_of(shown))[-1]).strip())
    assert orders[0] == "あなたは8人中8番目です: 3、1、2、4、5、6、7、あなた。"
    assert orders[1] == "あなたは8人中8番目です: ボ~3、ボ~1、ボ~2、ボ~4、ボ~5、ボ~6、ボ~7、あなた。"


def test_the_newest_discard_is_seen_whole_in_either_language() -> None:
    """Of many discards the first are left out, and the line is no longer than the screen."""
    dead = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H"
    game = position(hand=2, turn=0, hands={0: "8C KD"}, discards=dead, drawn="KD")
    for language in ("en", "ja"):
        with speaking(language):
            lines = [text_of(line).rstrip() for line in board(model_of(scene_of(game)))]
        assert any(line.endswith("K♦ A♦ 2♥ 3♥") for line in lines), language


@pytest.mark.parametrize("language", ["en", "ja"])
def test_who_floats_is_told_in_the_narrow_columns_of_eight(language: str) -> None:
    """The word has room there, and so has that somebody is away."""
    game = position(players=8, hand=2, turn=0, down=[5], hands={0: "8C KD", 5: ""}, drawn="KD")
    with speaking(language):
        lines = [text_of(line) for line in board(model_of(scene_of(game, away=6)))]
        said = (_("afloat"), _("absent"))
    for word in said:
        assert any(word in line for line in lines[:7]), (word, lines[:7])


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("cards", "sign"), [("8C KD", "d"), ("", "f")])
def test_who_is_away_and_down_is_told_both_in_the_narrow_columns(cards: str, sign: str, language: str) -> None:
    """The one by its whole word, the other by a sign that the help explains; without room for two words none is cut."""
    game = position(players=5, hand=2, turn=0, down=[4], hands={0: "8C KD", 4: cards}, drawn="KD")
    with speaking(language):
        shown = scene_of(game)
        shown.table.seats[4].connected = False
        lines = [text_of(line) for line in board(model_of(shown))]
        row = next(line for line in lines if f"4 {sign}Eve" in line)
        away = _("away")
        helping = signs_lines()
        explained = _("  d, f at a seat  is down, or floats, where there is no room for the word")
    assert re.search(rf"4 {sign}Eve .*{away}( |$)", row)
    assert "~" not in row.partition("Eve")[2]
    assert explained in helping


def test_what_lies_over_the_table_names_the_keys_that_answer_below_it() -> None:
    """The question stands below the text, and so do the keys that answer it there."""
    model = after(model_of(scene("offer_to_a_buyer")), "?").model
    assert [name for name, _word in named_keys(model)][-2:] == ["b", "p"]
    assert after(model, "p").effect == Run("pass")
    for name in ("spectator", "lobby"):
        assert not {"t", "b", "p"} & {key for key, _word in named_keys(after(model_of(scene(name)), "?").model)}


def test_r10_2_who_is_not_down_reads_what_a_swap_asks_of_him() -> None:
    """Before the swap it is said that one lays down with the joker; a card with two uses has both marks."""
    melds = [(2, "QC QD QS"), (2, "5H JK 7H 8H")]
    hands = {0: "3C 3D 6H TS JS QS KS 2C KH"}
    lines = [
        text_of(line) for line in board(model_of(scene_of(position(hand=2, melds=melds, hands=hands, drawn="6H"))))
    ]
    assert lines[-1].strip() == "You can swap 6♥, and lay down with the joker (R10.2)."
    down = board(model_of(scene("turn_with_melds")))
    assert any(" +s " in text_of(line) for line in down[-5:])


def test_melds_without_room_in_the_question_are_left_to_the_hint() -> None:
    """Sixteen cards and their points do not fit into 80 columns: the points stay, and the hint shows the cards."""
    hands = {0: "3C 4C 5C 6C 7C 4D 5D 6D 7D 8D 9D 9H TH JH QH KH 2S"}
    shown = scene_of(position(hand=10, hands=hands, drawn="2S"))
    said = "l lays down your melds, which h shows: 20 points left."
    assert said in text_of(board(model_of(shown))[-1])
    assert "3♣ 4♣ 5♣ 6♣ 7♣ / " in text_of(board(model_of(shown, size=(100, 30)))[-1])
    assert any("9♥ T♥ J♥ Q♥ K♥" in text_of(line) for line in board(after(model_of(shown), "h").model))


def test_r7_6_who_is_down_is_told_why_buyers_come_first() -> None:
    """On one's own turn, and only there, the claim order says why somebody comes before who is on turn, were it one."""
    down, first, buyer = ("offer_on_turn_down", "offer_on_turn", "offer_to_a_buyer")
    said = {name: text_of(board(model_of(scene(name)))[-1]) for name in (down, first, buyer)}
    assert said[down].startswith(" You come 3rd of 3, for you are down (R7.6): Bot 1, 日本太郎, YOU.")
    assert [name for name in said if "R7.6" in said[name]] == [down]
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    two = position(players=3, turn=0, phase=Phase.OFFER, melds=melds, hands={0: "KS 2C"}, discards="9S", discarder=2)
    assert text_of(board(model_of(scene_of(two)))[-1]).startswith(
        " You come 2nd of 2, for you are down (R7.6): Bot 1, YOU."
    )
