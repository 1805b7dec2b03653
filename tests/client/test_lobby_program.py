"""The lobby as people use it: the program on a terminal, at a real host, with keys."""

from __future__ import annotations

import signal
from pathlib import Path

from client_program import Terminal, host, run_program
from closed_port import closed_port
from screen_person import Person


async def test_from_the_lobby_to_a_table_and_back(tmp_path: Path) -> None:
    """shanghai-rum alone opens the lobby; a table is made, its game starts, and one comes back to it."""
    arguments = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with host(tmp_path, *arguments) as (_process, address, code):
        await run_program("settings", "address", address, home=tmp_path)
        await run_program("settings", "name", "Ann", home=tmp_path)
        person = Person(home=tmp_path)
        try:
            person.until_shown("Where to")
            person.until_shown(f"{address}  in your settings")
            person.press("\x1b[B")
            person.press("\r")
            person.until_shown(code)
            person.press("\x1b")
            person.until_shown("Where to")
            person.press("\x1b[B")
            person.press("\r")
            person.until_shown(code)
            person.press("n")
            person.until_shown("A new table")
            person.press("\r")
            person.until_shown("Name:")
            person.press("Friday\r")
            person.press("m")
            person.until(lambda: "Friday" in person.title, "the table")
            person.press("s")
            person.until_shown("Hand 1/10")
            person.press("q")
            person.press("y")
            person.until_shown("is kept: Enter takes you back")
            person.until_shown("'Friday'")
            row = next(line for line in person.lines() if "'Friday'" in line)
            assert row.startswith(" ▶ * ")
            person.press("\r")
            person.until_shown("Hand 1/10")
            # Somebody else, or oneself at another terminal, takes the seat over: this one says so, and does not fight.
            other = Person("join", address, "--table", row.split()[2], "--name", "Ann", home=tmp_path)
            try:
                other.until_shown("Hand 1/10")
                person.until_shown("has taken this seat over")
                person.until_shown("Tables")
                other.read(1.0)
                assert other.shows("Hand 1/10")
            finally:
                other.close()
            person.press("q")
            assert person.ended() == 0
        finally:
            person.close()


async def test_a_passcode_that_is_typed_is_nobody_elses_to_see(tmp_path: Path) -> None:
    """It is shown as stars, and the arrow does not bring it back; the next line is shown as it is typed."""
    arguments = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), "--passcode", "sesame")
    async with host(tmp_path, *arguments) as (_process, address, code):
        person = Person("lobby", address, "--name", "Ann", home=tmp_path)
        try:
            person.until_shown(code)
            for passcode in ("simsim", "sesame"):
                person.press("\r")
                person.until_shown(f"Passcode of {code}:")
                person.press("\x1b[A")
                person.press(passcode)
                person.until_shown(f"Passcode of {code}: {'*' * len(passcode)}")
                assert not person.shows("simsim")
                assert not person.shows("sesame")
                person.press("\r")
                person.until_shown("this is not its passcode" if passcode == "simsim" else "Ann (you, host)")
            person.press(":")
            person.press("say hello")
            person.until_shown("say hello")
        finally:
            person.close()


async def test_alone_against_bots_from_the_lobby(tmp_path: Path) -> None:
    """The first row begins a game on a server inside the program, and from its end one is in the lobby again."""
    person = Person("lobby", "--name", "Ann", home=tmp_path)
    try:
        person.until_shown("Play now, against bots")
        person.press("\r")
        person.until_shown("Hand 1/10")
        assert person.shows("Ann (you)")
        person.press("q")
        person.press("y")
        person.until_shown("Where to")
        person.press("\x03")
        person.until_shown("Ctrl-C again ends the program")
        person.press("\x03")
        assert person.ended() == 130
    finally:
        person.close()


async def test_a_server_that_is_not_there_is_said_in_the_lobby(tmp_path: Path) -> None:
    """An address on the command line is opened at once; where nobody answers, that is said and asked for another."""
    with closed_port() as port:
        person = Person("lobby", f"127.0.0.1:{port}", home=tmp_path)
        try:
            person.until_shown(f"Cannot connect to '127.0.0.1:{port}'")
            person.press("q")
            assert person.ended() == 0
        finally:
            person.close()


