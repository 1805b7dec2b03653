"""The numbered rules of how hands and games end (R11 to R15), each shown on a position of its own."""

from __future__ import annotations

import pytest
from positions import SEED, all_pass, lay_down, position

from shanghai_engine.action import Answer, Claim, Discard, LayOff, Swap, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.event import (
    Discarded,
    DrawSource,
    Drew,
    EndReason,
    HandEnded,
    LaidDown,
    OfferResult,
    Reshuffled,
)
from shanghai_engine.game import Game
from shanghai_engine.malformed import Malformed
from shanghai_engine.rules import LITERAL, RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation


def test_r11_2_discarding_the_last_card_floats() -> None:
    """The hand goes on; the seat draws one card on its next turn, and plays or discards it."""
    game = position(turn=0, hands={0: "2C", 1: "3C 4C"}, melds=[(0, "8C 8D 8S")], stock="KC 8H 9H TH JH QH 3D")
    game.apply(Discard(0, Card.C2))
    assert game.state.floats(0)
    assert game.view(None).public.seats[0].floats
    for seat in (1, 2, 3):
        all_pass(game)
        game.apply(TimeOut(seat))
    all_pass(game)
    assert len(game.state.hands[0]) == 1
    card = game.state.hands[0][0]
    game.apply(Discard(0, card))
    assert game.state.floats(0)


def test_r11_2_a_floating_player_who_plays_his_one_card_is_out() -> None:
    """The card that he draws, or takes, is all that he has: playing it to the table wins."""
    for upcard, top, claim in (("2H", "8H", Claim.PASS), ("8H", "2H", Claim.TAKE)):
        game = position(
            phase=Phase.OFFER, turn=0, hands={0: ""}, melds=[(0, "8C 8D 8S")], discards=upcard, discarder=3, stock=top
        )
        game.apply(Answer(0, claim))
        for seat in sorted(game.decisions()):
            if game.state.phase is Phase.OFFER:
                game.apply(Answer(seat, Claim.PASS))
        assert game.state.hands[0] == (Card.H8,)
        ended = game.apply(LayOff(0, 0, Card.H8))[-1]
        assert isinstance(ended, HandEnded)
        assert (ended.reason, ended.winner) == (EndReason.OUT, 0)


def test_r11_3_a_floating_player_answers_offers_as_one_who_is_down() -> None:
    """On his turn he takes or passes, after every buyer (R7.6); on anybody else's he is not asked to buy (R7.3)."""
    floating = {"phase": Phase.OFFER, "hands": {0: ""}, "melds": [(0, "8C 8D 8S")], "discards": "5H"}
    own = position(turn=0, discarder=3, **floating)  # type: ignore[arg-type]
    assert own.state.floats(0)
    assert own.state.asked.order[-1] == 0
    assert own.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
    others = position(turn=1, discarder=0, **floating)  # type: ignore[arg-type]
    third = position(turn=2, discarder=1, **floating)  # type: ignore[arg-type]
    for game in (others, third):
        assert 0 not in game.decisions()
    assert 3 in third.decisions()


def test_r11_3_a_floating_player_is_down_and_scores_nothing() -> None:
    """He is still down, and has no cards to count when the hand ends."""
    game = position(turn=1, hands={0: "", 1: "8H", 2: "KC", 3: "QC"}, melds=[(0, "8C 8D 8S"), (1, "9C 9D 9S")])
    assert game.state.floats(0)
    assert game.view(None).public.seats[0].down
    events = game.apply(LayOff(1, 0, Card.H8))
    assert isinstance(events[-1], HandEnded)
    assert events[-1].scores == (0, 0, 10, 10)
    assert not game.state.floats(0)


def test_r12_1_the_points_of_every_card() -> None:
    """3 to 9: 5; 10 to king: 10; ace: 15; 2: 20; joker: 25."""
    points = RuleSet().card_points
    expected = {"2": 20, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 15, "JK": 25}
    for card in CARDS:
        key = "JK" if card == JOKER else card.text[0]
        assert points[card] == expected.get(key, 5)


