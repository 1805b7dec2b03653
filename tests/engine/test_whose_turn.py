"""Who may do what and when: turns, offers, dead cards, and the refusals of whatever comes at the wrong time."""

from __future__ import annotations

import pytest
from positions import SEED, accepted, all_pass, lay_down, position, refused

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayOff, Swap, TimeOut
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.event import DrawSource, Drew, OfferClosed, OfferResult
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRules
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase

PLAYS: tuple[Action, ...] = (
    Discard(0, Card.C2),
    LayOff(0, 0, Card.C2),
    Swap(0, 0, 0, Card.C2),
    lay_down(0, "8C 8D 8S", "9C 9D 9S"),
)
"""One play of each kind by seat 0."""


def an_offer(**parts: object) -> Game:
    """Give an open offer of 5H with seat 0 on turn."""
    parts = {"turn": 0, "discards": "3D 4D 5H", "discarder": 3, **parts}
    return position(phase=Phase.OFFER, **parts)  # type: ignore[arg-type]


def over(*, game_too: bool) -> Game:
    """Give a game whose hand has just ended, and if so asked the game with it."""
    game = position(turn=0, hand=10 if game_too else 1, hands={0: "8H"}, melds=[(0, "8C 8D 8S")])
    game.apply(LayOff(0, 0, Card.H8))
    return game


@pytest.mark.parametrize("players", range(2, 9))
def test_r4_1_the_dealers_left_begins_and_turns_go_clockwise(players: int) -> None:
    """Every next turn is that of the next higher seat, and after the last of seat 0."""
    game = Game.new(seed=SEED, players=players)
    turns = []
    for _ in range(2 * players):
        turns.append(game.state.turn)
        all_pass(game)
        game.apply(TimeOut(game.state.turn))
    assert turns == [(game.state.dealer + 1 + step) % players for step in range(2 * players)]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: type(play).__name__)
def test_r4_1_nobody_plays_out_of_turn(play: Action) -> None:
    """Each kind of play by a seat that is not on turn is refused, its time-out too."""
    game = position(turn=2, hands={0: "2C 8C 8D 8S 9C 9D 9S"}, melds=[(0, "KC KD JK")])
    refused(game, play, Refusal.NOT_YOUR_TURN)
    refused(game, TimeOut(0), Refusal.NOT_YOUR_TURN)


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: type(play).__name__)
def test_r4_2_the_draw_comes_before_every_play(play: Action) -> None:
    """While the offer is open the player on turn has not drawn, and plays nothing; afterwards he has one card more."""
    game = an_offer(hands={0: "2C 8C 8D 8S 9C 9D 9S"}, melds=[(1, "KC KD JK")])
    refused(game, play, Refusal.OFFER_IS_OPEN)
    all_pass(game)
    assert len(game.state.hands[0]) == 8


def test_r4_2_after_the_draw_there_is_no_other_draw() -> None:
    """No answer takes a second card in a turn: there is no offer until the discard."""
    game = position(turn=0)
    for claim in (Claim.TAKE, Claim.BUY, Claim.PASS):
        refused(game, Answer(0, claim), Refusal.NO_OFFER_IS_OPEN)


def test_r2_4_between_hands_nothing_is_played() -> None:
    """Every play and answer waits for the next deal; the deal is accepted, and deals hand 2."""
    game = over(game_too=False)
    for action in (*PLAYS, Answer(0, Claim.PASS), TimeOut(0)):
        refused(game, action, Refusal.HAND_IS_OVER)
    assert accepted(game, Deal()).state.hand == 2


def test_r2_4_a_hand_is_dealt_only_when_the_last_is_over() -> None:
    """A deal in an offer and in a turn is refused."""
    refused(an_offer(), Deal(), Refusal.HAND_IS_ON)
    refused(position(turn=0), Deal(), Refusal.HAND_IS_ON)


def test_r2_1_after_the_tenth_hand_nothing_is_played_or_dealt() -> None:
    """The game is over for every kind of action."""
    game = over(game_too=True)
    for action in (*PLAYS, Answer(0, Claim.PASS), TimeOut(0), Deal()):
        refused(game, action, Refusal.GAME_IS_OVER)


