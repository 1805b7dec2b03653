"""Games to and from record lines: one JSON object for every event, as `docs/record.md` describes the format.

Lines are dicts here; whoever reads or writes a file brings the text. `line_of` gives keys in the order in which they
are written, so that `line.line_text(line_of(event))` fixes a game's record to the byte.

A sealed answer (`Answered`) has no line of its own in a record, where the offer tells all answers. A journal needs
one, so `line_of` and `event_of` know it as `x_answer`; `record_lines` leaves it out and `verify` refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from shanghai_engine.action import Claim
from shanghai_engine.card import ACE, Card, cards_text
from shanghai_engine.contract import Contract
from shanghai_engine.event import (
    Answered,
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    EndReason,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.line import Fields, Line, bare, shown
from shanghai_engine.malformed import BadRecord, BadRules, Malformed
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, placed_meld, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import FEWEST_PLAYERS, MOST_PLAYERS, RuleSet
from shanghai_engine.shuffle import COMMITMENT_BYTES, GAME_SEED_BYTES, HAND_SEED_BYTES, NONCE_BYTES
from shanghai_engine.state import State
from shanghai_engine.violation import violation

VERSION = 1
"""The version of the format that is written and read here."""
JOURNAL_ANSWER = "x_answer"
"""The event of a sealed answer's line, in a journal."""


NAMES: dict[type[Any], str] = {
    GameStarted: "game",
    Dealt: "deal",
    Answered: JOURNAL_ANSWER,
    OfferClosed: "offer",
    Drew: "draw",
    LaidDown: "lay_down",
    LaidOff: "lay_off",
    Swapped: "swap",
    Discarded: "discard",
    Reshuffled: "reshuffle",
    HandEnded: "hand_end",
    GameEnded: "game_end",
}
"""By type of event, the `event` of its line."""


class Recorded(Protocol):
    """A game, of which only what has happened matters here."""

    @property
    def events(self) -> list[Event]:
        """Everything that happened, the start of the game first."""
        ...


def record_lines(game: Recorded) -> Iterator[Line]:
    """Give the record of a game so far; it is complete, and may be shown, once the game is over."""
    for event in game.events:
        if not isinstance(event, Answered):
            yield line_of(event)


def line_of(event: Event) -> Line:
    """Give the line of an event; that of a sealed answer is for journals only, and never stands in a record."""
    return {"event": NAMES[type(event)], **_fields_of(event)}


def _fields_of(event: Event) -> Line:
    match event:
        case GameStarted():
            return {
                "version": VERSION,
                "rules": event.rules.to_mapping(),
                "players": list(event.players),
                "packs": event.packs,
                "game_seed": event.game_seed.hex(),
                "commitment": event.commitment.hex(),
                "nonces": [nonce.hex() for nonce in event.nonces],
            }
        case Dealt():
            return {
                "hand": event.hand,
                "contract": event.contract.to_mapping(),
                "dealer": event.dealer,
                "hands": _hands(event.hands),
                "upcard": event.upcard.text,
                "stock": _cards(event.stock),
                "seed": event.seed.hex(),
                "commitment": event.commitment.hex(),
            }
        case Answered():
            return {"seat": event.seat, "answer": event.claim.value}
        case OfferClosed():
            return {
                "card": event.card.text,
                "turn": event.turn,
                "eligible": list(event.eligible),
                "answers": {str(seat): claim.value for seat, claim in event.answers},
                "result": event.result.value,
                "seat": event.seat,
                "penalty": _cards(event.penalty),
            }
        case HandEnded():
            return {
                "reason": event.reason.value,
                "winner": event.winner,
                "hands": _hands(event.hands),
                "scores": list(event.scores),
                "totals": list(event.totals),
            }
        case GameEnded():
            return {"totals": list(event.totals), "places": list(event.places)}
        case _:
            return _fields_of_turn(event)


def _fields_of_turn(event: Reshuffled | Drew | LaidDown | LaidOff | Swapped | Discarded) -> Line:
    match event:
        case Reshuffled():
            return {"stock": _cards(event.stock)}
        case Drew():
            return {"seat": event.seat, "from": event.source.value, "card": event.card.text}
        case LaidDown():
            return {"seat": event.seat, "melds": [_meld(meld) for meld in event.melds]}
        case LaidOff():
            return {
                "seat": event.seat,
                "meld": event.after.id,
                "card": event.card.text,
                "end": None if event.end is None else event.end.value,
                "cards": _cards(event.after.cards),
            }
        case Swapped():
            return {
                "seat": event.seat,
                "meld": event.after.id,
                "index": event.index,
                "card": event.card.text,
                "cards": _cards(event.after.cards),
            }
        case Discarded():
            return {"seat": event.seat, "card": event.card.text}


