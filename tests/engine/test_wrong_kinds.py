"""What is of another kind than it should be, text for cards first of all, is refused in one sentence everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shanghai_engine import (
    JOKER,
    STANDARD,
    Answer,
    BadRules,
    Card,
    Claim,
    Contract,
    Deal,
    DecisionId,
    Discarded,
    Game,
    LayDown,
    Malformed,
    Meld,
    MeldDraft,
    MeldKind,
    Phase,
    RuleSet,
    RuleViolation,
    SeededChance,
    all_lay_downs,
    best_lay_down,
    best_turn,
    can_lay_down,
    cards_text,
    distance,
    fulfils,
    how_near,
    outs,
    parse_cards,
    position_text,
    read_position,
)
from shanghai_engine.bots.bot import rng_for
from shanghai_engine.verify import verify

ANYTHING: Any = None
"""A name for values of wrong kinds, which a type checker would refuse."""
HAND = parse_cards("8C 8D JK 4H 5H 6H 7H KS")
CONTRACT = Contract(sets=(3,), runs=(4,))
QUESTIONS: tuple[Callable[..., object], ...] = (
    can_lay_down,
    best_lay_down,
    all_lay_downs,
    distance,
    outs,
    how_near,
    lambda hand, contract, rules: best_turn(hand, contract, (), rules),
)
NAMES = ["can_lay_down", "best_lay_down", "all_lay_downs", "distance", "outs", "how_near", "best_turn"]
NO_HANDS = ("8C 8D", ["8C", "8D"], [1, 2, 3], 8, {*HAND}, iter(HAND), (*HAND, "5H"), (ANYTHING,), b"8C")
NO_CONTRACTS = ("2 sets of 3", {"sets": [3]}, 1, (3, 3))
NO_RULES: tuple[Any, ...] = ("standard", {}, None, STANDARD.to_mapping())


@pytest.mark.parametrize("ask", QUESTIONS, ids=NAMES)
def test_a_question_about_what_is_no_hand_contract_or_rule_set_is_malformed(ask: Callable[..., object]) -> None:
    """The sentence names what was given, and says what a hand, a contract or a rule set is."""
    assert ask(HAND, CONTRACT, STANDARD) == ask(list(HAND), CONTRACT, STANDARD) or ask is all_lay_downs
    for hand in NO_HANDS:
        with pytest.raises(Malformed, match=r"a hand is a tuple or a list of Card; parse_cards reads text"):
            ask(hand, CONTRACT, STANDARD)
    for contract in NO_CONTRACTS:
        with pytest.raises(Malformed, match="a contract is a Contract"):
            ask(HAND, contract, STANDARD)
    for rules in NO_RULES:
        with pytest.raises(Malformed, match=r"the rules are a RuleSet.*\(R16\)"):
            ask(HAND, CONTRACT, rules)


def test_a_turn_of_wrong_melds_or_cards_to_be_played_is_malformed() -> None:
    """Drafts are no melds on the table, a meld stands at the place of its id, and only held cards can be owed."""
    meld = Meld(0, 1, MeldKind.SET, parse_cards("9C 9D 9H"), 9, -1, 0)
    assert best_turn(HAND, CONTRACT, [meld], STANDARD).exact
    draft = MeldDraft(MeldKind.SET, HAND[:3])
    for melds in ("9C 9D 9H", None, ["9C 9D 9H"], [draft], [meld, meld], 3):
        with pytest.raises(Malformed, match="the melds on the table are"):
            best_turn(HAND, CONTRACT, melds, STANDARD)  # type: ignore[arg-type]
    for wrong in (
        {"seat": "0"},
        {"seat": -1},
        {"laid_down_now": "yes"},
        {"must_play": "JK"},
        {"must_play": [JOKER] * 2},
    ):
        with pytest.raises(Malformed):
            best_turn(HAND, CONTRACT, [meld], STANDARD, **wrong)


def test_melds_that_are_none_fulfil_nothing() -> None:
    """Text is no lay-down."""
    for drafts in ("8C 8D JK", ["8C 8D JK"], None, [HAND]):
        with pytest.raises(Malformed, match="MeldDraft"):
            fulfils(drafts, CONTRACT)  # type: ignore[arg-type]
    with pytest.raises(Malformed, match="a contract is a Contract"):
        fulfils([], "1 set of 3")  # type: ignore[arg-type]


def test_a_game_is_made_of_events_lines_and_text_only() -> None:
    """Whatever else is given to be rebuilt from, or to be taken in, is named."""
    game = Game.new(seed=bytes(32), players=3)
    started, dealt = game.events
    makers: tuple[tuple[Callable[[Any], object], tuple[object, ...]], ...] = (
        (Game, (None, "game", dealt)),
        (Game.replay, (None, 5, "events", {}, [], [dealt], [started, "x"], [started, started], [started, None])),
        (Game.from_record, (None, 5, "{}", b"{}", {}, ["{}"], [None], [])),
        (Game.from_position, (None, 5, b"hand 1", ["hand 1"], "")),
        (read_position, (None, 5, b"hand 1", ["hand 1"], game)),
        (position_text, (None, game, "hand 1")),
        (game.copy().evolve, (None, "draw", started, Deal(), Discarded(0, Card.C2), Discarded(9, Card.C2))),
        (verify, (None, 5, "{}", b"{}", {})),
    )
    for make, wrong in makers:
        for value in wrong:
            with pytest.raises(Malformed):
                make(value)
    with pytest.raises(Malformed, match="a Chance"):
        Game(started, "by chance")  # type: ignore[arg-type]
    results: tuple[Any, ...] = (True, 1, "x", [1], (None,), {"a": 1}, Card.C2)
    for wrong in results:
        with pytest.raises(Malformed, match="a tuple of HandResult"):
            Game(started, results=wrong)  # type: ignore[arg-type]
    assert verify([5]).finding is not None  # type: ignore[list-item]


def test_chance_is_made_of_bytes_and_says_so_at_once() -> None:
    """What a deal or a bot would fail on later is refused where it is given."""
    seeds: tuple[tuple[Any, Any], ...] = ((None, ()), ("00" * 32, ()), (bytes(32), 1), (bytes(32), ["", ""]))
    for seed, nonces in seeds:
        with pytest.raises(Malformed, match=r"a game seed|the nonces"):
            SeededChance(seed, nonces)
    with pytest.raises(Malformed, match="text or bytes"):
        rng_for(None, 0, DecisionId(1, 1, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [-1, 0, 1, 9, 10**30, ["Ann"], ["Ann"] * 9, True, "Ann", [1, 2], None])
def test_r1_2_a_number_of_players_that_cannot_be_is_refused_at_once(players: Any) -> None:  # noqa: ANN401
    """However large it is, nobody is named for it first."""
    with pytest.raises(Malformed, match=r"\(R1\.2"):
        Game.new(seed=bytes(32), players=players)


def test_cards_and_rules_are_read_from_what_they_are_written_in_only() -> None:
    """Text is read where a function is for that, and nothing else is."""
    readers: tuple[tuple[Callable[[Any], object], tuple[object, ...]], ...] = (
        (Card.parse, (None, 5, ["8C"], b"8C", "8c", "")),
        (parse_cards, (None, 5, ["8C"], b"8C", "8C,9C")),
        (cards_text, (None, 5, "8C", ["8C"], [99])),
        (RuleSet.from_mapping, (None, 5, "classic", [], [("aces", "high")], {1: 2})),
        (RuleSet.preset, (None, 5, [], "poker")),
        (STANDARD.contract, (None, "1", 1.0, True, 0, 11)),
        (STANDARD.packs_for, (None, "2", 2.0, True, 1, 9)),
        (STANDARD.check_players, (None, "2", 2.0, True, 1, 9)),
    )
    for read, wrong in readers:
        for value in wrong:
            with pytest.raises(Malformed):
                read(value)


class _Dealing:
    """The shuffle of a seed, but for what one of its verbs gives."""

    def __init__(self, verb: str, gives: Callable[[Any], object]) -> None:
        self._seeded = SeededChance(bytes(32), (bytes(16),) * 2)
        self._verb = verb
        self._gives = gives

    def __getattr__(self, verb: str) -> Callable[..., object]:
        asked = getattr(self._seeded, verb)
        return (lambda *given: self._gives(asked(*given))) if verb == self._verb else asked

    first_dealer: Any = property(lambda self: self.__getattr__("first_dealer"))
    hand_seed: Any = property(lambda self: self.__getattr__("hand_seed"))
    deal: Any = property(lambda self: self.__getattr__("deal"))
    reshuffle: Any = property(lambda self: self.__getattr__("reshuffle"))


def test_r3_1_what_a_chance_deals_is_a_tuple_of_cards() -> None:
    """Numbers would be taken for the cards that equal them, in this game and in those that remember its values."""
    wrong: tuple[Callable[[Any], object], ...] = (lambda cards: tuple(int(card) for card in cards), list, repr)
    for gives in wrong:
        with pytest.raises(Malformed, match=r"a tuple of Card \(R3\.1\)"):
            Game.new(seed=bytes(32), players=2, chance=_Dealing("deal", gives))
    dealers: tuple[object, ...] = (True, 2, -1, "0", None)
    for dealer in dealers:
        with pytest.raises(Malformed, match=r"0 to 1 \(R2\.2\)"):
            Game.new(seed=bytes(32), players=2, chance=_Dealing("first_dealer", {0: dealer, 1: dealer}.get))


def test_names_are_whole_text_and_of_no_kind_of_their_own() -> None:
    """A half sign is in no record; a name of a class of its own is taken as the text that it is."""

    class Name(str):
        """Text that prints otherwise."""

        __slots__ = ()

        def __repr__(self) -> str:
            return "<Ann>"

    with pytest.raises(Malformed, match="half signs"):
        Game.new(seed=bytes(32), players=["\ud800", "Ben"])
    game = Game.new(seed=bytes(32), players=[Name("Ann"), "Ben"])
    assert [type(name) for name in game.state.names] == [str, str]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: RuleSet.from_mapping({"packs": [3] * 100_000}),
        lambda: RuleSet.from_mapping({"contracts": [{"sets": [10**400]}]}),
        lambda: RuleSet.from_mapping({"contracts": [{"sets": [10**5000]}]}),
        lambda: RuleSet.from_mapping({"x" * 10_000: 1}),
        lambda: Game.from_position("rules " + "[" * 100_000),
        lambda: Game.from_position("rules " + '{"a":' * 20_000),
        lambda: Game.from_position('seat "A" total ' + "9" * 5000 + '\nseat "B" total 0'),
        lambda: Game.from_position('seat "A" total 0\n' * 2000),
        lambda: Game.new(seed=b"x" * 100_000, players=2),
        lambda: parse_cards("5H " * 1000 + "5X"),
    ],
)
def test_a_sentence_about_what_is_too_large_is_short(wrong: Callable[[], object]) -> None:
    """What is wrong is quoted as far as it helps, and nothing is nested or long enough to fail otherwise."""
    with pytest.raises(Malformed) as refused:
        wrong()
    assert len(str(refused.value)) < 1000


def test_a_refusal_of_very_many_cards_is_short() -> None:
    """Whatever an action names, its sentence can be read; what breaks its line is quoted."""
    game = Game.new(seed=bytes(32), players=2)
    while game.state.phase is not Phase.PLAY:
        seat = next(iter(game.decisions()))
        game.apply(Answer(seat, Claim.PASS))
    cards = (Card.H8,) * 100_000
    with pytest.raises(RuleViolation) as violation:
        game.apply(LayDown(game.state.turn, (MeldDraft(MeldKind.SET, cards), MeldDraft(MeldKind.SET, cards))))
    assert len(str(violation.value)) < 1000
    with pytest.raises(BadRules) as bad:
        RuleSet.from_mapping({"foo\n\x1b[31m": 1})
    assert str(bad.value).isprintable()
