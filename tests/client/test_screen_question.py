"""The two lines below the table: what is asked, who comes before whom, and what a claim or a swap brings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from drawn import model_of
from key_steps import after
from positions import position
from scenes import scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.language import speaking
from shanghai_client.screen.model import Confirming, Link
from shanghai_client.screen.panes.asking import key_line
from shanghai_client.screen.panes.board import board, last_line
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import Phase


def test_what_is_asked_back_before_the_game_is_shown_there() -> None:
    """The question stands where the sentence of the lobby stands, and not only the keys that answer it."""
    waits = model_of(scene("lobby"))
    lines = [text_of(each) for each in board(after(waits, "q").model)]
    assert any("End this program? Your seat is kept." in line for line in lines)


@pytest.mark.parametrize("where", ["lobby", "offer_on_turn"])
def test_a_question_about_a_person_falls_when_another_sits_there(where: str) -> None:
    """Who has left and who has come meanwhile is sent away by no key; what happens on other seats changes nothing."""
    shown = scene(where)
    about = next(seat.index for seat in shown.table.seats if seat.index != shown.seat)
    asked = replace(model_of(shown), mode=Confirming("Send Kai away for good?", "kick Kai yes", about))
    for changed, stays in ((shown.seat or 0, True), (about, False)):
        table = table_pb2.TableView()
        table.CopyFrom(shown.table)
        table.seats[changed].name = "Zoe"
        after_it = seen(asked, replace(shown, table=table), now=0.0)
        assert isinstance(after_it.mode, Confirming) is stays


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
