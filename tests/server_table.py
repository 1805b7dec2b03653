"""What the server's tests play with: a server on loopback, and seats that call it."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import grpc.aio
from hand_clock import HandClock
from structlog.typing import FilteringBoundLogger

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim, Deal, TimeOut
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.contract import Contract
from shanghai_engine.decision import Decision
from shanghai_engine.rules import RuleSet
from shanghai_server.doors.server import GameServer
from shanghai_server.house.rate import Rate
from shanghai_server.house.secret import SeededSecrets
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.journal import Journal
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.option import options_message
from shanghai_wire.actions import GoOn, SeatAction, action_message
from shanghai_wire.decisions import read_decision
from shanghai_wire.refused import Refused
from shanghai_wire.rules import rules_message
from shanghai_wire.views import read_view

SHORT = RuleSet(contracts=(Contract(sets=(3,), runs=()), Contract(sets=(), runs=(4,))), buys=(3, 3), cards_dealt=(6, 6))
"""Rules of a game of two short hands."""
AT_ONCE = Options(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0)
"""No clock, and bots that do not wait."""
TALKATIVE = Rate(burst=1_000_000, per_second=1000.0)
"""So often that no test meets the limit unless it wants to."""
PATIENCE, MOST_PATIENCE = 60.0, 300.0
"""The seconds that a stream is waited for which shows nothing, and for which it is waited in all."""
_numbers = itertools.count(1)


def fresh_id() -> str:
    """Give a request id that no test has used."""
    return f"request {next(_numbers)}"


def token_of(name: str, table: str) -> bytes:
    """Give the token of a player: the same in every run."""
    return hashlib.sha256(f"{name} at {table}".encode()).digest()[:16]


async def refusal(call: Awaitable[object]) -> Refused:
    """Give why a call was refused, and fail where it was not."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return Refused.by_call(error)
    raise AssertionError("the call was not refused")


@dataclass
class Playground:
    """A server, a channel to it, and what the tests need to reach into."""

    journal: Journal
    clock: HandClock
    settings: Settings
    server: GameServer
    port: int
    channel: grpc.aio.Channel

    @property
    def stub(self) -> service_pb2_grpc.TableServiceAsyncStub:
        """The service."""
        return service_pb2_grpc.TableServiceStub(self.channel)

    async def create(
        self,
        seats: int,
        *,
        rules: RuleSet = SHORT,
        options: Options | None = None,
        name: str = "",
        request_id: str = "",
        passcode: str = "",
    ) -> str:
        """Make a table, and give its code."""
        answer = await self.stub.CreateTable(
            service_pb2.CreateTableRequest(
                request_id=request_id or fresh_id(),
                name=name,
                seats=seats,
                rules=rules_message(rules),
                options=None if options is None else options_message(options),
                passcode=passcode,
            )
        )
        return answer.table


def _collected(reader: asyncio.Task[None]) -> None:
    """Take note of how a stream ended: who waits for it is told (`until`), and nobody else need be."""
    if not reader.cancelled():
        reader.exception()


@asynccontextmanager
async def playground(
    *,
    journal: Journal | None = None,
    settings: Settings | None = None,
    seed: str = "test",
    clock: HandClock | None = None,
    log: FilteringBoundLogger | None = None,
) -> AsyncIterator[Playground]:
    """Serve while the block runs, on a journal in memory unless one is given."""
    journal = journal or MemoryJournal()
    clock = clock or HandClock()
    settings = settings or Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE, joins_per_peer=TALKATIVE)
    async with journal:
        server = GameServer(journal, settings=settings, secrets=SeededSecrets(seed), clock=clock, log=log)
        port = await server.start()
        await server.restored()
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        ) as channel:
            try:
                yield Playground(journal, clock, settings, server, port, channel)
            finally:
                await server.stop(5)


