"""R16 as values: which contracts, deals, points and packs there are, and which rules cannot be played at all."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from positions import SEED, accepted, lay_down, position, refused

from shanghai_engine.action import Deal, LayOff, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
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
    assert "Contract(" not in str(bad.value)


@pytest.mark.parametrize(("dealt", "players"), [(5, 2), (11, 3), (15, 4), (15, 8)])
def test_r16_cards_dealt_is_what_everybody_gets(dealt: int, players: int) -> None:
    """So many cards each, the next is the upcard, and the others are the stock (R3)."""
    rules = RuleSet(cards_dealt=(dealt,) * 10, buys=(-1,) * 10)
    state = Game.new(seed=SEED, players=players, rules=rules).state
    assert [len(hand) for hand in state.hands] == [dealt] * players
    assert len(state.stock) == 54 * state.packs - players * dealt - 1


def test_r16_cards_dealt_is_for_each_hand_its_own() -> None:
    """The second hand is dealt with its number, and not with that of the first."""
    rules = RuleSet(contracts=STANDARD_CONTRACTS[:3], cards_dealt=(11, 5, 8), buys=(3, 3, 3))
    game = Game.new(seed=SEED, players=3, rules=rules)
    for dealt in (5, 8):
        game.state.phase = Phase.HAND_OVER
        game.apply(Deal())
        assert [len(hand) for hand in game.state.hands] == [dealt] * 3


def test_r16_lay_off_when_laying_down_false_is_about_the_lay_down_not_extra_melds() -> None:
    """Who was down before the turn lays a further meld, and still lays off in the same turn."""
    rules = RuleSet(lay_off_when_laying_down=False, extra_melds=True)
    game = position(turn=0, hands={0: "9C 9D 9H 8H KS 3D"}, melds=[(0, "8C 8D 8S")], down=(0,), rules=rules)
    laid = accepted(game, lay_down(0, "9C 9D 9H"))
    assert accepted(laid, LayOff(0, 0, Card.H8)).state.hands[0] == (Card.SK, Card.D3)


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


@pytest.mark.parametrize(
    ("contract", "why"),
    [
        (Contract(sets=(3, 3), runs=(4, 4, 4, 4)), "6 melds, and a contract has 5 at most"),
        (Contract(sets=(4, 4), runs=(13,)), "21 cards, and a contract has 20 at most"),
    ],
    ids=str,
)
def test_r16_contracts_that_nobody_plays_are_refused_with_the_reason(contract: Contract, why: str) -> None:
    """A contract has five melds and twenty cards at most, however many cards a hand may hold."""
    rules = RuleSet(contracts=(contract,), cards_dealt=(15,), buys=(-1,), packs=(6,) * 7)
    with pytest.raises(BadRules, match=f"the contract of hand 1 asks for {why}"):
        rules.check_players(4)


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


def test_r16_the_preset_classic_has_wild_twos_low_aces_and_goes_out_with_a_discard() -> None:
    """What many American tables play, and nothing else is changed."""
    assert PRESETS["classic"].changes() == {
        "aces": "high_or_low",
        "wild": "jokers_and_twos",
        "go_out_with_discard": True,
    }


def test_r16_the_preset_quick_has_the_contracts_of_five_hands() -> None:
    """Those of hands 1, 2, 4, 6 and 10 with their buys, and nothing else is changed."""
    quick = PRESETS["quick"]
    assert quick.contracts == tuple(STANDARD_CONTRACTS[hand - 1] for hand in (1, 2, 4, 6, 10))
    assert quick.buys == tuple(STANDARD.buys[hand - 1] for hand in (1, 2, 4, 6, 10))
    assert quick.changes().keys() == {"contracts", "buys", "cards_dealt"}
    assert set(quick.cards_dealt) == {11}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_r16_every_preset_can_be_played_by_any_number_of_players(preset: str) -> None:
    """A preset is a rule set for two to eight."""
    for players in range(2, 9):
        RuleSet.preset(preset).check_players(players)


def test_r16_an_unknown_preset_is_refused_with_those_that_there_are() -> None:
    """The sentence names the presets."""
    with pytest.raises(BadRules, match="the presets are standard, literal"):
        RuleSet.preset("strict")
