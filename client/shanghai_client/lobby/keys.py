"""Every key of the lobby in one table: on which page it works, what it is called, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later
from shanghai_client.lobby.draft import FIELDS, with_field
from shanghai_client.lobby.effect import (
    Connect,
    Disconnect,
    Effect,
    Leave,
    LookOn,
    Make,
    PlayHere,
    Sit,
    Type,
)
from shanghai_client.lobby.page import Ask, Lobby, Page, Question
from shanghai_client.person_name import BadName, read_name
from shanghai_client.present.tables import free_seats, takes_latecomers


@dataclass(frozen=True, slots=True)
class Step:
    """What is shown next, and what has to happen besides, if anything."""

    lobby: Lobby
    effect: Effect | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key: its names, the pages on which it works, a word for the key line, a sentence for the help, what it does."""

    names: tuple[str, ...]
    pages: frozenset[Page]
    word: str
    help: str
    do: Callable[[Lobby], Step]
    named: Callable[[Lobby], bool] = lambda _lobby: True


def ask(lobby: Lobby, question: Question, text: str = "") -> Step:
    """Ask for something to be typed."""
    return Step(replace(lobby, question=question, note=""), Type(text))


def _stay(lobby: Lobby, note: str) -> Step:
    return Step(replace(lobby, note=note))


def _move(by: int) -> Callable[[Lobby], Step]:
    def do(lobby: Lobby) -> Step:
        last = max(0, lobby.choices - 1)
        return Step(replace(lobby, cursor=max(0, min(last, lobby.cursor + by)), note=""))

    return do


def _enter(lobby: Lobby) -> Step:
    match lobby.page:
        case Page.SERVERS:
            return _open_server(lobby)
        case Page.TABLES:
            table = lobby.table
            return _stay(lobby, _no_table(lobby)) if table is None else sit_at(lobby, table)
        case Page.NEW:
            return _on_field(lobby)


def _no_table(lobby: Lobby) -> str:
    """Say why there is no table that a key could be for."""
    if lobby.tables:
        return _("no table is chosen: Up and Down choose one")
    return _("there is no table: n makes one")


def _open_server(lobby: Lobby) -> Step:
    if lobby.cursor == 0:
        return Step(lobby, PlayHere())
    if lobby.cursor > len(lobby.servers):
        return ask(lobby, Question(Ask.ADDRESS, _("HOST:PORT of a server")))
    server = lobby.servers[lobby.cursor - 1]
    return Step(replace(lobby, note=""), Connect(server.address, server.tls))


def sit_at(lobby: Lobby, table: table_pb2.TableSummary) -> Step:
    """Sit down at a table, where it has room or one has a seat there already; a private one is asked to be opened.

    Where one was sent away it is asked back first.
    """
    if (lobby.address, table.table) in lobby.sent_away:
        asked = _("the host of {table} has sent you away: Enter once more sits you down there all the same")
        asked = asked.format(table=table.table)
        if lobby.note != asked:
            return _stay(replace(lobby, cursor=list(lobby.tables or ()).index(table)), asked)
    if table.table in lobby.held:
        return Step(replace(lobby, note=""), Sit(table.table))
    if table.status == table_pb2.TABLE_STATUS_OVER and not table.latecomers_allowed:
        return _stay(lobby, _("the game at {table} is over").format(table=table.table))
    if not free_seats(table.seats) and not takes_latecomers(table):
        return _stay(lobby, _("no seat is free at {table}: w looks on").format(table=table.table))
    if table.private:
        return ask(lobby, Question(Ask.PASSCODE, _("Passcode of {table}").format(table=table.table), table.table))
    return Step(replace(lobby, note=""), Sit(table.table))


def _look_on(lobby: Lobby) -> Step:
    table = lobby.table
    if table is None:
        return _stay(lobby, _no_table(lobby))
    if not table.spectators_allowed:
        return _stay(lobby, _("{table} is not for spectators").format(table=table.table))
    if table.private:
        label = _("Passcode of {table}").format(table=table.table)
        return ask(lobby, Question(Ask.PASSCODE, label, table.table, watching=True))
    return Step(replace(lobby, note=""), LookOn(table.table))