def test_r2_2_seats_are_numbered_from_0() -> None:
    """A seat below 0 or above the last is refused in an offer, in a turn, between hands and after the game."""
    games = (an_offer(), position(turn=0), over(game_too=False), over(game_too=True))
    for game in games:
        for seat in (-1, 4):
            refused(game, Answer(seat, Claim.PASS), Refusal.NO_SUCH_SEAT)
            refused(game, Discard(seat, Card.C2), Refusal.NO_SUCH_SEAT)
            refused(game, TimeOut(seat), Refusal.NO_SUCH_SEAT)


@pytest.mark.parametrize("players", range(2, 9))
def test_r2_2_the_first_dealer_is_drawn_from_the_seed(players: int) -> None:
    """The same seed draws the same dealer, and among some seeds every seat is drawn."""
    dealers = [Game.new(seed=bytes([number]) * 32, players=players).state.dealer for number in range(60)]
    assert dealers == [Game.new(seed=bytes([number]) * 32, players=players).state.dealer for number in range(60)]
    assert set(dealers) == set(range(players))


def test_r5_1_the_upcard_is_live_from_its_discard_until_it_is_taken() -> None:
    """It is live while the offer is open, and gone when the player on turn has it."""
    game = position(turn=3, hands={3: "5H 2C"})
    game.apply(Discard(3, Card.H5))
    assert game.state.upcard == game.view(1).public.upcard == Card.H5
    taken = accepted(game, Answer(0, Claim.TAKE))
    assert taken.state.upcard is None
    assert Card.H5 in taken.state.hands[0]
    assert Card.H5 not in taken.state.dead


def test_r5_3_nobody_can_take_a_dead_card_but_everybody_sees_them_in_order() -> None:
    """What an offer gives is its upcard, never what lies beneath; spectators see the dead cards too."""
    game = an_offer()
    assert game.view(None).public.dead == game.view(2).public.dead == parse_cards("3D 4D")
    all_pass(game)
    for seat in range(4):
        refused(game, Answer(seat, Claim.TAKE), Refusal.NO_OFFER_IS_OPEN)
        refused(game, Answer(seat, Claim.BUY), Refusal.NO_OFFER_IS_OPEN)
    assert game.view(None).public.dead == parse_cards("3D 4D 5H")


def test_r5_3_a_buy_takes_the_upcard_and_no_dead_card() -> None:
    """The cards beneath stay where they are."""
    game = an_offer(stock="6C 7C 8C 9C")
    buyer = game.state.asked.order[1]
    game.apply(Answer(0, Claim.PASS))
    game.apply(Answer(buyer, Claim.BUY))
    assert game.state.dead == list(parse_cards("3D 4D"))
    assert game.state.hands[buyer][-3:] == parse_cards("5H 6C 7C")


def test_r7_1_only_a_live_upcard_is_bought_and_what_was_bought_waits_for_the_own_turn() -> None:
    """The buyer plays none of the three cards before his turn."""
    game = an_offer(stock="8C 8D 9C TC", hands={2: "8S 9D 9S 9H KC"}, discards="3D 8H")
    game.apply(Answer(0, Claim.PASS))
    for seat in game.state.asked.order[1:]:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, Claim.BUY if seat == 2 else Claim.PASS))
    assert game.state.turn == 0
    refused(game, lay_down(2, "8C 8D 8H", "9D 9S 9H"), Refusal.NOT_YOUR_TURN)


def test_r7_2_four_buys_in_hands_9_and_10_and_three_before() -> None:
    """Every hand's deal gives the buys of R6's table."""
    game = Game.new(seed=SEED, players=3)
    for hand in range(1, 11):
        assert game.state.buys_left == [3 if hand <= 8 else 4] * 3
        while game.decisions():
            game.apply(TimeOut(min(game.decisions())))
        if hand < 10:
            game.apply(Deal())


def test_r7_3_a_player_who_is_down_cannot_buy() -> None:
    """Only who is not down is asked; on turn, who is down takes or passes."""
    game = an_offer(down=(1, 0))
    assert 1 not in game.decisions()
    refused(game, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)
    refused(game, Answer(1, Claim.PASS), Refusal.NOT_IN_THE_OFFER)
    assert game.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
    refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY)
    assert 2 in an_offer().decisions()
    pair = an_offer(players=2, discarder=1, down=(0,))
    refused(pair, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY_NOW)


