"""The numbered rules from the deal to the score, each shown on a position of its own."""

from __future__ import annotations

from collections import Counter

import pytest
from positions import SEED, all_pass, lay_down, position

from shanghai_engine.action import Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.event import (
    Discarded,
    DrawSource,
    Drew,
    EndReason,
    GameEnded,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRules, Malformed
from shanghai_engine.meld import End
from shanghai_engine.rules import LITERAL, RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation


@pytest.mark.parametrize(("players", "packs"), [(2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_r1_1_r1_2_packs_of_54_by_number_of_players(players: int, packs: int) -> None:
    """Two packs for 2 to 4, three for 5 or 6, four for 7 or 8, each of 52 cards and two jokers."""
    state = Game.new(seed=SEED, players=players).state
    cards = Counter(state.stock) + Counter(state.discards) + Counter(card for hand in state.hands for card in hand)
    assert cards == {card: packs * (2 if card == JOKER else 1) for card in CARDS}


@pytest.mark.parametrize("players", [0, 1, 9])
def test_r1_2_two_to_eight_players(players: int) -> None:
    """Any other number is refused, with the reason."""
    with pytest.raises(BadRules, match=rf"players = {players} .*2 to 8 players \(R1\.2, R16\)"):
        Game.new(seed=SEED, players=players)


def test_r2_1_ten_hands_and_equal_totals_share_the_place() -> None:
    """The game ends after its tenth hand; the lowest total wins."""
    game = position(players=4, hand=10, hands={0: "2C 3C", 1: "5H JK JK", 2: "5H JK JK", 3: "8H"}, turn=3, down=(3,))
    game.state.melds = position(melds=[(3, "8C 8D 8S")]).state.melds
    events = game.apply(LayOff(3, 0, Card.H8))
    assert events[-1] == GameEnded(totals=(25, 55, 55, 0), places=(2, 3, 3, 1))
    assert game.state.phase is Phase.GAME_OVER
    with pytest.raises(RuleViolation, match=r"the game is over.*R2\.1"):
        game.apply(Deal())


def test_r2_2_the_deal_goes_to_the_left() -> None:
    """Each next hand is dealt by the next higher seat, and play begins at the dealer's left (R4.1)."""
    game = Game.new(seed=SEED, players=3)
    first = game.state.dealer
    for hand in range(1, 5):
        assert game.state.dealer == (first + hand - 1) % 3
        assert game.state.turn == (game.state.dealer + 1) % 3
        while game.decisions():
            game.apply(TimeOut(min(game.decisions())))
        game.apply(Deal())


def test_r2_4_no_deal_while_a_hand_is_on() -> None:
    """The next hand is dealt when the last is over, not before."""
    with pytest.raises(RuleViolation, match=r"hand 1 is still being played.*R2\.4"):
        position().apply(Deal())


def test_r3_1_eleven_cards_one_at_a_time_from_the_dealers_left() -> None:
    """Every seat gets each fourth card of the shuffled packs, the dealer's left the first."""
    game = Game.new(seed=SEED, players=4)
    order = game.chance.deal(1, 2)
    state = game.state
    for place in range(4):
        seat = (state.dealer + 1 + place) % 4
        assert state.hands[seat] == order[place:44:4]
    assert state.discards == [order[44]]
    assert state.stock[::-1] == list(order[45:])


def test_r3_2_the_first_upcard_is_offered() -> None:
    """The card beside the stock is live, and the player on the dealer's left is on turn."""
    game = Game.new(seed=SEED, players=4)
    assert game.state.upcard == game.state.discards[0]
    assert game.state.phase is Phase.OFFER
    assert set(game.decisions()) == {0, 1, 2, 3}


def test_r4_2_a_turn_draws_once_plays_and_ends_with_a_discard() -> None:
    """After the discard the next seat is on turn, and the discard is its upcard."""
    game = position(turn=1, hands={1: "2C 3C"})
    events = game.apply(Discard(1, Card.C2))
    assert events == (Discarded(1, Card.C2),)
    assert game.state.turn == 2
    assert game.state.upcard == Card.C2


def test_r4_2_only_who_is_on_turn_and_has_drawn_plays() -> None:
    """Everybody else is refused, and told who is on turn; in an offer nobody plays yet."""
    game = position(turn=1)
    with pytest.raises(RuleViolation, match=r"seat 2 is not on turn: it is seat 1's turn \(R4\.1\)"):
        game.apply(Discard(2, game.state.hands[2][0]))
    offer = Game.new(seed=SEED, players=4)
    turn = offer.state.turn
    with pytest.raises(RuleViolation, match=r"cannot play yet: the offer of .. is open.*R4\.2"):
        offer.apply(Discard(turn, offer.state.hands[turn][0]))


def test_r4_2_only_cards_of_ones_own_hand_are_discarded() -> None:
    """A card that is not held is refused."""
    with pytest.raises(RuleViolation, match=r"9H is not in the hand of seat 0.*R4\.2"):
        position(turn=0, hands={0: "2C 3C"}).apply(Discard(0, Card.H9))


def test_r4_3_r11_1_the_last_card_played_to_the_table_ends_the_hand_without_a_discard() -> None:
    """Laying off the last card wins at once; the winner scores 0 and the others their cards (R12.1)."""
    game = position(turn=0, hands={0: "8H", 1: "3C 9C TC KC", 2: "AC 2C JK", 3: "4D"}, melds=[(0, "8C 8D 8S")])
    events = game.apply(LayOff(0, 0, Card.H8))
    assert isinstance(events[0], LaidOff)
    assert events[1] == HandEnded(
        reason=EndReason.OUT,
        winner=0,
        hands=((), parse_cards("3C 9C TC KC"), parse_cards("AC 2C JK"), parse_cards("4D")),
        scores=(0, 30, 60, 5),
        totals=(0, 30, 60, 5),
    )
    assert game.state.phase is Phase.HAND_OVER


def test_r4_3_laying_down_ones_last_cards_wins() -> None:
    """A lay-down that empties the hand ends the hand as well."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S"})
    events = game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    assert isinstance(events[-1], HandEnded)
    assert events[-1].winner == 0


def test_r4_4_a_player_who_is_down_still_draws_and_discards() -> None:
    """Being down ends nothing: the seat draws, and owes a discard."""
    game = position(phase=Phase.OFFER, turn=0, hands={0: "KC QD"}, melds=[(0, "8C 8D 8S")], discards="2H", discarder=3)
    all_pass(game)
    assert isinstance(game.events[-1], Drew)
    assert set(game.decisions()[0].discards) == set(game.state.hands[0])
    assert len(game.state.hands[0]) == 3


def test_r5_1_the_upcard_is_dead_once_the_turn_has_drawn_from_the_stock() -> None:
    """After a pass the card lies dead; nobody can take it any more (R5.3)."""
    game = position(phase=Phase.OFFER, discards="5H 2H", discarder=3, turn=0)
    all_pass(game)
    assert game.state.upcard is None
    assert game.state.dead == list(parse_cards("5H 2H"))
    with pytest.raises(RuleViolation, match=r"no offer to answer.*R7\.10"):
        game.apply(Answer(0, Claim.TAKE))


def test_r5_2_nothing_beneath_a_taken_upcard_comes_back() -> None:
    """Taking the upcard leaves the dead cards dead: the next upcard is the next discard."""
    game = position(phase=Phase.OFFER, discards="5H 2H", discarder=3, turn=0)
    game.apply(Answer(0, Claim.TAKE))
    assert game.state.discards == game.state.dead == [Card.H5]
    game.apply(Discard(0, Card.H2))
    assert game.state.upcard == Card.H2
    assert game.state.dead == [Card.H5]


def test_r6_contracts_and_buys() -> None:
    """The ten contracts, their sizes and the buys are those of the table in R6."""
    rules = RuleSet()
    assert [contract.size for contract in rules.contracts] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert str(rules.contract(2)) == "1 set of 3, 1 run of 4"
    assert rules.buys == (3,) * 8 + (4,) * 2


def test_r7_2_buys_are_counted_down_and_run_out() -> None:
    """Who has no buy left is not asked."""
    game = position(phase=Phase.OFFER, turn=0, discards="5H", discarder=3)
    game.state.buys_left[1] = 1
    game.apply(Answer(0, Claim.PASS))
    for seat in game.state.asked.order[1:]:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, Claim.BUY if seat == 1 else Claim.PASS))
    assert game.state.buys_left[1] == 0
    game.apply(Discard(0, game.state.hands[0][0]))
    all_pass(game)
    game.apply(Discard(1, game.state.hands[1][0]))
    assert 1 not in game.state.asked.order
    assert 0 in game.state.asked.order


def test_r7_8_a_buy_needs_two_cards_in_the_stock_and_never_reshuffles() -> None:
    """With two cards in the stock a buy is offered; the player on turn then draws from a new stock (R13.2)."""
    game = position(phase=Phase.OFFER, turn=0, discards="3D 5D 5H", discarder=3, stock="9C TC")
    buyer = game.state.asked.order[1]
    game.apply(Answer(0, Claim.PASS))
    events = game.apply(Answer(buyer, Claim.BUY))
    assert [type(event) for event in events[1:]] == [OfferClosed, Reshuffled, Drew]
    assert sorted(events[2].stock) == sorted(parse_cards("3D 5D"))  # type: ignore[union-attr]
    poor = position(phase=Phase.OFFER, turn=0, discards="3D 5D 5H", discarder=3, stock="9C")
    assert poor.state.asked.order == (0,)


def test_r8_5_all_melds_of_the_contract_at_once() -> None:
    """Fewer melds, more melds, other kinds or shorter melds are refused, and nothing has changed."""
    hand = "8C 8D 8S 9C 9D 9S KC KD KS 4H 5H 6H 7H"
    for melds in (("8C 8D 8S",), ("8C 8D 8S", "9C 9D 9S", "KC KD KS"), ("8C 8D 8S", "4H 5H 6H 7H")):
        game = position(turn=0, hands={0: hand})
        before = game.state.copy()
        with pytest.raises(RuleViolation, match=r"hand 1 asks for 2 sets of 3.*R8\.5"):
            game.apply(lay_down(0, *melds))
        assert game.state == before


def test_r8_5_no_melds_are_no_lay_down() -> None:
    """An empty lay-down is refused."""
    with pytest.raises(RuleViolation, match=r"nothing to lay down.*R8\.5"):
        position(turn=0).apply(LayDown(0, ()))


def test_r8_5_once_per_hand_and_from_ones_own_cards() -> None:
    """A second lay-down is refused, and so are cards that the hand lacks, also the second of a kind."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S 2C"})
    with pytest.raises(RuleViolation, match=r"lacks 8C \(R8\.5\)"):
        game.apply(lay_down(0, "8C 8C 8S", "9C 9D 9S"))
    game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    with pytest.raises(RuleViolation, match=r"seat 0 is down already.*R8\.5"):
        game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))


