"""README.md and the pages of docs/ name what there is: files and folders, commands and options, targets of make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shanghai_client.cli.main import shanghai_rum

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FOLDERS = ("bench", "client", "deploy", "docs", "engine", "protos", "server", "tests")
_FILE = re.compile(r"[\w./-]+\.(?:md|po|proto|py|service|svg)")
_FOLDER = re.compile(r"(?:[\w.-]+/)+")
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
_PROGRAM = re.compile(r"(?:^|[ /`])shanghai-rum ([a-z]+)\b")
_TARGET = re.compile(r"(?:^|[ `])make ([a-z]+)\b")

pytestmark = [pytest.mark.checkout, pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)]


def code_in(page: Path) -> tuple[list[str], list[str]]:
    """Give what stands in backticks on a page, and the lines of its blocks."""
    blocks = re.compile(r"^```.*?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    text = page.read_text(encoding="utf-8")
    lines = [line for block in blocks.findall(text) for line in block.splitlines()]
    return re.findall(r"`([^`\n]+)`", blocks.sub("", text)), lines


def commands(group: click.Command, *path: str) -> Iterator[tuple[str, click.Command]]:
    """Give every command of the program with its words."""
    yield " ".join(path), group
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            assert found is not None
            yield from commands(found, *path, name)


def test_every_file_and_folder_that_a_page_names_is_there(page: Path) -> None:
    """By its whole path, or by the end of it."""
    words, _ = code_in(page)
    there = [path.relative_to(ROOT) for name in _FOLDERS for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    ends = "".join(f"/{path.as_posix()}/\n" for path in there)
    named = [word for word in words if _FILE.fullmatch(word) or _FOLDER.fullmatch(word)]
    missing = [name for name in named if f"/{name.strip('/')}/\n" not in ends and not (ROOT / name).exists()]
    assert missing == []


def test_every_option_and_command_that_a_page_names_is_one_of_the_program(page: Path) -> None:
    """In a line of a block that calls more than the program, only what stands behind its name is looked at."""
    known = dict(commands(shanghai_rum))
    options = {
        name for each in known.values() for option in each.params for name in (*option.opts, *option.secondary_opts)
    }
    options |= {"--help", "--version"}
    words, lines = code_in(page)
    calls = [line[found.end(1) :] for line in lines if (found := _PROGRAM.search(line))]
    assert [option for text in (*words, *calls) for option in _OPTION.findall(text) if option not in options] == []
    called = [name for text in (*words, *lines) for name in _PROGRAM.findall(text)]
    assert [name for name in called if name not in known] == []


def test_every_target_of_make_that_a_page_names_is_there(page: Path) -> None:
    """As the Makefile's own help lists them."""
    targets = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    words, lines = code_in(page)
    assert [name for text in (*words, *lines) for name in _TARGET.findall(text) if name not in targets] == []
