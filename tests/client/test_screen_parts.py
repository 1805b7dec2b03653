"""The parts of the full screen without a terminal: what is worked out for the picture."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from drawn import model_of
from hypothesis import given
from hypothesis import strategies as st
from key_page import PAGE, page
from key_steps import HANDS, after
from positions import position
from scenes import scene, scene_of

from shanghai_client.holding import sort_by_use
from shanghai_client.language import speaking
from shanghai_client.scene import Scene
from shanghai_client.screen.fresh import new_cards
from shanghai_client.screen.hints import NEEDED, hint_lines, worths
from shanghai_client.screen.keys import pressed
from shanghai_client.screen.model import Choosing, Wish
from shanghai_client.screen.mouse import clicked, press_at
from shanghai_client.screen.ordering import Sort, kept, moved
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.panes.title import time_text
from shanghai_client.screen.passing import Unless, helps, passes
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.signs import SHAPES, of_known_width, with_cards
from shanghai_client.screen.stepping import Act, Step
from shanghai_client.screen.style import Background, Theme, classes_of
from shanghai_engine.action import Answer, Claim, Discard
from shanghai_engine.card import Card, cards_text, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase


def test_the_hand_is_sorted_by_use_rank_suit_and_own_order() -> None:
    """Tab goes through the orders, and the cursor stays on its card."""
    model = replace(model_of(scene("turn_that_can_lay_down")), cursor=7)
    card = model.under_cursor
    orders = []
    for _time in range(4):
        orders.append((model.order.sort, model.hand))
        assert model.under_cursor == card
        model = pressed(model, "tab").model
    assert [sort for sort, _hand in orders] == list(Sort)
    assert orders[1][1] == parse_cards("2S 4H 5H 6H 7H 8C 8D KD JK")
    assert orders[2][1] == parse_cards("8C 8D KD 4H 5H 6H 7H 2S JK")


def test_ones_own_order_stays() -> None:
    """A card that is carried stays where it was put when cards come and go."""
    model = model_of(scene("turn_that_can_lay_down"))
    carried = after(replace(model, cursor=0), ">", ">").model
    assert carried.order.sort is Sort.OWN
    assert carried.cursor == 2
    assert carried.hand[:3] == (model.hand[1], model.hand[2], model.hand[0])
    game = position(hand=2, turn=1, hands={0: "8C 8D JK 4H 5H 6H KD 9C"})
    later = seen(carried, scene_of(game), now=1.0)
    assert later.hand == (*(card for card in carried.hand if card not in {Card.H7, Card.S2}), Card.C9)


@given(own=HANDS, hand=HANDS, place=st.integers(0, 22), by=st.integers(-3, 3))
def test_an_order_loses_no_card(own: tuple[Card, ...], hand: tuple[Card, ...], place: int, by: int) -> None:
    """Whatever the order was, exactly the cards of the hand are shown; carrying a card keeps them all."""
    order = kept(own, hand)
    assert Counter(order) == Counter(hand)
    stays = Counter(own) & Counter(hand)
    assert Counter(order[: stays.total()]) == stays
    assert Counter(moved(order, place % len(order), by)) == Counter(hand)


def test_new_are_the_cards_since_ones_own_discard() -> None:
    """Drawn and bought cards are new until the next discard; dealt ones are not."""
    game = Game.new(seed=bytes(32), players=2)
    turn = game.state.turn
    assert new_cards(game.view(turn)) == Counter()
    upcard = game.state.upcard
    assert upcard is not None
    game.apply(Answer(turn, Claim.TAKE))
    assert new_cards(game.view(turn)) == Counter([upcard])
    other = 1 - turn
    gone = game.state.hands[turn][0]
    game.apply(Discard(turn, gone))
    assert new_cards(game.view(turn)) == Counter()
    game.apply(Answer(other, Claim.BUY))
    while game.state.phase is Phase.OFFER:
        game.apply(Answer(min(game.decisions()), Claim.PASS))
    fresh = new_cards(game.view(other))
    assert fresh.total() == 4
    assert fresh[gone] >= 1


def test_offers_are_passed_unless_the_card_helps_or_is_a_joker() -> None:
    """A card that brings nearer is asked about, a joker always is; no pass that may end the hand is given by itself."""
    helpful, useless = scene("offer_to_a_buyer"), scene("offer_on_turn_down")
    assert not passes(helpful, Unless.ASKED)
    assert not passes(helpful, Unless.HELPS)
    assert passes(helpful, Unless.JOKER)
    assert passes(useless, Unless.HELPS)
    assert not passes(scene("offer_that_ends_the_hand"), Unless.JOKER)
    joker = position(hand=2, turn=3, phase=Phase.OFFER, hands={0: "8C 8D 4H KD 3C"}, discards="JK")
    assert not passes(scene_of(joker), Unless.JOKER)


SWAPS = [(2, "QC QD QS"), (2, "5H JK 7H 8H")]


@pytest.mark.parametrize(
    ("hand", "turn", "mine", "rules", "passed"),
    [
        ("AC KD", 0, [(0, "3C 3D 3H")], STANDARD, False),
        ("3C 3D TS JS QS KS 2C KH", 0, [], STANDARD, False),
        ("3C 4D TS JS QS KS 2C KH", 0, [], STANDARD, True),
        ("3C 3D TS JS QS KS 2C KH", 3, [], STANDARD, True),
        ("AC KD", 0, [(0, "3C 3D 3H")], replace(STANDARD, joker_swap="nobody"), True),
        ("3C 3D TS JS QS KS 2C KH", 0, [], replace(STANDARD, joker_swap="down_only"), True),
    ],
)
def test_r10_a_card_that_brings_a_joker_is_asked_about(
    hand: str, turn: int, mine: list[tuple[int, str]], rules: RuleSet, *, passed: bool
) -> None:
    """On one's own turn a card helps that can be swapped; of who is not down only if he can lay down with the joker."""
    game = position(
        hand=2, turn=turn, phase=Phase.OFFER, melds=[*SWAPS, *mine], hands={0: hand}, discards="6H", rules=rules
    )
    assert passes(scene_of(game), Unless.HELPS) is passed