def _cards(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]


def _hands(hands: Iterable[Iterable[Card]]) -> list[list[str]]:
    return [_cards(hand) for hand in hands]


def _meld(meld: Meld) -> dict[str, object]:
    return {"id": meld.id, "kind": meld.kind.value, "cards": _cards(meld.cards)}


def event_of(line: Mapping[str, Any], state: State | None) -> Event:
    """Read a line back; `state` is the game before it, none before its first line.

    What stands in the line is what the event says, whether or not it can have happened. Raises `BadRecord` where
    a key is missing, unknown or of another type, and where a meld is none (R8).
    """
    kind = line.get("event")
    if state is None:
        if kind != "game":
            raise BadRecord(f"the first line is of the event {shown(kind)}", "a record begins with a game line")
        return _read_game(Fields(line, "the game line"))
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        events = ", ".join(event for event in _READERS if event != JOURNAL_ANSWER)
        raise BadRecord(f"the line is of the event {shown(kind)}", f"after the game line the events are {events}")
    fields = Fields(line, f"the {kind} line")
    fields.take("event")
    event = read(fields, state)
    fields.done()
    return event


MOST_POINTS = 1_000_000
"""Above every score and total that a game can have."""


def _read_game(fields: Fields) -> GameStarted:
    fields.take("event")
    fields.whole("version", VERSION, VERSION)
    rules = fields.take("rules")
    names = fields.take("players")
    players = fields.all("players", names, lambda name: fields.text("players", name))
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        found = f"the number of players in the game line is {len(players)}"
        raise BadRecord(found, "a game has 2 to 8 players", rule="R1.2")
    nonces = fields.take("nonces")
    event = GameStarted(
        rules=_read_rules(rules),
        players=players,
        packs=fields.whole("packs", 1, 6),
        game_seed=fields.secret("game_seed", fields.take("game_seed"), GAME_SEED_BYTES),
        commitment=fields.secret("commitment", fields.take("commitment"), COMMITMENT_BYTES),
        nonces=fields.all(
            "nonces", nonces, lambda nonce: fields.secret("nonces", nonce, NONCE_BYTES), length=len(players)
        ),
    )
    fields.done()
    return event


def _read_rules(value: object) -> RuleSet:
    try:
        return RuleSet.from_mapping(Fields(value, "the rules").rest())
    except BadRules as bad:
        raise BadRecord(f"{bad.field!r} of the rules is {shown(bad.value)}", bad.right, rule="R16") from bad


def _read_deal(fields: Fields, state: State) -> Dealt:
    try:
        contract = Contract.from_mapping(bare(fields.take("contract")))
    except Malformed as bad:
        raise BadRecord(f"the contract of the deal line is {shown(bad.value)}", bad.right, rule="R6") from bad
    return Dealt(
        hand=fields.whole("hand", 1, state.rules.hands),
        contract=contract,
        dealer=_seat(fields, state, "dealer"),
        hands=fields.hands("hands", state.players),
        upcard=fields.card("upcard"),
        stock=fields.cards("stock"),
        seed=fields.secret("seed", fields.take("seed"), HAND_SEED_BYTES),
        commitment=fields.secret("commitment", fields.take("commitment"), COMMITMENT_BYTES),
    )


def _seat(fields: Fields, state: State, key: str = "seat") -> int:
    return fields.whole(key, 0, state.players - 1)


def _read_answer(fields: Fields, state: State) -> Answered:
    return Answered(seat=_seat(fields, state), claim=fields.choice("answer", Claim))


def _read_offer(fields: Fields, state: State) -> OfferClosed:
    last = state.players - 1
    answers = Fields(fields.take("answers"), "the answers")
    return OfferClosed(
        card=fields.card("card"),
        turn=_seat(fields, state, "turn"),
        eligible=fields.whole_list("eligible", 0, last),
        answers=tuple((_seat_of(key, last), answers.choice(key, Claim)) for key in answers.names()),
        result=fields.choice("result", OfferResult),
        seat=fields.whole_or_none("seat", 0, last),
        penalty=fields.cards("penalty"),
    )


def _seat_of(key: str, last: int) -> int:
    """Read a key of the answers: a seat's number as it is written, and no other way to write it."""
    for seat in range(last + 1):
        if key == str(seat):
            return seat
    raise BadRecord(f"the answers have a key {shown(key)}", f"each is a seat from 0 to {last}")


