"""A game: its state, what has happened, and the one door through which anything happens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shanghai_engine.action import Action, Deal
from shanghai_engine.check import why_not
from shanghai_engine.decide import decide
from shanghai_engine.decision import Decision
from shanghai_engine.drawing import drawn
from shanghai_engine.event import Answered, Dealt, Event, GameStarted
from shanghai_engine.evolve import evolve, resume
from shanghai_engine.history import History
from shanghai_engine.legal import decisions
from shanghai_engine.line import Line, shown
from shanghai_engine.malformed import BadRecord, Malformed, check_row
from shanghai_engine.openings import Openings
from shanghai_engine.position import position_text, read_position
from shanghai_engine.possible import check_possible
from shanghai_engine.reach import Reach
from shanghai_engine.record import event_of, record_lines
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.shuffle import GAME_SEED_BYTES, NO_NONCE, NONCE_BYTES, Chance, SeededChance, commitment
from shanghai_engine.state import Hand, HandResult, State
from shanghai_engine.view import OwnView, PublicView, View, drawn_by, own_view, public_view


class Game:
    """A whole game, played by `apply`.

    `state` is what is true now, `chance` where deals come from.
    """

    __slots__ = (
        "_earlier",
        "_history",
        "_openings",
        "_owed",
        "_own",
        "_public",
        "_reach",
        "_this_hand",
        "_told",
        "chance",
        "state",
    )

    def __init__(
        self, started: GameStarted, chance: Chance | None = None, *, results: tuple[HandResult, ...] = ()
    ) -> None:
        """Begin a game before its first deal, or resume it before the deal that follows hands with these results.

        Without a chance of its own it is dealt from its seed. A game that was resumed is the same from the next deal
        on, but for `events`, which lack the hands before it: it has no record of its own.
        """
        if not isinstance(started, GameStarted):
            raise Malformed(started, "a game begins with a GameStarted, which Game.new makes")
        if chance is not None and not isinstance(chance, Chance):
            raise Malformed(chance, "where deals come from is a Chance, as SeededChance is one")
        _check_results(results)
        self.chance: Chance = chance or SeededChance(started.game_seed, started.nonces)
        self.state: State = resume(started, results)
        self._earlier: tuple[Event, ...] = (started,)
        self._this_hand: list[Event] = []
        self._history = History.for_players(len(started.players))
        self._told = 0
        self._public: PublicView | None = None
        self._own: dict[int, tuple[int, Hand, OwnView]] = {}
        self._owed: dict[int, Decision] | None = None
        self._reach = Reach()
        self._openings = Openings()

    @classmethod
    def new(
        cls,
        *,
        seed: bytes,
        players: int | Sequence[str] = 4,
        rules: RuleSet = STANDARD,
        nonces: Sequence[bytes] | None = None,
        chance: Chance | None = None,
    ) -> Game:
        """Begin a game and deal its first hand.

        `seed` is 32 secret bytes, `players` a number or the names by seat, `nonces` 16 bytes a seat (zeros
        where none are given). Raises `BadRules` where these rules cannot be played by so many, and
        `Malformed` for a seed, names or nonces of another kind or length.
        """
        _check_rules(rules)
        names = _names(players, rules)
        _check_seed(seed)
        given = _nonces(nonces, len(names))
        started = GameStarted(
            rules=rules,
            players=names,
            packs=rules.packs_for(len(names)),
            game_seed=seed,
            commitment=commitment(seed),
            nonces=given,
        )
        game = cls(started, chance)
        game.apply(Deal())
        return game

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Game:
        """Rebuild a game from what happened; the first event starts it, else it is `Malformed`. No card is shuffled."""
        check_row(events, "what happened is a row of events, as in game.events")
        events = iter(events)
        started = next(events, None)
        if not isinstance(started, GameStarted):
            raise Malformed(started, "what happened begins with the start of the game")
        game = cls(started)
        for event in events:
            game.evolve(event)
        return game

    @classmethod
    def from_record(cls, lines: Iterable[Mapping[str, Any]]) -> Game:
        """Rebuild a game from its lines, of a record or of a journal, as far as they go; no card is shuffled.

        Nothing is checked but that every line can be read and taken in: `verify` says whether a record is lawful.
        Where the last line closes an offer nothing is owed: only the line after it says what is drawn.
        Raises `BadRecord` for the first line that cannot be, and where there is none.
        """
        check_row(lines, "a record is a row of lines, each an object read from its JSON")
        game: Game | None = None
        for number, line in enumerate(lines, start=1):
            if not isinstance(line, Mapping):
                raise BadRecord(f"the line is {line!r}", "a line is an object, read from its JSON", line=number)
            try:
                event = event_of(line, None if game is None else game.state)
                if isinstance(event, GameStarted):
                    game = cls(event)
                elif game is not None:
                    game.evolve(event)
            except BadRecord as bad:
                raise BadRecord(bad.found, bad.right, rule=bad.rule, line=number) from bad
            except (LookupError, ValueError) as bad:
                found = f"the line {shown(dict(line))} cannot follow what stands before it"
                raise BadRecord(found, "the cards that it moves are where it takes them from", line=number) from bad
        if game is None:
            raise BadRecord("there is no line", "a record begins with a game line")
        return game

    @classmethod
    def from_position(cls, text: str, chance: Chance | None = None) -> Game:
        """Go on from a position (`position.py`); what happened before it is not known.

        Raises `Malformed` for text that is none, and for what no game can have (`possible.py`); cards may be missing.
        Without a chance of its own it is dealt from the seed in the text.
        """
        state = read_position(text)
        check_possible(state)
        started = GameStarted(
            rules=state.rules,
            players=state.names,
            packs=state.packs,
            game_seed=state.game_seed,
            commitment=state.commitment,
            nonces=state.nonces,
        )
        game = cls(started, chance)
        game.state = state
        return game

    def decisions(self) -> dict[int, Decision]:
        """Give what every seat owes now, by seat; empty only between hands and after the game."""
        if self._owed is None:
            self._owed = decisions(self.state, self._reach, self._openings)
        return self._owed.copy()

    def can(self, action: Action) -> bool:
        """Say whether an action may happen now; raises `Malformed` for what is no action."""
        return why_not(self.state, action) is None

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do an action and give what followed.

        Raises `RuleViolation`, or `Malformed` for what is no action; then nothing has changed (R15.1).
        """
        state = self.state
        events = decide(state, action, self.chance)
        evolve(state, events)
        self._take_in(events)
        return events

    def evolve(self, event: Event) -> None:
        """Take in what happened; raises `Malformed` for what is no event, and for one that cannot follow.

        Nothing is checked but that it can be taken in. After one that cannot the game is of no use any more.
        """
        events = (event,)
        try:
            evolve(self.state, events)
        except (LookupError, ValueError) as bad:
            right = "what happens in a game that has begun is an event that moves cards from where they are"
            raise Malformed(event, right) from bad
        self._take_in(events)

    def _take_in(self, events: tuple[Event, ...]) -> None:
        """Remember events that have changed the state; a deal is always the only one."""
        first = events[0]
        if type(first) is Answered and len(events) == 1:
            # An answer is the one thing that nobody sees (R7.14), and changes nothing of what others owe.
            if self._owed is not None:
                self._owed.pop(first.seat, None)
        else:
            self._public = self._owed = None
            if type(first) is Dealt:
                self._begin_hand()
        self._this_hand += events

    def _begin_hand(self) -> None:
        self._history = History.for_players(self.state.players)
        self._told = 0
        self._earlier = (*self._earlier, *self._this_hand)
        self._this_hand = []

    @property
    def events(self) -> list[Event]:
        """Everything that happened since the game was begun, or resumed; its start first."""
        return [*self._earlier, *self._this_hand]

    @property
    def event_count(self) -> int:
        """How many `events` there are, without listing them: it tells one state of a game from every other."""
        return len(self._earlier) + len(self._this_hand)

    @property
    def history(self) -> History:
        """What the people at the table have seen of this hand; put together when somebody looks."""
        if self._told < len(self._this_hand):
            for event in self._this_hand[self._told :]:
                self._history.add(event, self.state)
            self._told = len(self._this_hand)
        return self._history

    def view(self, seat: int | None = None) -> View:
        """Give what a seat may know now, or a spectator (none); raises `Malformed` for a seat that there is not."""
        own = None if seat is None else self.own_view(seat)
        return View(self.public_view(), own)

    def public_view(self) -> PublicView:
        """Give what everybody may know now."""
        if self._public is None:
            self._public = public_view(self.state, self.history)
        return self._public

    def own_view(self, seat: int) -> OwnView:
        """Give what a seat alone may know now; raises `Malformed` for a seat that there is not.

        Most of what happens changes nothing of it, and then it is the same object.
        """
        state = self.state
        if type(seat) is not int or not 0 <= seat < state.players:
            raise Malformed(seat, f"the seats are 0 to {state.players - 1}, and None is a spectator (R1.2)")
        history = self.history
        hand = state.hands[seat]
        number, of, own = self._own.get(seat, (0, (), None))
        # The cards that a seat holds are never changed but replaced, and what it learned in one hand is only added to.
        if (
            own is None
            or number != state.hand
            or of is not hand
            or own.drawn is not drawn_by(state, seat)
            or own.answer is not state.answers.get(seat)
            or len(own.learned) != len(history.learned[seat])
        ):
            own = own_view(state, history, seat)
            self._own[seat] = state.hand, hand, own
        return own

    def record(self) -> Iterator[Line]:
        """Give the record so far, line by line; it is complete, and may be shown, once the game is over."""
        return record_lines(self)

    def position_text(self) -> str:
        """Give the position as text (`position.py`), secrets included: the same for the same state, and no other."""
        return position_text(self.state)

    def copy(self) -> Game:
        """Give an independent copy, for search."""
        twin = Game.__new__(Game)
        twin.chance = self.chance
        twin.state = self.state.copy()
        twin._earlier = self._earlier  # noqa: SLF001 the twin's own
        twin._this_hand = self._this_hand.copy()  # noqa: SLF001
        twin._history = self._history.copy()  # noqa: SLF001
        twin._told = self._told  # noqa: SLF001
        twin._public = self._public  # noqa: SLF001
        twin._own = {}  # noqa: SLF001
        twin._owed = None if self._owed is None else self._owed.copy()  # noqa: SLF001
        twin._reach = self._reach.copy()  # noqa: SLF001
        twin._openings = self._openings.copy()  # noqa: SLF001
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Compare positions, however they were reached."""
        return self.state == other.state if isinstance(other, Game) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Give the expression that rebuilds the position; `repr(game.events)` is what has happened."""
        return f"Game.from_position({self.position_text()!r})"

    def __str__(self) -> str:
        """Draw the table with all hands."""
        return drawn(self.view().public, dict(enumerate(self.state.hands)))


