"""The table: which hand, which contract, whose turn, and every seat; before the game the lobby."""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import comma_list, left, right, wrap
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.people import People, level_text, name_text
from shanghai_client.present.tables import EMPTY, free_seats, status_text
from shanghai_client.present.terms import terms_lines
from shanghai_client.scene import Scene
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase
from shanghai_engine.view import PublicView

_WIDEST_NAME, _NARROWEST_NAME = 20, 8
_BESIDES = 48
"""Cells of a seat's row beside its name, most notes among them."""


def contract_text(game: PublicView) -> str:
    """Give the hand and its contract, as in `Hand 2 of 10: 1 set of 3, 1 run of 4 (7 cards)`."""
    return _("Hand {hand} of {hands}: {contract} ({cards})").format(
        hand=game.hand,
        hands=game.rules.hands,
        contract=contract_words(game.contract),
        cards=count(game.contract.size, "card"),
    )


def table_lines(scene: Scene) -> list[str]:
    """Give the table in a few lines: the contract, the stock and the upcard, and one line for each seat."""
    game = scene.game
    if game is None:
        return lobby_lines(scene)
    people = People.of(scene)
    upcard = _("no live upcard")
    if game.upcard is not None:
        upcard = _("the upcard is {card}").format(card=game.upcard)
    width = max(_NARROWEST_NAME, min(_WIDEST_NAME, scene.width - _BESIDES))
    turn = _("{turn}; {upcard}; {cards} in the stock.").format(
        turn=_turn_text(game, people), upcard=upcard, cards=count(game.stock, "card")
    )
    lines = wrap(_("{hand}.").format(hand=contract_text(game)), width=scene.width) + wrap(turn, width=scene.width)
    numbers = [right(_("cards"), 5), right(_("buys"), 5), right(_("total"), 6)]
    lines.append(" ".join([right(_("seat"), 7), left(_("name"), width), *numbers]))
    on_turn = game.turn if game.phase in {Phase.OFFER, Phase.PLAY} else None
    for seat, shown in enumerate(game.seats):
        mark = ">" if seat == on_turn else " "
        buys = _("any") if shown.buys_left == UNLIMITED else str(shown.buys_left)
        name = left(People.sitting(scene).label(seat), width)
        row = f" {mark} {seat:>4} {name} {shown.cards:>5} {right(buys, 5)} {shown.total:>6}"
        notes = comma_list(_notes(scene, game, seat))
        if get_cwidth(row) + 2 + get_cwidth(notes) > scene.width:
            lines += [row, *wrap(f"{' ' * 8}{notes}", width=scene.width, indent=" " * 8)]
        else:
            lines.append(f"{row}  {notes}".rstrip())
    return lines


def _turn_text(game: PublicView, people: People) -> str:
    if game.phase is Phase.HAND_OVER:
        return _("The hand is over")
    if game.phase is Phase.GAME_OVER:
        return _("The game is over")
    return people.told(game.turn, _("Turn {number}, yours"), _("Turn {number}, {name}'s"), number=game.turn_number)


def _notes(scene: Scene, game: PublicView, seat: int) -> list[str]:
    shown, sitting = game.seats[seat], scene.table.seats[seat]
    notes = [_("dealer")] if seat == game.dealer else []
    if shown.down:
        notes.append(_("down, floats") if shown.floats else _("down"))
    if sitting.occupant == table_pb2.OCCUPANT_BOT:
        return [*notes, _("bot")]
    return notes + presence(sitting)


def presence(sitting: table_pb2.Seat) -> list[str]:
    """Say what is unusual about who sits on a seat: a bot, somebody away, a stand-in."""
    if sitting.occupant == table_pb2.OCCUPANT_BOT:
        return [_("bot {level}").format(level=level_text(sitting.level)) if sitting.level else _("bot")]
    if sitting.waits_for_deal:
        return [_("from the next deal")]
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and sitting.stand_in:
        return [_("stand-in")]
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and not sitting.connected:
        return [_("away")]
    return []


def lobby_lines(scene: Scene) -> list[str]:
    """Give the table before its game: its code, who sits where, and what is waited for."""
    waits = [waits_text(scene)] if scene.table.status == table_pb2.TABLE_STATUS_LOBBY else []
    return [*seating_lines(scene), *(part for line in waits for part in wrap(line, width=scene.width, indent="    "))]


def seating_lines(scene: Scene) -> list[str]:
    """Give the table before its game: its code, who sits where, and its clocks."""
    table = scene.table
    name = f" {table.name!r}" if table.name else ""
    notes = [_("private")] if table.private else []
    notes += [_("game {number}").format(number=table.game_number)] if table.game_number > 1 else []
    title = comma_list([f"{table.table}{name}", *notes])
    lines = [_("Table {title}: {status}.").format(title=title, status=status_text(table.status))]
    lines += [_lobby_row(sitting, scene.seat) for sitting in table.seats]
    if table.status == table_pb2.TABLE_STATUS_LOBBY:
        lines += terms_lines(scene)
    return [part for line in lines for part in wrap(line, width=scene.width, indent="    ")]


def lobby_news_lines(before: Scene, now: Scene) -> list[str]:
    """Say what has changed in the lobby: who has come and gone, who is the host, whether the game begins."""
    lines: list[str] = []
    for old, new in zip(before.table.seats, now.table.seats, strict=False):
        if old.name != new.name and old.occupant not in EMPTY:
            lines.append(_("{name} has left seat {seat}.").format(name=name_text(old.name), seat=old.index))
        if old.name != new.name and new.occupant not in EMPTY and new.index != now.seat:
            lines.append(_("{name} sits down on seat {seat}.").format(name=name_text(new.name), seat=new.index))
    if now.is_host() and not before.is_host() and before.seat is not None:
        lines.append(waits_text(now))
    if now.table.status != before.table.status:
        lines.append(_("The table is {status}.").format(status=status_text(now.table.status)))
    return lines


def _lobby_row(sitting: table_pb2.Seat, you: int | None) -> str:
    if sitting.occupant in EMPTY:
        return _("  seat {seat}: free").format(seat=sitting.index)
    notes = [_("you")] if sitting.index == you else []
    notes += [_("host")] if sitting.host else []
    notes += presence(sitting)
    name = name_text(sitting.name)
    if not notes:
        return _("  seat {seat}: {name}").format(seat=sitting.index, name=name)
    return _("  seat {seat}: {name} ({notes})").format(seat=sitting.index, name=name, notes=comma_list(notes))


def waits_text(scene: Scene) -> str:
    """Say who starts the game."""
    free = free_seats(scene.table.seats)
    if not scene.is_host():
        return _("The host starts the game.")
    if not free:
        return _("You are the host: start begins the game.")
    text = _("You are the host: start begins the game; bots take the {seats}.")
    return text.format(seats=count(free, "free seat"))
