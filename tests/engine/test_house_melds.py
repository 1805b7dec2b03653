"""R16 where it says what a meld is: aces, wild cards, jokers in a meld, and melds of one lay-down that differ."""

from __future__ import annotations

import pytest
from positions import accepted, draft, lay_down, position, refused

from shanghai_engine.action import Discard, LayOff, Swap
from shanghai_engine.card import JOKER, Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.event import EndReason, HandEnded
from shanghai_engine.game import Game
from shanghai_engine.meld import End, Meld, read_meld, refuse_lay_off, refuse_swap
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import STANDARD, RuleSet

LOW_ACES = RuleSet(aces="high_or_low")
TWOS = RuleSet(wild="jokers_and_twos")
WILD_AND_LOW = RuleSet(wild="jokers_and_twos", aces="high_or_low")


def one_hand(contract: Contract, **fields: object) -> RuleSet:
    """Give rules of a game of one hand with a contract."""
    return RuleSet(contracts=(contract,), cards_dealt=(11,), buys=(3,), **fields)  # type: ignore[arg-type]


def read(text: str, rules: RuleSet) -> Meld | Refusal:
    """Read a meld under rules."""
    return read_meld(draft(text), meld_id=0, owner=0, rules=rules)


def a_meld(text: str, rules: RuleSet) -> Meld:
    """Give a meld that is one under rules."""
    meld = read(text, rules)
    assert isinstance(meld, Meld), meld
    return meld


@pytest.mark.parametrize("text", ["AH 2H 3H 4H", "AH JK 3H 4H", "JK 2H 3H 4H", "QH KH AH 2H", "QH KH AH JK"])
def test_r16_aces_high_keeps_the_ace_above_the_king_only(text: str) -> None:
    """No run goes below the two, with a joker neither, and none wraps."""
    assert isinstance(read(text, STANDARD), Refusal)
    game = position(turn=0, hand=2, hands={0: f"8C 8D 8S {text} 9C"})
    with_it = lay_down(0, "8C 8D 8S", f"run {text}")
    refusal = read(text, STANDARD)
    assert isinstance(refusal, Refusal)
    refused(game, with_it, refusal)


@pytest.mark.parametrize(
    ("text", "rank", "high"),
    [
        ("AH 2H 3H 4H", 1, 4),
        ("AH JK 3H 4H", 1, 4),
        ("JK 2H 3H 4H", 1, 4),
        ("JK JK 3H 4H", 1, 4),
        ("AH JK JK 4H", 1, 4),
        ("JH QH KH AH", 11, 14),
        ("JK JK KH AH", 11, 14),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", 1, 13),
    ],
)
def test_r16_aces_high_or_low_lets_a_run_begin_with_the_ace(text: str, rank: int, high: int) -> None:
    """The ace, or a joker in its place, lies below the two or above the king."""
    run = a_meld(text, LOW_ACES)
    assert (run.rank, run.high) == (rank, high)
    game = position(turn=0, hand=2, hands={0: f"8C 8D 8S {text} 9C"}, rules=LOW_ACES)
    assert accepted(game, lay_down(0, "8C 8D 8S", f"run {text}")).state.melds[1].rank == rank


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("QH KH AH 2H", Refusal.BEYOND_THE_RANKS),
        ("KH AH 2H 3H", Refusal.BEYOND_THE_RANKS),
        ("QH KH AH JK", Refusal.BEYOND_THE_RANKS),
        ("JK AH 2H 3H", Refusal.BEYOND_THE_RANKS),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", Refusal.BEYOND_THE_RANKS),
        ("AH 2H 3S 4H", Refusal.NOT_ONE_SUIT),
        ("AH 3H 4H 5H", Refusal.NOT_CONSECUTIVE),
    ],
)
def test_r16_aces_high_or_low_never_wraps_and_never_has_both(text: str, refusal: Refusal) -> None:
    """Nothing lies below the low ace or above the high one, and one run has one ace at most."""
    assert read(text, LOW_ACES) is refusal
    game = position(turn=0, hand=2, hands={0: f"8C 8D 8S {text} 9C"}, rules=LOW_ACES)
    refused(game, lay_down(0, "8C 8D 8S", f"run {text}"), refusal)


