"""A game: its state, what has happened, and the one door through which anything happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shanghai_engine.action import Action, Deal
from shanghai_engine.check import why_not
from shanghai_engine.decide import decide
from shanghai_engine.decision import Decision, decisions
from shanghai_engine.event import Dealt, Event, GameStarted
from shanghai_engine.evolve import evolve, resume
from shanghai_engine.history import History
from shanghai_engine.malformed import Malformed
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.shuffle import GAME_SEED_BYTES, NO_NONCE, NONCE_BYTES, Chance, SeededChance, commitment
from shanghai_engine.state import HandResult, State
from shanghai_engine.view import View, view


class Game:
    """A whole game, played by `apply`.

    `state` is what is true now, `events` everything that happened since it was begun, or resumed. `chance` is where
    deals come from.
    """

    __slots__ = ("chance", "events", "history", "state")

    def __init__(
        self, started: GameStarted, chance: Chance | None = None, *, results: tuple[HandResult, ...] = ()
    ) -> None:
        """Begin a game before its first deal, or resume it before the deal that follows hands with these results.

        Without a chance of its own it is dealt from its seed. A game that was resumed is the same from the next deal
        on, but for `events`, which lack the hands before it: it has no record of its own.
        """
        self.chance: Chance = chance or SeededChance(started.game_seed, started.nonces)
        self.state: State = resume(started, results)
        self.events: list[Event] = [started]
        self.history = History.for_players(len(started.players))

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
        `Malformed` for a seed or nonce of another length.
        """
        names = tuple(f"Seat {seat}" for seat in range(players)) if isinstance(players, int) else tuple(players)
        rules.check_players(len(names))
        nonces = tuple(nonces) if nonces is not None else (NO_NONCE,) * len(names)
        if len(seed) != GAME_SEED_BYTES:
            raise Malformed(seed, f"a game seed is {GAME_SEED_BYTES} bytes")
        if len(nonces) != len(names) or any(len(nonce) != NONCE_BYTES for nonce in nonces):
            raise Malformed(nonces, f"there is one nonce of {NONCE_BYTES} bytes for each of {len(names)} seats")
        started = GameStarted(
            rules=rules,
            players=names,
            packs=rules.packs_for(len(names)),
            game_seed=seed,
            commitment=commitment(seed),
            nonces=nonces,
        )
        game = cls(started, chance)
        game.apply(Deal())
        return game

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Game:
        """Rebuild a game from what happened; the first event starts it. No card is shuffled."""
        events = iter(events)
        started = next(events)
        if not isinstance(started, GameStarted):
            raise Malformed(started, "what happened begins with the start of the game")
        game = cls(started)
        for event in events:
            game.evolve(event)
        return game

    def decisions(self) -> dict[int, Decision]:
        """Give what every seat owes now, by seat; empty only between hands and after the game."""
        return decisions(self.state)

    def can(self, action: Action) -> bool:
        """Say whether an action may happen now."""
        return why_not(self.state, action) is None

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do an action and give what followed; raises `RuleViolation`, and then nothing has changed (R15.1)."""
        events = decide(self.state, action, self.chance)
        for event in events:
            self.evolve(event)
        return events

    def evolve(self, event: Event) -> None:
        """Take in what happened."""
        evolve(self.state, event)
        self.events.append(event)
        if isinstance(event, Dealt):
            self.history = History.for_players(self.state.players)
        self.history.add(event, self.state)

    def view(self, seat: int | None = None) -> View:
        """Give what a seat may know now, or a spectator (none)."""
        return view(self.state, self.history, seat)

    def copy(self) -> Game:
        """Give an independent copy, for search."""
        twin = Game.__new__(Game)
        twin.chance = self.chance
        twin.state = self.state.copy()
        twin.events = self.events.copy()
        twin.history = self.history.copy()
        return twin