def test_r8_5_a_meld_may_be_longer_than_asked() -> None:
    """4H JK JK JK 8H 9H serves where a run of 5 is asked, although no five of its cards do."""
    game = position(turn=0, hand=6, hands={0: "2C 2D 2S 3C 3D 3S 4H JK JK JK 8H 9H KC"})
    events = game.apply(lay_down(0, "2C 2D 2S", "3C 3D 3S", "4H JK JK JK 8H 9H"))
    assert isinstance(events[0], LaidDown)
    assert game.state.melds[2].rank == 4
    assert game.state.melds[2].stands_for(1) == Card.H5


def test_r8_6_two_sets_of_one_rank_are_two_melds() -> None:
    """Six eights fulfil hand 1."""
    game = position(players=5, turn=0, hands={0: "8C 8D 8S 8C 8D 8H 2C"})
    game.apply(lay_down(0, "8C 8D 8S", "8C 8D 8H"))
    assert [meld.rank for meld in game.state.melds] == [8, 8]


def test_r9_1_only_who_is_down_lays_off_also_at_once() -> None:
    """Before laying down a lay-off is refused; in the turn of the lay-down it is not."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S 2C KH"}, melds=[(1, "KC KD KS")])
    with pytest.raises(RuleViolation, match=r"seat 0 is not down.*R9\.1"):
        game.apply(LayOff(0, 0, Card.HK))
    game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    game.apply(LayOff(0, 0, Card.HK))
    assert str(game.state.melds[0]) == "KC KD KS KH"


def test_r9_1_the_meld_must_be_there() -> None:
    """A meld that is not on the table is refused by its number."""
    game = position(turn=0, hands={0: "KH 2C"}, melds=[(0, "KC KD KS")])
    with pytest.raises(RuleViolation, match=r"no meld 1 on the table: the melds are 0 to 0 \(R9\.1\)"):
        game.apply(LayOff(0, 1, Card.HK))


@pytest.mark.parametrize(
    ("card", "end", "after"),
    [("3H", End.LOW, "3H 4H 5H 6H 7H"), ("8H", End.HIGH, "4H 5H 6H 7H 8H"), ("JK", End.LOW, "JK 4H 5H 6H 7H")],
)
def test_r9_2_a_run_takes_the_next_card_at_either_end(card: str, end: End, after: str) -> None:
    """The next card of its suit, or a joker at the end that is chosen."""
    game = position(turn=0, hands={0: f"{card} 2C"}, melds=[(0, "4H 5H 6H 7H")])
    game.apply(LayOff(0, 0, Card.parse(card), end))
    assert str(game.state.melds[0]) == after


@pytest.mark.parametrize(
    ("meld", "card", "end", "says"),
    [
        ("4H 5H 6H 7H", "9H", End.HIGH, "9H does not fit the high end"),
        ("4H 5H 6H 7H", "8D", End.HIGH, "8D does not fit the high end"),
        ("4H 5H 6H 7H", "8H", End.LOW, "8H does not fit the low end"),
        ("4H 5H 6H 7H", "8H", None, "has two ends"),
        ("JH QH KH AH", "JK", End.HIGH, "takes nothing more at its high end"),
        ("2H 3H 4H 5H", "AH", End.LOW, "takes nothing more at its low end"),
        ("8C 8D 8S", "9H", None, "9H does not fit the set"),
        ("8C 8D 8S", "8H", End.HIGH, "a set has no ends"),
    ],
)
def test_r9_2_what_does_not_fit_is_refused(meld: str, card: str, end: End | None, says: str) -> None:
    """Wrong rank, suit or end, and beyond 2 and A, a joker too."""
    game = position(turn=0, hands={0: f"{card} 2C"}, melds=[(0, meld)])
    with pytest.raises(RuleViolation, match=rf"{says}.*R9\.2"):
        game.apply(LayOff(0, 0, Card.parse(card), end))


def test_r8_3_holds_after_every_lay_off() -> None:
    """A meld with as many jokers as other cards takes no further joker, but a natural card and then a joker."""
    game = position(turn=0, hands={0: "8H JK 2C"}, melds=[(0, "8C 8D JK JK")])
    with pytest.raises(RuleViolation, match=r"cannot take another joker.*R8\.3"):
        game.apply(LayOff(0, 0, JOKER))
    game.apply(LayOff(0, 0, Card.H8))
    game.apply(LayOff(0, 0, JOKER))
    assert game.state.melds[0].jokers == 3


def test_r10_1_the_card_that_a_joker_stands_for_takes_its_place() -> None:
    """In a run exactly that card, in a set any of the rank; the joker comes into the hand (R10.3)."""
    game = position(turn=0, hands={0: "6H 8H KC"}, melds=[(1, "4H 5H JK 7H"), (0, "8C 8D JK")])
    assert game.apply(Swap(0, 0, 2, Card.H6))[0] == Swapped(0, 2, Card.H6, game.state.melds[0])
    game.apply(Swap(0, 1, 2, Card.H8))
    assert game.state.hands[0] == parse_cards("KC JK JK")
    game.apply(Discard(0, Card.CK))
    assert game.state.hands[0] == (JOKER, JOKER)


@pytest.mark.parametrize(
    ("card", "meld", "index", "says"),
    [
        (Card.H9, 0, 2, "9H is not what the joker at place 2 of 4H 5H JK 7H stands for"),
        (Card.H6, 0, 1, "no joker at place 1"),
        (Card.H6, 0, 7, "no joker at place 7"),
        (JOKER, 0, 2, "not for another joker"),
        (Card.H6, 1, 2, "6H is not what the joker"),
    ],
)
def test_r10_1_any_other_swap_is_refused(card: Card, meld: int, index: int, says: str) -> None:
    """Another card, a place without a joker, and a joker for a joker."""
    game = position(turn=0, hands={0: "6H 9H JK KC"}, melds=[(1, "4H 5H JK 7H"), (0, "8C 8D JK")])
    with pytest.raises(RuleViolation, match=rf"{says}.*R10\.1"):
        game.apply(Swap(0, meld, index, card))


def test_r10_2_who_is_not_down_must_be_able_to_lay_down_with_the_joker() -> None:
    """The swap is refused where the hand could not; where it could, the lay-down is owed before the discard."""
    game = position(turn=0, hands={0: "8H 9C 9D 9S KC KD 2C"}, melds=[(1, "8C 8D JK")])
    game.apply(Swap(0, 0, 2, Card.H8))
    assert game.state.must_lay_down
    decision = game.decisions()[0]
    assert decision.must_lay_down
    assert decision.discards == ()
    with pytest.raises(RuleViolation, match=r"must lay down before discarding.*R10\.2"):
        game.apply(Discard(0, Card.C2))
    game.apply(lay_down(0, "9C 9D 9S", "KC KD JK"))
    game.apply(Discard(0, Card.C2))
    poor = position(turn=0, hands={0: "8H 9C 9D 3S KC KD 2C"}, melds=[(1, "8C 8D JK")])
    with pytest.raises(RuleViolation, match=r"could not lay down 2 sets of 3 with this joker.*R10\.2"):
        poor.apply(Swap(0, 0, 2, Card.H8))


def test_r10_2_may_swap_again_under_the_same_condition() -> None:
    """A second swap before the lay-down is lawful where the hand after it can still lay down, and only there."""
    game = position(turn=0, hands={0: "8H 6H 9C 9D 9S KC KD 2C"}, melds=[(1, "8C 8D JK"), (1, "4H 5H JK 7H")])
    game.apply(Swap(0, 0, 2, Card.H8))
    game.apply(Swap(0, 1, 2, Card.H6))
    assert game.state.hands[0].count(JOKER) == 2
    assert game.state.must_lay_down
    other = position(turn=0, hands={0: "8H KH 9C 9D 9S KC 2C 2D"}, melds=[(1, "8C 8D JK"), (1, "JH QH JK AH")])
    other.state.hands[0] = tuple(sorted(parse_cards("8H KH 9C 9D 9S KC 3C 4D")))
    other.apply(Swap(0, 0, 2, Card.H8))
    with pytest.raises(RuleViolation, match=r"R10\.2"):
        other.apply(Swap(0, 1, 2, Card.HK))


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


def test_r11_3_a_floating_player_is_down_and_scores_nothing() -> None:
    """He is not asked to buy, and has no cards to count when the hand ends."""
    game = position(turn=1, hands={0: "", 1: "8H", 2: "KC", 3: "QC"}, melds=[(0, "8C 8D 8S"), (1, "9C 9D 9S")])
    assert game.state.floats(0)
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