def test_r16_aces_high_or_low_holds_for_laying_off_and_swapping() -> None:
    """An ace joins below a two and its joker is swapped for it; no second ace joins, and no joker below it."""
    game = position(turn=0, hands={0: "AH AS JK KC"}, melds=[(0, "2H 3H 4H 5H"), (1, "JK 2S 3S 4S")], rules=LOW_ACES)
    laid_off = accepted(game, LayOff(0, 0, Card.HA, End.LOW))
    assert laid_off.state.melds[0].rank == 1
    refused(laid_off, LayOff(0, 0, JOKER, End.LOW), Refusal.RUN_ENDS_HERE)
    swapped = accepted(game, Swap(0, 1, 0, Card.SA))
    assert str(swapped.state.melds[1]) == "AS 2S 3S 4S"
    refused(game, Swap(0, 1, 0, Card.HA), Refusal.NOT_WHAT_THE_JOKER_IS)
    whole = position(
        turn=0, hands={0: "AH JK KC"}, melds=[(0, "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")], rules=LOW_ACES
    )
    for card in (Card.HA, JOKER):
        for end in End:
            refused(whole, LayOff(0, 0, card, end), Refusal.RUN_ENDS_HERE)
    high = position(turn=0, hands={0: "AH JK KC"}, melds=[(0, "2H 3H 4H 5H")])
    refused(high, LayOff(0, 0, Card.HA, End.LOW), Refusal.RUN_ENDS_HERE)


def test_r16_wild_jokers_leaves_twos_natural() -> None:
    """Three twos are a set, and a two stands for nothing else."""
    assert a_meld("2C 2D 2S", STANDARD).jokers == 0
    assert read("set 8C 8D 2S", STANDARD) is Refusal.NOT_ONE_RANK
    assert read("run 4H 2S 6H 7H", STANDARD) is Refusal.NOT_ONE_SUIT
    assert read("run 4H 2H 6H 7H", STANDARD) is Refusal.NOT_CONSECUTIVE
    assert refuse_lay_off(a_meld("8C 8D 8S", STANDARD), Card.C2, None, STANDARD) is Refusal.NOT_THE_SETS_RANK


@pytest.mark.parametrize(
    ("text", "jokers", "places"),
    [
        ("set 8C 8D 2S", 1, [2]),
        ("set 8C JK 2S 8D", 2, [1, 2]),
        ("set AC AD 2H", 1, [2]),
        ("run 4H 2S 6H 7H", 1, [1]),
        ("run 4H 2H 6H 7H", 1, [1]),
        ("run 2H 3H 4H 5H", 0, []),
        ("run 2S 3H 4H 5H", 1, [0]),
        ("run 2H 2H 4H 5H", 1, [1]),
        ("run JH 2H 2H AH", 2, [1, 2]),
        ("run 2H JK 4H 2H", 2, [1, 3]),
    ],
)
def test_r16_wild_jokers_and_twos_makes_a_two_a_joker_but_at_its_own_place(
    text: str, jokers: int, places: list[int]
) -> None:
    """A two counts as a joker everywhere but at the two's place in a run of its suit."""
    meld = a_meld(text, TWOS)
    assert meld.jokers == jokers
    assert meld.joker_places() == places


@pytest.mark.parametrize(
    "text",
    ["set 2C 2D 2S", "set 8C 2D 2S", "set 8C 2D JK", "run 4H 2H 2S 2D 8H", "run 2S 3H JK JK", "run 2S 2D 3H 4H JK JK"],
)
def test_r16_wild_jokers_and_twos_counts_wild_twos_for_r8_3(text: str) -> None:
    """Twos never rank a set, and wild ones with jokers are no more than the natural cards."""
    assert read(text, TWOS) is Refusal.TOO_MANY_JOKERS
    assert not isinstance(read("run 2H 3H JK JK", TWOS), Refusal)


