"""Hypothesis strategies for the values of the game, from cards up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume
from hypothesis import strategies as st
from positions import position

from shanghai_engine.card import ACE, CARDS, JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRules
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import MOST_RESHUFFLES, STANDARD, RuleSet

cards = st.sampled_from(CARDS)
"""Any card, jokers included."""
naturals = st.sampled_from(CARDS[:-1])
"""Any card but a joker."""


@st.composite
def hands(draw: st.DrawFn, *, least: int = 0, most: int = 11, most_jokers: int = 4) -> tuple[Card, ...]:
    """Draw a hand in no order, often of so few ranks and suits that melds can be made and cards are repeated."""
    suits = draw(st.integers(1, 4))
    low = draw(st.integers(LOWEST_RANK, ACE - 3))
    high = draw(st.integers(low + 1, ACE))
    size = draw(st.integers(least, most))
    jokers = draw(st.integers(0, min(most_jokers, size)))
    near = st.builds(card_of, st.integers(low, high), st.integers(0, suits - 1))
    held = draw(st.lists(near, min_size=size - jokers, max_size=size - jokers))
    return tuple(draw(st.permutations([*held, *[JOKER] * jokers])))


@st.composite
def long_suits(draw: st.DrawFn) -> tuple[Card, ...]:
    """Draw a hand of most of one suit, some other cards and up to five jokers: more than a run can always hold."""
    suit = draw(st.integers(0, 3))
    ranks = draw(st.sets(st.integers(LOWEST_RANK, ACE), min_size=6))
    others = draw(st.lists(naturals, max_size=5))
    jokers = draw(st.integers(0, 5))
    return (*(card_of(rank, suit) for rank in sorted(ranks)), *others, *[JOKER] * jokers)


CONTRACTS = (
    *STANDARD_CONTRACTS,
    Contract(runs=(4,)),
    Contract(runs=(6,)),
    Contract(runs=(5, 4)),
    Contract(sets=(4, 3)),
    Contract(sets=(5, 3, 3)),
    Contract(sets=(3,), runs=(4, 4)),
    Contract(sets=(3, 3), runs=(4, 4, 4)),
)
contracts = st.sampled_from(CONTRACTS)
"""The ten standard contracts, and others of mixed sizes and up to five melds (R6, R16)."""
small_contracts = st.sampled_from([contract for contract in CONTRACTS if contract.size <= 9])
"""Those that a hand of about ten cards can fulfil."""

any_contracts = st.builds(
    Contract,
    sets=st.lists(st.integers(3, 8), min_size=1, max_size=4).map(tuple),
    runs=st.lists(st.integers(4, 13), max_size=3).map(tuple),
) | st.builds(Contract, runs=st.lists(st.integers(4, 13), min_size=1, max_size=4).map(tuple))
"""Contracts of any shape (R16)."""

points = st.lists(st.integers(0, 100), min_size=14, max_size=14).map(tuple)
meld_rules = st.one_of(
    st.just(STANDARD),
    st.builds(RuleSet, points=points),
    st.builds(
        RuleSet,
        aces=st.sampled_from(["high", "high_or_low"]),
        wild=st.sampled_from(["jokers", "jokers_and_twos"]),
        jokers_per_meld=st.sampled_from(["at_most_naturals", "any", 0, 1, 2, 3, 4, 6]),
        distinct_set_ranks=st.booleans(),
        distinct_run_suits=st.booleans(),
        points=st.just(STANDARD.points) | points,
    ),
)
"""The standard, and tables where the cards count otherwise, also nothing, or where melds are made otherwise (R16)."""


@st.composite
def rule_sets(
    draw: st.DrawFn, *, most_hands: int = 15, contracts: st.SearchStrategy[Contract] = any_contracts
) -> RuleSet:
    """Give a rule set with any value of any field of R16, for some number of players or for none."""
    hands = draw(st.integers(1, most_hands))

    def for_each(values: st.SearchStrategy[int]) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=hands, max_size=hands)))

    return replace(
        draw(meld_rules),
        go_out_with_discard=draw(st.booleans()),
        buy_extra_cards=draw(st.integers(0, 3)),
        buys=for_each(st.integers(-1, 1000)),
        buy_priority=draw(st.sampled_from(["dealer_left", "turn_left"])),
        down_may_buy=draw(st.booleans()),
        turn_may_buy=draw(st.sampled_from(["two_players", "never", "always"])),
        joker_swap=draw(st.sampled_from(["everyone", "down_only", "nobody"])),
        swap_in_sets=draw(st.booleans()),
        swapped_joker=draw(st.sampled_from(["keep", "play_this_turn"])),
        lay_off_when_laying_down=draw(st.booleans()),
        extra_melds=draw(st.booleans()),
        reshuffles=draw(st.integers(0, MOST_RESHUFFLES)),
        turn_limit=draw(st.integers(10, 200)),
        contracts=tuple(draw(st.lists(contracts, min_size=hands, max_size=hands))),
        cards_dealt=for_each(st.integers(5, 15)),
        packs=tuple(draw(st.lists(st.integers(1, 6), min_size=7, max_size=7))),
    )


table_contracts = st.one_of(
    st.sampled_from(STANDARD_CONTRACTS),
    st.builds(
        Contract,
        sets=st.lists(st.integers(3, 5), min_size=1, max_size=2).map(tuple),
        runs=st.lists(st.integers(4, 7), max_size=1).map(tuple),
    ),
    st.builds(Contract, runs=st.lists(st.integers(4, 6), min_size=1, max_size=2).map(tuple)),
)
"""Those of a table: the standard ones, and others that are fulfilled more easily (R16)."""


@st.composite
def tables(draw: st.DrawFn, *, players: int) -> RuleSet:
    """Draw rules that so many can play, for a short game: one or two hands, and few turns in each."""
    rules = draw(rule_sets(most_hands=2, contracts=table_contracts))
    changes = {
        "turn_limit": draw(st.integers(10, 16)),
        "buys": tuple(draw(st.sampled_from([-1, 0, 1, 3, 4])) for _ in rules.buys),
        "cards_dealt": tuple(draw(st.integers(8, 15)) for _ in rules.cards_dealt),
        "reshuffles": draw(st.integers(0, 2)),
        "joker_swap": draw(st.sampled_from(["everyone", "everyone", "down_only", "nobody"])),
    }
    rules = replace(rules, **changes)  # type: ignore[arg-type]
    try:
        rules.check_players(players)
    except BadRules:
        # More cards and buys make nearly everything playable; what is not is drawn again.
        rules = replace(rules, packs=(6,) * 7, buys=(-1,) * rules.hands, turn_may_buy="always")
        try:
            rules.check_players(players)
        except BadRules:
            assume(False)  # noqa: FBT003 Hypothesis calls it so
    return rules


@st.composite
def lawful_melds(draw: st.DrawFn, rules: RuleSet, *, meld_id: int) -> Meld:
    """Draw a meld of seat 1 that lies on a table of these rules, often with jokers or wild twos in it."""
    if draw(st.booleans()):
        kind, rank = MeldKind.SET, draw(st.integers(LOWEST_RANK + (rules.wild != "jokers"), ACE))
        meant = [card_of(rank, draw(st.integers(0, 3))) for _ in range(draw(st.integers(3, 6)))]
    else:
        size = draw(st.sampled_from([4, 4, 5, 6, 7, 9, 12, 13]))
        low, suit = draw(st.integers(rules.lowest_rank, ACE + 1 - size)), draw(st.integers(0, 2))
        kind, meant = MeldKind.RUN, [card_of(rank if rank > 1 else ACE, suit) for rank in range(low, low + size)]
    wilds = [card for card in CARDS if rules.wild_cards[card]]
    for place in draw(st.lists(st.integers(0, len(meant) - 1), unique=True, max_size=len(meant) // 2)):
        changed = [*meant[:place], draw(st.sampled_from(wilds)), *meant[place + 1 :]]
        if isinstance(read_meld(MeldDraft(kind, tuple(changed)), meld_id=0, owner=1, rules=rules), Meld):
            meant = changed
    meld = read_meld(MeldDraft(kind, tuple(meant)), meld_id=meld_id, owner=1, rules=rules)
    assume(isinstance(meld, Meld))
    assert isinstance(meld, Meld)
    return meld


def fitting(melds: Sequence[Meld], rules: RuleSet) -> list[Card]:
    """Give cards that may be laid off or swapped at once or after some others, and the wild cards."""
    found = [card for card in CARDS if rules.wild_cards[card]]
    for meld in melds:
        if meld.kind is MeldKind.SET:
            found += [card_of(meld.rank, suit) for suit in range(4)]
            continue
        ranks = [*range(meld.rank - 3, meld.rank), *range(meld.high + 1, meld.high + 4)]
        found += [card_of(rank if rank > 1 else ACE, meld.suit) for rank in ranks if 1 <= rank <= ACE]
        found += [card for place in meld.joker_places() if (card := meld.stands_for(place)) is not None] * 2
    return found


@st.composite
def nearly_laid_down(draw: st.DrawFn, contract: Contract) -> list[Card]:
    """Draw cards that a contract's melds could be made of, now and then one or two too few."""
    held: list[Card] = []
    for size in contract.sets:
        rank = draw(st.integers(LOWEST_RANK, ACE))
        held += [card_of(rank, draw(st.integers(0, 3))) for _ in range(size)]
    for size in contract.runs:
        low, suit = draw(st.integers(LOWEST_RANK, ACE + 1 - size)), draw(st.integers(0, 2))
        held += [card_of(rank, suit) for rank in range(low, low + size)]
    for _ in range(draw(st.integers(0, 2))):
        held.pop(draw(st.integers(0, len(held) - 1)))
    return held


