"""Where a record may stand, and that it is never lost: not what was there before, and not what was played."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shanghai_client.cli.record_file import RecordFile, Unwritten
from shanghai_client.cli.wrong import WrongInput


def names_in(folder: Path) -> list[str]:
    """Give the names of everything in a folder, hidden files among it."""
    return sorted(path.name for path in folder.iterdir())


def write(path: Path, *, force: bool = False) -> None:
    """Write a record as a command does."""
    with RecordFile(path, force=force) as file:
        file.write("{}\n")


def test_a_link_stays_and_its_target_gets_the_record(tmp_path: Path) -> None:
    """What a link points to is written, whether it is there or not, and the link is one afterwards."""
    (tmp_path / "other").mkdir()
    for target, content in (("other/old.jsonl", "old\n"), ("other/new.jsonl", None)):
        if content is not None:
            (tmp_path / target).write_text(content, encoding="utf-8")
        link = tmp_path / "link.jsonl"
        link.symlink_to(target)
        write(link, force=content is not None)
        assert link.is_symlink()
        assert (tmp_path / target).read_text(encoding="utf-8") == "{}\n"
        link.unlink()
    assert names_in(tmp_path / "other") == ["new.jsonl", "old.jsonl"]


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    """A record that was closed to others stays so."""
    path = tmp_path / "g.jsonl"
    path.touch(mode=0o600)
    write(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_no_regular_file_is_never_replaced(tmp_path: Path) -> None:
    """A pipe, a device or a link that leads to itself is refused before anything is played."""
    pipe, loop = tmp_path / "pipe", tmp_path / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(WrongInput, match="it is no regular file"), RecordFile(path, force=True):
            pass
    with pytest.raises(WrongInput, match="cannot be written"), RecordFile(loop):
        pass
    assert names_in(tmp_path) == ["loop", "pipe"]


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    """The hidden name under which a record is written is short; a name that is too long is refused at the start."""
    path = tmp_path / ("r" * 255)
    write(path)
    assert names_in(tmp_path) == [path.name]
    with pytest.raises(WrongInput, match="File name too long"), RecordFile(tmp_path / ("r" * 256)):
        pass


def test_nothing_stands_beside_the_record_while_the_game_is_played(tmp_path: Path) -> None:
    """Whatever ends the program meanwhile, there is nothing that could be left behind."""
    with RecordFile(tmp_path / "g.jsonl"):
        assert names_in(tmp_path) == []


def test_a_folder_that_has_gone_is_named_by_the_path_that_was_given(tmp_path: Path) -> None:
    """When the record cannot be written after all, the sentence has the user's path and no hidden one."""
    folder = tmp_path / "records"
    folder.mkdir()
    with RecordFile(folder / "g.jsonl") as file:
        folder.rmdir()
        with pytest.raises(Unwritten, match=r"records/g\.jsonl' could not be written: No such file or directory"):
            file.write("{}\n")