@dataclass
class Player:
    """A seat's client: it watches, keeps everything that was sent to it, and acts."""

    ground: Playground
    table: str
    name: str
    token: bytes
    seat: int = -1
    updates: list[table_pb2.Update] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    closed: table_pb2.StreamClosed | None = None
    passcode: str = ""
    sitting: str = ""
    _stream: Any = None
    _reader: asyncio.Task[None] | None = None
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def join(  # noqa: PLR0913 (one parameter for each field)
        cls,
        ground: Playground,
        table: str,
        name: str,
        *,
        nonce: bytes = b"",
        watch: bool = True,
        seat: int | None = None,
        passcode: str = "",
        code: str = "",
        request_id: str = "",
    ) -> Player:
        """Take a seat and, unless told not to, watch."""
        token = token_of(name, table)
        player = cls(ground, table, name, token)
        answer = await ground.stub.JoinTable(
            service_pb2.JoinTableRequest(
                table=table,
                request_id=request_id or f"join {ascii(name)[1:-1][:40]}",
                seat_token=token,
                name=name,
                seat=seat,
                nonce_commitment=hashlib.sha256(nonce).digest() if nonce else b"",
                passcode=passcode,
                hand_over_code=code,
            )
        )
        player.seat, player.name = answer.seat, answer.name
        if watch:
            await player.watch()
        return player

    @classmethod
    async def spectate(cls, ground: Playground, table: str, *, passcode: str = "") -> Player:
        """Watch without a seat."""
        player = cls(ground, table, "spectator", b"", passcode=passcode)
        await player.watch()
        return player

    async def call(self, method: str, *, request_id: str = "", **fields: Any) -> Any:  # noqa: ANN401 (any of many)
        """Make a call of this seat by its name."""
        request = getattr(service_pb2, f"{method}Request")(
            table=self.table, request_id=request_id or fresh_id(), seat_token=self.token, **fields
        )
        return await getattr(self.ground.stub, method)(request)

    async def watch(self, after_sequence: int = 0) -> table_pb2.Update:
        """Open the stream, and give its first update."""
        before = len(self.updates)
        self.open(after_sequence)
        await self.until(lambda: len(self.updates) > before)
        return self.updates[before]

    def open(self, after_sequence: int = 0) -> None:
        """Open the stream, whatever comes of it."""
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.ground.port}", options=[("grpc.enable_http_proxy", 0)])
        self.closed = None
        self._reader = asyncio.create_task(self._read(channel, after_sequence))
        self._reader.add_done_callback(_collected)

    async def ended(self) -> table_pb2.CloseReason.ValueType:
        """Wait until the server has ended the stream, and give the reason alone."""
        return (await self.until_closed()).reason

    async def _read(self, channel: grpc.aio.Channel, after_sequence: int) -> None:
        call = channel.unary_stream(
            "/shanghai.v1.TableService/Watch",
            request_serializer=service_pb2.WatchRequest.SerializeToString,
            response_deserializer=bytes,
        )(
            service_pb2.WatchRequest(
                table=self.table,
                seat_token=self.token,
                after_sequence=after_sequence,
                passcode=self.passcode,
                sitting=self.sitting,
            )
        )
        try:
            async for message in call:
                response = service_pb2.WatchResponse.FromString(message)
                self.raw.append(message)
                if response.HasField("update"):
                    self.updates.append(response.update)
                elif response.HasField("closed"):
                    self.closed = response.closed
                self._news.set()
        finally:
            call.cancel()
            await channel.close()
            self._news.set()

    async def unwatch(self) -> None:
        """Cut the stream."""
        assert self._reader is not None
        self._reader.cancel()
        await asyncio.wait([self._reader])
        self._reader = None

    async def next(self) -> table_pb2.Update:
        """Wait for one update more than there is now, and give it."""
        seen = len(self.updates)
        await self.until(lambda: len(self.updates) > seen)
        return self.updates[seen]

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until something is so; what is sent is looked at as it comes. Fails where it never is."""
        end = asyncio.get_running_loop().time() + MOST_PATIENCE
        while not what():
            assert self._reader is not None
            if self._reader.done():
                self._reader.result()
                raise AssertionError(f"the stream of {self.name} ended: {self.closed}")
            self._news.clear()
            left = min(end - asyncio.get_running_loop().time(), PATIENCE)
            try:
                await asyncio.wait_for(self._news.wait(), max(left, 0))
            except TimeoutError as late:
                raise AssertionError(self._waited_in_vain()) from late

    def _waited_in_vain(self) -> str:
        """Say what a stream has shown that was waited on for too long."""
        number = len(self.updates)
        last = f"the last of its {number} updates is\n{self.updates[-1]}" if number else "no update came"
        return f"the stream of {self.name} at {self.table} does not show what is waited for: {last}"

    async def until_closed(self) -> table_pb2.StreamClosed:
        """Wait until the server has ended the stream, and give why."""
        assert self._reader is not None
        await asyncio.wait_for(asyncio.wait([self._reader]), PATIENCE)
        assert self.closed is not None
        return self.closed

    @property
    def last(self) -> table_pb2.Update:
        """The last update."""
        return self.updates[-1]

    @property
    def decision(self) -> view_pb2.Decision | None:
        """What the seat owes by the last update."""
        private = self.last.private
        return private.decision if private.HasField("decision") else None

    def owes(self, decision: str) -> bool:
        """Say whether the last update asks for this decision."""
        return self.decision is not None and self.decision.id == decision

    async def act(
        self, action: SeatAction | view_pb2.Action, *, decision: str | None = None, request_id: str = ""
    ) -> service_pb2.ActResponse:
        """Answer a decision, that of the last update unless one is named."""
        if decision is None:
            assert self.decision is not None, f"{self.name} owes nothing"
            decision = self.decision.id
        message = action if isinstance(action, view_pb2.Action) else action_message(action)
        return await self.ground.stub.Act(
            service_pb2.ActRequest(
                table=self.table,
                request_id=request_id or fresh_id(),
                seat_token=self.token,
                decision_id=decision,
                action=message,
            )
        )

    async def past(self, decision: str) -> None:
        """Wait until a decision is not asked any more."""
        await self.until(lambda: self.decision is None or self.decision.id != decision)

    async def answer(self, claim: Claim, *, request_id: str = "") -> service_pb2.ActResponse:
        """Answer the offer that the last update shows."""
        return await self.act(Answer(self.seat, claim), request_id=request_id)

    async def answer_again(self, claim: Claim, decision: str) -> service_pb2.ActResponse:
        """Answer an offer by its id, whatever the last update shows."""
        return await self.act(Answer(self.seat, claim), decision=decision)

    async def say(self, text: str, *, request_id: str = "") -> service_pb2.SayResponse:
        """Say something to the table."""
        said: service_pb2.SayResponse = await self.call("Say", request_id=request_id, text=text)
        return said

    async def leave(self, *, request_id: str = "") -> service_pb2.LeaveTableResponse:
        """Give the seat up."""
        left: service_pb2.LeaveTableResponse = await self.call("LeaveTable", request_id=request_id)
        return left

    async def record(self) -> str:
        """Give the record of the last game that is over, asked for as the holder of the seat."""
        request = service_pb2.GetRecordRequest(table=self.table, seat_token=self.token)
        return (await self.ground.stub.GetRecord(request)).record

    def choose(self) -> SeatAction:
        """Choose as the built-in bot would, from nothing but the last update."""
        assert self.decision is not None
        public = self.last.public
        view = read_view(public.table, public.game, self.last.private.own)
        decision = read_decision(self.decision, seat=self.seat, claim_order=public.game.claim_order)
        if not isinstance(decision, Decision):
            return GoOn(self.seat)
        action = LEVELS[DEFAULT_LEVEL].decide(view, decision, rng_for("player", self.seat, decision.id))
        assert not isinstance(action, Deal | TimeOut)
        return action

    async def play(self, *, hand: int = 1000, before: Callable[[], Awaitable[None]] | None = None) -> None:
        """Answer whatever is asked, until a hand is dealt or the game is over; do something else before each answer."""
        answered = ""
        while self.last.public.table.status != table_pb2.TABLE_STATUS_OVER and self.last.public.game.hand < hand:
            if self.decision is not None and self.decision.id != answered:
                asked = self.decision.id
                if before is not None:
                    await before()
                    if not self.owes(asked):
                        continue
                answered = asked
                try:
                    await self.act(self.choose(), decision=answered)
                except grpc.aio.AioRpcError as error:
                    # Somebody before this seat took the card, and the offer closed meanwhile.
                    if Refused.by_call(error).reason != "STALE_DECISION":
                        raise
            else:
                await self.next()

    async def start(self, empty_seats: service_pb2.EmptySeats.ValueType = service_pb2.EMPTY_SEATS_BOTS) -> None:
        """Start the game."""
        await self.call("StartGame", empty_seats=empty_seats)


async def seated(
    ground: Playground, names: Sequence[str], *, options: Options | None = None, rules: RuleSet = SHORT, seats: int = 0
) -> list[Player]:
    """Make a table, seat players in order, and start the game; bots take seats beyond them."""
    table = await ground.create(seats or len(names), options=options, rules=rules)
    players = [await Player.join(ground, table, name) for name in names]
    await players[0].start()
    for player in players:
        await player.until(lambda player=player: player.last.public.HasField("game"))  # type: ignore[misc]
    return players