@pytest.mark.parametrize("dealer", range(4))
def test_r7_4_the_dealer_comes_last_of_the_buyers(dealer: int) -> None:
    """Whoever deals and whoever's turn it is, priority goes by seat from the dealer's left."""
    game = Game.new(seed=SEED, players=4)
    while game.state.dealer != dealer:
        while game.decisions():
            game.apply(TimeOut(min(game.decisions())))
        game.apply(Deal())
    for _ in range(4):
        turn = game.state.turn
        order = [seat for step in range(1, 5) if (seat := (dealer + step) % 4) not in {turn, game.state.discarder}]
        assert list(game.state.asked.order) == [turn, *order]
        all_pass(game)
        game.apply(TimeOut(turn))


def test_r7_4_one_upcard_is_sold_once() -> None:
    """Of several claims one is served, and nobody else pays or gets a card."""
    game = an_offer(stock="6C 7C 8C 9C")
    first, second = game.state.asked.order[1:3]
    before = [len(hand) for hand in game.state.hands]
    for seat, claim in ((second, Claim.BUY), (first, Claim.BUY), (0, Claim.PASS)):
        game.apply(Answer(seat, claim))
    assert len(game.state.hands[first]) == before[first] + 3
    assert len(game.state.hands[second]) == before[second]
    assert game.state.buys_left[second] == 3


def test_r7_5_only_the_player_on_turn_takes() -> None:
    """Anybody else who wants the card buys it."""
    game = an_offer()
    buyer = game.state.asked.order[1]
    refused(game, Answer(buyer, Claim.TAKE), Refusal.TAKE_IS_FOR_THE_TURN)
    accepted(game, Answer(buyer, Claim.BUY))


def test_r7_7_a_buy_does_not_change_whose_turn_it_is() -> None:
    """The player on turn draws the stock's next card and plays; after him comes the next seat, not the buyer's."""
    game = an_offer(stock="6C 7C 8C 9C")
    buyer = game.state.asked.order[-1]
    for seat in game.state.asked.order:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, Claim.BUY if seat == buyer else Claim.PASS))
    assert game.events[-1] == Drew(0, DrawSource.STOCK, Card.C8)
    assert (game.state.turn, game.state.phase) == (0, Phase.PLAY)
    game.apply(TimeOut(0))
    assert game.state.turn == 1


def test_r7_8_the_first_upcard_was_discarded_by_nobody_and_all_may_buy_it() -> None:
    """Of a hand's first offer everybody but the player on turn can be the buyer."""
    for players in range(3, 9):
        game = Game.new(seed=SEED, players=players)
        assert set(game.state.asked.order) == set(range(players))


def test_r7_10_everybody_who_is_asked_answers_once() -> None:
    """Who is asked answers with any claim he has; a second answer is refused, even the same."""
    game = an_offer()
    last = game.state.asked.order[-1]
    once = accepted(game, Answer(last, Claim.PASS))
    refused(once, Answer(last, Claim.PASS), Refusal.ALREADY_ANSWERED)
    refused(once, Answer(last, Claim.BUY), Refusal.ALREADY_ANSWERED)
    refused(once, TimeOut(last), Refusal.ALREADY_ANSWERED)


def test_r7_11_a_time_out_is_the_tables_to_give() -> None:
    """No seat answers with it; the table's time-out is accepted for who has not answered."""
    game = an_offer()
    refused(game, Answer(0, Claim.TIMEOUT), Refusal.TIMEOUT_IS_THE_TABLES)
    assert accepted(game, TimeOut(0)).state.answers == {0: Claim.TIMEOUT}


def test_r7_11_the_offer_closes_as_soon_as_its_outcome_is_certain() -> None:
    """A take of the player on turn closes it at once; a buy only when everybody before has passed."""
    game = an_offer()
    order = game.state.asked.order
    assert accepted(game, Answer(0, Claim.TAKE)).state.phase is Phase.PLAY
    open_still = accepted(game, Answer(order[1], Claim.BUY))
    assert open_still.state.phase is Phase.OFFER
    closed = accepted(open_still, Answer(0, Claim.PASS))
    assert closed.state.phase is Phase.PLAY
    refused(closed, Answer(order[2], Claim.BUY), Refusal.NO_OFFER_IS_OPEN)


