"""A seat that this client holds: what its player does, each with a request id, repeated safely until it got through."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Self

import structlog
from google.protobuf.message import Message

from shanghai.v1 import service_pb2
from shanghai.v1.table_pb2 import TABLE_STATUS_LOBBY, TABLE_STATUS_STARTING, TableView, Update
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect, Refused
from shanghai_client.foreign_text import fit, made_fit
from shanghai_client.language import _
from shanghai_client.receipt import Receipt
from shanghai_client.request_id import new_request_id
from shanghai_client.retrying import USUAL, calling
from shanghai_client.scene import check_seat
from shanghai_client.watching import Sight, StreamEnded, watch
from shanghai_wire.actions import GoOn, SeatAction, action_message

_LOG = structlog.get_logger(__name__)
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a hand-over code: neither I nor O, which are read as figures."""
_CODE_PARTS, _CODE_PART = 3, 4

Keep = Callable[[Receipt], object]
"""What keeps a receipt that has changed, before anything is promised by it."""


class Seat:
    """One's own seat at a table, held by the secret token in its receipt.

    It is one sitting: its streams come back by themselves, and end with CLOSE_REASON_REPLACED once somebody has sat
    down with the same receipt after it, be it while this one was not connected. To sit down anew is another `join`.
    """

    def __init__(
        self,
        connection: Connection,
        receipt: Receipt,
        *,
        index: int,
        name: str,
        keep: Keep | None = None,
        sitting: str = "",
    ) -> None:
        """Take what `join` has found; `sitting` names one that has begun already."""
        self.connection = connection
        self.receipt = receipt
        self.index = index
        self.name = name
        self.sitting = sitting or new_request_id()
        """What tells the server that a stream is the same sitting which comes back, and not another that begins."""
        self._keep = keep
        self._revealed = 0
        self._errand: asyncio.Task[None] | None = None

    @classmethod
    async def join(
        cls,
        connection: Connection,
        receipt: Receipt,
        *,
        seat: int | None = None,
        passcode: str = "",
        code: str = "",
        keep: Keep | None = None,
    ) -> Self:
        """Take a seat, or find it again: a receipt that has been used before gives the seat that it gave then.

        `passcode` is what a private table asks for, `code` one with which its holder hands a seat over. `keep` is
        given the receipt now and whenever it changes. Raises `Refused` where the table does not exist, is full, or
        lets this player not in.
        """
        request = service_pb2.JoinTableRequest(
            table=receipt.table,
            request_id=receipt.request_id,
            seat_token=receipt.token,
            name=receipt.name,
            seat=seat,
            nonce_commitment=receipt.first_commitment,
            passcode=passcode,
            hand_over_code=code,
        )
        stub = connection.stub
        answer = made_fit(await calling(connection.address, lambda limit: stub.JoinTable(request, timeout=limit)))
        taken = receipt.taken(
            seat=answer.seat, commitment=answer.commitment, game=answer.game_number, counts=answer.nonce_promised
        )
        if keep is not None:
            keep(taken)
        return cls(connection, taken, index=answer.seat, name=answer.name, keep=keep)

    @classmethod
    async def again(cls, connection: Connection, receipt: Receipt, *, keep: Keep | None = None) -> Self:
        """Find the seat of a receipt again by looking through its token, which says by what it was joined no more.

        Raises `Ended` where the token holds no seat any more.
        """
        sitting = new_request_id()
        looks = watch(connection, receipt.table, token=receipt.token, sitting=sitting, patience=USUAL.whole)
        async with aclosing(looks) as sights:
            async for sight in sights:
                if isinstance(sight, StreamEnded):
                    raise sight.ended
                if isinstance(sight, Update):
                    index = check_seat(sight.private.own.seat, len(sight.public.table.seats))
                    name = fit(sight.public.table.seats[index].name)
                    found = cls(connection, receipt, index=index, name=name, keep=keep, sitting=sitting)
                    found._follow(sight)
                    return found
        raise CannotConnect(connection.address, _("no answer"))

    @property
    def table(self) -> str:
        """The table's code."""
        return self.receipt.table

    def sit_down_again(self) -> None:
        """Begin another sitting with the next stream: a person is there, and not only a stream that comes back."""
        self.sitting = new_request_id()

    async def watch(self, *, patience: float | None = None) -> AsyncGenerator[Sight]:
        """Give what this seat sees, reconnecting by itself (see `watching.watch`).

        For every game a nonce is promised before it, and shown when the table asks for it. The stream goes on
        meanwhile, and what did not get through is done again with the next update. Raises `NotKept` too, where the
        receipt of another game cannot be written down, and `BadMessage` where this seat is none of the table's.
        """
        looks = watch(self.connection, self.table, token=self.receipt.token, sitting=self.sitting, patience=patience)
        try:
            async with aclosing(looks) as sights:
                async for sight in sights:
                    if isinstance(sight, Update):
                        self._follow(sight)
                        self._see_to_nonce(sight.public.table)
                    yield sight
        finally:
            if self._errand is not None:
                self._errand.cancel()
                await asyncio.gather(self._errand, return_exceptions=True)
                self._errand = None

    def _see_to_nonce(self, table: TableView) -> None:
        """Promise a nonce before a game, and show it when the table asks for it, beside the stream."""
        if self._errand is not None:
            if not self._errand.done():
                return
            # What is no failure of the network's or the table's is not swallowed.
            self._errand.result()
            self._errand = None
        if table.status == TABLE_STATUS_LOBBY and not self.receipt.counts:
            # Kept before it is given: a nonce that is promised and lost could not be shown.
            self._change(self.receipt.promised(made=True))
            self._errand = asyncio.create_task(self._promise())
        if table.status == TABLE_STATUS_STARTING and self._revealed != table.game_number:
            place = check_seat(self.index, len(table.seats))
            if not self.receipt.counts and table.seats[place].nonce_promised:
                # The promise got through, and its answer did not.
                self._change(self.receipt.promised(made=True))
            if self.receipt.counts:
                self._revealed = table.game_number
                self._errand = asyncio.create_task(self._reveal())

    def _follow(self, update: Update) -> None:
        """Take in another place or another game of this seat."""
        table = update.public.table
        receipt = self.receipt
        own = update.private.own
        if own.HasField("seat") and check_seat(own.seat, len(table.seats)) != self.index:
            # Seats before it were closed when the game started.
            self.index = own.seat
            receipt = receipt.moved(self.index)
        if table.game_number > receipt.game:
            receipt = receipt.next_game(game=table.game_number, commitment=table.commitment)
        if receipt != self.receipt:
            self._change(receipt)

    def _change(self, receipt: Receipt) -> None:
        self.receipt = receipt
        if self._keep is not None:
            self._keep(receipt)

    async def _promise(self) -> None:
        try:
            await self.commit_nonce()
        except Refused as refusal:
            # The game has just started without it: this seat's nonce is zeros, as the table says.
            self._change(self.receipt.promised(made=False))
            _LOG.warning("promise refused", table=self.table, seat=self.index, reason=refusal.reason)
        except CannotConnect as lost:
            self._change(self.receipt.promised(made=False))
            _LOG.warning("promise not sent", table=self.table, seat=self.index, why=lost.why)

    async def _reveal(self) -> None:
        try:
            await self.reveal_nonce()
        except Refused as refusal:
            # The time for nonces is over: the game goes on with zeros for this seat, as the table says.
            _LOG.warning("nonce refused", table=self.table, seat=self.index, reason=refusal.reason)
        except CannotConnect as lost:
            self._revealed = 0
            _LOG.warning("nonce not sent", table=self.table, seat=self.index, why=lost.why)

    async def _call(self, method: str, **fields: Any) -> Any:  # noqa: ANN401 (the messages of any of the methods)
        """Make a call of this seat by its name; a repeat has the same request id. Raises `Refused`."""
        make: Callable[..., Message] = getattr(service_pb2, f"{method}Request")
        request = make(table=self.table, request_id=new_request_id(), seat_token=self.receipt.token, **fields)
        call = getattr(self.connection.stub, method)
        return await calling(self.connection.address, lambda limit: call(request, timeout=limit))

    # In the game

    async def act(self, decision_id: str, action: SeatAction) -> None:
        """Answer a decision; raises `Refused`, with the rule where one was broken, and then nothing has changed."""
        await self._call("Act", decision_id=decision_id, action=action_message(action))

    async def go_on(self, decision_id: str) -> None:
        """Say that this seat is ready for the next hand (R2.4)."""
        await self.act(decision_id, GoOn(self.index))

    async def pause(self) -> None:
        """Pause the game as its host, or wish for it; while it is paused, take back the wish that it goes on."""
        await self._call("PauseGame")

    async def resume(self) -> None:
        """Let a paused game go on as its host, or wish for it; while it is not, take back the wish for a pause."""
        await self._call("ResumeGame")

    # Around it

    async def commit_nonce(self) -> None:
        """Promise the receipt's nonce for the game that comes."""
        await self._call("CommitNonce", nonce_commitment=self.receipt.nonce_commitment, game_number=self.receipt.game)

    async def reveal_nonce(self) -> None:
        """Show the nonce that was promised, which the table asks for when it starts."""
        await self._call("RevealNonce", nonce=self.receipt.nonce)

    async def add_bot(self, *, level: str = "", seat: int | None = None) -> str:
        """Put a bot on a free seat, or give the bot of a seat another level, and give its name; only the host may."""
        answer: service_pb2.AddBotResponse = await self._call("AddBot", level=level, seat=seat)
        return fit(answer.name)

    async def remove_bot(self, seat: int) -> None:
        """Take a bot away before the game; only the host may."""
        await self._call("RemoveBot", seat=seat)

    async def kick(self, seat: int) -> None:
        """Take a seat from its person: it is free, or a bot plays it on (R2.3); only the host may."""
        await self._call("KickSeat", seat=seat)

    async def hand_over(self) -> tuple[str, float]:
        """Offer this seat to another person; gives the code to join with, and for how many seconds it is good."""
        letters = ["".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_PART)) for _ in range(_CODE_PARTS)]
        code = "-".join(letters)
        answer: service_pb2.HandOverSeatResponse = await self._call("HandOverSeat", code=code)
        return code, answer.valid_ms / 1000

    async def keep_seat(self) -> None:
        """Take back the offer of this seat."""
        await self._call("HandOverSeat", code="")

    async def start(self, empty_seats: service_pb2.EmptySeats.ValueType = service_pb2.EMPTY_SEATS_BOTS) -> None:
        """Start the game; only the host of the table may."""
        await self._call("StartGame", empty_seats=empty_seats)

    async def rematch(self) -> None:
        """Prepare another game with the same people as the host, or wish for it."""
        await self._call("Rematch")

    async def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        await self._call("Say", text=text)

    async def leave(self) -> None:
        """Give the seat up for good: in a game a bot plays it to the end (R2.3)."""
        await self._call("LeaveTable")

    async def record(self, game: int | None = None) -> str:
        """Give the record of a game that is over, the last or one by its number from 1; raises `Refused` before."""
        return await self.connection.record(self.table, game=game, token=self.receipt.token)
