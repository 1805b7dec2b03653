"""`shanghai-rum replay`: a recorded game, told in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from shanghai_client.cli.option_types import Whole
from shanghai_client.cli.record_reading import read_record
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later
from shanghai_client.picture_file import PictureNotWritten, PictureThere, picture_path, write_picture
from shanghai_client.present.chart_picture import chart_picture
from shanghai_client.present.people import People
from shanghai_client.present.score_sheet import sheet_lines
from shanghai_client.present.story import story_lines
from shanghai_client.record_faults import bad_record_text
from shanghai_engine.event import Dealt
from shanghai_engine.game import Game
from shanghai_engine.line import Line, parse_line
from shanghai_engine.malformed import BadRecord
from shanghai_wire.shown_text import visible


@command(
    help=later("Tell the game of a record: everything that happened, what was hidden among it, and the score sheet.")
)
@click.argument("file", type=click.Path(path_type=Path))
@option("--hand", type=Whole(min=1), help=later("Tell this hand alone."))
@option(
    "--svg",
    metavar="PICTURE.svg",
    help=later("Draw the totals after each hand into this file instead of telling the game."),
)
@option("--force", is_flag=True, help=later("Let --svg overwrite a file that is there."))
def replay(file: Path, hand: int | None, svg: str | None, *, force: bool) -> None:
    """Tell the game of a record."""
    game = _read(file)
    if svg is not None:
        _draw(file, game, svg, force=force)
        return
    played = len([event for event in game.events if isinstance(event, Dealt)])
    if hand is not None and hand > played:
        text = _("the record {path!r} has no hand {hand}: it has {played}")
        raise WrongInput(text.format(path=str(file), hand=hand, played=played))
    for line in story_lines(game, hand):
        click.echo(visible(line))
    if hand is None and game.state.results:
        click.echo()
        for line in sheet_lines(game.state.results, People.called(game.state.names)):
            click.echo(visible(line))


def _draw(file: Path, game: Game, svg: str, *, force: bool) -> None:
    if not game.state.results:
        text = _("no hand of the record {path!r} was finished, so there is nothing to draw")
        raise WrongInput(text.format(path=str(file)))
    try:
        path = picture_path(svg)
        write_picture(path, chart_picture(game.state.results, People.called(game.state.names)), force=force)
    except PictureThere as there:
        raise WrongInput(_("{why} (--force overwrites it)").format(why=str(there))) from there
    except PictureNotWritten as unwritten:
        raise WrongInput(str(unwritten)) from unwritten
    click.echo(_("The picture is in {path!r}.").format(path=str(path)), err=True)


def _read(file: Path) -> Game:
    try:
        return Game.from_record(list(_lines(file)))
    except BadRecord as bad:
        raise WrongInput(
            _("{path!r} is no game record: {why}").format(path=str(file), why=bad_record_text(bad))
        ) from bad


def _lines(file: Path) -> Iterator[Line]:
    for number, text in enumerate(read_record(file), start=1):
        try:
            yield parse_line(text)
        except BadRecord as bad:
            raise BadRecord(bad.found, bad.right, rule=bad.rule, line=number) from bad
