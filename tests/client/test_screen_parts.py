"""The parts of the full screen without a terminal: what keys do, and what is worked out for the picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from drawn import model_of, twenty_melds
from hypothesis import given
from hypothesis import strategies as st
from key_page import PAGE, page
from positions import position
from scenes import scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import Leaving
from shanghai_client.scene import Scene
from shanghai_client.screen.choosing import letters_of, place_letters
from shanghai_client.screen.fresh import new_cards
from shanghai_client.screen.guard import slip_of
from shanghai_client.screen.hints import NEEDED, worths
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import KEYS, key_help, named_keys, pressed
from shanghai_client.screen.model import Choosing, Confirming, Look, Looking, Model, Placing, Wish
from shanghai_client.screen.mouse import clicked, press_at
from shanghai_client.screen.ordering import Sort, kept, moved
from shanghai_client.screen.panes.board import board, clamped
from shanghai_client.screen.panes.title import time_text
from shanghai_client.screen.passing import Unless, passes
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.signs import SHAPES, of_known_width, with_cards
from shanghai_client.screen.staging import Slot, Staging, fault_of
from shanghai_client.screen.stepping import Act, Go, Open, Run, Step
from shanghai_client.screen.style import Background, Theme, classes_of
from shanghai_engine.action import Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.game import Game
from shanghai_engine.meld import End, Meld, MeldKind, read_meld
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import Phase

HANDS = st.lists(st.sampled_from(CARDS), min_size=1, max_size=23).map(lambda cards: tuple(sorted(cards)))


def after(model: Model, *keys: str) -> Step:
    """Give the last step of some keys."""
    step = Step(model)
    for key in keys:
        step = pressed(step.model, key)
    return step


# Keys


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


def test_help_names_every_key_of_the_place() -> None:
    """Help by context: each key that works here has a line, and no other."""
    for keys in ((), ("d",), ("m",), ("d", "a", "escape")):
        model = after(model_of(scene("turn_that_can_lay_down")), *keys).model
        said = {name for names, _help in key_help(model) for name in names.split(", ")}
        here = {key for key in KEYS if place_of(model) in key.places}
        assert len(said) >= sum(len(key.names) for key in here)


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


@pytest.mark.parametrize(("name", "row"), [("Zoë", 0), ("W" * 24, 1)])
def test_a_question_is_not_cut_by_what_a_buy_costs(name: str, row: int) -> None:
    """Where both do not fit into one line, the price stands in the next one, before the claim order."""
    shown = scene("offer_to_a_buyer")
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    turn = 0 if shown.game is None else shown.game.turn
    table.seats[turn].name = name
    lines = [text_of(each).rstrip() for each in board(model_of(replace(shown, table=table)))][-2:]
    assert lines[0].startswith(f" Buy 8♠? It is {name}'s turn.")
    assert "A buy brings 2 more cards; 3 buys left." in lines[row]
    assert "You come 2nd of 4" in lines[1]


# The order of the hand


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


# New cards


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


# Passing by itself


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


def test_passing_by_itself_ends_with_the_hand() -> None:
    """The next hand is asked about again."""
    model = after(model_of(scene("offer_on_turn")), "A").model
    assert model.unless is Unless.HELPS
    assert "passed from now on, unless the card helps" in model.note
    assert "auto-pass, by use" in "\n".join(text_of(line) for line in board(model))
    assert seen(model, scene("offer_on_turn"), now=1.0).unless is Unless.HELPS
    assert seen(model, scene("offer_to_a_buyer"), now=1.0).unless is Unless.ASKED


# Building melds


def test_melds_are_built_and_laid_down() -> None:
    """Letters stage cards, digits change the meld, Enter lays down what fulfils the contract."""
    model = model_of(scene("turn_that_can_lay_down"))
    built = after(model, "m", "a", "b", "c", "2", "d", "e", "f", "g").model
    assert built.staging.cards == parse_cards("8C 8D JK 4H 5H 6H 7H")
    laid = after(built, "enter").effect
    assert isinstance(laid, Act)
    assert isinstance(laid.action, LayDown)
    assert [str(each) for each in laid.action.melds] == ["8C 8D JK", "4H 5H 6H 7H"]
    assert after(built, "escape", "l").effect == laid


def test_what_is_staged_can_be_taken_back() -> None:
    """The letter of a staged card takes it back, so does Backspace; undo takes the last change back, Delete all."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", "a", "b").model
    assert after(model, "a").model.staging.cards == (Card.D8,)
    assert after(model, "backspace").model.staging.cards == (Card.C8,)
    assert after(model, "a", "-").model.staging.cards == model.staging.cards
    assert after(model, "delete").model.staging.cards == ()
    assert after(model, "delete", "c-z").model.staging.cards == model.staging.cards
    assert after(model, "escape").model.staging == model.staging


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ((), "nothing to lay down"),
        (("a", "b"), "8C 8D is too short: a set has 3 cards or more (R8.1)"),
        (("a", "b", "d"), "all its cards but the jokers are of one rank (R8.1)"),
        (("a", "b", "c"), "do not fulfil the contract"),
    ],
)
def test_melds_that_do_not_fulfil_the_contract_are_refused_with_the_reason(keys: tuple[str, ...], said: str) -> None:
    """What is not laid down is said in the table's words, before the table is asked."""
    step = after(model_of(scene("turn_that_can_lay_down")), "m", *keys, "enter")
    assert step.effect is None
    assert said in step.model.note


