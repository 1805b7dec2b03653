"""The best turn by trying every way to play on, each through the door of the game: for small hands and few melds.

For larger hands `least_after_swaps` tries every row of swaps before the lay-down alike, and asks the solver what is
best from there on if the next swap comes after the lay-down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shanghai_engine.action import Action, LayDown, LayOff, Swap
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.game import Game
from shanghai_engine.meld import End
from shanghai_engine.solver import all_lay_downs, best_turn
from shanghai_engine.state import Phase, State

Cost = tuple[int, int]
"""Points and number of the cards that are left in hand."""


def cost_of(state: State, seat: int) -> Cost:
    """Give what a seat has in hand."""
    hand = state.hands[seat]
    return sum(state.rules.card_points[card] for card in hand), len(hand)


def every_play(game: Game) -> Iterator[Action]:
    """Give every lay-down, lay-off and swap that the seat on turn may make now."""
    state = game.state
    seat = state.turn
    contracts = ONE_MELD if state.down[seat] else (state.contract,)
    if not state.down[seat] or state.rules.extra_melds:
        for contract in contracts:
            for drafts in all_lay_downs(state.hands[seat], contract, state.rules):
                yield LayDown(seat, drafts)
    for card in sorted(set(state.hands[seat])):
        for meld in state.melds:
            for end in (None, *End):
                yield LayOff(seat, meld.id, card, end)
    yield from every_swap(game)


def every_swap(game: Game) -> Iterator[Swap]:
    """Give every swap that could be put into words, lawful or not."""
    seat = game.state.turn
    for card in sorted(set(game.state.hands[seat])):
        for meld in game.state.melds:
            for place in range(len(meld.cards)):
                yield Swap(seat, meld.id, place, card)


def least_left(game: Game, most_positions: int) -> Cost | None:
    """Give the least that a turn can leave before its discard; none where there are too many positions to see."""
    seat = game.state.turn
    best = cost_of(game.state, seat) if not game.state.must_play and not game.state.must_lay_down else (1 << 20, 0)
    ahead = [game]
    seen = set()
    while ahead:
        game = ahead.pop()
        for play in every_play(game):
            if not game.can(play):
                continue
            after = game.copy()
            after.apply(play)
            state = after.state
            if state.phase is not Phase.PLAY:
                return (0, 0)
            melds = tuple((meld.cards, meld.rank, meld.suit) for meld in state.melds)
            key = (tuple(sorted(state.hands[seat])), melds, state.must_play, state.must_lay_down)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > most_positions:
                return None
            if not state.must_play and not state.must_lay_down:
                best = min(best, cost_of(state, seat))
            ahead.append(after)
    return best


def least_after_swaps(game: Game, most_positions: int) -> Cost | None:
    """Give the least that a seat that is not down can leave (R10.2); none where there are too many positions to see."""
    seat, rules = game.state.turn, game.state.rules
    later = replace(rules, joker_swap="down_only" if rules.joker_swap == "everyone" else rules.joker_swap)
    best = cost_of(game.state, seat)
    ahead = [game]
    seen = set()
    while ahead:
        game = ahead.pop()
        state = game.state
        turn = best_turn(state.hands[seat], state.contract, state.melds, later, seat=seat, must_play=state.must_play)
        if turn.plays:
            best = min(best, (turn.points, turn.cards))
        for play in every_swap(game):
            if not game.can(play):
                continue
            after = game.copy()
            after.apply(play)
            key = (tuple(sorted(after.state.hands[seat])), tuple(meld.cards for meld in after.state.melds))
            if key not in seen:
                seen.add(key)
                ahead.append(after)
        if len(seen) > most_positions:
            return None
    return best
