"""A whole game through the plain client in Japanese: everything that is shown is Japanese, whatever is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from client_program import Terminal, run_program
from latin import CARD, latin_words

RULES = "contracts = [{sets = [3]}]\nbuys = [3]\ncards_dealt = [11]\nturn_limit = 10\n"
OFFER, TURN, OVER = "パス pass (p)。", "捨てて番を終える", "rematch で再戦"
LOOKS = """
table; hand; melds; discards; score; hands; chart; log; hint; talk; who; legal; rules; rules table; rules 7.4; rules 99
rules 1 2; help; help off; wait; back; pause; resume; bots 2; bots 0; start; kick 1; kick 9; bot; bot 1 basic; give now
leave; say; off; off ZZ; off 3C 9; swap; swap 3C 5; discard; discard 1X; lay 3C /; take on; take; go; go home; nonsense
"""
"""What is typed at the first turn, lawful or not."""
ASIDE = "xyzzy"
"""Is typed after each of them; that it is no command is said once everything before it was answered."""
WORDS = {"Pat", "Bot", "ZZ", "nonsense", "now", "home"}
"""Names, and what is typed besides commands."""


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """Give a terminal with a game of one short hand against one bot, in which nothing is drawn again."""
    rules = tmp_path / "short.toml"
    rules.write_text(RULES, encoding="utf-8")
    arguments = ("--players", "2", "--name", "Pat", "--seed", "words", "--pace", "0", "--rules", str(rules))
    program = Terminal(
        "play", "--plain", "--lang", "ja", *arguments, home=tmp_path, term="dumb", columns=78, echoes=False
    )
    yield program
    program.close()


async def look_around(terminal: Terminal) -> str:
    """Type everything that can be looked at or done wrong, and give what was answered."""
    answers = []
    for line in LOOKS.replace("\n", ";").split(";"):
        if not line.strip():
            continue
        await terminal.type(line.strip())
        await terminal.type(ASIDE)
        answer = await terminal.expect(f"'{ASIDE}' というコマンドはありません")
        answers.append(answer)
    await terminal.type("legal")
    return "\n".join([*answers, await terminal.expect(TURN)])


async def test_a_game_in_japanese_shows_no_english(terminal: Terminal) -> None:
    """From the deal to the places, with every look and many slips, no English word is shown."""
    shown: list[str] = []
    looked = down = False
    while True:
        found, before = await terminal.expect_one(OFFER, TURN, OVER)
        shown.append(before)
        if found == OVER:
            break
        if found == OFFER:
            await terminal.type("pass")
            continue
        if not looked:
            looked = True
            shown.append(await look_around(terminal))
        if "lay (l)" in before and not down:
            down = True
            await terminal.type("lay")
            continue
        held = before[before.rindex("手札 ") : before.rindex("あなたの番")]
        await terminal.type(f"discard {CARD.findall(held)[-1]}")
    await terminal.type("quit")
    assert await terminal.ended() == 0
    text = "\n".join(shown)
    assert looked
    assert down
    assert all(part in text for part in ("ハンド1", "あなた", "得点", "1位", "ルール", "余分です"))
    assert latin_words(text) - WORDS == set()


@pytest.mark.parametrize(
    "name",
    ["play", "host", "join", "watch", "tables", "replay", "verify", "rules", "backup", "settings", "lobby", "admin"],
)
async def test_the_help_of_a_command_is_japanese(tmp_path: Path, name: str) -> None:
    """Every line that explains something does so in Japanese."""
    ran = await run_program(name, "--lang", "ja", "--help", home=tmp_path)
    assert ran.code == 0
    assert ran.out.startswith(f"使い方: shanghai-rum {name} ")
    options = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in ran.out.splitlines() if line[:4] == "  --"]
    explained = [parts[1] for parts in options if len(parts) > 1]
    assert [text for text in explained if not re.search("[\u3040-\u30ff\u4e00-\u9fff]", text)] == []
    assert not any(word in ran.out for word in (" the ", " and ", "Show ", "Options", "default"))
