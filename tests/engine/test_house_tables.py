"""R16 where it says what is dealt, bought, counted and ended, and which rules cannot be played at all."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from positions import SEED, accepted, all_pass, position, refused

from shanghai_engine.action import Answer, Claim, Deal, Discard, LayOff, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.event import DrawSource, Drew, EndReason, HandEnded, OfferClosed, Reshuffled
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRules, Malformed
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import LITERAL, PRESETS, STANDARD, RuleSet
from shanghai_engine.state import Phase

ENUMERATED = {
    "aces": ("high", "high_or_low"),
    "wild": ("jokers", "jokers_and_twos"),
    "jokers_per_meld": ("at_most_naturals", "any", 0, 4),
    "go_out_with_discard": (False, True),
    "buy_extra_cards": (2, 0, 1, 3),
    "buy_priority": ("dealer_left", "turn_left"),
    "down_may_buy": (False, True),
    "turn_may_buy": ("two_players", "never", "always"),
    "joker_swap": ("everyone", "down_only", "nobody"),
    "swap_in_sets": (True, False),
    "swapped_joker": ("keep", "play_this_turn"),
    "lay_off_when_laying_down": (True, False),
    "extra_melds": (False, True),
    "distinct_set_ranks": (False, True),
    "distinct_run_suits": (False, True),
    "reshuffles": (1, 0, 2, 255),
    "turn_limit": (60, 10, 200),
}
"""By field, its values, the standard first."""


def offered(rules: RuleSet = STANDARD, *, turn: int = 0, **parts: Any) -> Game:  # noqa: ANN401 any part of a position
    """Give an open offer of 5H among four, dealer 3 unless the seed says otherwise."""
    parts = {"discards": "3D 4D 5H", "discarder": (turn - 1) % parts.get("players", 4), **parts}
    return position(phase=Phase.OFFER, turn=turn, rules=rules, **parts)


def buy(game: Game, buyer: int) -> Game:
    """Let one seat buy the upcard and everybody else pass, on a copy."""
    game = game.copy()
    while game.state.phase is Phase.OFFER:
        seat = min(game.decisions())
        game.apply(Answer(seat, Claim.BUY if seat == buyer else Claim.PASS))
    return game


@pytest.mark.parametrize("extra", [0, 1, 2, 3])
def test_r16_buy_extra_cards_is_the_price_of_a_buy(extra: int) -> None:
    """The buyer takes the upcard and so many cards from the stock's top, and the player on turn the next."""
    game = offered(RuleSet(buy_extra_cards=extra), stock="6C 7C 8C 9C TC JC")
    buyer = game.state.asked.order[1]
    held = game.state.hands[buyer]
    after = buy(game, buyer)
    top = parse_cards("6C 7C 8C 9C")
    assert after.state.hands[buyer] == (*held, Card.H5, *top[:extra])
    assert after.events[-1] == Drew(0, DrawSource.STOCK, top[extra])


@pytest.mark.parametrize("extra", [0, 1, 2, 3])
def test_r16_buy_extra_cards_must_lie_in_the_stock(extra: int) -> None:
    """A buy is offered while the stock holds the extra cards, and not with one less (R7.8)."""
    rules = RuleSet(buy_extra_cards=extra)
    stock = "6C 7C 8C"[: 3 * extra]
    enough = offered(rules, stock=stock)
    assert len(enough.state.asked.order) == 3
    after = buy(enough, enough.state.asked.order[1])
    assert any(isinstance(event, Reshuffled) for event in after.events)
    if extra:
        short = offered(rules, stock=stock[3:])
        assert short.state.asked.order == (0,)
        refused(short, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)


def test_r16_buys_are_counted_by_hand() -> None:
    """Each hand has its own number; 0 sells nothing."""
    rules = RuleSet(buys=(0, 1, 3, 3, 3, 3, 3, 3, 4, 4))
    none = offered(rules)
    assert none.state.asked.order == (0,)
    refused(none, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)
    one = offered(rules, hand=2)
    buyer = one.state.asked.order[1]
    after = buy(one, buyer)
    assert after.state.buys_left[buyer] == 0
    after.apply(TimeOut(0))
    assert buyer not in after.state.asked.order[1:]


def test_r16_buys_of_minus_one_never_run_out() -> None:
    """The number stays -1 after a buy, and the buyer is asked again."""
    game = offered(RuleSet(buys=(-1,) * 10))
    buyer = game.state.asked.order[1]
    after = buy(game, buyer)
    assert after.state.buys_left == [-1] * 4
    assert after.view(None).public.seats[buyer].buys_left == -1
    after.apply(TimeOut(0))
    assert buyer in after.state.asked.order


