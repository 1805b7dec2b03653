"""Hypothesis strategies for every engine value that travels, and a game played at random."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

from hypothesis import strategies as st
from strategies import any_contracts, rule_sets

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, JOKER, card_of
from shanghai_engine.decision import Decision, DecisionId, DecisionKind, OfferDecision, PlayDecision
from shanghai_engine.event import Discarded, DrawSource, EndReason, GameEnded, LaidDown, LaidOff, OfferResult, Swapped
from shanghai_engine.game import Game
from shanghai_engine.history import CardDrawn, HandDealt, Learned, OfferSettled, PublicEvent, StockReshuffled
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import HandResult, Phase
from shanghai_engine.view import OwnView, PublicView, SeatView, View
from shanghai_engine.violation import RuleViolation
from shanghai_wire.actions import GoOn, SeatAction
from shanghai_wire.decisions import GoOnDecision

small = st.integers(0, 200)
ids = st.integers(0, 30)
numbers = st.integers(-(2**31), 2**31 - 1)
seats = st.integers(0, 7)
cards = st.sampled_from(CARDS)
card_tuples = st.lists(cards, max_size=20).map(tuple)
seat_tuples = st.lists(seats, max_size=8).map(tuple)
number_tuples = st.lists(numbers, max_size=8).map(tuple)
digests = st.binary(min_size=32, max_size=32)
ends = st.none() | st.sampled_from(End)

drafts = st.builds(MeldDraft, st.sampled_from(MeldKind), st.lists(cards, min_size=1, max_size=15).map(tuple))


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Give a lawful meld, with any number of jokers that it may have."""
    if draw(st.booleans()):
        size = draw(st.integers(3, 10))
        rank = draw(st.integers(2, 14))
        placed = [card_of(rank, draw(st.integers(0, 3))) for _ in range(size)]
        kind = MeldKind.SET
    else:
        size = draw(st.integers(4, 13))
        low, suit = draw(st.integers(2, 15 - size)), draw(st.integers(0, 3))
        placed = [card_of(low + place, suit) for place in range(size)]
        kind = MeldKind.RUN
    for place in draw(st.sets(st.integers(0, size - 1), max_size=size // 2)):
        placed[place] = JOKER
    meld = read_meld(MeldDraft(kind, tuple(placed)), meld_id=draw(ids), owner=draw(seats), rules=STANDARD)
    assert isinstance(meld, Meld)
    return meld


results = st.builds(
    HandResult,
    hand=small,
    contract=any_contracts,
    dealer=seats,
    reason=st.sampled_from(EndReason),
    winner=st.none() | seats,
    hands=st.lists(card_tuples, max_size=8).map(tuple),
    scores=number_tuples,
    totals=number_tuples,
    seed=digests,
    commitment=digests,
)
events: st.SearchStrategy[PublicEvent] = st.one_of(
    st.builds(HandDealt, small, any_contracts, seats, cards, small, digests),
    st.builds(OfferSettled, cards, seats, st.sampled_from(OfferResult), st.none() | seats, small),
    st.builds(CardDrawn, seats, st.sampled_from(DrawSource), st.none() | cards),
    st.builds(StockReshuffled, small),
    st.builds(LaidDown, seats, st.lists(melds(), max_size=4).map(tuple)),
    st.builds(LaidOff, seats, cards, ends, melds()),
    st.builds(Swapped, seats, small, cards, melds()),
    st.builds(Discarded, seats, cards),
    results,
    st.builds(GameEnded, number_tuples, number_tuples),
)
learned = st.builds(Learned, small, card_tuples)


@st.composite
def views(draw: st.DrawFn) -> View:
    """Give a view of a seat or a spectator; its parts need not fit one game."""
    happened = tuple(draw(st.lists(events, max_size=6)))
    public = PublicView(
        rules=draw(rule_sets()),
        phase=draw(st.sampled_from(Phase)),
        hand=draw(small),
        contract=draw(any_contracts),
        dealer=draw(seats),
        turn=draw(seats),
        turn_number=draw(small),
        step=draw(small),
        stock=draw(small),
        upcard=draw(st.none() | cards),
        dead=draw(card_tuples),
        melds=tuple(draw(st.lists(melds(), max_size=8))),
        seats=tuple(
            draw(
                st.lists(
                    st.builds(SeatView, st.text(), small, st.integers(-1, 9), st.booleans(), st.booleans(), numbers),
                    min_size=2,
                    max_size=8,
                )
            )
        ),
        claim_order=draw(seat_tuples),
        reshuffles=draw(small),
        commitment=draw(digests),
        nonces=tuple(draw(st.lists(st.binary(min_size=16, max_size=16), max_size=8))),
        hand_commitment=draw(digests),
        events=happened,
        results=tuple(draw(st.lists(results, max_size=3))),
        places=draw(seat_tuples),
        game_seed=draw(st.none() | digests),
    )
    places = st.integers(0, len(happened) - 1) if happened else st.nothing()
    own = st.builds(
        OwnView,
        seat=seats,
        hand=card_tuples,
        drawn=st.none() | cards,
        answer=st.none() | st.sampled_from(Claim),
        learned=st.lists(st.builds(Learned, places, card_tuples), max_size=3 if happened else 0).map(tuple),
    )
    return View(public, draw(st.none() | own))


decision_ids = st.builds(DecisionId, *[st.integers(0, 999_999_999)] * 3)
lay_offs = st.builds(LayOff, seats, ids, cards, ends)
swaps = st.builds(Swap, seats, ids, ids, cards)
actions: st.SearchStrategy[SeatAction] = st.one_of(
    st.builds(Answer, seats, st.sampled_from([Claim.TAKE, Claim.BUY, Claim.PASS])),
    st.builds(LayDown, seats, st.lists(drafts, min_size=1, max_size=5).map(tuple)),
    lay_offs,
    swaps,
    st.builds(Discard, seats, cards),
    st.builds(GoOn, seats),
)


@st.composite
def decisions(draw: st.DrawFn) -> Decision | GoOnDecision:
    """Give what a seat owes, as in an offer, in a turn or between hands."""
    seat, name = draw(seats), draw(decision_ids)
    match draw(st.sampled_from([*DecisionKind, None])):
        case DecisionKind.OFFER:
            return OfferDecision(
                seat=seat,
                id=name,
                claims=tuple(draw(st.lists(st.sampled_from(Claim), max_size=4))),
                claim_order=draw(seat_tuples),
                place=draw(ids),
                passing_ends_hand=draw(st.booleans()),
            )
        case DecisionKind.PLAY:
            return PlayDecision(
                seat=seat,
                id=name,
                lay_down=draw(st.none() | st.lists(drafts, min_size=1, max_size=5).map(tuple)),
                lay_offs=tuple(draw(st.lists(st.builds(LayOff, st.just(seat), ids, cards, ends), max_size=5))),
                swaps=tuple(draw(st.lists(st.builds(Swap, st.just(seat), ids, ids, cards), max_size=5))),
                discards=draw(card_tuples),
                must_lay_down=draw(st.booleans()),
            )
        case _:
            return GoOnDecision(seat, name)


@st.composite
def violations(draw: st.DrawFn) -> RuleViolation:
    """Give a refusal of the engine, with any text for each value of its sentence."""
    refusal = draw(st.sampled_from(Refusal))
    names = [name for _, name, _, _ in string.Formatter().parse(refusal.sentence) if name]
    return RuleViolation(refusal, **{name: draw(st.text(max_size=10)) for name in names})


def random_game(*, players: int, seed: int) -> Iterator[Game]:
    """Play a whole game at random, cards to the table whenever that is a choice, and give it after each action."""
    rng = random.Random(seed)
    game = Game.new(seed=rng.randbytes(32), players=players)
    yield game
    while game.state.phase is not Phase.GAME_OVER:
        owed = game.decisions()
        action: Action = Deal()
        if owed:
            choices = list(owed[rng.choice(sorted(owed))].actions())
            played = [choice for choice in choices if isinstance(choice, LayDown | LayOff | Swap)]
            action = rng.choice(played or choices)
        game.apply(action)
        yield game