def test_the_best_melds_are_a_beginning() -> None:
    """`=` stages the best lay-down, to be changed."""
    step = after(model_of(scene("turn_that_can_lay_down")), "m", "=")
    assert Counter(step.model.staging.cards) == Counter(parse_cards("8C 8D JK 4H 5H 6H 7H"))
    assert isinstance(after(step.model, "enter").effect, Act)


def test_who_is_not_on_turn_can_build_but_not_lay_down() -> None:
    """Melds are planned while others play."""
    hand = "8C 8D 8H 4H 5H 6H 7H"
    game = position(hand=2, turn=3, phase=Phase.OFFER, hands={0: hand}, discards="8S")
    built = after(model_of(scene_of(game)), "m", *"abc", "2", *"defg").model
    step = after(built, "enter")
    assert step.effect is None
    assert "on your own turn" in step.model.note


def test_staged_melds_stay_while_their_cards_do() -> None:
    """An update keeps what is staged; a card that has gone is taken out; the next hand begins empty."""
    model = after(model_of(scene("turn_that_can_lay_down")), "m", "a", "b", "2", "d").model
    again = seen(model, scene("turn_that_can_lay_down"), now=1.0)
    assert (again.staging, again.mode, again.cursor) == (model.staging, model.mode, model.cursor)
    without = position(hand=2, turn=0, hands={0: "8C JK 4H 5H 6H 7H KD 2S"}, drawn="KD")
    assert seen(model, scene_of(without), now=1.0).staging.cards == parse_cards("8C 4H")
    assert seen(model, scene("offer_on_turn"), now=1.0).staging.cards == ()


@given(hand=HANDS, hand_number=st.integers(0, 9))
def test_what_is_staged_as_the_best_can_be_laid_down(hand: tuple[Card, ...], hand_number: int) -> None:
    """Every best lay-down fills the slots of its contract, and what the slots make of it is lawful."""
    contract: Contract = STANDARD_CONTRACTS[hand_number]
    best = best_lay_down(hand, contract, STANDARD)
    if best is None:
        return
    staging = Staging.of(contract).filled(best)
    assert Counter(staging.cards) == Counter(card for draft in best for card in draft.cards)
    assert fault_of(staging, hand=hand_number + 1, contract=contract, rules=STANDARD) is None
    assert staging.undo() == Staging.of(contract)


@given(suit=st.integers(0, 3), low=st.integers(2, 8), size=st.integers(4, 7), data=st.data())
def test_a_run_is_put_in_order_with_its_jokers_in_the_gaps(suit: int, low: int, size: int, data: st.DataObject) -> None:
    """The cards of a run may be staged in any order: jokers go where the gaps are, spare ones to an end."""
    places = data.draw(st.sets(st.integers(1, size - 2), max_size=size // 2 - 1))
    run = [JOKER if place in places else Card(suit * 13 + low - 1 + place) for place in range(size)]
    slot = Slot(MeldKind.RUN, 4, tuple(data.draw(st.permutations(run))))
    assert slot.draft(STANDARD).cards == tuple(run)
    spare = replace(slot, cards=(*slot.cards, JOKER))
    for end, place in ((End.LOW, 0), (End.HIGH, -1)):
        draft = replace(spare, lean=end).draft(STANDARD)
        assert isinstance(read_meld(draft, meld_id=0, owner=0, rules=STANDARD), Meld) or low + size > 14
        assert draft.cards[place] == JOKER or low + size > 14 or low == 2


# Signs, styles and the mouse


def test_cards_in_a_sentence_stand_in_their_colours() -> None:
    """Cards are found in every text, and nothing else is taken for one."""
    pieces = with_cards("Ann buys 8H, JK and TD; R7.8H stays 8HX", SHAPES)
    assert text_of(pieces) == "Ann buys 8♥, JK and T♦; R7.8♥ stays 8HX"
    assert [piece.style for piece in pieces if piece.text in {"8♥", "JK", "T♦"}][:3] == [
        "class:hearts",
        "class:joker",
        "class:diamonds",
    ]


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
