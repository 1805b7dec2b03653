"""What a viewer sees now, read once from an update: the table with its people, the game, and what the seat owes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from shanghai.v1 import table_pb2
from shanghai_client.foreign_text import made_fit
from shanghai_client.view_size import check_size
from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.decision import Decision, DecisionKind
from shanghai_engine.history import PublicEvent
from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.view import PublicView, View
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.choices_fit import check_choices, check_hands
from shanghai_wire.decisions import GoOnDecision, read_decision
from shanghai_wire.rules import read_rules
from shanghai_wire.seats_named import check_seats
from shanghai_wire.views import read_view

USUAL_WIDTH = 80
"""Cells of a line where no terminal says how many it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One update, whole.

    `table` is the table and its people as the contract says it, `clock` what runs, `view` the game as the engine
    knows it (none before the first deal), `seat` the viewer's own (none for a spectator). `decision` is what the
    seat owes and `decision_id` names it, empty where it owes nothing. `new_from` and `skipped` say which of this
    hand's events the last update did not have yet, and whether some were missed. `width` is how many cells a line has,
    `told` what the viewer was told of this hand, where that was kept. `recorded` says that it was read from a record,
    which has the names of those who sat there when its game began.
    """

    table: table_pb2.TableView
    clock: table_pb2.Clock | None = None
    view: View | None = None
    seat: int | None = None
    decision: Decision | GoOnDecision | None = None
    decision_id: str = ""
    new_from: int = 0
    skipped: bool = False
    width: int = USUAL_WIDTH
    told: tuple[str, ...] = ()
    recorded: bool = False

    @classmethod
    def of(cls, update: table_pb2.Update) -> Scene:
        """Read an update; raises `BadMessage` for one that this client cannot read, or that does not fit together."""
        check_size(update)
        public = update.public
        own = update.private.own if update.HasField("private") else None
        view = None
        try:
            if public.HasField("game"):
                # Before its first deal a seat knows only its number, and that is no view of a game; nor is what a seat
                # is sent that waits for the next deal, which sees what everybody sees.
                waits = own is not None and _waits(public.table, own.seat)
                view = check_seats(read_view(public.table, public.game, None if waits else own))
                check_hands(view.public)
            elif public.table.HasField("rules"):
                read_rules(public.table.rules)
        except BadRules as bad:
            # They are the server's: nobody here has given any.
            raise BadMessage(f"table.rules.{bad.field}", bad.value, bad.right) from bad
        _check_table(public.table, seat=None if own is None else own.seat, view=view)
        decision = None
        if own is not None and update.private.HasField("decision"):
            decision = read_decision(update.private.decision, seat=own.seat, claim_order=public.game.claim_order)
            if isinstance(decision, Decision):
                check_choices(decision, view)
        return cls(
            table=made_fit(public.table),
            clock=public.clock if public.HasField("clock") else None,
            view=view,
            seat=own.seat if own is not None else None,
            decision=decision,
            decision_id=update.private.decision.id if decision is not None else "",
            new_from=update.new_from,
            skipped=update.events_skipped,
        )

    @property
    def game(self) -> PublicView | None:
        """What everybody knows of the game; none before the first deal."""
        return None if self.view is None else self.view.public

    @property
    def rules(self) -> RuleSet:
        """The table's rules."""
        if self.game is not None:
            return self.game.rules
        return read_rules(self.table.rules) if self.table.HasField("rules") else STANDARD

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards; none for a spectator, and for who waits for the next deal."""
        return () if self.view is None or self.view.own is None else self.view.own.hand

    @property
    def news(self) -> tuple[PublicEvent, ...]:
        """What has happened since the last update."""
        return () if self.view is None else self.view.public.events[self.new_from :]

    @property
    def offer(self) -> Decision | None:
        """The offer that the seat has to answer, if that is what it owes."""
        return (
            self.decision if isinstance(self.decision, Decision) and self.decision.kind is DecisionKind.OFFER else None
        )

    @property
    def play(self) -> Decision | None:
        """The play that the seat has to make, if that is what it owes."""
        return (
            self.decision if isinstance(self.decision, Decision) and self.decision.kind is DecisionKind.PLAY else None
        )

    @property
    def going_on(self) -> bool:
        """Whether the seat is asked to go on to the next hand."""
        return isinstance(self.decision, GoOnDecision)

    @property
    def down(self) -> bool:
        """Whether the viewer has laid down in this hand."""
        if self.view is None or self.seat is None or self.waits:
            return False
        return self.view.public.seats[self.seat].down

    @property
    def waits(self) -> bool:
        """Whether the viewer has the seat from the next deal on, and a bot plays it until then (R2.3)."""
        return self.seat is not None and _waits(self.table, self.seat)

    @property
    def plays(self) -> bool:
        """Whether the viewer has cards in this hand, or had them: he is no spectator, and waits for no deal."""
        return self.seat is not None and not self.waits

    @property
    def stood_in(self) -> bool:
        """Whether a stand-in plays the viewer's seat, which he can take back (R14.2)."""
        return self.seat is not None and self.table.seats[self.seat].stand_in and not self.waits

    def owing_nothing(self) -> Scene:
        """Give the scene as it is for who is asked nothing: what the seat owes, somebody else plays."""
        return replace(self, decision=None, decision_id="")

    def answered(self, claim: Claim) -> Scene:
        """Give the scene with the open offer answered by the viewer, so that nothing is owed any more."""
        view = self.view
        if view is not None and view.own is not None:
            view = replace(view, own=replace(view.own, answer=claim))
        return replace(self, view=view, decision=None, decision_id="")

    def name(self, seat: int) -> str:
        """Give the name of a seat."""
        return self.table.seats[seat].name

    def is_host(self) -> bool:
        """Say whether the viewer may start the game and add bots."""
        return self.seat is not None and self.table.seats[self.seat].host


def _waits(table: table_pb2.TableView, seat: int) -> bool:
    """Say whether a seat of a table waits for the next deal; false for one that is not there."""
    return any(each.index == seat and each.waits_for_deal for each in table.seats)


def _check_table(table: table_pb2.TableView, *, seat: int | None, view: View | None) -> None:
    """Raise `BadMessage` where a seat is named that is not among those of the table."""
    seats = len(table.seats)
    if view is not None and len(view.public.seats) != seats:
        raise BadMessage("table.seats", f"{seats} entries", f"the game has {len(view.public.seats)} seats")
    named = [("own.seat", seat)] if seat is not None else []
    named += [(f"table.takeovers[{place}].seat", each.seat) for place, each in enumerate(table.takeovers)]
    named += [(f"table.seats[{place}].index", each.index) for place, each in enumerate(table.seats)]
    for field, number in named:
        check_seat(number, seats, field)


def check_seat(seat: int, seats: int, field: str = "own.seat") -> int:
    """Give the number of a seat of a table with so many; raises `BadMessage` for any other, which stood in a field."""
    if not 0 <= seat < seats:
        raise BadMessage(field, seat, f"it is one of {seats} seats, from 0")
    return seat
