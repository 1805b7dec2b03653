"""A table of scripted seats: each answers what it is asked by a simple rule, from the list of its choices alone."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2, view_pb2

_WATCH = "/shanghai.v1.TableService/Watch"
_ids = itertools.count(1)
PLAYING = table_pb2.TableOptions(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0)
"""No clock: only the seats move the game."""


@dataclass(slots=True)
class Told:
    """A call that was made: when, how many bytes it had, and what its table's streams were sent after it.

    `done` is when the last stream had it all; 0 where nothing followed.
    """

    at: float
    size: int
    messages: list[list[bytes]]
    done: float = 0.0


@dataclass
class ScriptedTable:
    """A table whose seats all answer `pause` seconds after a decision appears (none: by `act_once`).

    Every call is in `told`; `updates` counts what the first seat was shown.
    """

    channel: grpc.aio.Channel
    seats: int
    pause: float | None = None
    code: str = ""
    told: list[Told] = field(default_factory=list)
    refused: int = 0
    updates: int = 0
    is_over: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _tokens: list[bytes] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _asked: list[str] = field(default_factory=list)
    _decisions: list[view_pb2.Decision | None] = field(default_factory=list)
    _is_open: bool = True
    _is_held: bool = False
    _kept: list[tuple[int, view_pb2.Decision]] = field(default_factory=list)

    @property
    def stub(self) -> service_pb2_grpc.TableServiceAsyncStub:
        """The service."""
        return service_pb2_grpc.TableServiceStub(self.channel)

    async def open(self, *, watched: bool = True) -> None:
        """Make the table, sit down, start the game, and watch from every seat."""
        request = service_pb2.CreateTableRequest(request_id=self._id(), seats=self.seats, options=PLAYING)
        self.code = (await self.stub.CreateTable(request)).table
        for seat in range(self.seats):
            self._tokens.append(random.randbytes(16))
            join = service_pb2.JoinTableRequest(
                table=self.code, request_id=self._id(), seat_token=self._tokens[seat], name=f"Seat {seat}"
            )
            await self.stub.JoinTable(join)
        self._asked = [""] * self.seats
        self._decisions = [None] * self.seats
        if watched:
            for seat in range(self.seats):
                self.watch(seat)
        start = service_pb2.StartGameRequest(table=self.code, request_id=self._id(), seat_token=self._tokens[0])
        await self.stub.StartGame(start)

    def watch(self, seat: int) -> None:
        """Open the stream of a seat."""
        self._tasks.append(asyncio.create_task(self._watch(seat)))

    async def close(self) -> None:
        """Answer nothing more, and let go of the streams."""
        self._is_open = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _id(self) -> str:
        return f"bench {next(_ids)}"

    async def _watch(self, seat: int) -> None:
        watch: Any = self.channel.unary_stream(_WATCH)
        request = service_pb2.WatchRequest(table=self.code, seat_token=self._tokens[seat])
        stream = watch(request.SerializeToString())
        try:
            async for message in stream:
                if self.told:
                    self.told[-1].messages[seat].append(message)
                    if all(self.told[-1].messages):
                        self.told[-1].done = time.perf_counter()
                response = service_pb2.WatchResponse.FromString(message)
                if response.HasField("update"):
                    self._take(seat, response.update)
        finally:
            stream.cancel()

    def _take(self, seat: int, update: table_pb2.Update) -> None:
        self.updates += seat == 0
        self.is_over = update.public.table.status == table_pb2.TABLE_STATUS_OVER
        decision = update.private.decision if update.private.HasField("decision") else None
        self._decisions[seat] = decision
        if self.pause is not None and decision is not None and decision.id != self._asked[seat]:
            self._asked[seat] = decision.id
            asyncio.get_running_loop().call_later(self.pause, self._answer, seat, decision)
        self._news.set()

    def hold(self) -> None:
        """Answer nothing for now."""
        self._is_held = True

    def go_on(self, delay: float) -> None:
        """Answer again, and after so many seconds what was to be answered meanwhile."""
        self._is_held = False
        kept, self._kept = self._kept, []
        for seat, decision in kept:
            asyncio.get_running_loop().call_later(delay, self._answer, seat, decision)

    def _answer(self, seat: int, decision: view_pb2.Decision) -> None:
        if self._is_held:
            self._kept.append((seat, decision))
        elif self._is_open:
            self._tasks.append(asyncio.create_task(self._act(seat, decision)))

    async def _act(self, seat: int, decision: view_pb2.Decision) -> None:
        request = service_pb2.ActRequest(
            table=self.code,
            request_id=self._id(),
            seat_token=self._tokens[seat],
            decision_id=decision.id,
            action=choice(decision, random.Random(f"{seat} {decision.id}")),
        )
        self.told.append(Told(time.perf_counter(), request.ByteSize(), [[] for _ in range(self.seats)]))
        try:
            await self.stub.Act(request)
        except grpc.aio.AioRpcError as error:
            # Somebody before this seat took the card, and the offer closed meanwhile.
            if error.code() is not grpc.StatusCode.ABORTED:
                raise
            self.refused += 1

    async def act_once(self) -> None:
        """Let one seat that owes something answer, as soon as one does."""
        while (owing := self._owing()) is None:
            await self._next()
        seat, decision = owing
        self._asked[seat] = decision.id
        await self._act(seat, decision)

    async def _next(self) -> None:
        self._news.clear()
        await asyncio.wait_for(self._news.wait(), 30)

    def _owing(self) -> tuple[int, view_pb2.Decision] | None:
        for seat, decision in enumerate(self._decisions):
            if decision is not None and decision.id != self._asked[seat]:
                return seat, decision
        return None


def choice(decision: view_pb2.Decision, rng: random.Random) -> view_pb2.Action:
    """Give one of the choices of a decision: lays down and off where it can, claims now and then, discards any."""
    match decision.WhichOneof("ask"):
        case "offer":
            claims = list(decision.offer.claims)
            wants = rng.random() < 0.25 and any(claim != view_pb2.CLAIM_PASS for claim in claims)
            claim = next(c for c in claims if (c != view_pb2.CLAIM_PASS) == wants)
            return view_pb2.Action(answer=view_pb2.AnswerOffer(claim=claim))
        case "go_on":
            return view_pb2.Action(go_on=view_pb2.GoOn())
    play = decision.play
    if play.lay_down:
        return view_pb2.Action(lay_down=view_pb2.LayDown(melds=play.lay_down))
    if play.lay_offs:
        return view_pb2.Action(lay_off=play.lay_offs[0])
    return view_pb2.Action(discard=view_pb2.Discard(card=rng.choice(list(play.discards))))
