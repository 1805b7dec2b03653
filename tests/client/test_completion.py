"""Completion in a shell: the scripts, and what the program answers to them."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pexpect
import pytest
from client_program import PROGRAM, environment, run_program

from shanghai_client.cli.shells import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
async def test_the_script_names_the_command_and_asks_it(shell: str, tmp_path: Path) -> None:
    """Every shell gets a script that asks the program itself, by the variable that it looks at."""
    ran = await run_program("completion", shell, home=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert f"_SHANGHAI_RUM_COMPLETE={shell}_complete" in ran.out
    assert "shanghai-rum" in ran.out


async def test_an_unknown_shell_is_refused(tmp_path: Path) -> None:
    """Exit code 2, with the shells that there are."""
    ran = await run_program("completion", "tcsh", home=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "shanghai-rum: 'tcsh' cannot be completed for: the shells are bash, zsh, fish\n"


async def _answers(home: Path, *words: str) -> list[str]:
    asked = {
        "_SHANGHAI_RUM_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, env=environment(home) | asked, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return [line.partition(",")[2].partition("\t")[0] for line in out.decode().splitlines()]


async def test_commands_options_and_settings_are_completed(tmp_path: Path) -> None:
    """The names of commands, of options, of settings and of their values are found by their beginnings."""
    assert await _answers(tmp_path, "shanghai-rum", "re") == ["replay"]
    assert await _answers(tmp_path, "shanghai-rum", "tables", "--fol") == ["--follow"]
    assert await _answers(tmp_path, "shanghai-rum", "settings", "the") == ["theme"]
    assert await _answers(tmp_path, "shanghai-rum", "settings", "sort", "") == ["use", "rank", "suit", "own"]


@pytest.mark.parametrize("command", ["play", "host", "join", "rules"])
async def test_the_rules_are_completed(tmp_path: Path, command: str) -> None:
    """A preset by its name, and where none begins so a file; `rules` knows the chapters, too."""
    asked = ("shanghai-rum", command, "--rules")
    assert await _answers(tmp_path, *asked, "") == ["standard", "literal", "classic", "quick"]
    assert await _answers(tmp_path, *asked, "q") == ["quick"]
    assert await _answers(tmp_path, *asked, "ho") == ["ho"]
    if command == "rules":
        assert await _answers(tmp_path, "shanghai-rum", "rules", "R1") == [
            *("R1", "R10", "R11", "R12", "R13", "R14", "R15", "R16")
        ]


async def _told(home: Path, shell: str, words: str, number: str) -> list[str]:
    """Give the lines that a shell is answered."""
    asked = {"_SHANGHAI_RUM_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": number}
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, env=environment(home) | asked, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return out.decode().splitlines()


@pytest.mark.parametrize(
    ("shell", "words", "number"),
    [
        ("zsh", "shanghai-rum play --theme=mo", "2"),
        ("fish", "shanghai-rum play --theme=mo", "--theme=mo"),
        ("bash", "shanghai-rum\nplay\n--theme\n=\nmo", "4"),
        ("bash", "shanghai-rum\nplay\n--lang\n=\nja\n--theme\n=\nmo", "7"),
    ],
)
async def test_what_stands_behind_an_option_and_its_sign_is_completed(
    tmp_path: Path, shell: str, words: str, number: str
) -> None:
    """A value is found behind `--theme=`, and the shell's script, or bash, puts it there; nothing else is offered."""
    assert await _told(tmp_path, shell, words, number) == ["plain,mono"]


async def test_a_whole_word_is_given_where_bash_does_not_part_it(tmp_path: Path) -> None:
    """Where `=` parts no words, as a user may have it, the word that bash replaces is the whole one."""
    assert await _told(tmp_path, "bash", "shanghai-rum\nplay\n--theme=mo", "2") == ["plain,--theme=mono"]


async def test_an_address_is_one_word(tmp_path: Path) -> None:
    """Bash parts it at its colon; the options behind it are those of its command all the same."""
    assert await _answers(tmp_path, "shanghai-rum", "join", "127.0.0.1", ":", "7410", "--ti") == ["--title"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
async def test_commands_and_options_are_told_whole(tmp_path: Path, shell: str) -> None:
    """What is said of a command, and of an option in its help, stands behind it, with every comma."""
    told = await _told(tmp_path, shell, "shanghai-rum ve", "1" if shell == "zsh" else "ve")
    assert told == ["plain,verify\tcheck a record: seeds, deals and every rule"]
    told = await _told(tmp_path, shell, "shanghai-rum play --players", "2" if shell == "zsh" else "--players")
    assert told == ["plain,--players\tSeats, 2 to 8; bots take all but yours."]


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("shanghai-rum compl", "shanghai-rum completion"),
        ("shanghai-rum play --theme=mo", "shanghai-rum play --theme=mono"),
        ("shanghai-rum --lang=j", "shanghai-rum --lang=ja"),
        ("shanghai-rum settings colou", "shanghai-rum settings colours"),
        ("shanghai-rum play --rules=hou", "shanghai-rum play --rules=house.toml"),
        ("~/shanghai-rum play --rules hou", "~/shanghai-rum play --rules house.toml"),
    ],
)
async def test_bash_completes_what_is_typed(tmp_path: Path, typed: str, becomes: str) -> None:
    """At a real prompt, by Tab, also behind `=`, files too, and where the program is called by its path."""
    bash = shutil.which("bash")
    assert bash is not None
    (tmp_path / "house.toml").touch()
    program = tmp_path / "shanghai-rum"
    program.write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "rc").write_text('PS1="> "\neval "$(shanghai-rum completion bash)"\n', encoding="utf-8")
    about = environment(tmp_path) | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TERM": "dumb", "INPUTRC": os.devnull}
    shell: pexpect.spawn[str] = pexpect.spawn(
        bash, ["--rcfile", str(tmp_path / "rc"), "-i"], env=about, cwd=tmp_path, encoding="utf-8", timeout=120
    )
    try:
        await asyncio.to_thread(shell.expect_exact, "> ")
        await asyncio.to_thread(shell.send, f"{typed}\t")
        await asyncio.to_thread(shell.expect_exact, becomes)
    finally:
        shell.close(force=True)