def _read_reshuffle(fields: Fields, _state: State) -> Reshuffled:
    return Reshuffled(stock=fields.cards("stock"))


def _read_draw(fields: Fields, state: State) -> Drew:
    return Drew(seat=_seat(fields, state), source=fields.choice("from", DrawSource), card=fields.card("card"))


def _read_lay_down(fields: Fields, state: State) -> LaidDown:
    seat = _seat(fields, state)
    melds = fields.take("melds")
    return LaidDown(seat=seat, melds=fields.all("melds", melds, lambda meld: _read_new_meld(meld, seat, state)))


MOST_MELDS = 1_000
"""Above the number of melds that can lie on a table."""


def _read_new_meld(value: object, owner: int, state: State) -> Meld:
    fields = Fields(value, "a meld")
    meld_id = fields.whole("id", 0, MOST_MELDS)
    draft = MeldDraft(fields.choice("kind", MeldKind), fields.cards("cards"))
    fields.done()
    meld = read_meld(draft, meld_id=meld_id, owner=owner, rules=state.rules)
    if isinstance(meld, Refusal):
        found, _, right = violation(meld, state.rules, meld=draft).message.partition(": ")
        raise BadRecord(found, right, rule=meld.rule)
    return meld


def _read_after(fields: Fields, state: State, *, more: int = 0, end: End | None = None) -> Meld:
    """Read the meld that a lay-off (of one card `more`, at an end) or a swap has changed, lawful or not."""
    number, cards = fields.whole("meld", 0, MOST_MELDS), fields.cards("cards")
    if number >= len(state.melds):
        melds = f"the first is 0, and the last {len(state.melds) - 1}" if state.melds else "no meld lies there yet"
        raise BadRecord(f"{fields.what} names meld {number} on the table", melds, rule=Refusal.NO_SUCH_MELD.rule)
    before = state.melds[number]
    size = len(before.cards) + more
    if len(cards) != size:
        raise BadRecord(f"{fields.what} gives meld {number} the size {len(cards)}", f"it is {size}", rule="R9.2")
    rank = before.rank - (end is End.LOW)
    if before.kind is MeldKind.RUN and (rank < state.rules.lowest_rank or rank + size - 1 > ACE):
        found = f"{fields.what} leaves the run {cards_text(cards)}"
        raise BadRecord(found, "nothing lies beyond 2 and A", rule=Refusal.RUN_ENDS_HERE.rule)
    return placed_meld(before.kind, cards, rank=rank, suit=before.suit, meld_id=number, owner=before.owner)


def _read_lay_off(fields: Fields, state: State) -> LaidOff:
    end = fields.choice_or_none("end", End)
    return LaidOff(
        seat=_seat(fields, state), card=fields.card("card"), end=end, after=_read_after(fields, state, more=1, end=end)
    )


def _read_swap(fields: Fields, state: State) -> Swapped:
    return Swapped(
        seat=_seat(fields, state),
        index=fields.whole("index", 0, MOST_MELDS),
        card=fields.card("card"),
        after=_read_after(fields, state),
    )


def _read_discard(fields: Fields, state: State) -> Discarded:
    return Discarded(seat=_seat(fields, state), card=fields.card("card"))


def _read_hand_end(fields: Fields, state: State) -> HandEnded:
    return HandEnded(
        reason=fields.choice("reason", EndReason),
        winner=fields.whole_or_none("winner", 0, state.players - 1),
        hands=fields.hands("hands", state.players),
        scores=fields.whole_list("scores", 0, MOST_POINTS, length=state.players),
        totals=fields.whole_list("totals", 0, MOST_POINTS, length=state.players),
    )


def _read_game_end(fields: Fields, state: State) -> GameEnded:
    return GameEnded(
        totals=fields.whole_list("totals", 0, MOST_POINTS, length=state.players),
        places=fields.whole_list("places", 1, state.players, length=state.players),
    )


_READERS: dict[str, Callable[[Fields, State], Event]] = {
    "deal": _read_deal,
    "offer": _read_offer,
    "draw": _read_draw,
    "lay_down": _read_lay_down,
    "lay_off": _read_lay_off,
    "swap": _read_swap,
    "discard": _read_discard,
    "reshuffle": _read_reshuffle,
    "hand_end": _read_hand_end,
    "game_end": _read_game_end,
    JOURNAL_ANSWER: _read_answer,
}