def test_r7_13_who_does_not_get_the_upcard_draws_from_the_stock_at_once() -> None:
    """With the close of the offer the draw has happened, and the player on turn owes a play."""
    game = an_offer(stock="6C 7C 8C 9C")
    all_pass(game)
    closed, drew = game.events[-2:]
    assert isinstance(closed, OfferClosed)
    assert closed.result is OfferResult.NONE
    assert drew == Drew(0, DrawSource.STOCK, Card.C6)
    assert set(game.decisions()) == {0}
    taken = an_offer(stock="6C 7C 8C 9C")
    taken.apply(Answer(0, Claim.TAKE))
    assert taken.events[-1] == Drew(0, DrawSource.UPCARD, Card.H5)
    assert len(taken.state.stock) == 4


@pytest.mark.parametrize("hand", range(1, 11))
def test_r6_the_contract_of_each_hand_is_asked(hand: int) -> None:
    """In every hand its own contract is laid down, and that of any other hand is refused."""
    melds = {
        1: ("3C 3D 3S", "4C 4D 4S"),
        2: ("3C 3D 3S", "4H 5H 6H 7H"),
        3: ("4H 5H 6H 7H", "4S 5S 6S 7S"),
        4: ("3C 3D 3S", "4C 4D 4S", "5C 5D 5S"),
        5: ("3C 3D 3S", "4H 5H 6H 7H 8H 9H TH"),
        6: ("3C 3D 3S", "4C 4D 4S", "4H 5H 6H 7H 8H"),
        7: ("4H 5H 6H 7H", "4S 5S 6S 7S", "4D 5D 6D 7D"),
        8: ("3C 3D 3S", "4H 5H 6H 7H 8H 9H TH JH QH KH"),
        9: ("3C 3D 3S", "4C 4D 4S", "5C 5D 5S", "4H 5H 6H 7H 8H"),
        10: ("4H 5H 6H 7H 8H", "4S 5S 6S 7S 8S", "4D 5D 6D 7D 8D"),
    }
    for other, said in melds.items():
        game = position(turn=0, hand=hand, hands={0: " ".join((*said, "KC"))})
        # Longer melds than those that are asked are welcome (R8.5).
        if other == hand or (hand, other) in {(2, 5), (2, 8), (5, 8), (7, 10)}:
            accepted(game, lay_down(0, *said))
        else:
            refused(game, lay_down(0, *said), Refusal.NOT_THE_CONTRACT)


def test_r8_5_only_on_ones_own_turn_after_drawing() -> None:
    """The same lay-down is refused before the draw and in somebody else's turn, and accepted after it."""
    hands = {0: "8C 8D 8S 9C 9D 9S 2C"}
    play = lay_down(0, "8C 8D 8S", "9C 9D 9S")
    refused(an_offer(hands=hands), play, Refusal.OFFER_IS_OPEN)
    refused(position(turn=1, hands=hands), play, Refusal.NOT_YOUR_TURN)
    accepted(position(turn=0, hands=hands), play)


def test_r9_1_laying_off_asks_for_being_down_and_a_meld_that_is_there() -> None:
    """Who is not down is refused, and a meld that does not lie there; anybody's meld takes the card."""
    hands = {0: "8H 2C"}
    refused(position(turn=0, hands=hands, melds=[(1, "8C 8D 8S")]), LayOff(0, 0, Card.H8), Refusal.NOT_DOWN)
    game = position(turn=0, hands=hands, melds=[(1, "8C 8D 8S")], down=(0,))
    accepted(game, LayOff(0, 0, Card.H8))
    for meld in (-1, 1):
        refused(game, LayOff(0, meld, Card.H8), Refusal.NO_SUCH_MELD)
        refused(game, Swap(0, meld, 0, Card.H8), Refusal.NO_SUCH_MELD)
    bare = position(turn=0, hands=hands, down=(0,))
    refused(bare, LayOff(0, 0, Card.H8), Refusal.NO_MELDS_YET)
    refused(game, LayOff(0, 0, Card.C8), Refusal.CARD_NOT_IN_HAND)
    refused(game, Swap(0, 0, 0, Card.C8), Refusal.CARD_NOT_IN_HAND)


@pytest.mark.parametrize("players", [1, 9])
def test_r1_2_the_rules_themselves_say_how_many_can_play(players: int) -> None:
    """Two to eight, whatever else a table changes."""
    with pytest.raises(BadRules, match=r"2 to 8 players \(R1\.2, R16\)"):
        RuleSet(packs=(6,) * 7).check_players(players)
