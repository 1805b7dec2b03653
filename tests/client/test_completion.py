"""Completion in a shell: the scripts, and what the program answers to them."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from client_program import PROGRAM, environment, run_program

from shanghai_client.cli.completion import SHELLS


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
    return [line.partition(",")[2] for line in out.decode().splitlines()]


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


async def test_bash_itself_takes_the_script(tmp_path: Path) -> None:
    """The script is no more than bash can read, and says how this command is completed."""
    bash = shutil.which("bash")
    assert bash is not None
    script = (await run_program("completion", "bash", home=tmp_path)).out
    process = await asyncio.create_subprocess_exec(
        bash, "-c", f"{script}\ncomplete -p shanghai-rum", stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert out.decode().strip() == "complete -o nosort -F _shanghai_rum_completion shanghai-rum"
