"""Is a game record lawful? Every line is worked out again, from the seeds and from what the players did.

The record is taken line by line: what a player did in a line becomes an action, the engine says what follows from it,
and every line that follows must say just that, field by field. So a record is checked by the rules that a game is
played by, and they are nowhere written twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.check import why_not
from shanghai_engine.comparison import END_RULES, compare
from shanghai_engine.decide import decide
from shanghai_engine.event import (
    Discarded,
    DrawSource,
    Drew,
    Event,
    GameStarted,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    Reshuffled,
    Swapped,
)
from shanghai_engine.game import Game
from shanghai_engine.line import parse_line, shown
from shanghai_engine.malformed import BadRecord, BadRules, check_row
from shanghai_engine.meld import MeldDraft
from shanghai_engine.record import NAMES, event_of
from shanghai_engine.shuffle import commitment
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a player kept of a game: the commitment that was published to him, his seat, and the nonce that he gave.

    `nonce` is none where the seat's was not his own: he came late, or took the seat over. `seat` is none where he does
    not say which one was his: then the nonce may be that of any seat.
    """

    commitment: bytes
    nonce: bytes | None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """The first line that cannot be right, counted from 1, its rule (`record`: the format), and why in one sentence.

    Where lines are missing at the end it is the first of those.
    """

    line: int
    rule: str
    sentence: str

    def __str__(self) -> str:
        """Give all three in one line."""
        return f"line {self.line}: {self.sentence} ({self.rule})"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a verification: what was found, none where the record is lawful and complete.

    `game` is the game as far as it was found lawful; none where not even its first line was.
    """

    finding: Finding | None
    game: Game | None

    @property
    def lawful(self) -> bool:
        """Whether nothing was found."""
        return self.finding is None


def verify(lines: Iterable[str | bytes], *, receipt: Receipt | None = None) -> Verdict:
    """Check a record, secrets, chance and every rule, up to the first line that cannot be right.

    Takes the lines of a file, as text or (from a file that may hold anything) as bytes, each with or without its line
    feed. With a receipt the record must also be that of the game which the receipt was given for.
    """
    check_row(lines, "a record is verified from its lines of text, one after another, as a file gives them")
    verification = Verification(receipt=receipt)
    try:
        for text in lines:
            verification.take(text)
        verification.end()
    except BadRecord as bad:
        return Verdict(Finding(verification.line, bad.rule, bad.sentence), verification.game)
    return Verdict(None, verification.game)


class Verification:
    """A record being checked line by line, for whoever gets it piece by piece; `verify` does it in one go.

    `game` is the game so far, `line` the number of lines taken, and `due` the lines that must come next because of
    what has happened.
    """

    __slots__ = ("due", "game", "line", "receipt")

    def __init__(self, *, receipt: Receipt | None = None) -> None:
        """Begin before the first line."""
        self.receipt = receipt
        self.game: Game | None = None
        self.due: deque[Event] = deque()
        self.line = 0

    def copy(self) -> Verification:
        """Give an independent copy, to go on from here in more than one way."""
        twin = Verification(receipt=self.receipt)
        twin.game = None if self.game is None else self.game.copy()
        twin.due = self.due.copy()
        twin.line = self.line
        return twin

    def take(self, text: str | bytes) -> None:
        """Check the next line, and take in what happened; raises `BadRecord`."""
        self.line += 1
        line = parse_line(text)
        if self.game is None:
            event = event_of(line, None)
            if isinstance(event, GameStarted):
                self._begin(event)
            return
        game = self.game
        self._check_name(game, line.get("event"))
        event = event_of(line, game.state)
        if isinstance(event, OfferClosed):
            self._close_offer(game, event)
            return
        if not self.due:
            try:
                self.due.extend(decide(game.state, _action_of(event), game.chance))
            except RuleViolation as violation:
                raise _broken(violation) from violation
        due = self.due.popleft()
        compare(event, due)
        game.evolve(due)

    def end(self) -> None:
        """Check that nothing is missing; raises `BadRecord`."""
        self.line += 1
        if self.game is None:
            raise BadRecord("the record is empty", "its first line is a game line")
        state = self.game.state
        if state.phase is not Phase.GAME_OVER:
            names, _ = self._next(self.game)
            after = f"in hand {state.hand}" if state.hand else "before its first deal"
            right = f"{' or '.join(names)} comes next, and a complete record ends with game_end"
            raise BadRecord(f"the record breaks off {after}", right, rule="R2.1")

    def _begin(self, started: GameStarted) -> None:
        """Check the first line, with the receipt if there is one."""
        players = len(started.players)
        try:
            started.rules.check_players(players)
        except BadRules as bad:
            raise BadRecord(f"{bad.field!r} of the rules is {shown(bad.value)}", bad.right, rule="R16") from bad
        packs = started.rules.packs_for(players)
        if started.packs != packs:
            found = f"the number of packs for {players} players is {started.packs}"
            raise BadRecord(found, f"by its rules it is {packs}", rule="R1.2")
        if self.receipt is not None:
            _check_receipt(started, self.receipt)
        promised = commitment(started.game_seed)
        if started.commitment != promised:
            found = f"the game's commitment is {started.commitment.hex()}"
            raise BadRecord(found, f"the SHA-256 of its seed is {promised.hex()}", rule="R2.2")
        self.game = Game(started)

    def _next(self, game: Game) -> tuple[tuple[str, ...], str]:
        """Give the events that the next line may be of, and the rule that makes it so."""
        return _due_next(self.due[0]) if self.due else _NEXT[game.state.phase]

    def _check_name(self, game: Game, name: object) -> None:
        """Check that a line of this event may stand here at all; what is no event's name is left to be read."""
        if game.state.phase is Phase.GAME_OVER:
            found = f"a line of the event {shown(name)} stands after the game's end"
            raise BadRecord(found, "game_end is the last line", rule="R2.1")
        names, rule = self._next(game)
        if name in NAMES.values() and name not in names:
            raise BadRecord(f"the event {name!r} stands here", f"{' or '.join(names)} comes next", rule=rule)

    def _close_offer(self, game: Game, event: OfferClosed) -> None:
        """Check an offer: its card and seats first, then the answers in claim order, then what came of them."""
        state = game.state
        order = state.asked.order
        others = tuple(seat for seat in order if seat != state.turn)
        compare(event, replace(event, card=state.discards[-1], turn=state.turn, eligible=others))
        place = 0
        for seat, claim in event.answers:
            action: Action = TimeOut(seat) if claim is Claim.TIMEOUT else Answer(seat, claim)
            violation = why_not(state, action)
            if violation is not None:
                raise _broken(violation)
            stands = order.index(seat)
            if stands < place or (stands > place and not self.due):
                found = f"the answer of seat {seat} does not stand in its place"
                raise BadRecord(found, f"the claim order is {', '.join(map(str, order))}", rule="R7.11")
            place = stands + 1
            # What stands beyond the answer that decided has no part in the outcome.
            if not self.due:
                answered, *follow = decide(state, action, game.chance)
                game.evolve(answered)
                self.due.extend(follow)
        if not self.due:
            found = f"the answers end before that of seat {order[place]}"
            raise BadRecord(found, "the offer is open until its outcome is certain", rule="R7.11")
        due = self.due.popleft()
        compare(event, due)
        game.evolve(due)


