"""A connection to a server: which one it is, and everything that is asked of it without holding a seat."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

import grpc

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_client.channel import check_address
from shanghai_client.failure import CannotConnect, Refused, VersionMismatch
from shanghai_client.foreign_text import made_fit
from shanghai_client.language import _
from shanghai_client.request_id import new_request_id
from shanghai_client.retrying import BRIEF, calling
from shanghai_client.security import PLAIN, Security, speaks_tls
from shanghai_engine.rules import RuleSet
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire.rules import rules_message


@dataclass(frozen=True, slots=True)
class Listing:
    """A server's tables, in the order in which they were made, and what its host tells everybody; none for nothing."""

    tables: tuple[table_pb2.TableSummary, ...]
    notice: table_pb2.Notice | None = None

    @classmethod
    def of(cls, answer: service_pb2.ListTablesResponse | service_pb2.WatchTablesResponse) -> Self:
        """Read an answer of a server, with its texts made fit to be shown."""
        fit = made_fit(answer)
        return cls(tuple(fit.tables), fit.notice if fit.HasField("notice") else None)


class Connection:
    """A channel to one server, found to speak this client's revision of the contract.

    Use it as `async with await Connection.to("localhost:7410") as connection`.
    """

    def __init__(self, address: str, channel: grpc.aio.Channel) -> None:
        """Take an open channel; `to` is what opens one and asks who is there."""
        self.address = address
        self.stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
        self.info = service_pb2.GetServerInfoResponse()
        self._channel = channel
        self.speaks_tls = False
        """Whether the connection is secured: what is told to others about the server says so."""
        self.authority = ""
        """Whose certificates are trusted on it, as its user named them (`Security.authority`); empty for nobody's."""
        self.finds_tls = False
        """Whether TLS was found to be spoken there since it was lost, where the connection is not secured: who begins
        again asks for it."""

    @classmethod
    async def to(cls, address: str, *, security: Security = PLAIN) -> Self:
        """Connect to HOST:PORT.

        Raises `BadAddress` for other text, `CannotConnect` within five seconds where no server answers and within one
        where nothing listens or it is not the server that is trusted, `VersionMismatch` where it speaks another
        revision of the contract, and `Refused` where it has no time.
        """
        connection = cls(check_address(address), await security.channel(address))
        connection.speaks_tls = security.is_used(address)
        connection.authority = security.authority
        try:
            await connection.ask_info()
        except BaseException as error:
            await connection.close()
            if isinstance(error, CannotConnect) and await _is_other_than_meant(error.why, address, security):
                why = _("TLS is spoken there: add --tls")
                if security.roots is not None:
                    why = _("nobody whom --ca names vouches for its certificate")
                raise CannotConnect(address, why) from error
            raise
        return connection

    async def ask_info(self) -> None:
        """Ask which server this is; raises as `to` does."""
        request = service_pb2.GetServerInfoRequest()
        try:
            self.info = made_fit(
                await calling(
                    self.address, lambda limit: self.stub.GetServerInfo(request, timeout=limit), patience=BRIEF
                )
            )
        except Refused as refusal:
            if refusal.retry_after is not None:
                # A server of ours that has no time for us.
                raise
            # Who we are is refused by no server of ours: something else listens there.
            why = _("no Shanghai Rum server answers there ({sentence})").format(sentence=refusal.sentence)
            raise CannotConnect(self.address, why) from refusal
        if self.info.contract_revision != CONTRACT_REVISION:
            raise VersionMismatch(ours=CONTRACT_REVISION, theirs=self.info.contract_revision, version=self.info.version)

    async def create_table(
        self,
        *,
        seats: int,
        rules: RuleSet | str = "standard",
        name: str = "",
        options: table_pb2.TableOptions | None = None,
        passcode: str = "",
    ) -> service_pb2.CreateTableResponse:
        """Make a table by rules of one's own or by a preset's name; raises `Refused` where the server will not.

        With a passcode it is private: nobody joins, watches or has its record without it.
        """
        request = service_pb2.CreateTableRequest(
            request_id=new_request_id(),
            name=name,
            seats=seats,
            options=options or table_pb2.TableOptions(),
            passcode=passcode,
        )
        if isinstance(rules, str):
            request.preset = rules
        else:
            request.rules.CopyFrom(rules_message(rules))
        return made_fit(await calling(self.address, lambda limit: self.stub.CreateTable(request, timeout=limit)))

    async def tables(self, *statuses: table_pb2.TableStatus.ValueType) -> tuple[table_pb2.TableSummary, ...]:
        """Give the tables, all or those of some statuses, in the order in which they were made."""
        return (await self.listing(*statuses)).tables

    async def listing(self, *statuses: table_pb2.TableStatus.ValueType) -> Listing:
        """Give the tables, all or those of some statuses, and the notice of the server's host."""
        request = service_pb2.ListTablesRequest(statuses=statuses)
        return Listing.of(await calling(self.address, lambda limit: self.stub.ListTables(request, timeout=limit)))

    async def record(self, table: str, *, game: int | None = None, token: bytes = b"", passcode: str = "") -> str:
        """Give the record of a game that is over, one JSON object a line; raises `Refused` before that.

        `game` counts those of the table from 1; none is the last. A private table asks for a seat's token or its
        passcode.
        """
        request = service_pb2.GetRecordRequest(table=table, game_number=game, seat_token=token, passcode=passcode)
        answer = await calling(self.address, lambda limit: self.stub.GetRecord(request, timeout=limit))
        return answer.record

    async def why_closed(self, table: str) -> str:
        """Give the sentence with which the server says that a table was closed; empty where it says nothing of that.

        It answers so whatever is asked of such a table; what is asked here changes nothing.
        """
        try:
            await self.record(table)
        except Refused as refusal:
            return refusal.sentence if refusal.reason == "TABLE_CLOSED" else ""
        return ""

    async def close(self) -> None:
        """Close the channel; open streams end."""
        await self._channel.close()

    async def __aenter__(self) -> Self:
        """Give the connection itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the channel."""
        await self.close()


async def _is_other_than_meant(why: str, address: str, security: Security) -> bool:
    """Say whether TLS is spoken where a connection without it failed, or one that others vouch for."""
    if security.roots is None and (not security.may_be_plain or why == _("nothing listens there")):
        return False
    return await speaks_tls(address)
