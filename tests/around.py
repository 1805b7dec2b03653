"""Pictures of what is around the table, as a terminal draws them: the lobby's pages, the settings, sheet and chart.

python tests/around.py      writes the files under tests/data/screens/around anew, to be looked at before they are kept
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyte
from depicted import Variant, file_of, output_to, screen_of, write_pictures
from drawn import model_of, terminal_of
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput
from scenes import SCREENS, scene

from shanghai.v1 import table_pb2
from shanghai_client.language import _, speaking, spoken
from shanghai_client.lobby.app import run_lobby
from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.lobby.draft import Draft
from shanghai_client.lobby.page import Lobby, Page, Search, Server
from shanghai_client.receipt import ReceiptBook
from shanghai_client.screen.keys import pressed as pressed_at_table
from shanghai_client.screen.liking import look_of
from shanghai_client.screen.model import Link, Look, Model
from shanghai_client.screen.signs import LETTERS
from shanghai_client.screen.style import Background, Theme
from shanghai_client.settings import choose
from shanghai_engine.rules import PRESETS

AROUND = SCREENS / "around"
USUAL = table_pb2.TableOptions(offer_ms=20_000, turn_ms=90_000, grace_ms=60_000, pause_ms=0)
"""What a server has where nothing else is named."""


def _seat(index: int, name: str = "", *, bot: bool = False, here: bool = True, host: bool = False) -> table_pb2.Seat:
    occupant = table_pb2.OCCUPANT_PERSON if name else table_pb2.OCCUPANT_NOBODY
    return table_pb2.Seat(
        index=index,
        occupant=table_pb2.OCCUPANT_BOT if bot else occupant,
        name=name,
        level="basic" if bot else "",
        connected=here and bool(name) and not bot,
        host=host,
    )


def tables() -> tuple[table_pb2.TableSummary, ...]:
    """Give tables of all kinds: waiting, playing with somebody away, private, over."""
    common: dict[str, Any] = {"hands": 10, "game_number": 1, "spectators_allowed": True, "latecomers_allowed": True}
    return (
        table_pb2.TableSummary(
            table="FRDAY",
            name="Friday",
            status=table_pb2.TABLE_STATUS_LOBBY,
            seats=[_seat(0, "Ann", host=True), _seat(1, "日本太郎"), _seat(2), _seat(3)],
            **common,
        ),
        table_pb2.TableSummary(
            table="GAMES",
            status=table_pb2.TABLE_STATUS_PLAYING,
            hand=4,
            spectators=2,
            seats=[_seat(0, "Zoë", host=True), _seat(1, "Eve", here=False), _seat(2, "Bot 1", bot=True)],
            **common,
        ),
        table_pb2.TableSummary(
            table="QUIET",
            status=table_pb2.TABLE_STATUS_LOBBY,
            private=True,
            seats=[table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, connected=True), _seat(1)],
            **common,
        ),
        table_pb2.TableSummary(
            table="ENDED",
            status=table_pb2.TABLE_STATUS_OVER,
            hand=10,
            seats=[_seat(0, "Finn", here=False), _seat(1, "Gus")],
            **(common | {"latecomers_allowed": False}),
        ),
    )


def _servers(lobby: Lobby) -> Lobby:
    near = _("{name}, in the local network")
    servers = (
        Server("192.168.1.5:7410", _("in your settings")),
        Server("192.168.1.20:7410", near.format(name="kitchen")),
        Server("192.168.1.31:40001", near.format(name="laptop"), fits=False),
    )
    return replace(lobby, servers=servers, search=Search.FOUND, cursor=2)


def _nobody(lobby: Lobby) -> Lobby:
    return replace(lobby, search=Search.NOTHING)


def _tables(lobby: Lobby) -> Lobby:
    return replace(
        lobby,
        page=Page.TABLES,
        address="192.168.1.20:7410",
        version="0.1.0",
        tables=tables(),
        held=frozenset({"GAMES"}),
        cursor=1,
    )


def _new(lobby: Lobby) -> Lobby:
    return replace(
        _tables(lobby),
        page=Page.NEW,
        cursor=5,
        draft=Draft(name="Friday", bots=2, offer_s=0, passcode="secret", usual=USUAL),
    )


def _lost(lobby: Lobby) -> Lobby:
    why = _("the connection is lost ({why})").format(why=_("nothing listens there"))
    return replace(_tables(lobby), link=Link(100.0, 117.0, why), now=114.0)


def _lost_by_tls(lobby: Lobby) -> Lobby:
    why = _("the connection is lost ({why})").format(why=_("its certificate is not the one that is trusted"))
    right = _("ask the host, and if it is new, begin again with --fingerprint and his")
    return replace(_tables(lobby), link=Link(100.0, 117.0, why, right), now=114.0)


def _replaced(lobby: Lobby) -> Lobby:
    why = _("another client has taken this seat over, so this one stops")
    return replace(_tables(lobby), note=_("{table}: {why}").format(table="GAMES", why=why))


NOTICES = {
    "en": "Restart at ten, for a quarter of an hour: finish your hand, nothing is lost, and you will be back at once.",
    "ja": "10時に15分ほど再起動します。いまのハンドを終えてください。ゲームは失われず、自動で再接続します。",
}
"""What a host says to everybody, who speaks the language of his friends."""


def _noticed(lobby: Lobby) -> Lobby:
    return replace(_tables(lobby), notice=table_pb2.Notice(number=1, text=NOTICES[spoken()]))


def _private(lobby: Lobby) -> Lobby:
    return replace(_tables(lobby), cursor=2)


LOBBIES: dict[str, Callable[[Lobby], Lobby]] = {
    "servers": _servers,
    "nobody_found": _nobody,
    "tables": _tables,
    "lobby_help": lambda lobby: replace(_tables(lobby), helping=True),
    "no_tables": lambda lobby: replace(_tables(lobby), tables=(), held=frozenset(), cursor=0),
    "new_table": _new,
    "lobby_lost": _lost,
    "lobby_lost_by_tls": _lost_by_tls,
    "replaced": _replaced,
    "passcode": _private,
    "noticed": _noticed,
}
"""The named pages of the lobby, made of an empty one."""
TYPED = {"passcode": "\rsesame"}
"""What is typed on a page before it is drawn."""


def _settings(model: Model) -> Model:
    chosen = choose(
        file=Path("/home/ann/settings.toml"), environment={"SHANGHAI_RUM_BELL": "false"}, flags={"theme": "four-colour"}
    )
    model = replace(model, chosen=chosen, look=replace(look_of(chosen.settings), signs=model.signs))
    for key in ("f4", *["down"] * 4):
        model = pressed_at_table(model, key).model
    return model


def _f2(model: Model) -> Model:
    return pressed_at_table(model, "f2").model


def _chart(model: Model) -> Model:
    for _press in range(30):
        model = pressed_at_table(model, "down").model
    return model


OVER_THE_TABLE: dict[str, tuple[str, Callable[[Model], Model]]] = {
    "settings": ("turn_that_can_lay_down", _settings),
    "sheet": ("between_hands", _f2),
    "sheet_of_eight": ("eight_players_over", _f2),
    "chart": ("game_over", _chart),
    "between_hands": ("between_hands", lambda model: model),
}
"""What lies over the table: a scene, and what is done to its model."""


_LIGHT = Look(theme=Theme.TWO, background=Background.LIGHT)
_ASCII = Look(signs=LETTERS)
VARIANTS: tuple[Variant, ...] = (
    *(Variant(what) for what in (*LOBBIES, *OVER_THE_TABLE)),
    Variant("servers", (40, 15), ColorDepth.DEPTH_4_BIT, _ASCII, "ascii"),
    Variant("servers", (100, 30), language="ja"),
    Variant("tables", (140, 45), ColorDepth.DEPTH_24_BIT, _LIGHT, "two-light"),
    Variant("tables", (60, 16), ColorDepth.DEPTH_1_BIT, _ASCII, "ascii"),
    *(
        Variant(what, language="ja")
        for what in ("new_table", "tables", "lobby_lost", "replaced", "passcode", "noticed")
    ),
    *(Variant(what, language="ja") for what in ("nobody_found", "settings", "sheet_of_eight", "chart")),
    Variant("settings", (100, 30), ColorDepth.DEPTH_4_BIT, Look(theme=Theme.CONTRAST), "contrast"),
    Variant("sheet", (140, 45), ColorDepth.DEPTH_1_BIT, Look(theme=Theme.MONO), "mono"),
    Variant("chart", (140, 45), ColorDepth.DEPTH_24_BIT, _ASCII, "ascii"),
)
"""Every picture that is kept."""


class _Pictured(LobbyDesk):
    """A lobby that is drawn once: nothing is looked for, and nothing changes."""

    def __init__(self, lobby: Lobby) -> None:
        super().__init__(
            name=lobby.name,
            look=lobby.look,
            book=ReceiptBook(Path("/nowhere")),
            read_rules=PRESETS.__getitem__,
            interfaces=None,
        )
        self.lobby = lobby


async def lobby_terminal(
    lobby: Lobby, depth: ColorDepth = ColorDepth.DEPTH_8_BIT, *, typed: Sequence[str] = ""
) -> pyte.Screen:
    """Give the terminal after the program has drawn a lobby on it, and what was typed there, key by key."""
    size = (lobby.columns, lobby.rows)
    written = io.StringIO()
    output = output_to(written, size, depth)
    with create_pipe_input() as keys:
        desk = _Pictured(lobby)
        running = asyncio.create_task(run_lobby(desk, input=keys, output=output))
        async with asyncio.timeout(60):
            await desk.drawn.wait()
            for sign in typed:
                desk.drawn.clear()
                keys.send_text(sign)
                await desk.drawn.wait()
        drawn = written.getvalue()
        running.cancel()
        await asyncio.wait({running})
    return screen_of(drawn, size)


async def lobby_ended(lobby: Lobby, *, typed: str) -> None:
    """Run a lobby in which something is typed until it ends, by itself or by an error."""
    with create_pipe_input() as keys:
        keys.send_text(typed)
        async with asyncio.timeout(60):
            await run_lobby(_Pictured(lobby), input=keys, output=DummyOutput())


async def picture(variant: Variant) -> str:
    """Give the file of a variant: what stands on the terminal, and in which colours."""
    columns, rows = variant.size
    with speaking(variant.language):
        if variant.what in LOBBIES:
            empty = Lobby(columns=columns, rows=rows, look=variant.look, name="Zoë")
            typed = TYPED.get(variant.what, "")
            screen = await lobby_terminal(LOBBIES[variant.what](empty), variant.depth, typed=typed)
        else:
            name, then = OVER_THE_TABLE[variant.what]
            screen = await terminal_of(then(model_of(scene(name), look=variant.look, size=variant.size)), variant.depth)
    return file_of(screen)


async def pictures() -> dict[str, str]:
    """Give every file that is kept, by its name."""
    return {f"{variant.name}.txt": await picture(variant) for variant in VARIANTS}


if __name__ == "__main__":
    write_pictures(AROUND, asyncio.run(pictures()))
