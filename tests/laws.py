"""What must hold at every moment of every game, whatever its rules: what properties and state machines check."""

from __future__ import annotations

import pickle
import random
from collections import Counter

import pytest
from other_truth import another_truth
from reading import could_lay_down
from referee import claim_order, every_choice, is_lawful, is_lay_down

from shanghai_engine.action import Action, LayDown, Swap, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.event import Answered
from shanghai_engine.game import Game
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.record import line_of, record_lines
from shanghai_engine.state import Phase, State
from shanghai_engine.violation import RuleViolation


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


def cards_are_conserved(game: Game) -> None:
    """Every card of the packs lies somewhere, and none beside."""
    assert cards_of(game.state) == pack_counts(game.state.packs)


def somebody_owes(game: Game) -> None:
    """Unless a hand is over somebody owes a decision, and whoever owes one has a choice that is accepted."""
    owed = game.decisions()
    assert bool(owed) == (game.state.phase in {Phase.OFFER, Phase.PLAY})
    for seat, decision in owed.items():
        assert decision.seat == seat
        actions = list(decision.actions())
        assert actions
        for action in actions:
            assert game.can(action), action


def a_turn_can_end(game: Game) -> None:
    """The table's clock always ends what a seat owes: no turn and no offer is a dead end (R14.2)."""
    for seat, decision in game.decisions().items():
        after = game.copy()
        after.apply(TimeOut(seat))
        again = after.decisions().get(seat)
        assert again is None or again.id != decision.id


def choices_are_those_of_the_referee(game: Game) -> int:
    """Ask about every choice there is; gives how many were lawful.

    The lawful are accepted and listed, all others are refused with a rule and leave the game as it was. Where the
    referee cannot tell, what is accepted is what is listed.
    """
    before = game.copy()
    listed = {action for decision in game.decisions().values() for action in decision.actions()}
    lawful = 0
    for action in every_choice(game.state):
        verdict = is_lawful(game.state, action)
        can = game.can(action)
        if verdict is None:
            verdict = action in listed or is_another_joker_of_a_listed_set(game, action, listed)
        assert can == verdict, (action, verdict)
        lawful += can
        if can:
            assert action in listed or is_another_joker_of_a_listed_set(game, action, listed), action
            continue
        assert action not in listed
        with pytest.raises(RuleViolation) as refused:
            game.apply(action)
        assert refused.value.rule.startswith("R")
        assert "{" not in str(refused.value)
    assert game.state == before.state
    assert game.events == before.events
    if game.state.phase is Phase.OFFER:
        assert list(game.state.asked.order) == claim_order(game.state)
    return lawful


def is_another_joker_of_a_listed_set(game: Game, action: Action, listed: set[Action]) -> bool:
    """Of the equal jokers of one set, which are alike, only the first is listed."""
    if not isinstance(action, Swap) or not 0 <= action.meld < len(game.state.melds):
        return False
    meld = game.state.melds[action.meld]
    if meld.kind is MeldKind.RUN or not 0 <= action.index < len(meld.cards):
        return False
    first = meld.cards.index(meld.cards[action.index])
    return Swap(action.seat, action.meld, first, action.card) in listed


def the_lay_down_is_listed_where_there_is_one(game: Game) -> None:
    """Who is on turn and not down has a lay-down in his list just where the referee finds one."""
    state = game.state
    if state.phase is Phase.PLAY and not state.down[state.turn]:
        able = could_lay_down(state.hands[state.turn], state.contract, state.rules)
        assert able == (game.decisions()[state.turn].lay_down is not None)


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


def a_lay_down_is_judged_as_by_the_referee(game: Game, action: LayDown) -> bool | None:
    """A lay-down is accepted just where the referee accepts it, and refused changes nothing; gives his verdict."""
    verdict = is_lay_down(game.state, action)
    can = game.can(action)
    assert verdict is None or can == verdict, (action, verdict)
    if not can:
        before = game.state.copy()
        with pytest.raises(RuleViolation, match=r"\(R\d+\.\d+\)$"):
            game.apply(action)
        assert game.state == before
    return verdict


def views_tell_no_secret(game: Game, rng: random.Random) -> None:
    """Nobody can tell his game from one that differs in all that he may not know, and owes the same in both (R7.14)."""
    if game.state.phase not in {Phase.OFFER, Phase.PLAY}:
        return
    for seat in (None, *range(game.state.players)):
        other = another_truth(game, seat, rng)
        assert other.view(seat) == game.view(seat), seat
        if seat is not None:
            assert other.decisions().get(seat) == game.decisions().get(seat), seat


def the_game_is_what_happened(game: Game) -> None:
    """Its events, its record's lines, its journal's, its pickle and its copy all give the same game again."""
    assert Game.replay(game.events).state == game.state
    journal = Game.from_record(line_of(event) for event in game.events)
    assert journal.state == game.state
    assert journal.events == game.events
    if not game.state.answers:
        assert Game.from_record(record_lines(game)).state == game.state
        assert [event for event in game.events if not isinstance(event, Answered)] == Game.from_record(
            record_lines(game)
        ).events
    for twin in (game.copy(), pickle.loads(pickle.dumps(game))):  # noqa: S301 made here
        assert twin.state == game.state
        assert twin.events == game.events
        for seat in (None, *range(game.state.players)):
            assert twin.view(seat) == game.view(seat) == journal.view(seat)
        assert twin.decisions() == game.decisions()


def a_copy_is_independent(game: Game, rng: random.Random) -> None:
    """Whatever is done on a copy leaves the game as it is, and the same done on the game gives the same."""
    owed = game.decisions()
    if not owed:
        return
    state, events, seen = game.state.copy(), list(game.events), game.view(None)
    twin, other = game.copy(), game.copy()
    action = rng.choice(list(owed[rng.choice(sorted(owed))].actions()))
    assert twin.apply(action) == other.apply(action)
    assert twin.state == other.state != game.state
    assert (game.state, game.events, game.view(None)) == (state, events, seen)