def test_r16_buy_priority_dealer_left_serves_from_the_dealers_left() -> None:
    """Whoever's turn it is, the first buyer is the dealer's left and the dealer comes last (R7.4)."""
    game = offered(turn=2)
    dealer = game.state.dealer
    order = [seat for step in range(1, 5) if (seat := (dealer + step) % 4) not in {1, 2}]
    assert list(game.state.asked.order) == [2, *order]


@pytest.mark.parametrize("turn", range(4))
def test_r16_buy_priority_turn_left_serves_from_the_left_of_the_turn(turn: int) -> None:
    """The order of the buyers is that of their turns, whoever dealt; the best placed of two buyers gets the card."""
    game = offered(RuleSet(buy_priority="turn_left"), turn=turn)
    first, second = (turn + 1) % 4, (turn + 2) % 4
    assert game.state.asked.order == (turn, first, second)
    game.apply(Answer(second, Claim.BUY))
    game.apply(Answer(first, Claim.BUY))
    game.apply(Answer(turn, Claim.PASS))
    closed = next(event for event in game.events if isinstance(event, OfferClosed))
    assert closed.seat == first


def test_r16_down_may_buy_false_asks_nobody_who_is_down() -> None:
    """Who is down has no part in an offer but on his turn (R7.3)."""
    game = offered(down=(1, 2))
    assert set(game.decisions()).isdisjoint({1, 2})
    refused(game, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)


def test_r16_down_may_buy_true_asks_whoever_has_a_buy_left() -> None:
    """Who is down buys in his place in the order, a floating player too, who has cards again then."""
    game = offered(RuleSet(down_may_buy=True), melds=[(1, "8C 8D 8S")], hands={1: ""})
    assert 1 in game.decisions()
    assert game.state.floats(1)
    after = buy(game, 1)
    assert len(after.state.hands[1]) == 3
    assert not after.state.floats(1)
    assert after.state.buys_left[1] == 2


def test_r16_down_may_buy_true_never_lets_a_down_turn_deny() -> None:
    """On turn and down one still comes last, take or buy (R7.6)."""
    rules = RuleSet(down_may_buy=True, turn_may_buy="always")
    game = offered(rules, down=(0,))
    assert game.state.asked.order[-1] == 0
    assert game.decisions()[0].claims == (Claim.TAKE, Claim.BUY, Claim.PASS)
    other = game.state.asked.order[0]
    game.apply(Answer(0, Claim.BUY))
    game.apply(Answer(other, Claim.BUY))
    closed = next(event for event in game.events if isinstance(event, OfferClosed))
    assert closed.seat == other


@pytest.mark.parametrize(("players", "buys"), [(2, True), (3, False), (4, False), (8, False)])
def test_r16_turn_may_buy_two_players_is_r7_9(players: int, buys: bool) -> None:  # noqa: FBT001 a case
    """With two players the player on turn may also buy, with more not."""
    game = offered(players=players)
    assert (Claim.BUY in game.decisions()[0].claims) == buys
    if not buys:
        refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY)


@pytest.mark.parametrize("players", [2, 4])
def test_r16_turn_may_buy_never_leaves_take_or_pass(players: int) -> None:
    """Not even with two players; the one who discarded cannot buy either, so nobody can then."""
    contracts = STANDARD_CONTRACTS[:3]
    rules = RuleSet(turn_may_buy="never", contracts=contracts, cards_dealt=(11,) * 3, buys=(3,) * 3)
    game = offered(rules, players=players)
    assert game.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
    refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY)
    assert (len(game.state.asked.order) == 1) == (players == 2)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_r16_turn_may_buy_always_gives_the_turn_the_first_buy(players: int) -> None:
    """Who is on turn buys before everybody else, counts it as a buy, draws as well, and plays all of it at once."""
    game = offered(RuleSet(turn_may_buy="always"), players=players, stock="6C 7C 8C 9C TC JC")
    held = game.state.hands[0]
    others = [seat for seat in game.decisions() if seat != 0]
    for seat in others:
        game.apply(Answer(seat, Claim.BUY))
    game.apply(Answer(0, Claim.BUY))
    assert game.state.hands[0] == (*held, Card.H5, *parse_cards("6C 7C 8C"))
    assert game.state.buys_left[0] == 2
    assert game.state.phase is Phase.PLAY
    assert game.state.turn == 0


def test_r16_turn_may_buy_always_needs_a_buy_and_the_stock() -> None:
    """Without a buy left, without the extra cards, or down, the player on turn takes or passes."""
    rules = RuleSet(turn_may_buy="always")
    for game in (offered(rules, stock="6C"), offered(rules, down=(0,))):
        assert game.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
        refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY_NOW)