def test_r12_2_everybody_sees_all_hands_and_the_seed_at_the_end() -> None:
    """The results in everybody's view hold them; before the end they do not."""
    game = position(turn=0, hands={0: "8H"}, melds=[(0, "8C 8D 8S")])
    assert game.view(None).public.results == ()
    game.apply(LayOff(0, 0, Card.H8))
    (result,) = game.view(None).public.results
    assert result.hands == tuple(game.state.hands)
    assert result.seed == game.state.hand_seed


def test_r13_1_with_an_empty_stock_the_upcard_may_be_taken_and_a_pass_ends_the_hand() -> None:
    """Nobody has won, and everybody scores; whoever would end it by passing is told so."""
    empty = {"phase": Phase.OFFER, "turn": 0, "discards": "5H", "discarder": 3, "stock": ""}
    game = position(**empty)  # type: ignore[arg-type]
    assert game.decisions()[0].passing_ends_hand
    taken = game.copy()
    taken.apply(Answer(0, Claim.TAKE))
    assert taken.state.phase is Phase.PLAY
    for action in (Answer(0, Claim.PASS), TimeOut(0)):
        ended = game.copy()
        events = ended.apply(action)
        assert isinstance(events[-1], HandEnded)
        assert events[-1].reason is EndReason.STOCK
        assert events[-1].winner is None
        assert all(score > 0 for score in events[-1].scores)


def test_r13_2_the_dead_cards_become_the_stock_once_without_the_upcard_just_passed() -> None:
    """The passed upcard stays and is dead; the second time the hand ends."""
    game = position(phase=Phase.OFFER, turn=0, discards="3D 4D 5H", discarder=3, stock="")
    assert not game.decisions()[0].passing_ends_hand
    events = game.apply(Answer(0, Claim.PASS))
    reshuffled = events[2]
    assert isinstance(reshuffled, Reshuffled)
    assert sorted(reshuffled.stock) == sorted(parse_cards("3D 4D"))
    assert events[3] == Drew(0, DrawSource.STOCK, reshuffled.stock[0])
    assert game.state.dead == [Card.H5]
    assert game.state.upcard is None
    game.state.stock.clear()
    game.apply(Discard(0, game.state.hands[0][0]))
    assert game.decisions()[1].passing_ends_hand
    assert game.apply(Answer(1, Claim.PASS))[-1] == game.events[-1]
    assert game.state.results[-1].reason is EndReason.STOCK


def test_r13_2_without_dead_cards_the_hand_ends() -> None:
    """There is nothing to shuffle when the only discard is the upcard that was just passed."""
    game = position(phase=Phase.OFFER, turn=0, discards="5H", discarder=3, stock="")
    game.apply(Answer(0, Claim.PASS))
    assert game.state.results[-1].reason is EndReason.STOCK


def test_r13_2_the_preset_literal_has_no_reshuffle() -> None:
    """The same position that reshuffles under the standard ends the hand."""
    game = position(phase=Phase.OFFER, turn=0, discards="3D 4D 5H", discarder=3, stock="", rules=LITERAL)
    assert game.decisions()[0].passing_ends_hand
    game.apply(Answer(0, Claim.PASS))
    assert game.state.results[-1].reason is EndReason.STOCK


def test_r13_2_after_a_buy_that_empties_the_stock_the_turn_draws_from_the_dead_cards() -> None:
    """The bought upcard and the extra cards are the buyer's, and what lay beneath becomes the stock (R7.8)."""
    game = position(phase=Phase.OFFER, turn=0, discards="3D 4D 5H", discarder=3, stock="9C TC")
    buyer = game.state.asked.order[1]
    held = len(game.state.hands[buyer])
    game.apply(Answer(0, Claim.PASS))
    events = game.apply(Answer(buyer, Claim.BUY))
    reshuffled = next(event for event in events if isinstance(event, Reshuffled))
    assert sorted(reshuffled.stock) == sorted(parse_cards("3D 4D"))
    assert events[-1] == Drew(0, DrawSource.STOCK, reshuffled.stock[0])
    assert len(game.state.hands[buyer]) == held + 3
    assert game.state.phase is Phase.PLAY


