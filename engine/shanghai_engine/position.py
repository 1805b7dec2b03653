"""A position as text: everything that is true of a game at one moment, short enough to be pasted into a test.

One line for each thing, which begins with its name; a line that is missing says what is usual. So the smallest text has
only the hand, the turn and the seats, and the text of any game has no line that could be spared:

    hand 2
    dealer 0
    turn 1 play 1 number 5
    seat "Ann" total 35 buys 3 down cards 3C 4D JK
    seat "Ben" total 0 buys 2 cards 8H 9H TH JH 8S 8C QD
    meld 0 set 5C 5D 5H
    stock 2C KD
    discards 4S QS
    drawn QD

Cards in `stock` begin at its top, those of `discards` with the first; while an offer is open the last of them is the
upcard. `offer_closed` stands where a record ends between an offer and the draw. Two states are equal exactly if their
texts are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from shanghai_engine.action import Claim
from shanghai_engine.card import LOWEST_RANK, RANK_LETTERS, Card, Suit, cards_text, parse_cards
from shanghai_engine.decide import places
from shanghai_engine.event import EndReason
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, placed_meld, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import FEWEST_PLAYERS, MOST_PLAYERS, RuleSet
from shanghai_engine.shuffle import GAME_SEED_BYTES, NO_NONCE, SeededChance, commitment
from shanghai_engine.state import HandResult, Phase, State
from shanghai_engine.violation import violation
from shanghai_engine.words import NOTHING, Words

NO_SEED = bytes(GAME_SEED_BYTES)
"""The game seed of a position that names none."""


def position_text(state: State) -> str:
    """Give a state as text, secrets included; `read_position` gives an equal one back."""
    if not isinstance(state, State):
        raise Malformed(state, "a position is that of a State, as in game.state")
    chance = SeededChance(state.game_seed, state.nonces)
    lines = [*_game_lines(state), *(_result_line(result, chance) for result in state.results)]
    lines += [*_hand_lines(state, chance), *_table_lines(state), *_turn_lines(state)]
    return "".join(f"{line}\n" for line in lines)


def _game_lines(state: State) -> Iterator[str]:
    rules = state.rules
    if rules.changes():
        yield f"rules {json.dumps(rules.changes())}"
    if state.packs != rules.packs_for(state.players):
        yield f"packs {state.packs}"
    if state.game_seed != NO_SEED:
        yield f"seed {state.game_seed.hex()}"
    if state.commitment != commitment(state.game_seed):
        yield f"commitment {state.commitment.hex()}"
    if state.nonces != (NO_NONCE,) * state.players:
        yield f"nonces {' '.join(nonce.hex() for nonce in state.nonces)}"


def _hand_lines(state: State, chance: SeededChance) -> Iterator[str]:
    if state.hand != 1:
        yield f"hand {state.hand}"
    if state.hand:
        yield from _secret_lines("hand", state.hand_seed, state.hand_commitment, chance.hand_seed(state.hand))
    if state.dealer:
        yield f"dealer {state.dealer}"
    yield f"turn {state.turn} {state.phase.value} {state.step} number {state.turn_number}"


def _table_lines(state: State) -> Iterator[str]:
    for seat in range(state.players):
        yield _seat_line(state, seat)
    for meld in state.melds:
        yield _meld_line(meld, state.rules)
    for name, cards in (("stock", state.stock[::-1]), ("discards", state.discards)):
        if cards:
            yield f"{name} {cards_text(cards)}"


def _turn_lines(state: State) -> Iterator[str]:
    if state.discarder is not None:
        yield f"discarder {state.discarder}"
    if state.drawn is not None:
        yield f"drawn {state.drawn}"
    if state.phase is Phase.OFFER and not state.live:
        yield "offer_closed"
    for name in ("laid_down_now", "must_lay_down"):
        if getattr(state, name):
            yield name
    if state.must_play:
        yield f"must_play {cards_text(state.must_play)}"
    if state.reshuffles:
        yield f"reshuffles {state.reshuffles}"


def _secret_lines(name: str, seed: bytes, published: bytes, usual: bytes) -> Iterator[str]:
    if seed != usual:
        yield f"{name}_seed {seed.hex()}"
    if published != commitment(seed):
        yield f"{name}_commitment {published.hex()}"


def _numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _result_line(result: HandResult, chance: SeededChance) -> str:
    winner = NOTHING if result.winner is None else result.winner
    words = [
        f"result {result.hand} dealer {result.dealer} {result.reason.value} {winner}",
        f"scores {_numbers(result.scores)} totals {_numbers(result.totals)}",
        *_secret_lines("hand", result.seed, result.commitment, chance.hand_seed(result.hand)),
        f"hands {' / '.join(cards_text(cards) or NOTHING for cards in result.hands)}",
    ]
    return " ".join(words)


def _seat_line(state: State, seat: int) -> str:
    words = [f"seat {json.dumps(state.names[seat], ensure_ascii=False)}"]
    words.append(f"total {state.totals[seat]} buys {state.buys_left[seat]}")
    if state.down[seat]:
        words.append("down")
    if seat in state.answers:
        words.append(f"answer {state.answers[seat].value}")
    words.append(f"cards {cards_text(state.hands[seat]) or NOTHING}")
    return " ".join(words)


def _meld_line(meld: Meld, rules: RuleSet) -> str:
    line = f"meld {meld.owner} {meld.kind.value} {cards_text(meld.cards)}"
    if read_meld(MeldDraft(meld.kind, meld.cards), meld_id=meld.id, owner=meld.owner, rules=rules) == meld:
        return line
    # Where wild cards leave a choice, it has been made already.
    suit = NOTHING if meld.kind is MeldKind.SET else str(Suit(meld.suit))
    rank = "A" if meld.rank < LOWEST_RANK else RANK_LETTERS[meld.rank - LOWEST_RANK]
    return f"{line} from {rank}{suit}"


def read_position(text: str) -> State:
    """Give the state that a text says; blank lines, and lines that begin with a `#`, say nothing.

    Raises `Malformed` for a line that cannot be read, and `BadRules` for rules that cannot be used. Whether a game can
    have such a state is not asked here (`possible.py`).
    """
    if not isinstance(text, str):
        raise Malformed(text, "a position is a text, as position_text gives it")
    said = _Said()
    for line in text.split("\n"):
        words = line.strip()
        if words and not words.startswith("#"):
            said.add(Words(words))
    state = _game(said)
    _read_hand(state, said)
    _read_turn(state, said)
    return state


class _Said:
    """The lines of a text, each by its first word."""

    def __init__(self) -> None:
        self._once: dict[str, Words] = {}
        self.often: dict[str, list[Words]] = {"result": [], "seat": [], "meld": []}

    def add(self, words: Words) -> None:
        """Take in a line."""
        name = words.word()
        if name in self.often:
            self.often[name].append(words)
        elif name not in _ONCE:
            raise Malformed(words.line, f"a line begins with one of {', '.join((*_ONCE, *self.often))}")
        elif name in self._once:
            raise Malformed(words.line, f"there is one line of {name!r}")
        else:
            self._once[name] = words

    def line(self, name: str) -> Words | None:
        """Give the one line of a name."""
        return self._once.get(name)

    def number(self, name: str, usual: int) -> int:
        """Give the number in the line of a name."""
        words = self.line(name)
        return usual if words is None else words.last(words.number())

    def secret(self, name: str, usual: bytes) -> bytes:
        """Give the bytes in the line of a name."""
        words = self.line(name)
        return usual if words is None else words.last(words.secret())

    def cards(self, name: str) -> tuple[Card, ...]:
        """Give the cards in the line of a name."""
        words = self.line(name)
        return () if words is None else words.cards()

    def flag(self, name: str) -> bool:
        """Say whether there is a line of a name."""
        words = self.line(name)
        return words is not None and words.last(True)  # noqa: FBT003 what the line says


_ONCE = (
    *("rules", "packs", "seed", "commitment", "nonces", "hand", "hand_seed", "hand_commitment", "dealer", "turn"),
    *(
        "stock",
        "discards",
        "discarder",
        "drawn",
        "offer_closed",
        "laid_down_now",
        "must_lay_down",
        "must_play",
        "reshuffles",
    ),
)


def _game(said: _Said) -> State:
    """Give the state before the first deal, with the seats' names."""
    rules_line, nonces_line = said.line("rules"), said.line("nonces")
    rules = RuleSet() if rules_line is None else RuleSet.from_mapping(rules_line.json_object())
    names = tuple(words.name() for words in said.often["seat"])
    if not FEWEST_PLAYERS <= len(names) <= MOST_PLAYERS:
        raise Malformed(names, f"there are {FEWEST_PLAYERS} to {MOST_PLAYERS} lines of 'seat' (R1.2)")
    seed = said.secret("seed", NO_SEED)
    nonces: list[bytes] = []
    while nonces_line is not None and nonces_line.more():
        nonces.append(nonces_line.secret())
    return State(
        rules=rules,
        names=names,
        packs=said.number("packs", rules.packs_for(len(names))),
        game_seed=seed,
        commitment=said.secret("commitment", commitment(seed)),
        nonces=tuple(nonces) or (NO_NONCE,) * len(names),
    )