def test_r16_wild_jokers_and_twos_in_play() -> None:
    """Twos are laid down, laid off and swapped as jokers; the two that stands as a joker comes into the hand."""
    game = position(turn=0, hands={0: "8C 8D 2S 9C 9D 2H 8S 2C KC"}, rules=TWOS)
    down = accepted(game, lay_down(0, "set 8C 8D 2S", "set 9C 9D 2H"))
    refused(down, Swap(0, 1, 2, Card.S8), Refusal.NOT_WHAT_THE_JOKER_IS)
    swapped = accepted(down, Swap(0, 0, 2, Card.S8))
    assert swapped.state.hands[0] == parse_cards("2C KC 2S")
    assert swapped.state.melds[0].jokers == 0
    assert accepted(swapped, LayOff(0, 0, Card.S2)).state.melds[0].jokers == 1
    refused(down, Swap(0, 0, 2, Card.C2), Refusal.NOT_WHAT_THE_JOKER_IS)
    refused(down, Swap(0, 0, 0, Card.S8), Refusal.NO_JOKER_THERE)


def test_r16_wild_jokers_and_twos_in_runs_on_the_table() -> None:
    """A two joins a run low as itself, elsewhere as a joker; a natural two is not swapped, one of another suit is."""
    game = position(
        turn=0, hands={0: "2H 2S 2H KC"}, melds=[(0, "run 3H 4H 5H 6H"), (1, "run 2D 3C 4C 5C")], rules=TWOS
    )
    assert accepted(game, LayOff(0, 0, Card.H2, End.LOW)).state.melds[0].jokers == 0
    assert accepted(game, LayOff(0, 0, Card.S2, End.LOW)).state.melds[0].jokers == 1
    assert accepted(game, LayOff(0, 0, Card.H2, End.HIGH)).state.melds[0].jokers == 1
    natural = position(turn=0, hands={0: "2C KC"}, melds=[(0, "run 2C 3C 4C 5C"), (1, "run 2D 3C 4C 5C")], rules=TWOS)
    refused(natural, Swap(0, 0, 0, Card.C2), Refusal.NO_JOKER_THERE)
    assert accepted(natural, Swap(0, 1, 0, Card.C2)).state.hands[0] == parse_cards("KC 2D")


def test_r16_wild_jokers_and_twos_fulfils_contracts() -> None:
    """What can be laid down with twos as jokers is offered; without them the same hand cannot."""
    hand = {0: "8C 8D 2S 9C 9D 2H KC"}
    assert position(turn=0, hands=hand, rules=TWOS).decisions()[0].lay_down is not None
    assert position(turn=0, hands=hand).decisions()[0].lay_down is None
    twos = {0: "2C 2D 2S 9C 9D 9H KC"}
    assert position(turn=0, hands=twos).decisions()[0].lay_down is not None
    assert position(turn=0, hands={0: "2C 2D 2S 9C 9D 3H KC"}, rules=TWOS).decisions()[0].lay_down is None


def test_r16_wild_jokers_and_twos_with_low_aces_takes_the_reading_of_fewest_jokers() -> None:
    """Where aces and twos leave more than one reading, that with the fewest jokers is meant, then the highest."""
    assert a_meld("run AH 2H JK JK", WILD_AND_LOW).rank == 1
    assert a_meld("run AH 2H JK JK", WILD_AND_LOW).jokers == 2
    assert (
        a_meld("run JK 2H JK AH", RuleSet(wild="jokers_and_twos", aces="high_or_low", jokers_per_meld="any")).rank == 11
    )


@pytest.mark.parametrize(("text", "lawful"), [("8C 8D JK JK", True), ("8C JK JK", False), ("4H JK JK 7H", True)])
def test_r16_jokers_per_meld_at_most_naturals_is_r8_3(text: str, lawful: bool) -> None:  # noqa: FBT001 a case
    """As many jokers as natural cards, and no more."""
    assert isinstance(read(text, STANDARD), Meld) == lawful
    assert RuleSet().jokers_per_meld == "at_most_naturals"


