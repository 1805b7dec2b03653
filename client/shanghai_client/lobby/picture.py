"""The picture of the lobby: pure functions from the page to styled lines."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.language import _, begun
from shanghai_client.lobby.draft import FIELDS
from shanghai_client.lobby.keys import key_help, named_keys
from shanghai_client.lobby.page import LOWEST, NARROWEST, Lobby, Page, Search
from shanghai_client.present.cells import cells, clip, left, wrap
from shanghai_client.present.tables import EMPTY, sitter_text, status_text, table_list_lines
from shanghai_client.present.talk import notice_text
from shanghai_client.screen.keys import shown_name
from shanghai_client.screen.panes.title import time_text
from shanghai_client.screen.pieces import Line, Piece, block, both_ends, fitted, line, width_of
from shanghai_client.screen.signs import of_known_width

_FOOT = 3
"""Lines at the bottom of the picture: a rule, and what is said in two."""
_MARKS = 5
"""Cells before a table: the mark of the chosen row, and that of a seat that one has there."""
_KEYS = 12
"""Cells of a key's names in the help."""
_ABOUT_TABLE = 5
"""Lines about the chosen table, where there is room."""
_NOTICE_PART = 3
"""The notice of the server's host has a third of the page at most; a longer one is cut, and whole in the help."""