def _read_hand(state: State, said: _Said) -> None:
    """Set what is true of the hand as a whole."""
    chance = SeededChance(state.game_seed, state.nonces)
    state.results = tuple(_read_result(words, state, chance) for words in said.often["result"])
    state.hand = said.number("hand", 1)
    if not 0 <= state.hand <= state.rules.hands:
        raise Malformed(state.hand, f"the hands are 1 to {state.rules.hands}")
    if state.hand:
        state.hand_seed = said.secret("hand_seed", chance.hand_seed(state.hand))
        state.hand_commitment = said.secret("hand_commitment", commitment(state.hand_seed))
    dealer = said.line("dealer")
    state.dealer = 0 if dealer is None else dealer.last(_seat(dealer, state, least=0 if state.hand else -1))
    state.reshuffles = said.number("reshuffles", 0)
    state.stock = list(reversed(said.cards("stock")))
    state.discards = list(said.cards("discards"))
    state.melds = [_read_meld(words, number, state) for number, words in enumerate(said.often["meld"])]
    totals = []
    for seat, words in enumerate(said.often["seat"]):
        words.expect("total")
        totals.append(words.number())
        words.expect("buys")
        state.buys_left[seat] = words.number()
        state.down[seat] = words.says("down")
        if words.says("answer"):
            state.answers[seat] = words.choice(Claim)
        words.expect("cards")
        state.hands[seat] = words.cards()
    state.totals = tuple(totals)