def _by_code(lobby: Lobby) -> Step:
    return ask(lobby, Question(Ask.TABLE, _("Code of the table")))


def _take_over(lobby: Lobby) -> Step:
    table = lobby.table
    if table is None:
        return _stay(lobby, _no_table(lobby))
    label = _("Code that gives you a seat at {table}").format(table=table.table)
    return ask(lobby, Question(Ask.CODE, label, table.table))


def _name(lobby: Lobby) -> Step:
    return ask(lobby, Question(Ask.NAME, _("Your name")), lobby.name)


def _new(lobby: Lobby) -> Step:
    return Step(replace(lobby, page=Page.NEW, cursor=0, note=""))


def _on_field(lobby: Lobby) -> Step:
    if lobby.cursor >= len(FIELDS):
        return Step(replace(lobby, note=""), Make(lobby.draft))
    field = FIELDS[lobby.cursor]
    if field.read is None:
        return _turn(1)(lobby)
    label = _("Rules: a preset, or a file") if field.name == "rules" else _(field.label)
    if field.name.endswith("_s"):
        label = _("{what}, in seconds (0: no clock, nothing: as usual)").format(what=label)
    return ask(lobby, Question(Ask.FIELD, label, field.name), field.begun(lobby.draft))


def _turn(by: int) -> Callable[[Lobby], Step]:
    def do(lobby: Lobby) -> Step:
        field = FIELDS[lobby.cursor] if lobby.cursor < len(FIELDS) else None
        if field is None or field.turn is None:
            return Step(lobby)
        return Step(replace(lobby, draft=field.turn(lobby.draft, by), note=""))

    return do


def _make(lobby: Lobby) -> Step:
    return Step(replace(lobby, note=""), Make(lobby.draft))


def _help(lobby: Lobby) -> Step:
    return Step(replace(lobby, helping=True, note=""))


def _back(lobby: Lobby) -> Step:
    match lobby.page:
        case Page.SERVERS:
            return Step(lobby, Leave())
        case Page.TABLES:
            return Step(replace(lobby, page=Page.SERVERS, cursor=0, note=""), Disconnect())
        case Page.NEW:
            return Step(replace(lobby, page=Page.TABLES, cursor=0, note=""))


_ALL = frozenset(Page)
_TABLES = frozenset({Page.TABLES})
_NEW = frozenset({Page.NEW})


def _never(_lobby: Lobby) -> bool:
    return False