def _names(players: object, rules: RuleSet) -> tuple[str, ...]:
    """Give the names by seat, of as many as can play by these rules.

    Raises `Malformed` for what is neither their number nor a list of them, and `BadRules`.
    """
    if type(players) is int:
        rules.check_players(players)
        return tuple(f"Seat {seat}" for seat in range(players))
    if (
        not isinstance(players, Sequence)
        or isinstance(players, str | bytes)
        or not all(isinstance(name, str) for name in players)
    ):
        raise Malformed(players, "the players are a number, or a list of their names by seat (R1.2)")
    rules.check_players(len(players))
    for name in players:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise Malformed(name, "a name is whole text, without half signs (surrogates), which no record can hold")
    # Names of a kind of their own would be found in other games, whose values are remembered by what equals them.
    return tuple([str.__str__(name) for name in players])


def _check_rules(rules: object) -> None:
    if not isinstance(rules, RuleSet):
        raise Malformed(rules, "the rules are a RuleSet, as RuleSet.preset gives one (R16)")


def _check_results(results: object) -> None:
    if not isinstance(results, tuple) or not all(isinstance(result, HandResult) for result in results):
        raise Malformed(results, "what a game is resumed behind is a tuple of HandResult, as State.results is one")


def _check_seed(seed: object) -> None:
    if not isinstance(seed, bytes) or len(seed) != GAME_SEED_BYTES:
        raise Malformed(seed, f"a game seed is {GAME_SEED_BYTES} bytes")


def _nonces(nonces: object, seats: int) -> tuple[bytes, ...]:
    """Give the nonces by seat, zeros where none are given; raises `Malformed` for what is no list of them."""
    if nonces is None:
        return (NO_NONCE,) * seats
    if (
        not isinstance(nonces, Sequence)
        or len(nonces) != seats
        or any(not isinstance(nonce, bytes) or len(nonce) != NONCE_BYTES for nonce in nonces)
    ):
        raise Malformed(nonces, f"there is one nonce of {NONCE_BYTES} bytes for each of {seats} seats")
    return tuple(nonces)