FURTHER = replace(STANDARD, extra_melds=True)


@pytest.mark.parametrize(
    ("hand", "upcard", "rules", "passed"),
    [
        ("AC AD 4S", "AH", FURTHER, False),
        ("AC JK 4S", "AH", FURTHER, False),
        ("4S 5S 6S 2D", "7S", FURTHER, False),
        ("4S 5S JK 2D", "7S", FURTHER, False),
        ("4S 5S 6S 2D", "9S", FURTHER, True),
        ("4S 5S 6S 7S AD", "AC", FURTHER, True),
        ("AC AD 4S", "AH", STANDARD, True),
    ],
)
@pytest.mark.parametrize("turn", [0, 3])
def test_r16_a_card_that_makes_a_further_meld_is_asked_about(
    hand: str, upcard: str, rules: RuleSet, turn: int, *, passed: bool
) -> None:
    """Of who is down where the table plays `extra_melds`; what one holds already has no part in it."""
    mine = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    game = position(turn=turn, phase=Phase.OFFER, melds=mine, hands={0: hand}, discards=f"2C {upcard}", rules=rules)
    assert helps(scene_of(game)) is not passed


@pytest.mark.parametrize(("name", "seat", "shown"), [("table", 0, True), ("table", None, False), ("between", 0, False)])
def test_what_is_passed_by_itself_is_said_to_who_plays_in_the_hand(name: str, seat: int | None, *, shown: bool) -> None:
    """A spectator passes nothing, and between two hands nothing is passed."""
    at_table = scene_of(position(hand=1, turn=2, phase=Phase.PLAY), seat)
    there = at_table if name == "table" else scene("between_hands")
    said = " ".join(text_of(line) for line in board(replace(model_of(there), unless=Unless.HELPS))[-2:])
    assert ("Auto-pass" in said) is shown


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("unless", [Unless.HELPS, Unless.JOKER])
def test_what_is_passed_by_itself_is_not_cut_behind_a_claim_order(unless: Unless, language: str) -> None:
    """Where the sentence has no room a shorter one stands there, or none."""
    with speaking(language):
        for name in ("offer_on_turn", "offer_to_a_buyer", "offer_on_turn_down", "offer_of_two"):
            lines = [text_of(line) for line in board(replace(model_of(scene(name)), unless=unless))]
            assert not lines[-1].rstrip().endswith("~"), lines[-1]