def board(lobby: Lobby) -> list[Line]:
    """Give the picture, one line less than the terminal has: the last is the key line's, or the line to type in."""
    room = lobby.rows - 1 - 1 - _FOOT
    if not lobby.has_room:
        said = [_("The lobby needs {columns} x {rows} signs.").format(columns=NARROWEST, rows=LOWEST)]
        said.append(_("Keys do nothing here; Ctrl-C twice ends."))
        lines = [line(part) for each in said for part in wrap(each, width=lobby.columns)]
        return _shown(lobby, block(lines, width=lobby.columns, height=max(1, lobby.rows - 1)))
    pages = {Page.SERVERS: _servers, Page.TABLES: _tables, Page.NEW: _new}
    notice = _notice(lobby, most=room if lobby.helping else room // _NOTICE_PART)
    page_room = room - len(notice)
    rows = _help(lobby) if lobby.helping else pages[lobby.page](lobby, page_room)
    rule = line(Piece("class:rule", lobby.look.signs.rule * lobby.columns))
    said_lines = block(_said(lobby), width=lobby.columns, height=_FOOT - 1)
    page = [*notice, *block(rows, width=lobby.columns, height=page_room)]
    return _shown(lobby, [_title(lobby), *page, rule, *said_lines])


def last_line(lobby: Lobby) -> Line:
    """Give the key line; what does not fit is left out, and is in the help."""
    pieces: list[Piece] = []
    if not lobby.has_room:
        return _shown(lobby, [line()])[0]
    if lobby.helping:
        return _shown(lobby, [line(_(" Every key closes the help."))])[0]
    for name, word in named_keys(lobby):
        entry = [Piece("class:key", f" {shown_name(name)}", name), Piece("", f" {word} ", name)]
        if width_of(pieces) + width_of(entry) > lobby.columns:
            break
        pieces += entry
    return _shown(lobby, [line(*pieces)])[0]


def _shown(lobby: Lobby, lines: Sequence[Line]) -> list[Line]:
    if lobby.look.signs.only_ascii:
        lines = [tuple(piece._replace(text=of_known_width(piece.text)) for piece in each) for each in lines]
    return [fitted(each, lobby.columns) for each in lines]


def _title(lobby: Lobby) -> Line:
    at = [Piece("class:title.part", _("no server is open"))]
    if lobby.address:
        version = f" ({lobby.version})" if lobby.version else ""
        at = [Piece("class:title.part", f"{lobby.address}{version}")]
    right = [Piece("class:title.part", _("as {name} ").format(name=lobby.name))]
    if not lobby.link.whole:
        since = time_text(lobby.now - (lobby.link.lost_at or 0.0))
        right = [Piece("class:lost", _(" {sign} lost {since} ").format(sign=lobby.look.signs.broken, since=since))]
    return both_ends([Piece("class:title", _(" Shanghai Rum ")), *at], right, lobby.columns, style="class:title.part")


def _notice(lobby: Lobby, *, most: int) -> list[Line]:
    """Give what the server's host tells everybody, in as many lines as it needs and at most as there may be."""
    if lobby.notice is None:
        return []
    width = lobby.columns - 2
    parts = wrap(notice_text(lobby.notice), width=width)
    if len(parts) > most:
        parts = [*parts[: most - 1], clip(" ".join(parts[most - 1 :]), width)]
    return [line(Piece("class:warning", f" {part} ")) for part in parts]


def _said(lobby: Lobby) -> list[Line]:
    """Give what is to be known below the page: what went wrong, or what the page is."""
    if lobby.busy:
        return [line(Piece("class:dim", _(" One moment ...")))]
    if lobby.note:
        return [line(Piece("class:note", f" {part}")) for part in wrap(begun(lobby.note), width=lobby.columns - 2)]
    if not lobby.link.whole:
        return [line(Piece("class:warning", f" {part} ")) for part in wrap(_lost(lobby), width=lobby.columns - 2)]
    return [line(f" {part}") for part in wrap(_about(lobby), width=lobby.columns - 2)]


def _lost(lobby: Lobby) -> str:
    """Say why the connection is lost, and what would help, or when it is tried again."""
    link = lobby.link
    what = begun(link.right)
    if not what:
        again = max(0.0, link.retry_at - lobby.now)
        what = _("Trying again in {n} s").format(n=round(again)) if again >= 1 else _("Trying again now")
    return _("{sentence}. {what}.").format(sentence=begun(link.sentence), what=what)


def _about(lobby: Lobby) -> str:
    match lobby.page:
        case Page.SERVERS if lobby.cursor == 0:
            return _("A game against bots, now, on this machine.")
        case Page.SERVERS:
            return _("A server holds tables: its host tells you its address.")
        case Page.TABLES:
            return _("The list changes by itself. The first to sit down at a table is its host, and starts the game.")
        case Page.NEW if lobby.cursor < len(FIELDS):
            return FIELDS[lobby.cursor].about(lobby.draft)
        case _:
            return _("Left and Right change a value, Enter types one. m makes the table and sits you down.")


def _row(lobby: Lobby, place: int, text: str, *, style: str = "") -> Line:
    """Give a row that can be chosen, with a mark where it is."""
    here = place == lobby.cursor
    mark = f" {lobby.look.signs.here} " if here else "   "
    return fitted(
        (Piece("class:turn", mark, f"row {place}"), Piece("class:you" if here else style, text, f"row {place}")),
        lobby.columns,
    )


def _around(lines: Sequence[Line], chosen: int, room: int) -> list[Line]:
    """Give as many lines as there is room for, the chosen one among them."""
    first = max(0, min(chosen - room // 2, len(lines) - room))
    return list(lines[first : first + room])


def _help(lobby: Lobby) -> list[Line]:
    rows = [line(), line(Piece("class:heading", _(" Keys")))]
    for names, text in key_help(lobby):
        keys = left(", ".join(shown_name(name) for name in names), _KEYS)
        rows += [line(f"   {part}") for part in wrap(f"{keys}{text}", width=lobby.columns - 4, indent=" " * _KEYS)]
    return rows


def _servers(lobby: Lobby, room: int) -> list[Line]:
    width = max((cells(server.address) for server in lobby.servers), default=0)
    rows = [_row(lobby, 0, _("Play now, against bots"))]
    for place, server in enumerate(lobby.servers, start=1):
        known = server.known if server.fits else _("{known}; another version").format(known=server.known)
        rows.append(_row(lobby, place, f"{left(server.address, width)}  {known}"))
    rows.append(_row(lobby, len(lobby.servers) + 1, _("Another address ...")))
    said = {
        Search.RUNNING: _("   Looking for hosts in the local network ..."),
        Search.NOTHING: _("   No host was found in the local network so far: a host can tell you the address."),
    }.get(lobby.search)
    looking = [] if said is None else [line(Piece("class:dim", part)) for part in wrap(said, width=lobby.columns)]
    head = [line(), line(Piece("class:heading", _(" Where to"))), line()]
    return [*head, *_around(rows, lobby.cursor, room - len(head) - len(looking)), *looking]


def _tables(lobby: Lobby, room: int) -> list[Line]:
    head = [line(), line(Piece("class:heading", _(" Tables"))), line()]
    if lobby.tables is None:
        return [*head, line(Piece("class:dim", _("   Asking the server ...")))]
    if not lobby.tables:
        return [*head, line(_("   There is no table yet: n makes one."))]
    texts = table_list_lines(lobby.tables, width=lobby.columns - _MARKS)
    rows = [_row(lobby, place, _mine(lobby, place) + text) for place, text in enumerate(texts)]
    about = _about_table(lobby) if room >= len(head) + 3 + _ABOUT_TABLE else []
    return [*head, *_around(rows, lobby.cursor, room - len(head) - len(about)), *about]


def _mine(lobby: Lobby, place: int) -> str:
    held = lobby.tables is not None and lobby.tables[place].table in lobby.held
    return "* " if held else "  "


def _about_table(lobby: Lobby) -> list[Line]:
    table = lobby.table
    if table is None:
        return []
    over = table.status == table_pb2.TABLE_STATUS_OVER
    heading = f" {table.table}{f' {table.name!r}' if table.name else ''}: {status_text(table.status)}"
    host = _(", host")
    seats = [f"{seat.index}: {_sitter(seat, over=over)}{host if seat.host else ''}" for seat in table.seats]
    seats += [_("* you have a seat there")] if table.table in lobby.held else []
    said = wrap("   ".join(seats), width=lobby.columns - 6)[: _ABOUT_TABLE - 2]
    return [line(), line(Piece("class:heading", heading)), *[line(f"   {part}") for part in said]]


def _sitter(seat: table_pb2.Seat, *, over: bool) -> str:
    # Who sits at a private table is not told.
    if seat.occupant in EMPTY:
        return _("free")
    return sitter_text(seat, over=over) if seat.name else _("taken")


def _new(lobby: Lobby, room: int) -> list[Line]:
    width = max(cells(_(each.label)) for each in FIELDS)
    rows = [
        _row(lobby, place, f"{left(_(each.label), width)}  {each.shown(lobby.draft)}")
        for place, each in enumerate(FIELDS)
    ]
    rows += [_row(lobby, len(FIELDS), _("Make this table"), style="class:heading")]
    head = [line(Piece("class:heading", _(" A new table")))]
    return [*head, *_around(rows, lobby.cursor, room - len(head))]
