"""The settings: a flag is stronger than the environment, that than the file; what is wrong is said with its place."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import tomllib
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from client_program import PROGRAM, environment, run_program

from shanghai_client.settings import (
    SETTINGS,
    BadSetting,
    Settings,
    Source,
    Value,
    choose,
    interfaces_of,
    read_file,
    setting_of,
)
from shanghai_client.settings_file import change_settings_file, make_settings_file, template

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"


def _file(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_anything_said_all_is_as_usual(tmp_path: Path) -> None:
    """No file, no variable and no flag give the usual values, and say that they are."""
    chosen = choose(file=tmp_path / "none.toml", environment={})
    assert chosen.settings == Settings()
    assert {origin.source for origin in chosen.origins.values()} == {Source.USUAL}


def test_a_flag_is_stronger_than_the_environment_and_that_than_the_file(tmp_path: Path) -> None:
    """Each of three settings is said once more than the last, and the strongest counts."""
    path = _file(tmp_path, 'sort = "rank"\ntheme = "mono"\nname = "File"\n')
    environment = {"SHANGHAI_RUM_SORT": "suit", "SHANGHAI_RUM_THEME": "two-colour", "SHANGHAI_RUM_BELL": ""}
    chosen = choose(file=path, environment=environment, flags={"sort": "own", "theme": None})
    assert (chosen.settings.sort, chosen.settings.theme, chosen.settings.name) == ("own", "two-colour", "File")
    assert [
        (chosen.origins[field].source, chosen.origins[field].name) for field in ("sort", "theme", "name", "bell")
    ] == [
        (Source.FLAG, "--sort"),
        (Source.ENVIRONMENT, "SHANGHAI_RUM_THEME"),
        (Source.FILE, str(path)),
        (Source.USUAL, ""),
    ]


@pytest.mark.parametrize(
    ("said", "bell"),
    [
        *(("true", True), ("1", True), ("yes", True), ("on", True)),
        *(("false", False), ("0", False), ("No", False), ("off", False)),
    ],
)
def test_yes_and_no_are_read_from_the_environment(said: str, bell: bool, tmp_path: Path) -> None:  # noqa: FBT001 (data)
    """A variable holds text, and the words of TOML, figures, and what people say are understood."""
    assert choose(file=tmp_path / "none", environment={"SHANGHAI_RUM_BELL": said}).settings.bell is bell


def test_no_color_asks_for_no_colours_where_the_file_says_nothing(tmp_path: Path) -> None:
    """NO_COLOR counts when it is not empty, and gives way to the file, a variable of this program and a flag."""
    assert choose(file=tmp_path / "none", environment={"NO_COLOR": "1"}).settings.colours == "none"
    assert choose(file=tmp_path / "none", environment={"NO_COLOR": ""}).settings.colours == "auto"
    path = _file(tmp_path, "colours = 16\n")
    chosen = choose(file=path, environment={"NO_COLOR": "1"})
    assert (chosen.settings.colours, chosen.origins["colours"].source) == ("16", Source.FILE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sort = 'luck'", "sort cannot be 'luck'; right would be one of use, rank, suit, own"),
        ("bell = 'yes'", "bell cannot be 'yes'; right would be true or false"),
        ("bell = 2", "bell cannot be 2; right would be true or false"),
        ("colours = 15", "colours cannot be 15; right would be one of auto, none, 16, 256, true"),
        ("name = 5", "name cannot be 5; right would be text of at most 24 characters"),
        (f"name = '{'x' * 25}'", "right would be text of at most 24 characters"),
        ("name = '\u200b'", "right would be text that can be printed"),
        (r'name = "\u001b[31mx"', "right would be text that can be printed"),
        (f"sort = '{'x' * 5000}'", f"sort cannot be '{'x' * 24}...'; right would be"),
        (f"{'x' * 5000} = 1", f"there is no setting {'x' * 24}...; right would be"),
        ("name = " + "[" * 20_000, "its brackets lie too deep in each other"),
        ("bell = " + "9" * 5000, "cannot be read as TOML"),
        ("address = 'here'", "address cannot be 'here'; right would be HOST:PORT"),
        ("discovery = '::1'", "discovery cannot be '::1'; right would be all, off, or IPv4 addresses"),
        ("colour = 'red'", "there is no setting colour; right would be one of name, lang"),
        ("[look]\nsort = 'use'", "there is no setting look"),
        ("sort = ", "cannot be read as TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_said_with_file_and_key(text: str, said: str, tmp_path: Path) -> None:
    """The sentence names the file, the key and what would be right."""
    path = _file(tmp_path, text)
    with pytest.raises(BadSetting) as bad:
        read_file(path)
    assert repr(str(path)) in str(bad.value)
    assert said in str(bad.value)


@pytest.mark.parametrize("content", [b"name = '\xff'", b"#" * (1 << 17)])
def test_a_file_that_is_no_settings_is_refused(content: bytes, tmp_path: Path) -> None:
    """What is no text, and what is far too long, is not read as settings."""
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(BadSetting, match=r"settings\.toml"):
        read_file(path)


@pytest.mark.parametrize("what", ["pipe", "folder", "/dev/zero", "/dev/null"])
def test_what_is_no_file_is_no_settings(what: str, tmp_path: Path) -> None:
    """A pipe to which nobody writes is not waited for, and a device without end is not read."""
    path = tmp_path / "settings.toml"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to(what)
    with pytest.raises(BadSetting, match=r"settings\.toml' cannot be read: it is no regular file"):
        read_file(path)


def test_a_byte_that_is_no_text_is_repeated_as_a_question_mark(tmp_path: Path) -> None:
    """What a command line holds may be no text at all: it is refused in a sentence that can be printed."""
    with pytest.raises(BadSetting, match=r"name cannot be '\?'; right would be text that can be printed"):
        setting_of("name").read("\udcff", strict=False, where=str(tmp_path))


def test_a_wrong_variable_and_a_wrong_flag_are_named(tmp_path: Path) -> None:
    """The place of a value is the variable or the flag that said it."""
    with pytest.raises(BadSetting, match=r"^SHANGHAI_RUM_THEME: theme cannot be 'neon'"):
        choose(file=tmp_path / "none", environment={"SHANGHAI_RUM_THEME": "neon"})
    with pytest.raises(BadSetting, match=r"^--sort: sort cannot be 'luck'"):
        choose(file=tmp_path / "none", environment={}, flags={"sort": "luck"})


def test_the_new_file_explains_every_setting_and_changes_none() -> None:
    """Every setting stands in it as a comment with its usual value; without the comment signs it sets just those."""
    assert tomllib.loads(template()) == {}
    lines = template().splitlines()
    bare = "\n".join(line[2:] for line in lines if line.startswith("# ") and line[2:].split(" = ")[0] in _keys())
    assert tomllib.loads(bare) == {setting.key: setting.usual for setting in SETTINGS}
    assert max(map(len, lines)) <= 100


def _keys() -> set[str]:
    return {setting.key for setting in SETTINGS}


def test_a_change_keeps_what_people_wrote(tmp_path: Path) -> None:
    """Comments, order and other settings stay, whether the key is there, is a comment, or is not there at all."""
    path = _file(tmp_path, "# mine\nbell = false   # too loud\n\n# sort = 'use'\n")
    change_settings_file(path, setting_of("bell"), True)  # noqa: FBT003 (a value)
    change_settings_file(path, setting_of("sort"), "suit")
    change_settings_file(path, setting_of("auto_pass"), "joker")
    text = path.read_text(encoding="utf-8")
    assert text.startswith('# mine\nbell = true   # too loud\n\nsort = "suit"\n')
    assert read_file(path) == {"bell": True, "sort": "suit", "auto-pass": "joker"}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_every_setting_can_be_changed_in_a_new_file(setting: object, tmp_path: Path) -> None:
    """The file is made where there is none, and its own line is the one that changes."""
    found = next(each for each in SETTINGS if each is setting)
    path = tmp_path / "deep" / "settings.toml"
    special: dict[str, Value] = {"name": 'Zoë "\\1"', "address": "[::1]:7410", "discovery": "127.0.0.1"}
    value = special.get(found.key) or (found.choices[-1] if found.choices else not found.usual)
    change_settings_file(path, found, value)
    assert read_file(path) == {found.key: value}
    assert path.read_text(encoding="utf-8").count(f"{found.key} = ") == 1


def test_a_change_that_cannot_be_leaves_the_file(tmp_path: Path) -> None:
    """A wrong value is refused, and a link is followed and stays one."""
    real = _file(tmp_path, "bell = false\n")
    real.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(real)
    with pytest.raises(BadSetting, match="right would be"):
        change_settings_file(link, setting_of("sort"), "luck")
    change_settings_file(link, setting_of("sort"), "own")
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.toml", "settings.toml"]


def test_a_file_that_is_there_is_not_made_again(tmp_path: Path) -> None:
    """The new file never takes the place of one."""
    path = _file(tmp_path, "bell = false\n")
    with pytest.raises(BadSetting, match="is there already"):
        make_settings_file(path)
    assert path.read_text(encoding="utf-8") == "bell = false\n"


def test_where_hosts_are_looked_for_is_all_nothing_or_addresses() -> None:
    """The setting is read into the addresses to use: none at all for off, no particular ones for all."""
    assert interfaces_of("off") is None
    assert interfaces_of(" ALL ") == ()
    assert interfaces_of("127.0.0.1, 192.168.1.5") == ("127.0.0.1", "192.168.1.5")


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "with a mark"])
def test_a_change_keeps_the_file_as_an_editor_wrote_it(mark: str, tmp_path: Path) -> None:
    """Line endings of Windows, or of both kinds, and the mark before UTF-8 stay; a line that is added ends alike."""
    path = tmp_path / "settings.toml"
    path.write_bytes(f"{mark}# mine\r\nbell = true  # loud\r\n# sort = 'use'\r\n\n# end\r\n".encode())
    assert read_file(path) == {"bell": True}
    for key, value in (("bell", False), ("sort", "rank"), ("theme", "mono")):
        change_settings_file(path, setting_of(key), value)
    lines = path.read_bytes().decode().split("\n")
    assert lines[:6] == [f"{mark}# mine\r", "bell = false  # loud\r", 'sort = "rank"\r', "", "# end\r", "\r"]
    assert lines[6].startswith("# The colours")
    assert lines[7:] == ['theme = "mono"\r', ""]
    assert read_file(path) == {"bell": False, "sort": "rank", "theme": "mono"}


async def test_rules_from_any_editor_are_read(tmp_path: Path) -> None:
    """House rules may begin with the mark that some editors put before UTF-8, too."""
    rules = tmp_path / "house.toml"
    rules.write_bytes("\ufeffturn_limit = 10\r\n".encode())
    ran = await run_program("rules", "--rules", str(rules), home=tmp_path)
    assert (ran.code, ran.err) == (0, "")


async def test_the_command_makes_lists_and_changes(tmp_path: Path) -> None:
    """`settings --init` makes the file, `settings KEY VALUE` changes it, and the list says where each value is from."""
    made = await run_program("settings", "--init", home=tmp_path)
    assert (made.code, made.out) == (0, "")
    path = made.err.split("'")[1]
    changed = await run_program("settings", "ambiguous_wide", "true", home=tmp_path)
    assert (changed.code, changed.out, changed.err) == (0, f"ambiguous-wide = true  {path}\n", "")
    listed = await run_program("settings", "--json", home=tmp_path)
    rows = {row["key"]: row for row in map(json.loads, listed.out.splitlines())}
    assert list(rows) == [setting.key for setting in SETTINGS]
    assert (rows["ambiguous-wide"]["value"], rows["ambiguous-wide"]["source"]) == (True, "file")
    assert (rows["sort"]["value"], rows["sort"]["source"], rows["sort"]["from"]) == ("use", "usual", "")
    again = await run_program("settings", "--init", home=tmp_path)
    assert (again.code, again.err) == (2, f"shanghai-rum: {path!r} is there already: it stays as it is\n")
    unknown = await run_program("settings", "colour", home=tmp_path)
    assert unknown.code == 2
    assert "there is no setting 'colour': they are name, lang" in unknown.err


async def test_a_name_in_the_settings_is_the_players(tmp_path: Path) -> None:
    """`play` takes the name of the settings, and an option is stronger."""
    await run_program("settings", "name", "Grete", home=tmp_path)
    own = await run_program("play", "--plain", "--seed", "1", "--pace", "0", home=tmp_path, typed="wait\nquit\n")
    assert "Grete (you)" in own.out
    said = await run_program("play", "--plain", "--seed", "1", "--name", "Ida", home=tmp_path, typed="wait\nquit\n")
    assert "Ida (you)" in said.out


async def test_the_language_of_the_settings_is_spoken(tmp_path: Path) -> None:
    """A language in the file is that of every command; auto is that of the system."""
    for language, said in (("ja", "コマンド"), ("auto", "Commands"), ("en", "Commands")):
        path = _file(tmp_path, f"lang = '{language}'\n")
        kept = {name: value for name, value in environment(tmp_path).items() if name != "SHANGHAI_RUM_LANG"}
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, "--help", env=kept | {"SHANGHAI_RUM_SETTINGS": str(path), "LANG": "C.UTF-8"}, stdout=PIPE
        )
        out, _ = await process.communicate()
        assert process.returncode == 0
        assert said in out.decode()


async def test_a_broken_settings_file_is_said_before_anything_starts(tmp_path: Path) -> None:
    """Exit code 2, one sentence with the file and the key, no game."""
    folder = tmp_path / ".config" / "shanghai-rum"
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text("bell = 'loud'\n", encoding="utf-8")
    ran = await run_program("play", "--plain", home=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == f"shanghai-rum: {str(folder / 'settings.toml')!r}: bell cannot be 'loud'; right would be true or false\n"
    )


@pytest.mark.checkout
def test_the_documentation_has_every_setting() -> None:
    """docs/commands.md lists every setting, with its usual value first and what it is for."""
    text = DOCS.read_text(encoding="utf-8")
    for setting in SETTINGS:
        usual = json.dumps(setting.usual).strip('"') if setting.choices else json.dumps(setting.usual)
        row = next(line for line in text.splitlines() if line.startswith(f"| `{setting.key}` |"))
        assert row.split("|")[2].split(",")[0].strip() == f"`{usual}`"
        assert row.split("|")[3].strip() == setting.text
        assert all(f"`{choice}`" in row for choice in setting.choices)