async def test_without_a_screen_there_is_no_lobby(tmp_path: Path) -> None:
    """Without a terminal shanghai-rum alone shows its help, and the lobby says which commands do without one."""
    alone = await run_program(home=tmp_path)
    assert (alone.code, alone.out.startswith("Usage: shanghai-rum")) == (2, True)
    asked = await run_program("lobby", home=tmp_path)
    assert asked.code == 2
    assert "the lobby needs a terminal of 80 x 24 signs" in asked.err
    plain = await run_program("lobby", "--plain", home=tmp_path)
    assert plain.code == 2
    assert "the lobby is one screen: line by line shanghai-rum tables lists tables, join sits down" in plain.err


async def test_a_terminal_without_a_cursor_is_told_so(tmp_path: Path) -> None:
    """Its size is not what is missing there: what TERM says is named, and what does without."""
    terminal = Terminal("lobby", home=tmp_path, term="dumb")
    try:
        await terminal.expect("this terminal cannot move its cursor (TERM is 'dumb'): shanghai-rum tables lists tables")
        assert await terminal.ended() == 2
    finally:
        terminal.close()


async def test_the_mouse_makes_a_table(tmp_path: Path) -> None:
    """Rows and keys of the lobby are clicked on: a server, what a new table is like, and the key that makes it."""
    arguments = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with host(tmp_path, *arguments) as (_process, address, code):
        await run_program("settings", "address", address, home=tmp_path)
        person = Person("lobby", "--name", "Ann", "--discovery", "off", home=tmp_path)
        try:
            person.until_shown(f"   {address}")
            person.click(address)
            person.until_shown(f" ▶ {address}")
            person.click(address)
            person.until_shown(code)
            person.click(" n new table")
            person.until_shown("A new table")
            person.click("Hints")
            person.until_shown(" ▶ Hints                   yes")
            person.click("Hints")
            person.until_shown(" ▶ Hints                   no")
            person.click("Seats")
            person.click("Seats")
            person.until_shown(" Seats:")
            person.press("3\r")
            person.until_shown(" ▶ Seats                   3")
            person.click(" m make the table")
            person.until_shown("seat 0: Ann (you, host)")
            assert person.shows("No hints are shown.")
            assert not person.shows("seat 3")
            person.press("q")
            person.press("y")
            person.until_shown("is kept: Enter takes you back")
            person.click(" q quit" if person.shows(" q quit") else " Esc back")
        finally:
            person.close()


async def test_settings_that_are_wrong_by_now_do_not_end_the_lobby(tmp_path: Path) -> None:
    """Whoever comes from a table while somebody edits the file reads what is wrong there, and goes on."""
    settings = tmp_path / "settings.toml"
    arguments = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with host(tmp_path, *arguments) as (_process, address, code):
        begun = ("env", f"SHANGHAI_RUM_SETTINGS={settings}")
        person = Person("lobby", address, "--name", "Ann", home=tmp_path, begun_by=begun)
        try:
            person.until_shown(code)
            person.press("\r")
            person.until_shown("seat 0: Ann (you, host)")
            settings.write_text("theme = ", encoding="utf-8")
            person.press("q")
            person.press("y")
            person.until_shown("cannot be read as TOML")
            settings.write_text("ascii = true", encoding="utf-8")
            person.press("\r")
            person.until_shown("seat 0: Ann (you, host)")
            person.press("q")
            person.press("y")
            person.until_shown(f" > * {code}")
        finally:
            person.close()


async def test_the_terminal_is_as_it_was_after_a_signal(tmp_path: Path) -> None:
    """SIGTERM ends the lobby, whose screen is gone then, and typing works as before."""
    person = Person("lobby", home=tmp_path)
    try:
        person.until_shown("Where to")
        person.process.send_signal(signal.SIGTERM)
        assert person.ended() == 130
        assert person.attributes() == person.before
        assert person.written.rstrip().rfind(b"\x1b[?1049l") > person.written.rfind(b"\x1b[?1049h")
        assert b"\x1b[?25h" in person.written.split(b"\x1b[?1049l")[-1] or b"\x1b[?25h" in person.written[-200:]
    finally:
        person.close()