@pytest.mark.parametrize("reshuffles", [0, 1, 2, 3])
def test_r16_reshuffles_is_how_often_the_dead_cards_come_back(reshuffles: int) -> None:
    """So often in a hand an empty stock is made anew (R13.2); after that a pass ends the hand (R13.1)."""
    game = offered(RuleSet(reshuffles=reshuffles), stock="")
    for number in range(reshuffles):
        assert not game.decisions()[game.state.turn].passing_ends_hand
        all_pass(game)
        assert game.state.reshuffles == number + 1
        game.state.stock.clear()
        game.apply(Discard(game.state.turn, game.state.hands[game.state.turn][0]))
    assert game.decisions()[game.state.turn].passing_ends_hand
    all_pass(game)
    assert game.state.results[-1].reason is EndReason.STOCK


def test_r16_reshuffles_are_counted_for_each_hand() -> None:
    """The next deal begins the count again."""
    game = offered(stock="")
    all_pass(game)
    game.state.stock.clear()
    game.apply(TimeOut(0))
    all_pass(game)
    game.apply(Deal())
    assert game.state.reshuffles == 0


@pytest.mark.parametrize(("limit", "players"), [(10, 2), (10, 5), (60, 4), (200, 3)])
def test_r16_turn_limit_ends_the_hand(limit: int, players: int) -> None:
    """When everybody has had so many turns the hand ends before the next offer (R14.1), and not one turn before."""
    rules = RuleSet(turn_limit=limit)
    last = position(players=players, turn=0, hands={0: "2C 3C"}, rules=rules)
    last.state.turn_number = limit * players
    ended = accepted(last, Discard(0, Card.C2)).events[-1]
    assert isinstance(ended, HandEnded)
    assert (ended.reason, ended.winner) == (EndReason.TURNS, None)
    before = position(players=players, turn=0, hands={0: "2C 3C"}, rules=rules)
    before.state.turn_number = limit * players - 1
    assert accepted(before, Discard(0, Card.C2)).state.phase is Phase.OFFER


def test_r16_contracts_are_the_hands_of_the_game() -> None:
    """A game has as many hands as there are contracts, each with its own, and ends after the last."""
    contracts = (Contract(runs=(13,)), Contract(sets=(6,)), Contract(sets=(3,), runs=(4, 4)))
    rules = RuleSet(contracts=contracts, cards_dealt=(5, 15, 11), buys=(3, 0, -1), turn_limit=10)
    game = Game.new(seed=SEED, players=3, rules=rules)
    for hand, contract in enumerate(contracts, start=1):
        assert (game.state.hand, game.state.contract) == (hand, contract)
        assert game.state.buys_left == [rules.buys[hand - 1]] * 3
        while game.decisions():
            game.apply(TimeOut(min(game.decisions())))
        assert game.state.phase is (Phase.GAME_OVER if hand == 3 else Phase.HAND_OVER)
        if hand < 3:
            game.apply(Deal())
    refused(game, Deal(), Refusal.GAME_IS_OVER)


@pytest.mark.parametrize("hands", [1, 15])
def test_r16_contracts_are_one_to_fifteen(hands: int) -> None:
    """A game of one hand and one of fifteen; none and sixteen are refused."""
    rules = RuleSet(contracts=STANDARD_CONTRACTS[:1] * hands, cards_dealt=(11,) * hands, buys=(3,) * hands)
    assert Game.new(seed=SEED, players=2, rules=rules).state.rules.hands == hands
    for wrong in (0, 16):
        with pytest.raises(BadRules, match="1 to 15 hands"):
            RuleSet(contracts=STANDARD_CONTRACTS[:1] * wrong, cards_dealt=(11,) * wrong, buys=(3,) * wrong)


@pytest.mark.parametrize(
    ("sets", "runs", "right"),
    [
        ((2,), (), "3 cards or more (R8.1"),
        ((), (3,), "4 to 13 cards (R8.2"),
        ((), (14,), "4 to 13 cards (R8.2"),
        ((), (), "at least one set or run (R6"),
    ],
)
def test_r16_contracts_ask_for_melds_that_there_are(sets: tuple[int, ...], runs: tuple[int, ...], right: str) -> None:
    """Sets of 3 and more, runs of 4 to 13, and one meld at least."""
    with pytest.raises(Malformed) as refusal:
        Contract(sets=sets, runs=runs)
    assert right in str(refusal.value)
    mapping = {"contracts": [{"sets": list(sets), "runs": list(runs)}], "buys": [3], "cards_dealt": [11]}
    with pytest.raises(BadRules) as bad:
        RuleSet.from_mapping(mapping)
    assert right in str(bad.value)


