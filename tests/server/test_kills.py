"""The server is killed as by `kill -9` at random instants, and nothing that it acknowledged is lost or done twice."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import grpc.aio
import pytest
from server_process import ServerProcess, server_process
from server_table import AT_ONCE, SHORT, token_of

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.decision import Decision
from shanghai_engine.verify import verify
from shanghai_server.house.settings import Settings
from shanghai_server.journal.sqlite_journal import SqliteJournal
from shanghai_server.standing.fact import Acted, Said, WentOn, read_fact
from shanghai_server.standing.option import options_message
from shanghai_server.verbs.gates import token_hash
from shanghai_wire.actions import GoOn, action_message
from shanghai_wire.decisions import read_decision
from shanghai_wire.refused import Refused
from shanghai_wire.rules import rules_message
from shanghai_wire.views import read_view

LOST = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.DEADLINE_EXCEEDED}
"""What a caller sees of a server that died: it does not know whether its call was done."""
Request = service_pb2.ActRequest | service_pb2.SayRequest


@dataclass
class Evening:
    """Everything that goes on: the server with its lives, what clients were told, and when the next kill is."""

    server: ServerProcess
    rng: random.Random
    calls: int = 0
    over: bool = False
    kill_at: int = 0
    kill_now: asyncio.Event = field(default_factory=asyncio.Event)
    repeats: int = 0
    codes: set[str] = field(default_factory=set)
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def count(self) -> None:
        """Count a call that is about to be made; one of them is the last of this life."""
        self.calls += 1
        if self.calls == self.kill_at:
            self.kill_now.set()


@dataclass
class Client:
    """A scripted player who calls until it is answered, across lives of the server."""

    evening: Evening
    table: str
    name: str
    seat: int = -1
    acknowledged: list[tuple[Request, bytes]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    sequence: int = 0
    said: int = 0

    @property
    def token(self) -> bytes:
        """The seat's token."""
        return token_of(self.name, self.table)

    async def call(self, method: str, request: object) -> bytes:
        """Make a call, again and again while the server dies of it; gives the answer's bytes."""
        server = self.evening.server
        while True:
            await server.up.wait()
            try:
                answer = asyncio.ensure_future(getattr(server.stub, method)(request, timeout=20))
                await asyncio.sleep(0)
                self.evening.count()
                got: bytes = (await answer).SerializeToString()
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
                await asyncio.sleep(0.01)
            else:
                return got

    async def acknowledge(self, method: str, request: Request) -> None:
        """Make a call that counts; what is refused counts as not done."""
        try:
            answer = await self.call(method, request)
        except grpc.aio.AioRpcError as error:
            # Somebody before this seat took the card; after a restart, too.
            assert Refused.by_call(error).reason == "STALE_DECISION"  # noqa: PT017 # late is all that it may be
            self.refused.append(request.request_id)
            return
        self.acknowledged.append((request, answer))

    async def repeat_some(self) -> None:
        """Repeat a few of the last requests: each gets its first answer."""
        rng = self.evening.rng
        for request, answer in rng.sample(self.acknowledged[-40:], min(2, len(self.acknowledged))):
            method = "Act" if isinstance(request, service_pb2.ActRequest) else "Say"
            assert await self.call(method, request) == answer
            self.evening.repeats += 1

    async def play(self) -> None:
        """Watch, answer every decision, talk at times, until the game is over."""
        answered, life = "", self.evening.server.lives
        while True:
            await self.evening.server.up.wait()
            stream = self.evening.server.stub.Watch(
                service_pb2.WatchRequest(
                    table=self.table, seat_token=self.token, after_sequence=self.sequence, sitting=f"of {self.name}"
                )
            )
            if life != self.evening.server.lives:
                life = self.evening.server.lives
                await self.repeat_some()
            first = True
            try:
                async for response in stream:
                    update = response.update
                    # Nobody else sits here, however often the server forgot what it had not written down.
                    assert response.closed.reason != table_pb2.CLOSE_REASON_REPLACED
                    if not response.HasField("update"):
                        continue
                    # The first of a stream may be the last of the one before it; never does a sequence come twice.
                    assert update.sequence > self.sequence or (first and update.sequence == self.sequence)
                    self.sequence, first = update.sequence, False
                    if update.public.table.status == table_pb2.TABLE_STATUS_OVER:
                        return
                    decision = update.private.decision.id if update.private.HasField("decision") else ""
                    if decision and decision != answered:
                        answered = decision
                        await self.act(update)
            except grpc.aio.AioRpcError as error:
                if error.code() not in LOST:
                    raise
                await asyncio.sleep(0.01)
            finally:
                stream.cancel()

    async def act(self, update: table_pb2.Update) -> None:
        """Answer what the last update asks, as the built-in bot would; say something now and then."""
        public = update.public
        view = read_view(public.table, public.game, update.private.own)
        decision = read_decision(update.private.decision, seat=self.seat, claim_order=public.game.claim_order)
        if isinstance(decision, Decision):
            rng = rng_for("kills", self.seat, decision.id)
            action = action_message(LEVELS[DEFAULT_LEVEL].decide(view, decision, rng))  # type: ignore[arg-type]
        else:
            action = action_message(GoOn(self.seat))
        if self.evening.rng.random() < 0.1:
            said = f"{self.name} {next(self.evening.numbers)}"
            await self.acknowledge(
                "Say", service_pb2.SayRequest(table=self.table, request_id=said, seat_token=self.token, text=said)
            )
        number = f"act {next(self.evening.numbers)}"
        await self.acknowledge(
            "Act",
            service_pb2.ActRequest(
                table=self.table,
                request_id=number,
                seat_token=self.token,
                decision_id=update.private.decision.id,
                action=action,
            ),
        )


