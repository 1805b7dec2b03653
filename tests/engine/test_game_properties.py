"""Random games for every number of players: what must hold after every event, and what must be refused."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from referee import every_choice, is_lawful, is_lay_down

from shanghai_engine.action import Action, Answer, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.decision import Decision
from shanghai_engine.event import Event
from shanghai_engine.game import Game
from shanghai_engine.meld import End, MeldDraft, MeldKind, refuse_lay_off
from shanghai_engine.rules import PRESETS
from shanghai_engine.solver import can_lay_down, distance
from shanghai_engine.state import Phase, State, without_card
from shanghai_engine.violation import RuleViolation

PLAYERS = range(2, 9)


def pack_counts(packs: int) -> Counter[Card]:
    """Give the cards of some packs: R1.1."""
    return Counter({card: packs * (2 if card == JOKER else 1) for card in CARDS})


def cards_of(state: State) -> Counter[Card]:
    """Give every card that lies anywhere."""
    counts = Counter(state.stock) + Counter(state.discards)
    for hand in state.hands:
        counts += Counter(hand)
    for meld in state.melds:
        counts += Counter(meld.cards)
    return counts


def choose(decision: Decision, rng: random.Random, *, eager: bool) -> Action:
    """Choose at random, or whatever gets cards onto the table whenever there is such a thing."""
    actions = list(decision.actions())
    if eager:
        played: list[Action] = [action for action in actions if isinstance(action, LayDown | LayOff | Swap)]
        actions = played or actions
    return rng.choice(actions)


def nearest_claim(state: State, decision: Decision, rng: random.Random) -> Action:
    """Claim an upcard that brings the hand nearer to its contract, or that could be laid off; pass on any other."""
    card, hand = state.discards[-1], state.hands[decision.seat]
    if state.down[decision.seat]:
        useful = any(
            refuse_lay_off(meld, card, end, state.rules) is None for meld in state.melds for end in (None, *End)
        )
    else:
        now = distance(hand, state.contract, state.rules)
        useful = distance((*hand, card), state.contract, state.rules) < now
    return Answer(decision.seat, rng.choice([claim for claim in decision.claims if claim.wants is useful]))


def nearest_discard(state: State) -> Action | None:
    """Give the discard that leaves the hand nearest to its contract; none where the seat is down."""
    if state.phase is not Phase.PLAY or state.down[state.turn] or state.must_lay_down:
        return None
    hand = state.hands[state.turn]
    missing = {card: distance(without_card(hand, card), state.contract, state.rules) for card in set(hand)}
    return Discard(state.turn, min(sorted(missing), key=missing.__getitem__))


def step(game: Game, rng: random.Random, *, eager: bool) -> tuple[Action, tuple[Event, ...]]:
    """Let somebody who owes a decision take it, in random order; deal when a hand is over."""
    owed = game.decisions()
    if not owed:
        return Deal(), game.apply(Deal())
    seat = rng.choice(sorted(owed))
    action = TimeOut(seat) if rng.random() < 0.02 else choose(owed[seat], rng, eager=eager)
    if eager and isinstance(action, Answer):
        action = nearest_claim(game.state, owed[seat], rng)
    elif eager and isinstance(action, Discard):
        action = nearest_discard(game.state) or action
    return action, game.apply(action)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("eager", [False, True])
def test_cards_are_conserved_and_somebody_always_owes_a_decision(players: int, *, eager: bool) -> None:
    """After each event every card of the packs lies somewhere, and unless a hand is over somebody owes something."""
    rng = random.Random(f"{players}{eager}")
    game = Game.new(seed=rng.randbytes(32), players=players)
    twin = Game.new(seed=game.state.game_seed, players=players)
    packs = pack_counts(game.state.packs)
    while game.state.phase is not Phase.GAME_OVER:
        _, events = step(game, rng, eager=eager)
        for event in events:
            twin.evolve(event)
            assert cards_of(twin.state) == packs
        assert twin.state == game.state
        assert bool(game.decisions()) == (game.state.phase in {Phase.OFFER, Phase.PLAY})
    assert Game.replay(game.events).state == game.state
    assert len(game.state.results) == game.state.rules.hands


@pytest.mark.parametrize("players", PLAYERS)
def test_every_listed_choice_is_accepted(players: int) -> None:
    """Whatever a decision lists can be done, by its seat, on a copy of the game."""
    rng = random.Random(players)
    game = Game.new(seed=rng.randbytes(32), players=players)
    listed: Counter[type[Action]] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if rng.random() < 0.1:
            for decision in game.decisions().values():
                for action in decision.actions():
                    assert game.can(action)
                    game.copy().apply(action)
                    listed[type(action)] += 1
        step(game, rng, eager=True)
    assert set(listed) == {Answer, LayDown, LayOff, Swap, Discard}


@pytest.mark.parametrize("players", PLAYERS)
def test_every_other_choice_is_refused_with_a_rule_and_changes_nothing(players: int) -> None:
    """Of all answers, lay-offs, swaps and discards that can be named, the lawful are listed; the rest are refused."""
    rng = random.Random(players + 100)
    game = Game.new(seed=rng.randbytes(32), players=players)
    looked_at: Counter[Phase] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if rng.random() < 0.01 or game.state.must_lay_down:
            looked_at[game.state.phase] += 1
            compare_with_the_referee(game)
        step(game, rng, eager=True)
    assert looked_at[Phase.PLAY]
    assert looked_at[Phase.OFFER]
    compare_with_the_referee(game)


def compare_with_the_referee(game: Game) -> None:
    """Ask about every choice there is; refusals name a rule and leave the state as it was."""
    before = game.copy()
    listed = {action for decision in game.decisions().values() for action in decision.actions()}
    for action in every_choice(game.state):
        lawful = is_lawful(game.state, action)
        assert game.can(action) == lawful, action
        if lawful:
            assert action in listed or is_another_joker_of_a_listed_set(game, action, listed), action
            continue
        assert action not in listed
        with pytest.raises(RuleViolation) as refused:
            game.apply(action)
        assert refused.value.rule.startswith("R")
        assert "{" not in str(refused.value)
    assert game.state == before.state
    assert game.events == before.events


def is_another_joker_of_a_listed_set(game: Game, action: Action, listed: set[Action]) -> bool:
    """Of the jokers of one set, which are alike, only the first is listed."""
    if not isinstance(action, Swap) or game.state.melds[action.meld].kind is MeldKind.RUN:
        return False
    first = game.state.melds[action.meld].cards.index(JOKER)
    return Swap(action.seat, action.meld, first, action.card) in listed


def some_lay_down(game: Game, seat: int, rng: random.Random) -> LayDown:
    """Make up a lay-down: the best one, or one with a card, a kind, an order or a meld changed."""
    decision = game.decisions().get(seat)
    drafts = list(decision.lay_down) if decision and decision.lay_down else []
    hand = game.state.hands[seat]
    if not drafts:
        kinds = [MeldKind.SET] * len(game.state.contract.sets) + [MeldKind.RUN] * len(game.state.contract.runs)
        drafts = [MeldDraft(kind, tuple(rng.choices(hand or CARDS, k=rng.randint(2, 5)))) for kind in kinds]
    change = rng.randrange(6)
    place = rng.randrange(len(drafts))
    draft = drafts[place]
    cards = list(draft.cards)
    if change == 0:
        cards[rng.randrange(len(cards))] = rng.choice(CARDS)
    elif change == 1:
        rng.shuffle(cards)
    elif change == 2:
        cards.append(rng.choice(hand or CARDS))
    elif change == 3:
        cards.pop()
    elif change == 4:
        drafts.append(draft)
    drafts[place] = MeldDraft(rng.choice(list(MeldKind)) if change == 5 else draft.kind, tuple(cards))
    return LayDown(seat, tuple(drafts))


@pytest.mark.parametrize("players", PLAYERS)
def test_lay_downs_that_an_independent_check_refuses_are_refused(players: int) -> None:
    """A lay-down made up from the hand is accepted exactly where the referee accepts it."""
    rng = random.Random(players + 200)
    game = Game.new(seed=rng.randbytes(32), players=players)
    answers: Counter[bool] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if game.state.phase is Phase.PLAY:
            turn = game.state.turn
            for seat in (turn, turn, turn, (turn + 1) % players):
                action = some_lay_down(game, seat, rng)
                lawful = is_lay_down(game.state, action)
                answers[lawful] += 1
                assert game.can(action) == lawful, action
                if not lawful:
                    before = game.state.copy()
                    with pytest.raises(RuleViolation, match=r"\(R\d+\.\d+\)$"):
                        game.apply(action)
                    assert game.state == before
        step(game, rng, eager=True)
    assert answers[True]
    assert answers[False] > 1000


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_kind_of_action_occurs_in_every_hand(preset: str) -> None:
    """The random games get people down in every one of the ten hands, so the properties speak of all of them."""
    seen: set[tuple[int, type[Action]]] = set()
    for number in range(6):
        rng = random.Random(f"{preset}{number}")
        game = Game.new(seed=rng.randbytes(32), players=3 + number % 4, rules=PRESETS[preset])
        while game.state.phase is not Phase.GAME_OVER:
            hand = game.state.hand
            action, _ = step(game, rng, eager=True)
            seen.add((hand, type(action)))
    kinds = {Answer, LayDown, LayOff, Swap, Discard, TimeOut}
    assert {(hand, kind) for hand in range(1, 11) for kind in kinds} <= seen


def test_r10_2_only_a_hand_that_can_lay_down_is_ever_bound_to() -> None:
    """After a swap a seat that is not down cannot discard, and can always lay down."""
    bound = 0
    for players in PLAYERS:
        rng = random.Random(players + 300)
        game = Game.new(seed=rng.randbytes(32), players=players)
        while game.state.phase is not Phase.GAME_OVER:
            if game.state.must_lay_down:
                bound += 1
                assert can_lay_down(game.state.hands[game.state.turn], game.state.contract, game.state.rules)
                assert not game.can(Discard(game.state.turn, game.state.hands[game.state.turn][0]))
            step(game, rng, eager=True)
    assert bound > 3


def test_ends_are_named_by_value() -> None:
    """The text forms of ends and kinds are those of the game record."""
    assert [end.value for end in End] == ["low", "high"]
    assert [kind.value for kind in MeldKind] == ["set", "run"]