def _read_turn(state: State, said: _Said) -> None:
    """Set what is true of the turn, and what follows from all the rest."""
    turn = said.line("turn")
    if turn is None:
        raise Malformed("turn", "a line says whose turn it is, as in 'turn 1 play 1 number 5'")
    state.turn = _seat(turn, state, least=-1)
    state.phase = turn.choice(Phase)
    if state.turn < 0 and state.phase is not Phase.HAND_OVER:
        raise Malformed(turn.line, f"the seats are 0 to {state.players - 1} (R1.2)")
    state.step = turn.number()
    turn.expect("number")
    state.turn_number = turn.last(turn.number())
    discarder = said.line("discarder")
    state.discarder = None if discarder is None else discarder.last(_seat(discarder, state))
    drawn = said.cards("drawn")
    state.drawn = drawn[0] if drawn else None
    state.laid_down_now = said.flag("laid_down_now")
    state.must_lay_down = said.flag("must_lay_down")
    state.must_play = said.cards("must_play")
    closed = said.flag("offer_closed")
    if closed and state.phase is not Phase.OFFER:
        raise Malformed("offer_closed", "it stands where the turn is at its offer, as in 'turn 1 offer 0 number 5'")
    if state.phase is Phase.OFFER and not closed:
        if not state.discards:
            raise Malformed("", "while an offer is open the last of the 'discards' is the upcard")
        state.live = True
        state.asked = state.ask()
    elif state.phase is Phase.GAME_OVER:
        state.places = places(state.totals)


def _seat(words: Words, state: State, *, least: int = 0) -> int:
    """Read a seat of the table; before a deal -1 says that nobody deals or is on turn yet."""
    seat = words.number()
    if not least <= seat < state.players:
        raise Malformed(words.line, f"the seats are 0 to {state.players - 1} (R1.2)")
    return seat


def _read_result(words: Words, state: State, chance: SeededChance) -> HandResult:
    hand = words.number()
    words.expect("dealer")
    dealer = _seat(words, state)
    reason = words.choice(EndReason)
    winner = None if words.says(NOTHING) else _seat(words, state)
    words.expect("scores")
    scores = words.numbers()
    words.expect("totals")
    totals = words.numbers()
    seed = words.secret() if words.says("hand_seed") else chance.hand_seed(hand)
    published = words.secret() if words.says("hand_commitment") else commitment(seed)
    words.expect("hands")
    hands = tuple(() if part.strip() == NOTHING else parse_cards(part) for part in words.rest().split("/"))
    if any(len(values) != state.players for values in (scores, totals, hands)):
        raise Malformed(words.line, f"a result has scores, totals and hands of all {state.players} seats (R12.2)")
    return HandResult(
        hand=hand,
        contract=state.rules.contract(hand),
        dealer=dealer,
        reason=reason,
        winner=winner,
        hands=hands,
        scores=scores,
        totals=totals,
        seed=seed,
        commitment=published,
    )


def _read_meld(words: Words, meld_id: int, state: State) -> Meld:
    owner = _seat(words, state)
    kind = words.choice(MeldKind)
    said, _, start = words.rest().partition(" from ")
    cards = parse_cards(said)
    if start:
        rank, suit = _read_start(start, kind)
        return placed_meld(kind, cards, rank=rank, suit=suit, meld_id=meld_id, owner=owner)
    meld = read_meld(MeldDraft(kind, cards), meld_id=meld_id, owner=owner, rules=state.rules)
    if isinstance(meld, Refusal):
        raise Malformed(words.line, str(violation(meld, state.rules, meld=said)))
    return meld


def _read_start(text: str, kind: MeldKind) -> tuple[int, int]:
    """Read the rank of a set, or the low end of a run, where an ace is the one that lies low."""
    rank, suit = text[:1], text[1:]
    if kind is MeldKind.SET:
        if suit == NOTHING and rank in RANK_LETTERS:
            return LOWEST_RANK + RANK_LETTERS.index(rank), -1
    elif rank and rank in RANK_LETTERS[:-1] + "A" and suit in {str(suit) for suit in Suit}:
        low = 1 if rank == "A" else LOWEST_RANK + RANK_LETTERS.index(rank)
        return low, "CDHS".index(suit)
    raise Malformed(text, "a set is from a rank, as in '8-', and a run from its lowest card, as in '4H'")
