"""Can the swapped jokers that a seat may not keep still be played in this turn (R10.3, R16 `swapped_joker`)?

The swap is refused where they could not be, and so is every play after it that would leave them in the hand. The
likeliest ways to play on, of which one nearly always does, are tried first; then the solver's best turn says whether
there is a way at all. Both end after a bounded number of steps, of which the hands that people play need a small part
(`solver.effort`); where no way is found by then there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.contract import ONE_MELD, Contract
from shanghai_engine.meld import Meld, MeldDraft, laid_off, read_meld, refuse_lay_off, refuse_swap, swapped
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import all_lay_downs, best_lay_down, best_turn, can_lay_down
from shanghai_engine.solver.effort import Effort
from shanghai_engine.state import State, without_card

Play = LayDown | LayOff | Swap
"""What one does within a turn."""


@dataclass(frozen=True, slots=True)
class Owing:
    """A turn in its middle: what is in the hand and on the table, and the jokers that must still be played.

    Both are sorted, so that the same turn always has the same answer.
    """

    rules: RuleSet
    contract: Contract
    seat: int
    hand: tuple[Card, ...]
    melds: tuple[Meld, ...]
    must_play: tuple[Card, ...]
    down: bool
    laid_down_now: bool

    @property
    def lays_off(self) -> bool:
        """Whether the seat may lay off and swap now (R9.1)."""
        return self.down and (self.rules.lay_off_when_laying_down or not self.laid_down_now)

    def play(self, play: Play) -> Owing:
        """Give the turn after a play that fits."""
        match play:
            case LayDown():
                melds = tuple(self._read(number, draft) for number, draft in enumerate(play.melds, len(self.melds)))
                after = self.with_melds(melds, [card for draft in play.melds for card in draft.cards])
                return replace(after, down=True, laid_down_now=self.laid_down_now or not self.down)
            case LayOff():
                return self.with_melds((laid_off(self.melds[play.meld], play.card, play.end),), (play.card,))
            case Swap():
                meld = self.melds[play.meld]
                joker = meld.cards[play.index]
                after = self.with_melds((swapped(meld, play.index, play.card),), (play.card,))
                must_play = tuple(sorted((*after.must_play, joker)))
                return replace(after, hand=tuple(sorted((*after.hand, joker))), must_play=must_play)

    def _read(self, meld_id: int, draft: MeldDraft) -> Meld:
        meld = read_meld(draft, meld_id=meld_id, owner=self.seat, rules=self.rules)
        assert not isinstance(meld, Refusal), f"{draft} was checked"  # noqa: S101 whoever calls has read it already
        return meld

    def with_melds(self, melds: Sequence[Meld], played: Sequence[Card]) -> Owing:
        """Give the turn after cards went from the hand into new or changed melds."""
        hand, must_play = self.hand, self.must_play
        for card in played:
            hand = without_card(hand, card)
            if card in must_play:
                must_play = without_card(must_play, card)
        table = list(self.melds)
        for meld in melds:
            table[meld.id : meld.id + 1] = [meld]
        return replace(self, hand=hand, must_play=must_play, melds=tuple(table))


def owing(state: State) -> Owing:
    """Give the turn as it stands."""
    return Owing(
        rules=state.rules,
        contract=state.contract,
        seat=state.turn,
        hand=tuple(sorted(state.hands[state.turn])),
        melds=tuple(state.melds),
        must_play=tuple(sorted(state.must_play)),
        down=state.down[state.turn],
        laid_down_now=state.laid_down_now,
    )


LIKELY = 300
"""How many positions are tried, the likeliest first, before the solver is asked for the best turn."""
MOST_TRIES = 3_000
"""How many plays may lead to these positions: many lead to one that was tried before."""


def way_to_play(turn: Owing) -> list[Play] | None:
    """Give plays after which no joker is owed any more; none where there are none."""
    seen: set[tuple[object, ...]] = set()
    effort = Effort(MOST_TRIES)
    way = _way(turn, seen, effort)
    if way is not None or (len(seen) < LIKELY and not effort.spent):
        return way
    best = best_turn(
        turn.hand,
        None if turn.down else turn.contract,
        turn.melds,
        turn.rules,
        seat=turn.seat,
        laid_down_now=turn.laid_down_now,
        must_play=turn.must_play,
    )
    way = []
    for play in best.plays:
        if not turn.must_play:
            break
        way.append(play)
        turn = turn.play(play)
    return None if turn.must_play else way


def can_play_owed(turn: Owing) -> bool:
    """Say whether every joker that is owed can still be played in this turn."""
    return way_to_play(turn) is not None


def _way(turn: Owing, seen: set[tuple[object, ...]], effort: Effort) -> list[Play] | None:
    """Give a way to play on; none where there is none, or where too many positions have been seen to be sure."""
    if not turn.must_play:
        return []
    # Equal cards and equal tables are one position, however they were reached.
    key = (turn.hand, turn.melds, turn.must_play)
    if key in seen:
        return None
    seen.add(key)
    for play in _plays(turn):
        if len(seen) >= LIKELY or not effort.take(1):
            return None
        rest = _way(turn.play(play), seen, effort)
        if rest is not None:
            return [play, *rest]
    return None


def _plays(turn: Owing) -> Iterator[Play]:
    """Give what can be played next, the owed jokers first."""
    return _plays_when_down(turn) if turn.down else _plays_before(turn)


def _plays_before(turn: Owing) -> Iterator[Play]:
    """Give what a seat that is not down can play: a lay-down, or a swap after which it still can lay down (R10.2)."""
    best = best_lay_down(turn.hand, turn.contract, turn.rules)
    if best is None:
        return
    yield LayDown(turn.seat, best)
    for drafts in all_lay_downs(turn.hand, turn.contract, turn.rules):
        yield LayDown(turn.seat, drafts)
    if turn.rules.joker_swap == "everyone":
        for swap in _swaps(turn, list(dict.fromkeys(turn.hand))):
            if can_lay_down(turn.play(swap).hand, turn.contract, turn.rules):
                yield swap


def _plays_when_down(turn: Owing) -> Iterator[Play]:
    cards = list(dict.fromkeys((*turn.must_play, *turn.hand)))
    if turn.lays_off:
        yield from _lay_offs(turn, cards)
    if turn.rules.extra_melds:
        for contract in ONE_MELD:
            for drafts in all_lay_downs(turn.hand, contract, turn.rules):
                yield LayDown(turn.seat, drafts)
    if turn.lays_off and turn.rules.joker_swap != "nobody":
        yield from _swaps(turn, cards)


def _lay_offs(turn: Owing, cards: Sequence[Card]) -> Iterator[LayOff]:
    for card in cards:
        for meld in turn.melds:
            for end in meld.ends:
                if refuse_lay_off(meld, card, end, turn.rules) is None:
                    yield LayOff(turn.seat, meld.id, card, end)


def _swaps(turn: Owing, cards: Sequence[Card]) -> Iterator[Swap]:
    for meld in turn.melds:
        for index in meld.joker_places():
            for card in cards:
                if refuse_swap(meld, index, card, turn.rules) is None:
                    yield Swap(turn.seat, meld.id, index, card)