@pytest.mark.parametrize(("dealt", "players"), [(5, 2), (11, 3), (15, 4), (15, 8)])
def test_r16_cards_dealt_is_what_everybody_gets(dealt: int, players: int) -> None:
    """So many cards each, the next is the upcard, and the others are the stock (R3)."""
    rules = RuleSet(cards_dealt=(dealt,) * 10, buys=(-1,) * 10)
    state = Game.new(seed=SEED, players=players, rules=rules).state
    assert [len(hand) for hand in state.hands] == [dealt] * players
    assert len(state.stock) == 54 * state.packs - players * dealt - 1


def test_r16_points_are_what_the_cards_count() -> None:
    """A hand's end is scored with the table's points, those that are not named with the standard's (R12.1)."""
    rules = RuleSet.from_mapping({"points": {"2": 0, "K": 100, "JK": 50}})
    game = position(
        turn=0, hands={0: "8H", 1: "2C KC JK", 2: "AC 3C TC", 3: "2C"}, melds=[(0, "8C 8D 8S")], rules=rules
    )
    assert accepted(game, LayOff(0, 0, Card.H8)).state.totals == (0, 150, 30, 0)


@pytest.mark.parametrize("players", range(2, 9))
def test_r16_packs_are_those_of_the_number_of_players(players: int) -> None:
    """Each number of players has its own number of packs, of 52 cards and two jokers each (R1.1)."""
    rules = RuleSet(packs=(6, 5, 4, 3, 3, 3, 4))
    state = Game.new(seed=SEED, players=players, rules=rules).state
    packs = rules.packs[players - 2]
    counts = Counter(state.stock) + Counter(state.discards) + Counter(card for hand in state.hands for card in hand)
    assert counts == {card: packs * (2 if card == JOKER else 1) for card in CARDS}


def test_r16_packs_too_few_for_the_deal_are_refused_with_the_reason() -> None:
    """The deal, the upcard and one card of stock for each player must be there; one player less may be enough."""
    rules = RuleSet(packs=(1,) * 7, cards_dealt=(15,) * 10)
    rules.check_players(3)
    with pytest.raises(BadRules, match=r"packs = 1 .*deals 15 cards to each of 4 players.*needs 65 of the 54 cards"):
        Game.new(seed=SEED, players=4, rules=rules)


def test_r16_contracts_that_nobody_can_hold_are_refused_with_the_reason() -> None:
    """The deal, all buys and one draw are the most that a hand can reach."""
    rules = RuleSet(contracts=(Contract(runs=(13, 4)),), cards_dealt=(11,), buys=(1,))
    with pytest.raises(BadRules, match=r"asks for 17 cards and nobody can hold more than 15"):
        Game.new(seed=SEED, players=4, rules=rules)
    for fields in ({"buys": (2,)}, {"cards_dealt": (13,)}, {"buy_extra_cards": 3, "cards_dealt": (12,)}):
        changed = {"contracts": (Contract(runs=(13, 4)),), "cards_dealt": (11,), "buys": (1,), **fields}
        RuleSet(**changed).check_players(4)  # type: ignore[arg-type]


def test_r16_turn_may_buy_never_makes_large_contracts_impossible_for_two() -> None:
    """With two players only the first upcard can be bought then, since the other player discarded every later one."""
    rules = RuleSet(turn_may_buy="never", buys=(-1,) * 10)
    rules.check_players(3)
    with pytest.raises(BadRules, match=r"nobody can hold more than 15"):
        RuleSet(turn_may_buy="never", contracts=(Contract(runs=(13, 4)),), cards_dealt=(11,), buys=(-1,)).check_players(
            2
        )


@pytest.mark.parametrize(
    ("contract", "fields", "why"),
    [
        (Contract(runs=(4,) * 5), {"distinct_run_suits": True}, "5 runs that differ in suit, and there are 4 suits"),
        (Contract(sets=(3,) * 14), {"distinct_set_ranks": True}, "14 sets that differ in rank, and there are 13 ranks"),
        (
            Contract(sets=(3,) * 13),
            {"distinct_set_ranks": True, "wild": "jokers_and_twos"},
            "13 sets that differ in rank, and there are 12 ranks",
        ),
        (Contract(sets=(13,)), {}, "a set of 13, and 2 packs make none larger than 12"),
        (Contract(sets=(9,)), {"jokers_per_meld": 0}, "a set of 9, and 2 packs make none larger than 8"),
        (Contract(sets=(21,)), {"wild": "jokers_and_twos"}, "a set of 21, and 2 packs make none larger than 16"),
        (Contract(sets=(21,)), {"wild": "jokers_and_twos", "jokers_per_meld": "any"}, "none larger than 20"),
        (Contract(runs=(13,) * 9), {}, "asks for 117 cards and nobody can hold more than 108"),
    ],
)
def test_r16_contracts_that_no_cards_can_fulfil_are_refused_with_the_reason(
    contract: Contract, fields: dict[str, Any], why: str
) -> None:
    """Too many melds that must differ, a set larger than its rank allows, and more cards than there are."""
    rules = RuleSet(contracts=(contract,), cards_dealt=(11,), buys=(-1,), **fields)
    with pytest.raises(BadRules) as refusal:
        Game.new(seed=SEED, players=2, rules=rules)
    assert why in str(refusal.value)


