"""The built-in players: whole games, choices in named situations, and that they need nothing but their view."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from playing import Player, bot_game, eager_player, game_seed, play, random_player
from positions import position

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.bots.outlook import Outlook, gone_cards
from shanghai_engine.bots.seen import collected
from shanghai_engine.card import CARDS, JOKER, Card, cards_text, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.decision import Decision, DecisionId, DecisionKind
from shanghai_engine.event import EndReason, OfferResult
from shanghai_engine.game import Game
from shanghai_engine.history import OfferSettled
from shanghai_engine.meld import End
from shanghai_engine.rules import LITERAL, STANDARD, RuleSet
from shanghai_engine.solver import distance, outs
from shanghai_engine.state import Phase
from shanghai_engine.view import OwnView, PublicView, SeatView, View

BASIC = LEVELS["basic"]
PLAYERS = range(2, 9)


def choice(game: Game, seat: int) -> Action:
    """Give what the basic player does in a seat that owes something."""
    decision = game.decisions()[seat]
    return BASIC.decide(game.view(seat), decision, rng_for("test", seat, decision.id))


def turn_of(game: Game) -> list[Action]:
    """Let the basic player play its turn to the end, and give what it did."""
    seat, actions = game.state.turn, list[Action]()
    while game.state.phase is Phase.PLAY and game.state.turn == seat:
        actions.append(choice(game, seat))
        game.apply(actions[-1])
    return actions


def offer(
    upcard: str,
    hand: str,
    *,
    number: int = 1,
    seat: int = 2,
    turn: int = 1,
    players: int = 4,
    melds: tuple[tuple[int, str], ...] = (),
    stock: str | None = None,
) -> Game:
    """Give an open offer to a seat that holds these cards in the hand with this number."""
    return position(
        players=players,
        hand=number,
        turn=turn,
        hands={seat: hand, **{owner: "" for owner, _ in melds if owner != seat}},
        melds=melds,
        discards=upcard,
        stock=stock,
        phase=Phase.OFFER,
        discarder=(turn - 1) % players,
    )


@pytest.mark.parametrize("players", PLAYERS)
def test_a_whole_game_of_bots_ends_with_lawful_choices_only(players: int) -> None:
    """Ten hands are played to their end, every choice being one of those listed, and most end by going out."""

    def is_listed(game: Game, action: Action) -> None:
        owed = game.decisions()
        assert not owed or action in set(owed[action.seat].actions())  # type: ignore[union-attr]

    game = Game.new(seed=game_seed(players), players=players)
    play(game, [BASIC.decide] * players, salt="whole", watch=is_listed)
    assert len(game.state.results) == 10
    assert sum(result.reason is EndReason.OUT for result in game.state.results) >= 7


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
def test_nine_hands_of_ten_end_by_going_out(players: int) -> None:
    """In 200 games at least 90 % of the hands are won; with two players those of the contracts beyond the deal too."""
    won, played = Counter[int](), Counter[int]()
    for number in range(200):
        for result in bot_game(BASIC, players=players, number=number).state.results:
            played[result.hand] += 1
            won[result.hand] += result.reason is EndReason.OUT
    assert won.total() >= 0.9 * played.total()
    if players == 2:
        assert all(won[hand] >= 0.9 * played[hand] for hand in (8, 9, 10))


@pytest.mark.parametrize("other", [random_player, eager_player])
def test_a_bot_plays_on_among_strange_players(other: Player) -> None:
    """Whatever the others do, the bot has a lawful answer, and is not behind them in the end."""
    game = Game.new(seed=game_seed(5), players=3)
    play(game, [other, BASIC.decide, other], salt="strange")
    assert game.state.places[1] == 1


@pytest.mark.parametrize(
    "rules",
    [
        LITERAL,
        RuleSet(buy_extra_cards=0, buys=(-1,) * 10),
        RuleSet(buy_extra_cards=3, down_may_buy=True, turn_may_buy="always", buy_priority="turn_left"),
        RuleSet(joker_swap="nobody", buys=(5,) * 10),
        RuleSet(joker_swap="down_only", swap_in_sets=False, cards_dealt=(15,) * 10),
        RuleSet(
            contracts=(Contract(sets=(4, 3)), Contract(sets=(5,), runs=(6, 4)), Contract(runs=(4,) * 3)),
            buys=(3, 4, 3),
            cards_dealt=(11, 12, 5),
            turn_limit=40,
        ),
    ],
    ids=["literal", "no extra cards", "who is down buys", "no swaps", "swaps when down", "other contracts"],
)
def test_house_rules_are_played_too(rules: RuleSet) -> None:
    """A game under any rules that the engine plays ends, and somebody gets down in it."""
    game = bot_game(BASIC, players=3, number=1, rules=rules)
    assert len(game.state.results) == rules.hands
    assert any(result.reason is EndReason.OUT for result in game.state.results)


def test_the_levels_are_named_and_there_is_a_default() -> None:
    """Each level stands under its own name and says in a sentence how it plays."""
    assert DEFAULT_LEVEL in LEVELS
    assert all(bot.name == name and bot.about.endswith(".") for name, bot in LEVELS.items())


def test_the_same_view_decision_and_chance_give_the_same_choice() -> None:
    """Two games with the same seed and salt are equal to the last event."""
    games = [bot_game(BASIC, players=4, number=9) for _ in range(2)]
    assert games[0].events == games[1].events


def test_chance_differs_by_salt_seat_and_decision_only() -> None:
    """The chance of a decision is made from these three alone, text and bytes alike."""
    at = DecisionId(3, 17, 1)
    first = rng_for("salt", 2, at).random()
    assert first == rng_for(b"salt", 2, DecisionId(3, 17, 1)).random()
    others = {
        rng_for("other", 2, at).random(),
        rng_for("salt", 1, at).random(),
        rng_for("salt", 2, DecisionId(3, 1, 71)).random(),
    }
    assert len({first, *others}) == 4


def test_a_view_is_all_that_a_bot_needs() -> None:
    """A view and a decision that were written by hand, without any game, are answered."""
    hand = parse_cards("5C 8C 9D 5D TD 8H QH KS 8S")
    public = PublicView(
        rules=STANDARD,
        phase=Phase.OFFER,
        hand=1,
        contract=STANDARD_CONTRACTS[0],
        dealer=0,
        turn=1,
        turn_number=1,
        step=0,
        stock=40,
        upcard=Card.H5,
        dead=(),
        melds=(),
        seats=tuple(
            SeatView(name=f"{seat}", cards=9, buys_left=3, down=False, floats=False, total=0) for seat in range(3)
        ),
        claim_order=(1, 2, 0),
        reshuffles=0,
        commitment=b"",
        nonces=(),
        hand_commitment=b"",
        events=(),
        results=(),
        places=(),
        game_seed=None,
    )
    view = View(public=public, own=OwnView(seat=2, hand=hand, drawn=None, answer=None, learned=()))
    decision = Decision(
        seat=2,
        id=DecisionId(1, 1, 0),
        kind=DecisionKind.OFFER,
        claims=(Claim.BUY, Claim.PASS),
        claim_order=(1, 2, 0),
        place=1,
    )
    assert BASIC.decide(view, decision, random.Random(1)) == Answer(2, Claim.BUY)


def test_a_spectators_view_is_refused() -> None:
    """Without a hand of its own there is nothing to decide on, and the error says which view is needed."""
    game = position(turn=1)
    with pytest.raises(ValueError, match=r"seat 1 cannot decide on a spectator's view"):
        BASIC.decide(game.view(), game.decisions()[1], random.Random(1))


# The offer


def test_buys_the_card_that_completes_the_contract() -> None:
    """With one card missing for two sets, that card is bought."""
    assert choice(offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S"), 2) == Answer(2, Claim.BUY)


def test_takes_the_card_that_completes_the_contract() -> None:
    """On turn, the missing card is taken instead of an unknown one."""
    assert choice(offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=1), 1) == Answer(1, Claim.TAKE)


@pytest.mark.parametrize("seat", [1, 2])
def test_passes_on_rubbish(seat: int) -> None:
    """A card that fits nothing is neither taken nor bought."""
    assert choice(offer("AS", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=seat), seat) == Answer(seat, Claim.PASS)


@pytest.mark.parametrize("seat", [1, 2])
def test_wants_every_joker(seat: int) -> None:
    """A joker is taken on turn, and bought where the hand is no larger than its contract needs."""
    game = offer("JK", "3C 4C 7D 8D 9D 2H 5H KH 6S TS AS", number=10, seat=seat)
    assert choice(game, seat) == Answer(seat, Claim.TAKE if seat == 1 else Claim.BUY)


def test_buys_a_mediocre_card_in_hand_10_while_short() -> None:
    """Three runs of five ask for 15 cards: with 11 a card is bought that would be left in hand 3."""
    hand, upcard = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", "9H"
    assert choice(offer(upcard, hand, number=10), 2) == Answer(2, Claim.BUY)
    assert choice(offer(upcard, hand, number=3), 2) == Answer(2, Claim.PASS)


def test_r7_9_the_player_on_turn_buys_with_two_players_while_short() -> None:
    """A card that is of use is bought rather than taken where only buys make the hand large enough."""
    hand = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS"
    assert choice(offer("5C", hand, number=10, seat=1, players=2), 1) == Answer(1, Claim.BUY)
    assert choice(offer("5C", hand, number=3, seat=1, players=2), 1) == Answer(1, Claim.TAKE)


def test_does_not_buy_once_somebody_is_down_and_the_contract_is_far() -> None:
    """Three more cards would only be counted against it."""
    hand, upcard = "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", "5C"
    melds = ((0, "3D 4D 5D 6D 7D"), (0, "6H 7H 8H 9H TH"), (0, "9S TS JS QS KS"))
    assert choice(offer(upcard, hand, number=10), 2) == Answer(2, Claim.BUY)
    assert choice(offer(upcard, hand, number=10, melds=melds), 2) == Answer(2, Claim.PASS)


MELDS = ((1, "8C 8D 8S"), (1, "4H 5H 6H 7H"))


def test_passes_when_down_and_the_upcard_fits_nowhere() -> None:
    """Who is down has no use for a card that cannot be laid off."""
    assert choice(offer("KC", "2C QD", seat=1, melds=MELDS), 1) == Answer(1, Claim.PASS)


@pytest.mark.parametrize("upcard", ["8H", "3H", "8C", "JK"])
def test_takes_when_down_what_can_be_laid_off(upcard: str) -> None:
    """A card that can be played at once is better than an unknown one."""
    assert choice(offer(upcard, "2C QD", seat=1, melds=MELDS), 1) == Answer(1, Claim.TAKE)


def test_r7_5_takes_a_middling_card_that_somebody_else_collects() -> None:
    """On turn, a card that is not quite worth the draw is taken where that denies it to a collector of its kind."""
    game = offer("2H", "3C 4C 7D 8D JD 3H 5H KH 6S TS QS", number=3, seat=1)
    view, decision = game.view(1), game.decisions()[1]
    assert BASIC.decide(view, decision, random.Random(1)) == Answer(1, Claim.PASS)
    bought = OfferSettled(Card.H4, 2, OfferResult.BOUGHT, seat=3, extra_cards=2)
    collecting = replace(view, public=replace(view.public, events=(*view.public.events, bought)))
    assert BASIC.decide(collecting, decision, random.Random(1)) == Answer(1, Claim.TAKE)


def test_wins_by_taking_while_it_floats() -> None:
    """A floating seat takes the card that fits, lays it off and is out."""
    game = offer("3H", "", seat=1, melds=MELDS, stock="2C")
    while game.state.phase is Phase.OFFER:
        seat = min(game.decisions())
        game.apply(choice(game, seat) if seat == 1 else Answer(seat, Claim.PASS))
    assert turn_of(game) == [LayOff(1, 1, Card.H3, End.LOW)]
    assert game.state.results[-1].winner == 1


def test_takes_what_a_floating_seat_can_swap() -> None:
    """A card that is what a joker stands for is worth a joker."""
    assert choice(offer("5H", "", seat=1, melds=((1, "4H JK 6H 7H"),)), 1) == Answer(1, Claim.TAKE)


def test_r13_1_plays_on_with_a_cheaper_card_where_passing_ends_the_hand() -> None:
    """With the stock gone, a useless card is taken if a dearer one can be discarded for it, and passed if not."""
    hand = "2C 2D 9D JS QH KC AS 4S 7D 3C 6H"
    cheap = offer("3S", hand, seat=1, stock="")
    assert cheap.decisions()[1].passing_ends_hand
    assert choice(cheap, 1) == Answer(1, Claim.TAKE)
    assert choice(offer("KH", "3C 5D", seat=1, melds=MELDS, stock=""), 1) == Answer(1, Claim.PASS)


# The turn


def test_lays_down_at_once_and_plays_off_what_fits() -> None:
    """The lay-down comes first, then every lay-off, then the discard of the dearest card that is left."""
    game = position(turn=1, hands={1: "8C 8D 8H 5C 5D 5S 9H KC 3H AS 4D"}, melds=[(0, "4H 5H 6H 7H")], down=[0])
    actions = turn_of(game)
    assert isinstance(actions[0], LayDown)
    assert actions[1:] == [LayOff(1, 0, Card.H3, End.LOW), Discard(1, Card.SA)]


def test_lays_off_at_both_ends_and_floats() -> None:
    """The low and the high card go to their ends, and the last card, which fits nowhere, is discarded."""
    game = position(turn=1, hands={1: "3H 8H KC"}, melds=[(1, "4H 5H 6H 7H")])
    actions = turn_of(game)
    assert set(actions[:-1]) == {LayOff(1, 0, Card.H3, End.LOW), LayOff(1, 0, Card.H8, End.HIGH)}
    assert actions[-1] == Discard(1, Card.CK)
    assert game.state.floats(1)


def test_r11_goes_out_rather_than_discarding_the_last_card() -> None:
    """A last card that fits is laid off, which wins the hand."""
    game = position(turn=1, hands={1: "8H"}, melds=MELDS)
    turn_of(game)
    assert game.state.results[-1].winner == 1


def test_lays_off_where_the_next_card_can_follow() -> None:
    """The eight goes to the run and not to the eights, since the nine then fits too."""
    game = position(turn=1, hands={1: "8H 9H"}, melds=MELDS)
    assert turn_of(game) == [LayOff(1, 1, Card.H8, End.HIGH), LayOff(1, 1, Card.H9, End.HIGH)]
    assert game.state.results[-1].winner == 1


def test_a_joker_bridges_to_a_card_that_does_not_fit() -> None:
    """The joker becomes the eight, so that the nine can follow, and the hand is won."""
    game = position(turn=1, hands={1: "9H JK"}, melds=[(1, "4H 5H 6H 7H"), (1, "QC QD QS")])
    assert turn_of(game) == [LayOff(1, 0, JOKER, End.HIGH), LayOff(1, 0, Card.H9, End.HIGH)]
    assert game.state.results[-1].winner == 1


def test_two_jokers_bridge_only_where_the_run_takes_both() -> None:
    """A run of two naturals and two jokers takes none; the jokers go to the set, and the nine is discarded (R8.3)."""
    game = position(turn=1, hands={1: "9H JK JK"}, melds=[(1, "4H 5H JK JK"), (1, "QC QD QS QH")])
    actions = turn_of(game)
    assert actions == [LayOff(1, 1, JOKER), LayOff(1, 1, JOKER), Discard(1, Card.H9)]


def test_swaps_a_card_that_fits_nowhere_and_plays_the_joker() -> None:
    """Down with the card that a joker stands for, a seat swaps it, lays the joker off and is out."""
    game = position(turn=1, hands={1: "5H"}, melds=[(0, "4H JK 6H 7H")], down=[1])
    actions = turn_of(game)
    assert actions[0] == Swap(1, 0, 1, Card.H5)
    assert isinstance(actions[1], LayOff)
    assert game.state.results[-1].winner == 1


def test_swaps_for_a_joker_that_bridges() -> None:
    """A card that would fit a set is swapped instead where the joker lets another card be played."""
    game = position(turn=1, hands={1: "8H TC"}, melds=[(0, "8C 8D JK"), (0, "5C 6C 7C 8C")], down=[1])
    actions = turn_of(game)
    assert actions == [Swap(1, 0, 2, Card.H8), LayOff(1, 1, JOKER, End.HIGH), LayOff(1, 1, Card.CT, End.HIGH)]


def test_r10_2_swaps_before_laying_down_only_to_lay_down() -> None:
    """The joker that completes the contract is fetched, and the contract laid down in the same turn."""
    game = position(turn=1, hands={1: "5H 8C 8D 8H QC QD 2S 9D"}, melds=[(0, "4H JK 6H 7H")])
    actions = turn_of(game)
    assert actions[0] == Swap(1, 0, 1, Card.H5)
    assert isinstance(actions[1], LayDown)
    able = position(turn=1, hands={1: "5H 8C 8D 8H QC QD QS 9D"}, melds=[(0, "4H JK 6H 7H")])
    assert isinstance(choice(able, 1), LayDown)


@pytest.mark.parametrize("number", range(1, 11))
def test_keeps_a_joker(number: int) -> None:
    """Whatever the contract, a joker is not discarded, though it costs most points."""
    game = position(hand=number, turn=1, hands={1: "JK 4C 7D KD 2H 9H QS AS"})
    assert choice(game, 1) != Discard(1, JOKER)


def test_discards_what_serves_the_contract_least_then_what_costs_most() -> None:
    """Of lone cards, where two sets are asked, the two goes first: it costs 20 points."""
    game = position(turn=1, hands={1: "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S 3H"})
    assert choice(game, 1) == Discard(1, Card.C2)


@pytest.mark.parametrize(
    ("number", "hand"),
    [
        (2, "8C 8D 8H 5H 6H 7S QH KC 4S 3S 2C JD"),
        (5, "8C 8D 5H 6H 7H 8H 9H JH QC KC 4S 3S"),
        (8, "3H 4H 5H 6H 7H 8H 9H TH 6C 6D 6S KC QD 2S"),
    ],
)
def test_a_discard_never_leads_away_from_a_mixed_contract(number: int, hand: str) -> None:
    """Where a set and a run want the same card, the hand is no farther from the contract after the discard."""
    game = position(hand=number, turn=1, hands={1: hand})
    before = distance(game.state.hands[1], game.state.contract, STANDARD)
    game.apply(choice(game, 1))
    assert distance(game.state.hands[1], game.state.contract, STANDARD) == before


def test_gives_nothing_to_a_next_player_who_could_play_it() -> None:
    """Of two useless cards, the one that the next player, who floats, would win with is kept."""
    hand = "8C 8D 8S 5C 5D 5S 9H AC"
    game = position(hand=4, turn=1, hands={1: hand, 2: ""}, melds=[(2, "AD AH AS"), (2, "TC TD TS"), (2, "QC QD QS")])
    assert choice(game, 1) == Discard(1, Card.H9)
    alone = position(hand=4, turn=1, hands={1: hand})
    assert choice(alone, 1) == Discard(1, Card.CA)


def test_sees_what_the_others_collect() -> None:
    """Upcards taken or bought are remembered by seat until they are discarded."""
    game = offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=1)
    game.apply(Answer(1, Claim.TAKE))
    assert collected(game.view(3).public) == {1: [Card.H5]}
    game.apply(Discard(1, Card.H5))
    assert collected(game.view(3).public) == {1: []}


# The outlook


@pytest.mark.parametrize("number", range(1, 11))
def test_the_outlook_rises_with_every_out_and_most_with_a_plain_one(number: int) -> None:
    """No card lowers the outlook, none of the hand raises it by going, and the best gain is that of an out."""
    rng = random.Random(number)
    contract = STANDARD_CONTRACTS[number - 1]
    pack = [card for card in CARDS[:-1] for _ in range(2)]
    for _ in range(10):
        hand = tuple(sorted(rng.sample(pack, 14)))
        outlook = Outlook(hand, contract)
        gains = {card: outlook.gain(card) for card in CARDS}
        assert min(gains.values()) >= -1e-9, cards_text(hand)
        assert all(outlook.loss(card) >= -1e-9 for card in hand)
        if distance(hand, contract, STANDARD) and not (contract.sets and contract.runs):
            assert max(gains, key=lambda card: gains[card]) in outs(hand, contract, STANDARD), cards_text(hand)


def test_the_outlook_of_a_card_given_and_taken_away_agree() -> None:
    """What a card adds is what its going takes away, second copies of a suit and second runs included."""
    hand = parse_cards("3C 4C 5C 5C 6C 7C 9D TD JD 3H")
    contract = STANDARD_CONTRACTS[2]
    outlook = Outlook(hand, contract)
    for card in CARDS:
        more = Outlook(tuple(sorted((*hand, card))), contract)
        assert more.value == pytest.approx(outlook.value + outlook.gain(card))
        assert more.loss(card) == pytest.approx(outlook.gain(card))


def test_a_card_of_which_every_copy_is_seen_dims_the_plans_that_need_it() -> None:
    """The same hand has a poorer outlook once both fives that it waits for are dead."""
    hand, contract = parse_cards("3C 4C 6C TD JD QD KD"), STANDARD_CONTRACTS[2]
    fresh = Outlook(hand, contract)
    late = Outlook(hand, contract, gone_cards({Card.C5: 2}, packs=2))
    assert late.value < fresh.value