@pytest.mark.parametrize(
    ("limit", "text", "refusal"),
    [
        (0, "8C 8D 8S", None),
        (0, "8C 8D JK", Refusal.OVER_THE_JOKER_LIMIT),
        (1, "4H JK 6H 7H", None),
        (1, "4H JK JK 7H", Refusal.OVER_THE_JOKER_LIMIT),
        (2, "set 8C JK JK", None),
        (3, "run 4H JK JK JK", None),
        (3, "set JK JK JK", Refusal.NO_NATURAL_CARD),
        (1, "8C 8D 8S 8H 8C JK JK", Refusal.OVER_THE_JOKER_LIMIT),
    ],
)
def test_r16_jokers_per_meld_number_is_the_limit(limit: int, text: str, refusal: Refusal | None) -> None:
    """A number limits the jokers of every meld, whatever its size; one natural card must be there."""
    rules = one_hand(draft_contract(text), jokers_per_meld=limit)
    meld = read(text, rules)
    game = position(turn=0, hands={0: f"{text.removeprefix('set ').removeprefix('run ')} 3C"}, rules=rules)
    if refusal is None:
        assert isinstance(meld, Meld)
        accepted(game, lay_down(0, text))
    else:
        assert meld is refusal
        refused(game, lay_down(0, text), refusal)


def draft_contract(text: str) -> Contract:
    """Give the contract that asks for one meld of a kind."""
    return Contract(sets=(3,)) if draft(text).kind.value == "set" else Contract(runs=(4,))


def test_r16_jokers_per_meld_number_holds_after_every_lay_off() -> None:
    """A meld at the limit takes no joker, one below it does; natural cards always join."""
    rules = RuleSet(jokers_per_meld=1)
    game = position(turn=0, hands={0: "JK 8H KC"}, melds=[(0, "8C 8D JK"), (0, "4H 5H 6H 7H")], rules=rules)
    refused(game, LayOff(0, 0, JOKER), Refusal.OVER_THE_JOKER_LIMIT_WITH_IT)
    accepted(game, LayOff(0, 0, Card.H8))
    refused(accepted(game, LayOff(0, 0, Card.H8)), LayOff(0, 0, JOKER), Refusal.OVER_THE_JOKER_LIMIT_WITH_IT)
    accepted(game, LayOff(0, 1, JOKER, End.HIGH))


def test_r16_jokers_per_meld_any_needs_one_natural_card() -> None:
    """8 JK JK is a set and 4H JK JK JK a run; jokers alone are none, and join without end."""
    rules = RuleSet(jokers_per_meld="any")
    assert a_meld("set 8C JK JK", rules).jokers == 2
    assert a_meld("run 4H JK JK JK", rules).stands_for(3) == Card.H7
    assert read("set JK JK JK", rules) is Refusal.NO_NATURAL_CARD
    assert read("run JK JK JK JK", rules) is Refusal.NO_NATURAL_CARD
    game = position(turn=0, hands={0: "JK JK KC"}, melds=[(0, "set 8C JK JK")], rules=rules)
    assert accepted(accepted(game, LayOff(0, 0, JOKER)), LayOff(0, 0, JOKER)).state.melds[0].jokers == 4
    assert refuse_swap(a_meld("run 4H JK JK JK", rules), 3, Card.H7, rules) is None


def test_r16_jokers_per_meld_any_fulfils_contracts() -> None:
    """One natural card for each meld is enough to lay down."""
    hand = {0: "8C JK JK 9C JK JK KC"}
    assert position(turn=0, hands=hand, rules=RuleSet(jokers_per_meld="any")).decisions()[0].lay_down is not None
    assert position(turn=0, hands=hand).decisions()[0].lay_down is None


def sixes_and_runs(rules: RuleSet) -> tuple[Game, Game]:
    """Give a hand of two sets of one rank at a contract of two sets, and of two runs of one suit at one of two runs."""
    return (
        position(players=5, turn=0, hands={0: "8C 8D 8S 8C 8D 8H 9C 9D 9S 3C"}, rules=rules),
        position(players=5, hand=3, turn=0, hands={0: "4H 5H 6H 7H 7H 8H 9H TH 3S 4S 5S 6S 3C"}, rules=rules),
    )


def test_r16_distinct_set_ranks_false_lets_two_sets_have_one_rank() -> None:
    """Two sets of eights are two melds (R8.6)."""
    sets, _ = sixes_and_runs(STANDARD)
    accepted(sets, lay_down(0, "8C 8D 8S", "8C 8D 8H"))