_SERVERS = frozenset({Page.SERVERS})
KEYS: tuple[Key, ...] = (
    Key(
        names=("up", "k"), pages=_ALL, word=later("up"), help=later("choose the row above"), do=_move(-1), named=_never
    ),
    Key(
        names=("down", "j"),
        pages=_ALL,
        word=later("choose"),
        help=later("choose the row below; a click on a row does so, too"),
        do=_move(1),
        named=lambda lobby: lobby.page is Page.SERVERS,
    ),
    Key(
        names=("enter",),
        pages=_SERVERS,
        word=later("open"),
        help=later("open the chosen server, or begin the game against bots"),
        do=_enter,
    ),
    Key(
        names=("enter",),
        pages=_TABLES,
        word=later("sit down"),
        help=later("sit down at the chosen table, or come back to your seat there"),
        do=_enter,
    ),
    Key(
        names=("enter",),
        pages=_NEW,
        word=later("change"),
        help=later("change the chosen field, by typing where it is text"),
        do=_enter,
    ),
    Key(
        names=("left",),
        pages=_NEW,
        word=later("less"),
        help=later("give the field the value before"),
        do=_turn(-1),
        named=_never,
    ),
    Key(
        names=("right",),
        pages=_NEW,
        word=later("next value"),
        help=later("give the field the next value"),
        do=_turn(1),
    ),
    Key(
        names=("m",),
        pages=_NEW,
        word=later("make the table"),
        help=later("make the table, and sit down at it as its host"),
        do=_make,
    ),
    Key(names=("n",), pages=_TABLES, word=later("new table"), help=later("make a new table"), do=_new),
    Key(
        names=("w",),
        pages=_TABLES,
        word=later("watch"),
        help=later("watch the chosen table as a spectator, who sees nobody's cards"),
        do=_look_on,
    ),
    Key(
        names=("c",),
        pages=_TABLES,
        word=later("by code"),
        help=later("sit down at a table by its code"),
        do=_by_code,
    ),
    Key(
        names=("o",),
        pages=_TABLES,
        word=later("take over"),
        help=later("take over a seat at the chosen table with the code that somebody gave you"),
        do=_take_over,
        named=_never,
    ),
    Key(names=("escape",), pages=_NEW | _TABLES, word=later("back"), help=later("go back"), do=_back),
    Key(names=("?", "f1"), pages=_ALL, word=later("help"), help=later("this help"), do=_help),
    Key(
        names=("i",),
        pages=_ALL,
        word=later("your name"),
        help=later("say under which name you sit down"),
        do=_name,
    ),
    Key(
        names=("q",),
        pages=_ALL,
        word=later("quit"),
        help=later("leave the program; your seats are kept"),
        do=lambda lobby: Step(lobby, Leave()),
    ),
)
"""Every key, in the order of the key line."""


def pressed(lobby: Lobby, name: str) -> Step:
    """Do what a key does on the page; one that means nothing there changes nothing, and nothing is done meanwhile.

    While the help is shown every key closes it; on a terminal that is too small no key does anything.
    """
    if not lobby.has_room:
        return Step(lobby)
    if lobby.helping:
        return Step(replace(lobby, helping=False))
    key = next((each for each in KEYS if name in each.names and lobby.page in each.pages), None)
    if key is None or lobby.busy:
        return Step(lobby)
    return key.do(lobby)


def named_keys(lobby: Lobby) -> Iterator[tuple[str, str]]:
    """Give the keys for the key line, each with its word."""
    for key in KEYS:
        if lobby.page in key.pages and key.named(lobby):
            yield key.names[0], _(key.word)


def key_help(lobby: Lobby) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give every key of the page by its names, with what it does."""
    for key in KEYS:
        if lobby.page in key.pages:
            yield key.names, _(key.help)


def answered(lobby: Lobby, text: str) -> Step:
    """Take in what was typed; nothing at all takes the question back."""
    question, text = lobby.question, text.strip()
    lobby = replace(lobby, question=None)
    if question is None:
        return Step(lobby)
    if question.ask is Ask.FIELD:
        # Here nothing is an answer, too: no name, no passcode, the usual time.
        field = next(each for each in FIELDS if each.name == question.about)
        try:
            value = text if field.read is None else field.read(text)
        except ValueError as wrong:
            return _stay(lobby, str(wrong))
        return Step(replace(lobby, draft=with_field(lobby.draft, field.name, value)))
    return _answered_by(lobby, question, text) if text else Step(lobby)


def _answered_by(lobby: Lobby, question: Question, text: str) -> Step:
    match question.ask:
        case Ask.ADDRESS:
            return Step(lobby, Connect(text))
        case Ask.NAME:
            try:
                return Step(replace(lobby, name=read_name(text), said=True))
            except BadName as bad:
                return _stay(lobby, str(bad))
        case Ask.TABLE:
            table = lobby.table_of(text)
            if table is None:
                return _stay(lobby, _("there is no table {code} at this server").format(code=repr(text)))
            return sit_at(lobby, table)
        case Ask.PASSCODE if question.watching:
            return Step(lobby, LookOn(question.about, text))
        case Ask.PASSCODE:
            return Step(lobby, Sit(question.about, passcode=text))
        case _:
            return Step(lobby, Sit(question.about, code=text))
