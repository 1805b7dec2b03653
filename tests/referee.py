"""An independent reading of the rules of play, under every rule set, that the engine's refusals are compared with.

Nothing here calls the engine's checks or its solver: the lawful choices are found by asking about every choice that
could be put into words, and what `reading` says of melds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reading import could_lay_down, is_wild, may_hold, meaning, of_rank, readings

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase, State

ENOUGH = 3000
"""How many positions of a turn are looked at before the referee says that he cannot tell."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A meld as it lies on the table: its cards, and the rank (of its low end) and suit that were read when it came."""

    kind: MeldKind
    cards: tuple[Card, ...]
    rank: int
    suit: int

    @classmethod
    def of(cls, meld: Meld) -> Lying:
        """Give what the referee needs to know of a meld."""
        return cls(meld.kind, meld.cards, meld.rank, meld.suit)

    def jokers(self, rules: RuleSet) -> list[int]:
        """Give the places of its jokers."""
        if self.kind is MeldKind.SET:
            return [place for place, card in enumerate(self.cards) if is_wild(card, rules)]
        meant = meaning(self.rank, self.suit, len(self.cards), rules)
        assert meant is not None
        return [place for place, card in enumerate(self.cards) if card != meant[place]]

    def with_card(self, card: Card, end: End | None, rules: RuleSet) -> Lying | None:
        """R9.2: the meld with one more card; none where it does not take it."""
        if (end is None) != (self.kind is MeldKind.SET):
            return None
        rank = self.rank - (end is End.LOW)
        cards = (card, *self.cards) if end is End.LOW else (*self.cards, card)
        longer = Lying(self.kind, cards, rank, self.suit)
        if self.kind is MeldKind.SET:
            fits = card in of_rank(self.rank) or is_wild(card, rules)
        else:
            meant = meaning(rank, self.suit, len(cards), rules)
            fits = meant is not None and (card == meant[0 if end is End.LOW else -1] or is_wild(card, rules))
        return longer if fits and may_hold(len(longer.jokers(rules)), len(cards), rules) else None

    def with_swap(self, index: int, card: Card, rules: RuleSet) -> Lying | None:
        """R10.1: the meld with a card in place of the joker it stands for; none where it does not stand for it."""
        if not 0 <= index < len(self.cards) or index not in self.jokers(rules):
            return None
        if self.kind is MeldKind.SET:
            fits = rules.swap_in_sets and card in of_rank(self.rank) and not is_wild(card, rules)
        else:
            meant = meaning(self.rank, self.suit, len(self.cards), rules)
            fits = meant is not None and card == meant[index]
        cards = (*self.cards[:index], card, *self.cards[index + 1 :])
        return Lying(self.kind, cards, self.rank, self.suit) if fits else None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a seat that is down, in its middle: the hand, the melds, and the jokers that must still be played."""

    hand: tuple[Card, ...]
    melds: tuple[Lying, ...]
    owed: tuple[Card, ...]


def is_lay_down(state: State, action: LayDown) -> bool | None:
    """R8.5, R8.6, `extra_melds`: from the hand, every meld lawful, the whole contract; none where he cannot tell."""
    rules = state.rules
    down = _plays(state, action.seat) and state.down[action.seat]
    if not _plays(state, action.seat) or (down and not rules.extra_melds) or not action.melds:
        return False
    if Counter(card for draft in action.melds for card in draft.cards) - Counter(state.hands[action.seat]):
        return False
    if not all(readings(draft.kind, draft.cards, rules) for draft in action.melds):
        return False
    if not down and not (_is_contract(action.melds, state.rules.contracts[state.hand - 1]) and _differ(action, rules)):
        return False
    return None if state.must_play else True


def _is_contract(melds: Sequence[MeldDraft], contract: Contract) -> bool:
    for kind, sizes in ((MeldKind.SET, contract.sets), (MeldKind.RUN, contract.runs)):
        lengths = sorted(len(draft.cards) for draft in melds if draft.kind is kind)
        if len(lengths) != len(sizes) or any(got < asked for got, asked in zip(lengths, sorted(sizes), strict=True)):
            return False
    return True


def _differ(action: LayDown, rules: RuleSet) -> bool:
    """`distinct_set_ranks`, `distinct_run_suits`; of more readings that of fewest jokers, then the highest."""
    ranks: list[int] = []
    suits: list[int] = []
    for draft in action.melds:
        meant = min(
            readings(draft.kind, draft.cards, rules), key=lambda read: (len(read.jokers), -read.rank, -read.suit)
        )
        (ranks if draft.kind is MeldKind.SET else suits).append(
            meant.rank if draft.kind is MeldKind.SET else meant.suit
        )
    return not (rules.distinct_set_ranks and len(set(ranks)) < len(ranks)) and not (
        rules.distinct_run_suits and len(set(suits)) < len(suits)
    )


def _plays(state: State, seat: int) -> bool:
    return state.phase is Phase.PLAY and state.turn == seat


def every_choice(state: State) -> Iterator[Action]:
    """Give every answer, lay-off, swap and discard that can be put into words, by every seat, lawful or not."""
    for seat in range(-1, state.players + 1):
        for claim in Claim:
            yield Answer(seat, claim)
        for card in CARDS:
            yield Discard(seat, card)
    for seat in {state.turn, (state.turn + 1) % state.players}:
        for meld in range(-1, len(state.melds) + 1):
            places = len(state.melds[meld].cards) if 0 <= meld < len(state.melds) else 1
            for card in CARDS:
                for end in (None, End.LOW, End.HIGH):
                    yield LayOff(seat, meld, card, end)
                for index in range(-1, places + 1):
                    yield Swap(seat, meld, index, card)


def is_lawful(state: State, action: Action) -> bool | None:
    """Say whether an answer, lay-off, swap or discard may happen now; none where the referee cannot tell."""
    match action:
        case Answer():
            return _may_answer(state, action)
        case Discard():
            return (
                _plays(state, action.seat)
                and action.card in state.hands[action.seat]
                and not state.must_lay_down
                and not state.must_play
            )
        case LayOff():
            return _may_lay_off(state, action)
        case Swap():
            return _may_swap(state, action)
        case _:
            raise AssertionError(action)


def _may_answer(state: State, action: Answer) -> bool:
    seat, turn, players, rules = action.seat, state.turn, state.players, state.rules
    if state.phase is not Phase.OFFER or not 0 <= seat < players or seat in state.answers:
        return False
    threw_it = state.turn_number > 1 and seat == (turn - 1) % players
    buyer = (
        (rules.down_may_buy or not state.down[seat])
        and state.buys_left[seat] != 0
        and len(state.stock) >= rules.buy_extra_cards
        and not threw_it
    )
    if action.claim is Claim.PASS:
        return seat == turn or buyer
    if action.claim is Claim.TAKE:
        return seat == turn
    if action.claim is Claim.BUY:
        turn_buys = {"never": False, "always": True, "two_players": players == 2}[rules.turn_may_buy]
        return buyer and (seat != turn or turn_buys)
    return False


def claim_order(state: State) -> list[int]:
    """R7.11: the seats of the open offer, in the order in which their claims count."""
    rules, turn, players = state.rules, state.turn, state.players
    first = state.dealer if rules.buy_priority == "dealer_left" else turn
    seats = [(first + step) % players for step in range(1, players + 1)]
    buyers = [
        seat
        for seat in seats
        if seat != turn
        and (rules.down_may_buy or not state.down[seat])
        and state.buys_left[seat] != 0
        and len(state.stock) >= rules.buy_extra_cards
        and not (state.turn_number > 1 and seat == (turn - 1) % players)
    ]
    return [*buyers, turn] if state.down[turn] else [turn, *buyers]


def _may_touch_melds(state: State, seat: int, card: Card, meld: int) -> bool:
    """Say whether a seat plays now, holds the card, names a meld, and may play to the table after laying down."""
    just_now = state.laid_down_now and not state.rules.lay_off_when_laying_down
    return _plays(state, seat) and not just_now and card in state.hands[seat] and 0 <= meld < len(state.melds)


def _turn(state: State) -> Turn:
    return Turn(tuple(sorted(state.hands[state.turn])), tuple(map(Lying.of, state.melds)), state.must_play)


def _may_lay_off(state: State, action: LayOff) -> bool | None:
    seat = action.seat
    if not _may_touch_melds(state, seat, action.card, action.meld) or not state.down[seat]:
        return False
    after = _laid_off(_turn(state), action.meld, action.card, action.end, state.rules)
    if after is None:
        return False
    return _can_end(after, state.rules) if state.must_play else True


def _may_swap(state: State, action: Swap) -> bool | None:
    seat, rules = action.seat, state.rules
    if rules.joker_swap == "nobody" or not _may_touch_melds(state, seat, action.card, action.meld):
        return False
    if rules.joker_swap == "down_only" and not state.down[seat]:
        return False
    after = _swapped(_turn(state), action.meld, action.index, action.card, rules)
    if after is None:
        return False
    if not state.down[seat]:
        able = could_lay_down(after.hand, rules.contracts[state.hand - 1], rules)
        return None if able and rules.swapped_joker == "play_this_turn" else able
    return _can_end(after, rules) if rules.swapped_joker == "play_this_turn" else True


def _less(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    if card not in cards:
        return cards
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


def _laid_off(turn: Turn, meld: int, card: Card, end: End | None, rules: RuleSet) -> Turn | None:
    longer = turn.melds[meld].with_card(card, end, rules)
    if longer is None:
        return None
    melds = (*turn.melds[:meld], longer, *turn.melds[meld + 1 :])
    return Turn(_less(turn.hand, card), melds, _less(turn.owed, card))


def _swapped(turn: Turn, meld: int, index: int, card: Card, rules: RuleSet) -> Turn | None:
    changed = turn.melds[meld].with_swap(index, card, rules)
    if changed is None:
        return None
    joker = turn.melds[meld].cards[index]
    melds = (*turn.melds[:meld], changed, *turn.melds[meld + 1 :])
    # A wild two that is owed is on the table, too, where it takes its own place.
    owed = tuple(sorted((*_less(turn.owed, card), joker))) if rules.swapped_joker == "play_this_turn" else ()
    return Turn(tuple(sorted((*_less(turn.hand, card), joker))), melds, owed)


def _can_end(turn: Turn, rules: RuleSet) -> bool | None:
    """Say whether a seat that is down can play all that it owes, trying every way; none where there are too many."""
    if rules.extra_melds:
        return None if turn.owed else True
    seen, waiting = {turn}, [turn]
    while waiting:
        now = waiting.pop()
        if not now.owed:
            return True
        if len(seen) > ENOUGH:
            return None
        for after in _every_play(now, rules):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def _every_play(turn: Turn, rules: RuleSet) -> Iterator[Turn]:
    for number, meld in enumerate(turn.melds):
        for card in set(turn.hand):
            for end in (None, End.LOW, End.HIGH):
                after = _laid_off(turn, number, card, end, rules)
                if after is not None:
                    yield after
            if rules.joker_swap != "nobody":
                for index in meld.jokers(rules):
                    after = _swapped(turn, number, index, card, rules)
                    if after is not None:
                        yield after