def test_r16_distinct_set_ranks_true_refuses_two_sets_of_one_rank() -> None:
    """The sets of one lay-down differ in rank; runs are left alone, and other people's melds do not count."""
    rules = RuleSet(distinct_set_ranks=True)
    sets, runs = sixes_and_runs(rules)
    refused(sets, lay_down(0, "8C 8D 8S", "8C 8D 8H"), Refusal.RANKS_NOT_DISTINCT)
    accepted(sets, lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    accepted(runs, lay_down(0, "4H 5H 6H 7H", "7H 8H 9H TH"))
    beside = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S 3C"}, melds=[(1, "8C 8D 8H")], rules=rules)
    accepted(beside, lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    only = position(players=5, turn=0, hands={0: "8C 8D 8S 8C 8D 8H 3C"}, rules=rules)
    assert only.decisions()[0].lay_down is None


def test_r16_distinct_run_suits_false_lets_two_runs_have_one_suit() -> None:
    """Two runs of hearts are two melds (R8.6)."""
    _, runs = sixes_and_runs(STANDARD)
    accepted(runs, lay_down(0, "4H 5H 6H 7H", "7H 8H 9H TH"))


def test_r16_distinct_run_suits_true_refuses_two_runs_of_one_suit() -> None:
    """The runs of one lay-down differ in suit; sets are left alone."""
    rules = RuleSet(distinct_run_suits=True)
    sets, runs = sixes_and_runs(rules)
    refused(runs, lay_down(0, "4H 5H 6H 7H", "7H 8H 9H TH"), Refusal.SUITS_NOT_DISTINCT)
    accepted(runs, lay_down(0, "4H 5H 6H 7H", "3S 4S 5S 6S"))
    accepted(sets, lay_down(0, "8C 8D 8S", "8C 8D 8H"))
    only = position(players=5, hand=3, turn=0, hands={0: "4H 5H 6H 7H 7H 8H 9H TH 3C"}, rules=rules)
    assert only.decisions()[0].lay_down is None


def test_r16_distinct_set_ranks_true_binds_the_swap_of_r10_2() -> None:
    """Who could only lay down two sets of one rank with the joker may not swap for it."""
    hand = {0: "9H 8C 8D 8S 8C 8D 3C 4D"}
    melds = [(1, "9C 9D JK")]
    loose = position(players=5, turn=0, hands=hand, melds=melds)
    accepted(loose, Swap(0, 0, 2, Card.H9))
    strict = position(players=5, turn=0, hands=hand, melds=melds, rules=RuleSet(distinct_set_ranks=True))
    refused(strict, Swap(0, 0, 2, Card.H9), Refusal.COULD_NOT_LAY_DOWN)


def test_r16_go_out_with_discard_false_floats() -> None:
    """The last card discarded leaves the hand on, and its player floating (R11.2)."""
    game = position(turn=0, hands={0: "2C"}, melds=[(0, "8C 8D 8S")])
    after = accepted(game, Discard(0, Card.C2))
    assert after.state.floats(0)
    assert not after.state.results


def test_r16_go_out_with_discard_true_wins() -> None:
    """Discarding the last card ends the hand with a winner, also in the last of all turns; another discard does not."""
    rules = RuleSet(go_out_with_discard=True)
    game = position(turn=0, hands={0: "2C", 1: "KC"}, melds=[(0, "8C 8D 8S")], rules=rules)
    game.state.turn_number = 240
    after = accepted(game, Discard(0, Card.C2))
    ended = after.events[-1]
    assert isinstance(ended, HandEnded)
    assert (ended.reason, ended.winner, ended.scores[:2]) == (EndReason.OUT, 0, (0, 10))
    assert not after.state.floats(0)
    more = accepted(position(turn=0, hands={0: "2C 3C"}, melds=[(0, "8C 8D 8S")], rules=rules), Discard(0, Card.C2))
    assert not more.state.results
    to_the_table = position(turn=0, hands={0: "8H"}, melds=[(0, "8C 8D 8S")], rules=rules)
    assert accepted(to_the_table, LayOff(0, 0, Card.H8)).state.results[-1].winner == 0
