"""The seats that a user has taken: which of them are still his, and taking one, or coming back to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended, Refused
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.seat import Seat

_NUMBERED = re.compile(r"(.+) \d+")
"""A name with the number behind it by which a table tells equal names apart."""
_JOINED_OTHERWISE = "REQUEST_ID_REUSED"
"""The reason of a refusal where a seat was joined with a passcode or a code that is not given again."""


def holds(receipt: Receipt, table: table_pb2.TableSummary | None) -> bool:
    """Say whether a person of the receipt's name sits where it says; a seat that was given up is another's by now.

    Who sits at a private table is not told, so there any person may be the one.
    """
    if table is None or receipt.seat is None or receipt.seat >= len(table.seats):
        return False
    seat = table.seats[receipt.seat]
    return seat.occupant == table_pb2.OCCUPANT_PERSON and (not seat.name or _is_called(seat.name, receipt.name))


def _is_called(shown: str, name: str) -> bool:
    numbered = _NUMBERED.fullmatch(shown)
    return shown == name or (numbered is not None and name.startswith(numbered[1]))


def held_seats(tables: Sequence[table_pb2.TableSummary], receipts: Iterable[Receipt]) -> list[Receipt]:
    """Give the receipts of the seats that a user still has at some tables, in their order."""
    by_code = {table.table: table for table in tables}
    return [each for each in receipts if holds(each, by_code.get(each.table))]


def live_seats(tables: Sequence[table_pb2.TableSummary], receipts: Iterable[Receipt]) -> list[Receipt]:
    """Give the receipts of the seats that a user still has at tables that are not over, in their order."""
    return held_seats([table for table in tables if table.status != table_pb2.TABLE_STATUS_OVER], receipts)


def seat_at(
    table: table_pb2.TableSummary | None, receipts: Iterable[Receipt], *, name: str, others: bool
) -> Receipt | None:
    """Give the receipt of one's seat at a table: the one under a name, or with `others` one that nobody plays now."""
    held = [each for each in receipts if holds(each, table)]
    away = [each for each in held if table is not None and others and not table.seats[each.seat or 0].connected]
    return next((each for each in held if each.name == name), away[0] if away else None)


async def take_seat(
    connection: Connection, book: ReceiptBook, *, table: str, name: str, passcode: str = "", code: str = ""
) -> Seat:
    """Take a seat at a table, or the one that this user has had there under this name.

    `passcode` is what a private table asks for, `code` one with which somebody hands a seat over. Raises `Refused`
    where the table lets nobody in, and then no receipt is left of it.
    """
    receipt = book.find(server=connection.address, table=table, name=name)
    if receipt is not None and receipt.seat is not None and not code:
        seat = await _come_back(connection, book, receipt, passcode)
        if seat is not None:
            return seat
        receipt = None
    if receipt is None or code:
        receipt = Receipt.new(server=connection.address, table=table, name=name)
        # Kept before it is used: a seat whose secret is lost could not be found again.
        book.keep(receipt)
    try:
        return await Seat.join(connection, receipt, passcode=passcode, code=code, keep=book.keep)
    except BaseException:
        if receipt.seat is None:
            book.forget(receipt)
        raise


async def _come_back(connection: Connection, book: ReceiptBook, receipt: Receipt, passcode: str) -> Seat | None:
    """Give the seat that a receipt is for; none, and the receipt is forgotten, where it belongs to somebody else."""
    try:
        return await Seat.join(connection, receipt, passcode=passcode, keep=book.keep)
    except Refused as refusal:
        if refusal.reason != _JOINED_OTHERWISE:
            raise
    try:
        return await Seat.again(connection, receipt, keep=book.keep)
    except Ended as ended:
        if not ended.lost_seat:
            raise
    book.forget(receipt)
    return None