def _check_receipt(started: GameStarted, receipt: Receipt) -> None:
    if started.commitment != receipt.commitment:
        found = f"the game's commitment is {started.commitment.hex()}"
        raise BadRecord(found, f"the receipt holds {receipt.commitment.hex()}", rule="R2.2")
    if receipt.seat is None:
        if receipt.nonce is not None and receipt.nonce not in started.nonces:
            found = f"the nonces of the game are {', '.join(nonce.hex() for nonce in started.nonces)}"
            raise BadRecord(found, f"the receipt holds {receipt.nonce.hex()}", rule="R2.2")
        return
    seats = len(started.nonces)
    if not 0 <= receipt.seat < seats:
        raise BadRecord(
            f"the game has the seats 0 to {seats - 1}", f"the receipt is that of seat {receipt.seat}", rule="R2.2"
        )
    nonce = started.nonces[receipt.seat]
    if receipt.nonce is not None and nonce != receipt.nonce:
        found = f"the nonce of seat {receipt.seat} is {nonce.hex()}"
        raise BadRecord(found, f"the receipt holds {receipt.nonce.hex()}", rule="R2.2")


def _broken(violation: RuleViolation) -> BadRecord:
    found, _, right = violation.message.partition(": ")
    return BadRecord(found, right, rule=violation.rule)


def _action_of(event: Event) -> Action:
    """Give the action that a line claims to have happened."""
    match event:
        case LaidDown():
            return LayDown(event.seat, tuple(MeldDraft(meld.kind, meld.cards) for meld in event.melds))
        case LaidOff():
            return LayOff(event.seat, event.after.id, event.card, event.end)
        case Swapped():
            return Swap(event.seat, event.after.id, event.index, event.card)
        case Discarded():
            return Discard(event.seat, event.card)
        case _:
            # The kind of the line was checked: only a deal is left.
            return Deal()


def _due_next(due: Event) -> tuple[tuple[str, ...], str]:
    match due:
        case Drew():
            rule = "R7.13" if due.source is DrawSource.STOCK else "R7.5"
        case Reshuffled():
            rule = "R13.2"
        case HandEnded():
            rule = END_RULES[due.reason]
        case _:
            rule = "R2.1"
    return (NAMES[type(due)],), rule


_NEXT: dict[Phase, tuple[tuple[str, ...], str]] = {
    Phase.OFFER: (("offer",), "R7.10"),
    Phase.PLAY: (("lay_down", "lay_off", "swap", "discard"), "R4.2"),
    Phase.HAND_OVER: (("deal",), "R2.4"),
}
"""By phase: what a line may be where nothing is due, and the rule behind it."""
