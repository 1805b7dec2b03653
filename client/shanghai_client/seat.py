"""A seat that this client holds: what its player does, each with a request id, repeated safely until it got through."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Self

import structlog

from shanghai.v1 import service_pb2
from shanghai.v1.table_pb2 import TABLE_STATUS_STARTING, Update
from shanghai_client.connection import Connection
from shanghai_client.failure import Refused
from shanghai_client.receipt import Receipt
from shanghai_client.request_id import new_request_id
from shanghai_client.retrying import calling
from shanghai_client.watching import Sight, watch
from shanghai_wire.actions import GoOn, SeatAction, action_message

_LOG = structlog.get_logger(__name__)


class Seat:
    """One's own seat at a table, held by the secret token in its receipt."""

    def __init__(self, connection: Connection, receipt: Receipt, *, index: int, name: str) -> None:
        """Take what `join` has found."""
        self.connection = connection
        self.receipt = receipt
        self.index = index
        self.name = name

    @classmethod
    async def join(cls, connection: Connection, receipt: Receipt, *, seat: int | None = None) -> Self:
        """Take a seat, or find it again: a receipt that has been used before gives the seat that it gave then.

        Raises `Refused` where the table does not exist, is full or has begun without this player.
        """
        request = service_pb2.JoinTableRequest(
            table=receipt.table,
            request_id=receipt.request_id,
            seat_token=receipt.token,
            name=receipt.name,
            seat=seat,
            nonce_commitment=receipt.nonce_commitment,
        )
        answer = await calling(connection.address, lambda limit: connection.stub.JoinTable(request, timeout=limit))
        taken = receipt.taken(seat=answer.seat, commitment=answer.commitment)
        return cls(connection, taken, index=answer.seat, name=answer.name)

    @property
    def table(self) -> str:
        """The table's code."""
        return self.receipt.table

    async def watch(self, *, patience: float | None = None) -> AsyncGenerator[Sight]:
        """Give what this seat sees, reconnecting by itself (see `watching.watch`), and show the nonce when asked."""
        revealed = False
        async with aclosing(watch(self.connection, self.table, token=self.receipt.token, patience=patience)) as sights:
            async for sight in sights:
                starting = isinstance(sight, Update) and sight.public.table.status == TABLE_STATUS_STARTING
                if starting and not revealed:
                    revealed = True
                    await self._reveal()
                yield sight

    async def _reveal(self) -> None:
        try:
            await self.reveal_nonce()
        except Refused as refusal:
            # The time for nonces is over: the game goes on with zeros for this seat, as the table says.
            _LOG.warning("nonce refused", table=self.table, seat=self.index, reason=refusal.reason)

    async def act(self, decision_id: str, action: SeatAction) -> None:
        """Answer a decision; raises `Refused`, with the rule where one was broken, and then nothing has changed."""
        request = service_pb2.ActRequest(
            table=self.table,
            request_id=new_request_id(),
            seat_token=self.receipt.token,
            decision_id=decision_id,
            action=action_message(action),
        )
        stub = self.connection.stub
        await calling(self.connection.address, lambda limit: stub.Act(request, timeout=limit))

    async def go_on(self, decision_id: str) -> None:
        """Say that this seat is ready for the next hand (R2.4)."""
        await self.act(decision_id, GoOn(self.index))

    async def reveal_nonce(self) -> None:
        """Show the nonce whose hash was given on joining, which the table asks for when it starts."""
        request = service_pb2.RevealNonceRequest(
            table=self.table, request_id=new_request_id(), seat_token=self.receipt.token, nonce=self.receipt.nonce
        )
        stub = self.connection.stub
        await calling(self.connection.address, lambda limit: stub.RevealNonce(request, timeout=limit))

    async def add_bot(self, *, level: str = "", seat: int | None = None) -> str:
        """Put a bot on a free seat, and give its name; only the host of the table may."""
        request = service_pb2.AddBotRequest(
            table=self.table, request_id=new_request_id(), seat_token=self.receipt.token, seat=seat, level=level
        )
        stub = self.connection.stub
        answer = await calling(self.connection.address, lambda limit: stub.AddBot(request, timeout=limit))
        return answer.name

    async def start(self, empty_seats: service_pb2.EmptySeats.ValueType = service_pb2.EMPTY_SEATS_BOTS) -> None:
        """Start the game; only the host of the table may."""
        request = service_pb2.StartGameRequest(
            table=self.table, request_id=new_request_id(), seat_token=self.receipt.token, empty_seats=empty_seats
        )
        stub = self.connection.stub
        await calling(self.connection.address, lambda limit: stub.StartGame(request, timeout=limit))

    async def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        request = service_pb2.SayRequest(
            table=self.table, request_id=new_request_id(), seat_token=self.receipt.token, text=text
        )
        stub = self.connection.stub
        await calling(self.connection.address, lambda limit: stub.Say(request, timeout=limit))

    async def leave(self) -> None:
        """Give the seat up for good: in a game a bot plays it to the end (R2.3)."""
        request = service_pb2.LeaveTableRequest(
            table=self.table, request_id=new_request_id(), seat_token=self.receipt.token
        )
        stub = self.connection.stub
        await calling(self.connection.address, lambda limit: stub.LeaveTable(request, timeout=limit))