async def sit_down(evening: Evening, number: int) -> list[Client]:
    """Make a table of two persons and a bot, and start its game; each call is repeated until it is answered."""
    maker = Client(evening, "", "maker")
    made = await maker.call(
        "CreateTable",
        service_pb2.CreateTableRequest(
            request_id=f"table {number}", seats=3, rules=rules_message(SHORT), options=options_message(AT_ONCE)
        ),
    )
    table = service_pb2.CreateTableResponse.FromString(made).table
    # A table that was made twice for one request would be there under two codes.
    assert table not in evening.codes
    evening.codes.add(table)
    clients = [Client(evening, table, name) for name in ("Ann", "Ben")]
    for client in clients:
        request = service_pb2.JoinTableRequest(
            table=table, request_id="join", seat_token=client.token, name=client.name
        )
        joined = service_pb2.JoinTableResponse.FromString(await client.call("JoinTable", request))
        client.seat = joined.seat
    await clients[0].call(
        "StartGame",
        service_pb2.StartGameRequest(
            table=table,
            request_id="start",
            seat_token=clients[0].token,
            empty_seats=service_pb2.EMPTY_SEATS_BOTS,
        ),
    )
    return clients


async def games(evening: Evening, place: int) -> list[Client]:
    """Play one game after another at one place of the room until the evening is over."""
    played: list[Client] = []
    for number in itertools.count():
        clients = await sit_down(evening, place * 1000 + number)
        await asyncio.gather(*(client.play() for client in clients))
        played += clients
        if evening.over:
            break
    return played


async def kill_again_and_again(evening: Evening, kills: int) -> None:
    """Let the server die so many times, in one of four ways each, and start it again."""
    rng, server = evening.rng, evening.server
    for _ in range(kills):
        moment = rng.choice(["call", "time", "before", "after"])
        calls = rng.randint(3, 60)
        if moment in {"before", "after"}:
            # This life is over already; the next one ends by itself, around an append.
            await server.kill()
            await server.start(moment, str(calls))
            await server.dead()
        else:
            evening.kill_now.clear()
            evening.kill_at = evening.calls + calls
            await evening.kill_now.wait()
            if moment == "time":
                await asyncio.sleep(rng.random() / 50)
            await server.kill()
        await server.start()
    evening.over = True


def check_facts(clients: list[Client], records: list[bytes]) -> None:
    """Check that a table's facts hold every acknowledged request once, and none that was refused."""
    found: Counter[tuple[str, str]] = Counter()
    kinds = {service_pb2.ActRequest: (Acted, WentOn), service_pb2.SayRequest: (Said,)}
    done = {}
    for record in records:
        fact = read_fact(record)
        if fact.request is not None:
            key = fact.request.token, fact.request.id
            found[key] += 1
            done[key] = fact
    for client in clients:
        token = token_hash(client.token)
        for request, answer in client.acknowledged:
            key = token, request.request_id
            assert found[key] == 1
            fact = done[key]
            assert isinstance(fact, kinds[type(request)])
            assert fact.request is not None
            assert fact.request.answer == answer
            if isinstance(fact, Acted) and isinstance(request, service_pb2.ActRequest):
                assert (fact.seat, fact.decision) == (client.seat, request.decision_id)
            if isinstance(fact, Said) and isinstance(request, service_pb2.SayRequest):
                assert fact.text == request.text
        assert not [number for number in client.refused if found[token, number]]


@pytest.mark.long
@pytest.mark.parametrize(
    ("kills", "tables"), [(10, 6), pytest.param(200, 50, marks=pytest.mark.soak)], ids=["sample", "full"]
)
async def test_nothing_acknowledged_is_lost_by_kills(tmp_path: Path, kills: int, tables: int) -> None:
    """Games go on across every death; all records verify, every request is done once, repeats get the first answer."""
    async with server_process(tmp_path / "data") as server:
        evening = Evening(server, random.Random(kills))
        rooms = [asyncio.create_task(games(evening, place)) for place in range(tables)]
        killer = asyncio.create_task(kill_again_and_again(evening, kills))
        try:
            played = [client for clients in await asyncio.gather(*rooms, killer) for client in clients or ()]
        except BaseException:
            for task in (*rooms, killer):
                task.cancel()
            await asyncio.gather(*rooms, killer, return_exceptions=True)
            raise
        # Every answer that is still kept is given again.
        for client in played:
            for request, answer in client.acknowledged[-Settings().kept_requests :]:
                method = "Act" if isinstance(request, service_pb2.ActRequest) else "Say"
                assert await client.call(method, request) == answer
        records = {}
        for code in evening.codes:
            answered = await server.stub.GetRecord(service_pb2.GetRecordRequest(table=code))
            records[code] = answered.record
        assert "Traceback" not in server.log()
    assert server.lives > kills
    for record in records.values():
        verdict = verify(record.splitlines())
        assert verdict.lawful, verdict.finding
    async with SqliteJournal(tmp_path / "data") as journal:
        assert {entry.table for entry in await journal.tables()} == evening.codes
        for code in evening.codes:
            entries = await journal.read(code, 0)
            check_facts([c for c in played if c.table == code], [entry.record for entry in entries])
    assert evening.repeats >= kills