def test_passing_by_itself_ends_with_the_hand() -> None:
    """The next hand is asked about again."""
    model = after(model_of(scene("offer_on_turn")), "A").model
    assert model.unless is Unless.HELPS
    assert "passed from the next one on, unless the card helps" in model.note
    assert "auto-pass, by use" in "\n".join(text_of(line) for line in board(model))
    assert seen(model, scene("offer_on_turn"), now=1.0).unless is Unless.HELPS
    assert seen(model, scene("offer_to_a_buyer"), now=1.0).unless is Unless.ASKED


def test_cards_in_a_sentence_stand_in_their_colours() -> None:
    """Cards are found in every text, and nothing else is taken for one."""
    pieces = with_cards("Ann buys 8H, JK and TD; R7.8H stays 8HX", SHAPES)
    assert text_of(pieces) == "Ann buys 8♥, JK and T♦; R7.8♥ stays 8HX"
    assert [piece.style for piece in pieces if piece.text in {"8♥", "JK", "T♦"}][:3] == [
        "class:hearts",
        "class:joker",
        "class:diamonds",
    ]


def test_a_fingerprint_holds_no_cards() -> None:
    """It is to be compared sign by sign with what the host sees; a sentence about a meld is told as before."""
    printed = "6D:BF:5C:F6:2F:C6:C8:2D"
    assert text_of(with_cards(f"its fingerprint is {printed}", SHAPES)) == f"its fingerprint is {printed}"
    assert text_of(with_cards("on meld 1: 4D 4S, JK=6H: 5C", SHAPES)) == "on meld 1: 4♦ 4♠, JK=6♥: 5♣"


def test_names_lose_what_terminals_do_not_agree_on() -> None:
    """Letters keep themselves without their marks; what is wide everywhere stays."""
    assert of_known_width("Zoë 日本 →") == "Zoe 日本 ?"


def test_every_theme_has_every_class() -> None:
    """Each theme on each background styles the same classes, and mono has no colour at all."""
    grounds = [(theme, background) for theme in Theme for background in Background]
    mono = classes_of(Theme.MONO, Background.DARK)
    for theme, background in grounds:
        assert set(classes_of(theme, background)) >= set(mono)
    assert not any("#" in style or "ansi" in style for style in mono.values())


def test_a_click_does_what_the_key_there_does() -> None:
    """A card is gone to by a click, chosen by one where it is asked for; a word of the key line is its key."""
    model = model_of(scene("turn_with_melds"))
    lines = board(model)
    row = next(number for number, line in enumerate(lines) if "Q♥ 8♠" in text_of(line))
    assert press_at(lines, 5, row) == "card 1"
    assert press_at(lines, 0, 99) == ""
    assert clicked(model, "card 1").model.cursor == 1
    choosing = clicked(model, "d").model
    assert choosing.mode == Choosing(Wish.DISCARD)
    assert clicked(choosing, "card 6").effect == Act(Discard(0, Card.C2))
    building = after(model_of(scene("turn_that_can_lay_down")), "m").model
    assert clicked(building, "card 0").model.staging.cards == (Card.C8,)
    assert clicked(model, "") == Step(model)


def test_a_click_on_a_place_in_the_question_chooses_it() -> None:
    """Each of the places that are listed can be clicked on, as the letter at its meld can."""
    model = after(model_of(scene("turn_with_melds")), "o", "e").model
    lines = board(model)
    text = text_of(lines[-1])
    place = press_at(lines, text.index("on 1 high"), len(lines) - 1)
    assert clicked(model, place).effect == after(model, place).effect
    assert isinstance(clicked(model, place).effect, Act)
    assert press_at(lines, text.index(SHAPES.dot), len(lines) - 1) == ""


