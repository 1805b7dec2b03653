"""The seats that a user has taken: which of them are still his, and taking one, or coming back to it."""

from __future__ import annotations

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended, Refused
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.seat import Seat

_JOINED_OTHERWISE = "REQUEST_ID_REUSED"
"""The reason of a refusal where a seat was joined with a passcode or a code that is not given again."""


def holds(receipt: Receipt, table: table_pb2.TableSummary | None) -> bool:
    """Say whether a person sits where a receipt says; a seat that was given up is free by now, or a bot's."""
    if table is None or receipt.seat is None or receipt.seat >= len(table.seats):
        return False
    return table.seats[receipt.seat].occupant == table_pb2.OCCUPANT_PERSON


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
