"""A seat is found again by its receipt, whatever else lies in its folder."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

from scripted_service import receipt
from server_table import playground

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.receipt import Promise, Receipt, ReceiptBook
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat


async def test_a_seat_is_found_again_by_its_receipt(tmp_path: Path) -> None:
    """Joining again with the receipt that was kept gives the same seat, also in the middle of the game."""
    book = ReceiptBook(tmp_path / "receipts")
    async with playground() as ground:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
            first = await Seat.join(connection, receipt(table))
            path = book.keep(first.receipt)
            await first.start()
            kept = book.find(server="test", table=table, name="Ann")
            assert kept == first.receipt
            again = await Seat.join(connection, kept)
            assert (again.index, again.name) == (first.index, first.name)
            async with aclosing(again.watch()) as sights:
                scene = Scene.of(_update(await anext(sights)))
            assert scene.seat == first.index
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def _update(sight: object) -> table_pb2.Update:
    assert isinstance(sight, table_pb2.Update)
    return sight


def test_a_damaged_receipt_is_passed_over(tmp_path: Path) -> None:
    """A file that is no receipt hides no other."""
    book = ReceiptBook(tmp_path)
    kept = receipt("ABCDE")
    book.keep(kept)
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    (tmp_path / "torn.json").write_text('{"server": "te', encoding="utf-8")
    assert list(book.all()) == [kept]
    assert list(book.all(server="elsewhere")) == []
    book.forget(kept)
    assert list(book.all()) == []


def test_a_receipt_keeps_what_the_table_promised() -> None:
    """The commitment of the game, with the nonce that was given for it."""
    kept = receipt("ABCDE").taken(seat=1, commitment=b"c" * 32)
    assert kept.promises == (Promise(game=1, commitment=b"c" * 32, nonce=kept.nonce, counts=True),)


def test_a_receipt_of_before_rematches_is_read() -> None:
    """Files without the newer fields are receipts of a first game."""
    kept = receipt("ABCDE", "Ann").taken(seat=1, commitment=b"c" * 32)
    text = kept.to_json()
    old = "\n".join(line for line in text.splitlines() if '"earlier"' not in line and '"counts"' not in line)
    old = old.replace(',\n "game": 1,', "")
    assert Receipt.from_json(old) == kept
    later = kept.next_game(game=2, commitment=b"d" * 32).promised(made=True)
    assert Receipt.from_json(later.to_json()) == later
    assert later.promises[1:] == kept.promises
    assert later.promises[0] == Promise(game=2, commitment=b"d" * 32, nonce=later.nonce, counts=True)
    assert later.first_commitment == kept.nonce_commitment
    assert kept.taken(seat=1, commitment=b"d" * 32, game=2).game == 2
