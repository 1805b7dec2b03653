"""What a hostile server says is fit to be shown before anything is made of it."""

from __future__ import annotations

import grpc
import grpc.aio

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.failure import refused
from shanghai_client.foreign_text import LONGEST, made_fit
from shanghai_client.present.cells import CUT, cells, clip, clip_name
from shanghai_client.scene import Scene

EVIL = "\x1b[2JAnn\u202e\u200b\n!"
FIT = "[2JAnn !"


def test_every_text_of_a_table_is_cleaned_as_it_is_read() -> None:
    """Names, levels, chat and the table's own name lose what acts on a terminal, whoever shows them."""
    update = table_pb2.Update(sequence=1)
    table = update.public.table
    table.table, table.name = "ABCDE", EVIL
    table.seats.add(index=0, name=EVIL, level=EVIL)
    table.chat.add(name=EVIL, text=EVIL)
    shown = Scene.of(update).table
    texts = [shown.name, shown.seats[0].name, shown.seats[0].level, shown.chat[0].name, shown.chat[0].text]
    assert texts == [FIT] * 5


def test_a_refusal_is_cleaned_too_where_the_server_says_it_in_its_own_words() -> None:
    """What has no reason that is known here is shown as it was said, but for what acts on a terminal."""
    said = grpc.aio.AioRpcError(grpc.StatusCode.ABORTED, grpc.aio.Metadata(), grpc.aio.Metadata(), details=EVIL)
    assert str(refused(said)) == FIT


def test_a_list_of_tables_is_cleaned_and_its_numbers_stay() -> None:
    """Only texts are changed, at any depth."""
    answer = service_pb2.ListTablesResponse()
    answer.tables.add(table="ABCDE", name=EVIL, hand=3).seats.add(index=1, name=EVIL)
    made_fit(answer)
    assert (answer.tables[0].name, answer.tables[0].seats[0].name) == (FIT, FIT)
    assert (answer.tables[0].table, answer.tables[0].hand, answer.tables[0].seats[0].index) == ("ABCDE", 3, 1)


def test_a_text_without_end_is_cut_and_so_are_marks_without_end() -> None:
    """A megabyte is not laid out, nor thousands of marks on one letter."""
    table = made_fit(table_pb2.TableView(name="x" * 1_000_000))
    assert len(table.name) == LONGEST
    assert len(made_fit(table_pb2.TableView(name="a" + "\u0301" * 20_000)).name) < 40


def test_a_cut_text_is_as_wide_as_it_may_be() -> None:
    """Signs without a width are kept with the sign that they stand on, and wide ones count as two."""
    assert clip("abcdef", 4) == f"abc{CUT}"
    assert clip("日本語の長い名前", 6) == f"日本{CUT}"
    assert clip("e\u0301e\u0301e\u0301e\u0301", 3) == f"e\u0301e\u0301{CUT}"
    assert cells(clip("日" * 50, 9)) == 9


def test_a_name_that_is_cut_keeps_the_number_that_tells_it_apart() -> None:
    """Equal names and bots have a number at the end: among eight narrow columns each is still another one."""
    assert [clip_name(f"ボット{n}", 5) for n in (1, 2, 12)] == [f"ボ{CUT}1", f"ボ{CUT}2", f"ボ{CUT}12"]
    assert [clip_name(f"Root {n}", 5) for n in (2, 3)] == [f"Roo{CUT}2", f"Roo{CUT}3"]
    assert clip_name("Root 2", 6) == "Root 2"
    assert clip_name("Alexandra", 5) == clip("Alexandra", 5)
    assert all(cells(clip_name("日本太郎 2", width)) <= width for width in range(1, 12))
