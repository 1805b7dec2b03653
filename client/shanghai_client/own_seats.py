"""The seats that a user has taken: which of them are still his, and taking one, or coming back to it."""

from __future__ import annotations

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.failure import Refused
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.seat import Seat

_GIVEN_AWAY = "REQUEST_ID_REUSED"
"""The reason of a refusal where the request by which a seat was taken is no longer that of this user."""


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
    if receipt is None or code:
        receipt = Receipt.new(server=connection.address, table=table, name=name)
        # Kept before it is used: a seat whose secret is lost could not be found again.
        book.keep(receipt)
    try:
        return await Seat.join(connection, receipt, passcode=passcode, code=code, keep=book.keep)
    except Refused as refusal:
        if refusal.reason == _GIVEN_AWAY and receipt.seat is not None:
            # The seat of this receipt was handed over: it is somebody else's, and a new one is asked for.
            book.forget(receipt)
            return await take_seat(connection, book, table=table, name=name, passcode=passcode)
        if receipt.seat is None:
            book.forget(receipt)
        raise
    except BaseException:
        if receipt.seat is None:
            book.forget(receipt)
        raise
