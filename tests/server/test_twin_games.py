"""Games that differ only in what a viewer may not know are the same to it, byte for byte, save for commitments."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import grpc.aio
import pytest
from server_table import Player, Playground, playground, seated, token_of

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim
from shanghai_engine.card import Card
from shanghai_engine.rules import STANDARD
from shanghai_engine.shuffle import commitment
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import is_snapshot
from shanghai_wire.actions import SeatAction, action_message

NAMES = ("Ann", "Ben", "Cleo", "Dan")
OPEN_STOCK = 40
"""So many cards from the top of the stock stay where they are: they are drawn and discarded in these games."""
OPTIONS = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0, wait_for_absent=True)


@dataclass
class Seen:
    """Everything that one viewer was sent, in order, commitments left out."""

    hidden: list[bytes]
    messages: list[bytes] = field(default_factory=list)

    def add(self, data: bytes) -> None:
        """Take in what was sent."""
        for each in self.hidden:
            data = data.replace(each, bytes(len(each)))
        self.messages.append(data)

    async def add_answer(self, call: Any) -> None:  # noqa: ANN401 # any call
        """Take in an answer, or a refusal with all that travels with it."""
        try:
            self.add((await call).SerializeToString())
        except grpc.aio.AioRpcError as error:
            said = (error.code(), error.details(), [*(error.trailing_metadata() or ())])
            self.add(repr(said).encode())


async def begun() -> tuple[str, list[bytes]]:
    """Give the code of a table at which a game has just begun, and its records without the snapshot."""
    journal = MemoryJournal()
    async with playground(journal=journal, seed="twins") as ground:
        ann = (await seated(ground, NAMES, rules=STANDARD, options=OPTIONS))[0]
        entries = await journal.read(ann.table, 0)
        return ann.table, [entry.record for entry in entries if not is_snapshot(entry.record)]


def twin(records: list[bytes], viewer: int | None, rng: random.Random) -> tuple[list[bytes], list[bytes]]:
    """Give the records of the same game with every card that the viewer cannot know put elsewhere, and other seeds.

    With them the commitments of both games, which are all that the viewer may see a difference in.
    """
    facts = [json.loads(record) for record in records]
    created, started = facts[0], facts[-1]
    game, deal = started["lines"]
    hidden = [bytes.fromhex(line["commitment"]) for line in (game, deal)]
    others = [seat for seat in range(len(NAMES)) if seat != viewer]
    pool = [card for seat in others for card in deal["hands"][seat]] + deal["stock"][OPEN_STOCK:]
    rng.shuffle(pool)
    for seat in others:
        deal["hands"][seat] = [pool.pop() for _ in deal["hands"][seat]]
    deal["stock"] = deal["stock"][:OPEN_STOCK] + pool
    created["game_seed"] = game["game_seed"] = rng.randbytes(32).hex()
    deal["seed"] = rng.randbytes(32).hex()
    game["commitment"] = commitment(bytes.fromhex(game["game_seed"])).hex()
    deal["commitment"] = commitment(bytes.fromhex(deal["seed"])).hex()
    hidden += [bytes.fromhex(line["commitment"]) for line in (game, deal)]
    return [json.dumps(fact, separators=(",", ":")).encode() for fact in facts], hidden


@dataclass
class Table:
    """A table at which everything that happens is the same whatever the hidden cards are."""

    ground: Playground
    seats: list[Player]
    viewer: int | None
    seen: Seen
    spectator: Player

    @property
    def watcher(self) -> Player:
        """Whose streams are compared."""
        return self.spectator if self.viewer is None else self.seats[self.viewer]

    async def all_until(self, what: Callable[[Player], bool]) -> None:
        """Wait until every viewer has seen something."""
        for player in (*self.seats, self.spectator):
            await player.until(lambda player=player: what(player))  # type: ignore[misc]

    async def turn(self, claims: dict[int, Claim]) -> None:
        """Let all answer an offer, the last of the claim order first, and the seat on turn discard what it drew."""
        game = self.spectator.last.public.game
        turn, events = game.turn_number, len(game.events)
        for seat in reversed(game.claim_order):
            action = Answer(seat, claims.get(seat, Claim.PASS))
            decision = f"1.{game.hand}.{turn}.0"
            await self._act(seat, action, decision)
            # Nobody can tell that it was given: a second answer is refused, and what one says is seen.
            await self._act(seat, action, decision)
        await self.all_until(lambda player: len(player.last.public.game.events) > events)
        await self.all_until(lambda player: player.last.public.game.phase == view_pb2.PHASE_PLAY)
        on_turn = self.spectator.last.public.game.turn
        await self.look_around()
        drawn = self.seats[on_turn].last.private.own.drawn
        discard = view_pb2.Action(discard=view_pb2.Discard(card=drawn))
        await self.seats[on_turn].act(discard)
        await self.all_until(lambda player: player.last.public.game.turn_number == turn + 1)

    async def _act(self, seat: int, action: SeatAction, decision: str) -> None:
        await self._noted(seat, self.seats[seat].act(action_message(action), decision=decision, request_id=decision))

    async def _noted(self, seat: int, call: Any) -> None:  # noqa: ANN401 # any call
        kept = self.seen if seat == self.viewer else Seen([])
        await kept.add_answer(call)

    async def look_around(self) -> None:
        """Ask for all that anybody may ask for, and for what the viewer may not have."""
        stub, table = self.ground.stub, self.spectator.table
        await self.seen.add_answer(stub.ListTables(service_pb2.ListTablesRequest()))
        await self.seen.add_answer(stub.GetRecord(service_pb2.GetRecordRequest(table=table)))
        if self.viewer is None:
            return
        ann = self.watcher
        for card in (Card.C2, Card.SA, Card.JOKER):
            discard = view_pb2.Action(discard=view_pb2.Discard(card=int(card)))  # type: ignore[arg-type]
            if int(card) not in ann.last.private.own.hand:
                await self.seen.add_answer(ann.act(discard, decision="1.1.1.1", request_id=f"no {card}"))

    async def come_and_go(self) -> None:
        """Let the viewer break off and come back, be replaced by a second client of its own, and others come and go."""
        watcher = self.watcher
        other = self.seats[(self.viewer or 0) + 1]
        await other.unwatch()
        await watcher.until(lambda: not watcher.last.public.table.seats[other.seat].connected)
        # Its grace is over: an update, and the next thing only after it.
        seen = len(watcher.updates)
        self.ground.clock.advance(61)
        await watcher.until(lambda: len(watcher.updates) > seen)
        await other.watch(after_sequence=other.last.sequence)
        await watcher.until(lambda: watcher.last.public.table.seats[other.seat].connected)
        if self.viewer is not None:
            newer = Player(self.ground, watcher.table, watcher.name, watcher.token, watcher.seat)
            await newer.watch(after_sequence=watcher.last.sequence)
            closed = await watcher.until_closed()
            assert closed.reason == table_pb2.CLOSE_REASON_REPLACED
            watcher.raw += newer.raw
            await newer.unwatch()
            await other.until(lambda: not other.last.public.table.seats[watcher.seat].connected)
            await watcher.watch(after_sequence=watcher.last.sequence)
        await watcher.until(lambda: all(seat.connected for seat in watcher.last.public.table.seats))


async def evening(table: str, records: list[bytes], viewer: int | None, hidden: list[bytes]) -> Seen:
    """Play some turns at a table with these records; gives all that the viewer was sent."""
    journal = MemoryJournal()
    async with journal:
        await journal.append(table, 0, records)
    async with playground(journal=journal, seed="after") as ground:
        seats = [Player(ground, table, name, token_of(name, table), seat) for seat, name in enumerate(NAMES)]
        spectator = await Player.spectate(ground, table)
        for count, player in enumerate(seats):
            await player.watch()
            await spectator.until(
                lambda count=count: sum(seat.connected for seat in spectator.last.public.table.seats) > count  # type: ignore[misc]
            )
        played = Table(ground, seats, viewer, Seen(hidden), spectator)
        await played.all_until(lambda player: all(seat.connected for seat in player.last.public.table.seats))
        first = spectator.last.public.game.turn
        await played.look_around()
        await played.turn({})
        await played.come_and_go()
        await played.turn({(first + 1) % 4: Claim.TAKE})
        await played.turn({(first + 1) % 4: Claim.BUY} if viewer is not None and viewer == (first + 1) % 4 else {})
        await seats[2].say("Is it the same for you?")
        await played.all_until(lambda player: len(player.last.public.table.chat) == 1)
        await played.turn({})
        for message in played.watcher.raw:
            # A heartbeat is sent where nothing else happens to be: that is chance, and it holds a number alone.
            if not service_pb2.WatchResponse.FromString(message).HasField("heartbeat"):
                played.seen.add(message)
        return played.seen


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
async def test_what_a_viewer_may_not_know_changes_no_byte_that_it_is_sent(viewer: int | None) -> None:
    """Streams, answers, refusals, lists and chat are the same in three games with other hidden cards and seeds."""
    table, records = await begun()
    rng = random.Random(f"{viewer}")
    pairs = [twin(records, viewer, rng) for _ in range(3)]
    hidden = [each for _, commitments in pairs for each in commitments]
    evenings = [await evening(table, twins, viewer, hidden) for twins, _ in pairs]
    assert len(evenings[0].messages) > 20
    for other in evenings[1:]:
        assert other.messages == evenings[0].messages


async def test_a_viewer_who_may_know_the_difference_is_shown_it() -> None:
    """The comparison itself: a game in which the viewer's own cards differ is not the same to it."""
    table, records = await begun()
    ours, commitments = twin(records, 0, random.Random(1))
    theirs, others = twin(records, 1, random.Random(1))
    hidden = commitments + others
    assert (await evening(table, ours, 0, hidden)).messages != (await evening(table, theirs, 0, hidden)).messages