def test_times_are_minutes_and_seconds() -> None:
    """A clock shows its seconds with two figures."""
    assert [time_text(seconds) for seconds in (0, 9.9, 65, 600)] == ["0:00", "0:09", "1:05", "10:00"]


def test_hints_say_what_each_card_is_worth() -> None:
    """Hints name what a bot would do, the best lay-down, and which cards are needed; a courtesy table shows none."""
    model = after(model_of(scene("turn_that_can_lay_down")), "h").model
    text = "\n".join(text_of(line) for line in board(model))
    assert "A bot would lay down" in text
    assert "needed, for without one of them one more is missing: JK 8♣ 8♦ 4♥ 5♥ 6♥ 7♥" in text
    assert "can be spared, the most points first: 2♠ K♦" in text
    shown: Scene = scene("turn_that_can_lay_down")
    table = type(shown.table)()
    table.CopyFrom(shown.table)
    table.options.no_hints = True
    courtesy = after(model_of(replace(shown, table=table)), "h").model
    text = "\n".join(text_of(line) for line in board(courtesy))
    assert "This table asks its players to do without hints." in text
    assert "needed, for" not in text


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.OFFER])
def test_hints_spare_no_card_of_the_best_lay_down(phase: Phase) -> None:
    """Any one of many cards could be missed there; what is left over is what is named, in an offer, too."""
    hand = "QD QS JK JK 3D 3H 3S 8C 8S KH 6D JD"
    text = "\n".join(hint_lines(scene_of(position(turn=0, phase=phase, hands={0: hand}, discards="2C 5C"))))
    best, spared = (re.search(f"{said}: (.*)", text) for said in ("The best lay-down", "can be spared.*first"))
    assert best is not None
    assert spared is not None
    laid = Counter(parse_cards(best[1].replace("/", " ")))
    assert set(parse_cards(spared[1])) == set(Counter(parse_cards(hand)) - laid)


def test_three_of_a_kind_that_are_over_are_a_spare_set() -> None:
    """They are no pairs; of two equal cards it is still said so."""
    hand = parse_cards("TC TS TD 4C 4D 4H 6S 6D 6C 7C 8C 9C KS KD 2H")
    groups = sort_by_use(hand, STANDARD_CONTRACTS[1], STANDARD).groups
    named = {group.name: cards_text(sorted(group.cards)) for group in groups}
    assert named == {"run": "6C 7C 8C 9C", "set": "TC TD TS", "spare": "4C 4D 4H", "pairs": "6D KD 6S KS", "rest": "2H"}


def test_a_card_is_worth_the_cards_that_would_help_with_it() -> None:
    """A pair makes two more kinds of cards help than its single cards would; a card that is of no use makes none."""
    pairs = worths(parse_cards("5C 5H 6D 6S TH TS JD JS QD 8C"), STANDARD_CONTRACTS[0], STANDARD)
    assert {pairs[card] for card in parse_cards("5C 6S TH JD")} == {4}
    assert {pairs[card] for card in parse_cards("QD 8C")} == {0}
    one_pair = worths(parse_cards("5C 5H 8S 9D JC QC KD"), STANDARD_CONTRACTS[0], STANDARD)
    assert one_pair[Card.C5] == one_pair[Card.H5] == NEEDED


@pytest.mark.checkout
def test_the_page_has_every_key() -> None:
    """docs/screen.md lists every key of every place (`python tests/key_page.py` writes the tables)."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_a_notice_of_the_host_stands_over_the_table_until_it_is_put_away() -> None:
    """What the server's host tells everybody is in a line of its own, and among what has happened."""
    shown = scene("offer_on_turn")
    table = type(shown.table)()
    table.CopyFrom(shown.table)
    table.notice.number, table.notice.text = 1, "The server is restarted at ten"
    model = model_of(replace(shown, table=table))
    lines = [text_of(line) for line in board(model)]
    assert "The server's host says: The server is restarted at ten" in lines[1]
    assert sum("restarted at ten" in line for line in lines) == 2
    gone = after(model, "escape").model
    assert "restarted at ten" not in text_of(board(gone)[1])
    assert len(board(gone)) == len(lines)