def test_r13_1_a_buy_that_empties_the_stock_ends_the_hand_where_nothing_can_be_reshuffled() -> None:
    """The buyer keeps the cards, which are scored."""
    game = position(phase=Phase.OFFER, turn=0, discards="5H", discarder=3, stock="9C TC")
    buyer = game.state.asked.order[1]
    game.apply(Answer(0, Claim.PASS))
    events = game.apply(Answer(buyer, Claim.BUY))
    ended = events[-1]
    assert isinstance(ended, HandEnded)
    assert Card.C9 in ended.hands[buyer]
    assert ended.hands == tuple(game.state.hands)


def test_r14_1_a_hand_ends_after_sixty_turns_of_everybody() -> None:
    """The last discard ends it before the next offer; nobody has won."""
    game = position(turn=0, hands={0: "2C 3C"})
    game.state.turn_number = 240
    events = game.apply(Discard(0, Card.C2))
    assert isinstance(events[-1], HandEnded)
    assert events[-1].reason is EndReason.TURNS
    assert events[-1].hands[0] == (Card.C3,)
    early = position(turn=0, hands={0: "2C 3C"})
    early.state.turn_number = 239
    early.apply(Discard(0, Card.C2))
    assert early.state.phase is Phase.OFFER


def test_r14_2_a_missed_turn_discards_the_card_just_drawn() -> None:
    """The least that is lawful; where R10.2 binds, the best lay-down comes first."""
    game = position(turn=0, hands={0: "2C 3C 9H"}, drawn="3C")
    assert game.apply(TimeOut(0)) == (Discarded(0, Card.C3),)
    bound = position(turn=0, hands={0: "8H 9C 9D 9S KC KD 2C"}, melds=[(1, "8C 8D JK")], drawn="2C")
    bound.apply(Swap(0, 0, 2, Card.H8))
    events = bound.apply(TimeOut(0))
    assert [type(event) for event in events] == [LaidDown, Discarded]
    assert events[-1] == Discarded(0, Card.C2)


def test_r14_2_a_missed_turn_whose_drawn_card_was_played_discards_another_but_no_joker_first() -> None:
    """The card that costs most points goes; a joker only where there is nothing else."""
    game = position(turn=0, hands={0: "3C KC JK"}, melds=[(0, "8C 8D 8S")], drawn="8H")
    assert game.apply(TimeOut(0)) == (Discarded(0, Card.CK),)


def test_r15_1_every_refusal_names_its_rule_and_changes_nothing() -> None:
    """The sentence ends with the number of the rule, and its values travel beside it."""
    game = position(turn=0, hands={0: "2C 3C"})
    before = game.copy()
    with pytest.raises(RuleViolation) as refused:
        game.apply(Discard(0, Card.H9))
    assert refused.value.code == "CARD_NOT_IN_HAND"
    assert refused.value.rule == "R4.2"
    assert refused.value.values == {"card": "9H", "seat": "0"}
    assert str(refused.value).endswith("(R4.2)")
    assert game.state == before.state
    assert game.events == before.events


@pytest.mark.parametrize("seat", [-1, 4])
def test_r2_2_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    """Every kind of action by such a seat is refused with the seats that there are."""
    for game in (position(turn=0), Game.new(seed=SEED, players=4)):
        for action in (
            Answer(seat, Claim.PASS),
            Discard(seat, Card.C2),
            LayOff(seat, 0, Card.C2),
            Swap(seat, 0, 0, Card.C2),
            lay_down(seat, "8C 8D 8S"),
            TimeOut(seat),
        ):
            with pytest.raises(RuleViolation):
                game.apply(action)


def test_a_seed_and_nonces_of_another_length_are_refused() -> None:
    """A game seed is 32 bytes and a nonce 16, one for each seat."""
    with pytest.raises(Malformed, match="32 bytes"):
        Game.new(seed=b"short", players=4)
    with pytest.raises(Malformed, match="one nonce of 16 bytes for each of 4 seats"):
        Game.new(seed=SEED, players=4, nonces=[bytes(16)] * 3)


def test_offer_result_values_are_those_of_the_record() -> None:
    """The text forms of results are those of the game record."""
    assert [result.value for result in OfferResult] == ["taken", "bought", "none"]
