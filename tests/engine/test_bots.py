"""The built-in players: whole games, and that they need nothing but their view."""

from __future__ import annotations

import copy
import random
from collections import Counter

import pytest
from bot_seat import BASIC
from playing import Player, bot_game, eager_player, game_seed, play, random_player
from positions import position

from shanghai_engine.action import Action, Answer, Claim
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.bots.late_random import LateRandom
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.decision import DecisionId, OfferDecision
from shanghai_engine.event import EndReason
from shanghai_engine.game import Game
from shanghai_engine.rules import LITERAL, STANDARD, RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.view import OwnView, PublicView, SeatView, View

PLAYERS = range(2, 9)


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
    decision = OfferDecision(
        seat=2,
        id=DecisionId(1, 1, 0),
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


def test_late_chance_is_the_chance_that_its_seed_gives() -> None:
    """Whatever is asked first, the numbers are those of `random.Random`, and the seed is asked for once at most."""
    asked: list[int] = []

    def seed() -> int:
        asked.append(1)
        return 1 << 100

    def uses(rng: random.Random) -> list[object]:
        return [rng.random(), rng.choice(range(1000)), rng.gauss(0, 1), rng.sample(range(100), 5), rng.getstate()]

    assert uses(LateRandom(seed)) == uses(random.Random(seed()))
    assert LateRandom(seed).getrandbits(70) == random.Random(1 << 100).getrandbits(70)
    assert LateRandom(seed).gauss() == random.Random(1 << 100).gauss()
    assert copy.deepcopy(LateRandom(seed)).random() == random.Random(1 << 100).random()
    asked.clear()
    other = LateRandom(seed)
    other.seed(5)
    again = LateRandom(seed)
    again.setstate(other.getstate())
    assert other.random() == again.random() == random.Random(5).random()
    assert not asked