@st.composite
def crowded_turns(draw: st.DrawFn) -> Game:
    """Draw a game in which seat 0 is down, before runs of one suit that all want the few cards of its hand."""
    suit = draw(st.integers(0, 3))
    ranks = st.integers(LOWEST_RANK, ACE)
    melds = []
    for number in range(draw(st.integers(2, 4))):
        size = draw(st.sampled_from([4, 4, 5]))
        low = draw(st.integers(LOWEST_RANK, ACE + 1 - size))
        cards = [card_of(rank, suit) for rank in range(low, low + size)]
        for place in draw(st.sets(st.integers(0, size - 1), max_size=size // 2)):
            cards[place] = JOKER
        meld = read_meld(MeldDraft(MeldKind.RUN, tuple(cards)), meld_id=number, owner=1, rules=STANDARD)
        assert isinstance(meld, Meld)
        melds.append(meld)
    held = draw(st.lists(st.builds(card_of, ranks, st.just(suit)), min_size=2, max_size=4))
    game = position(players=3, turn=0, down=(0, 1))
    game.state.melds = melds
    game.state.hands[0] = (*held, *[JOKER] * draw(st.integers(0, 2)))
    return game


@st.composite
def turns_with_swaps(draw: st.DrawFn) -> Game:
    """Draw a game in which seat 0 is not down, before melds with jokers for which it may hold many of the cards."""
    contract = draw(small_contracts)
    rules = replace(
        draw(meld_rules),
        contracts=(contract,),
        buys=(3,),
        cards_dealt=(11,),
        swapped_joker=draw(st.sampled_from(["keep", "keep", "play_this_turn"])),
        extra_melds=draw(st.booleans()),
    )
    low = draw(st.integers(LOWEST_RANK, ACE - 5))
    ranks = st.integers(low, low + 5)
    suits = st.sampled_from(draw(st.sampled_from([(0,), (0, 1)])))
    melds: list[Meld] = []
    for _ in range(draw(st.integers(2, 4))):
        if draw(st.booleans()):
            kind, rank = MeldKind.SET, draw(ranks)
            cards = [card_of(rank, draw(st.integers(0, 3))) for _ in range(draw(st.integers(3, 4)))]
        else:
            kind, rank, suit = MeldKind.RUN, draw(st.integers(low, low + 2)), draw(suits)
            cards = [card_of(rank + place, suit) for place in range(4)]
        for place in draw(st.sets(st.integers(0, len(cards) - 1), min_size=1, max_size=2)):
            cards[place] = JOKER
        read = read_meld(MeldDraft(kind, tuple(cards)), meld_id=len(melds), owner=1, rules=rules)
        if isinstance(read, Meld):
            melds.append(read)
    game = position(players=3, turn=0, rules=rules)
    game.state.melds = melds
    size = contract.size + draw(st.integers(-1, 2))
    held = st.builds(card_of, ranks, suits)
    game.state.hands[0] = tuple(draw(st.lists(held, min_size=size, max_size=size)))
    return game


@st.composite
def turns(draw: st.DrawFn, *, most_cards: int, most_melds: int) -> Game:
    """Draw a game in which seat 0 of three is on turn and has drawn, down or not, under any rules.

    Besides what its contract needs it holds up to so many cards, most of which may be played.
    """
    contract = draw(small_contracts)
    rules = replace(
        draw(meld_rules),
        contracts=(contract,),
        buys=(3,),
        cards_dealt=(11,),
        joker_swap=draw(st.sampled_from(["everyone", "everyone", "down_only", "nobody"])),
        swap_in_sets=draw(st.booleans()),
        swapped_joker=draw(st.sampled_from(["keep", "play_this_turn"])),
        lay_off_when_laying_down=draw(st.sampled_from([True, True, False])),
        extra_melds=draw(st.booleans()),
    )
    melds = [draw(lawful_melds(rules, meld_id=number)) for number in range(draw(st.integers(0, most_melds)))]
    game = position(players=3, turn=0, rules=rules)
    game.state.melds = melds
    game.state.down = [draw(st.booleans()), True, False]
    game.state.laid_down_now = game.state.down[0] and draw(st.booleans())
    held = [] if game.state.down[0] else draw(nearly_laid_down(contract))
    held += draw(st.lists(st.sampled_from(fitting(melds, rules)) | naturals, min_size=1, max_size=most_cards))
    game.state.hands[0] = tuple(draw(st.permutations(held)))
    return game