@pytest.mark.parametrize("field", ENUMERATED)
def test_r16_every_value_of_a_field_is_read_and_written_as_it_stands_in_records(field: str) -> None:
    """The first is the standard; each comes back from its mapping, and `changes` names it where it is another."""
    standard, *others = ENUMERATED[field]
    assert getattr(STANDARD, field) == standard
    assert STANDARD.to_mapping()[field] == standard
    for value in (standard, *others):
        rules = RuleSet.from_mapping({field: value})
        assert getattr(rules, field) == value
        assert RuleSet.from_mapping(rules.to_mapping()) == rules
        assert rules.changes() == ({} if value == standard else {field: value})
        assert eval(repr(rules)) == rules  # noqa: S307 a repr rebuilds its value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("aces", "low"),
        ("aces", True),
        ("wild", "twos"),
        ("jokers_per_meld", -1),
        ("jokers_per_meld", "none"),
        ("jokers_per_meld", True),
        ("jokers_per_meld", 1.0),
        ("go_out_with_discard", 1),
        ("go_out_with_discard", "true"),
        ("buy_extra_cards", 4),
        ("buy_extra_cards", -1),
        ("buy_extra_cards", False),
        ("buys", [3] * 9),
        ("buys", [-2] * 10),
        ("buys", 3),
        ("buys", "3333333344"),
        ("buy_priority", "turn"),
        ("down_may_buy", 0),
        ("turn_may_buy", "two"),
        ("turn_may_buy", False),
        ("joker_swap", "down"),
        ("swap_in_sets", None),
        ("swapped_joker", "play"),
        ("lay_off_when_laying_down", "no"),
        ("extra_melds", 1),
        ("distinct_set_ranks", 0),
        ("distinct_run_suits", "false"),
        ("reshuffles", -1),
        ("reshuffles", 256),
        ("turn_limit", 9),
        ("turn_limit", 201),
        ("turn_limit", 60.0),
        ("contracts", []),
        ("contracts", [[3, 3]]),
        ("contracts", [{"sets": [3], "run": [4]}]),
        ("contracts", [{"sets": ["3"]}]),
        ("cards_dealt", [4] * 10),
        ("cards_dealt", [16] * 10),
        ("cards_dealt", [11] * 11),
        ("points", {"1": 5}),
        ("points", {"2": 101}),
        ("points", {"2": -1}),
        ("points", [20] * 14),
        ("packs", {"9": 4}),
        ("packs", {"2": 0}),
        ("packs", {"2": 7}),
        ("no_such_rule", 1),
    ],
)
def test_r16_any_other_value_of_a_field_is_refused_by_its_name(field: str, value: object) -> None:
    """The refusal names the field and the value, and says what would be right."""
    with pytest.raises(BadRules) as refusal:
        RuleSet.from_mapping({field: value})
    assert refusal.value.field == field
    assert str(refusal.value).startswith(f"rules: {field} = ")


def test_r16_the_preset_standard_changes_nothing() -> None:
    """The standard is what no field changes."""
    assert PRESETS["standard"] == RuleSet() == STANDARD
    assert RuleSet.from_mapping({}) == STANDARD


def test_r16_the_preset_literal_is_the_standard_without_a_reshuffle() -> None:
    """What the source says to the letter (R13.2)."""
    assert PRESETS["literal"] == LITERAL
    assert LITERAL.changes() == {"reshuffles": 0}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_r16_every_preset_can_be_played_by_any_number_of_players(preset: str) -> None:
    """A preset is a rule set for two to eight."""
    for players in range(2, 9):
        RuleSet.preset(preset).check_players(players)


def test_r16_an_unknown_preset_is_refused_with_those_that_there_are() -> None:
    """The sentence names the presets."""
    with pytest.raises(BadRules, match="the presets are standard, literal"):
        RuleSet.preset("strict")
