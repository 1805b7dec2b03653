"""The commands that show something and change nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shanghai_client.commands.command import BadCommand, Command, Desk, Topic, check_alone, nothing
from shanghai_client.language import _, begun, later
from shanghai_client.picture_file import picture_path, write_picture
from shanghai_client.present.advice import advice_text
from shanghai_client.present.cards import hand_lines, holding_of, missing_text
from shanghai_client.present.cells import wrap
from shanghai_client.present.chart import chart_lines
from shanghai_client.present.chart_picture import chart_picture
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.house_rules import house_notice_lines, table_rules_lines
from shanghai_client.present.melds import discard_lines, meld_lines
from shanghai_client.present.news import log_lines
from shanghai_client.present.people import People
from shanghai_client.present.score_sheet import hands_lines, score_lines
from shanghai_client.present.table import lobby_lines, table_lines
from shanghai_client.present.talk import talk_lines
from shanghai_client.rulebook import UnknownRule, rule_lines, rule_numbers
from shanghai_client.scene import Scene
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.card import cards_text
from shanghai_engine.decision import Decision
from shanghai_engine.solver import outs
from shanghai_engine.state import Phase

_TABLE = "table"
"""Asks for the rules of this table instead of a chapter."""
Present = Callable[[Scene], Sequence[str]]


def _shower(name: str, aliases: tuple[str, ...], help_text: str, *presents: Present) -> Command:
    async def run(desk: Desk, words: Sequence[str]) -> None:
        check_alone(name, words)
        for present in presents:
            desk.say(present(desk.scene))

    return Command(name=name, aliases=aliases, topic=Topic.LOOKING, help=help_text, run=run, complete=nothing)


async def _rules(desk: Desk, words: Sequence[str]) -> None:
    scene = desk.scene
    if len(words) > 1:
        raise BadCommand(_("rules takes one number: {words!r} is too much").format(words=" ".join(words[1:])))
    if words and words[0].lower() == _TABLE:
        desk.say(table_rules_lines(scene))
        return
    try:
        desk.say(rule_lines(words[0] if words else "", width=scene.width))
    except UnknownRule as unknown:
        raise BadCommand(str(unknown)) from unknown
    if not scene.rules.changes():
        return
    # What was printed is the standard, and it is not all that is played here.
    desk.say(["", *(house_notice_lines(scene) if words else table_rules_lines(scene))])


def _complete_rules(_scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [*rule_numbers(), _TABLE] if not words else ()


async def _chart(desk: Desk, words: Sequence[str]) -> None:
    scene = desk.scene
    if not words:
        # Lines that are told have to get through any pipe and any terminal.
        desk.say(chart_lines(scene, ascii_only=True))
        return
    game = scene.game
    if game is None or not game.results:
        raise BadCommand(_("no hand has been finished yet, so there is nothing to draw"))
    path = picture_path(" ".join(words))
    write_picture(path, chart_picture(game.results, People.of(scene)))
    desk.say([_("The picture is in {file}.").format(file=repr(str(path)))])


def hint_lines(scene: Scene) -> list[str]:
    """Give what a good bot would do, and which cards would bring the hand nearer to the contract."""
    game, view, decision = scene.game, scene.view, scene.decision
    if game is None or view is None or scene.seat is None:
        return [_("There is nothing to give a hint for.")]
    if scene.table.options.no_hints:
        return [_("This table asks its players to do without hints.")]
    if scene.waits or scene.going_on or game.phase not in {Phase.OFFER, Phase.PLAY}:
        return choice_lines(scene)
    lines = []
    if isinstance(decision, Decision):
        chosen = LEVELS[DEFAULT_LEVEL].decide(view, decision, rng_for("hint", scene.seat, decision.id))
        lines += wrap(advice_text(chosen, scene), width=scene.width, indent="  ")
    if not scene.down:
        nearer = sorted(outs(scene.hand, game.contract, game.rules))
        holding = holding_of(scene)
        lines.append(begun(missing_text(holding.missing if holding is not None else None)))
        if nearer:
            text = _("Each of these would bring you one nearer: {cards}").format(cards=cards_text(nearer))
            lines += wrap(text, width=scene.width, indent="  ")
    elif scene.hand and not game.rules.extra_melds:
        text = _(
            "You are down: sets and runs that you hold now are not laid down in this hand; their cards are laid off,"
            " one by one, where they fit a meld (R8.5, R9.1)."
        )
        lines += wrap(text, width=scene.width, indent="  ")
    return lines or choice_lines(scene)


LOOKING: tuple[Command, ...] = (
    _shower("legal", ("what", "?"), later("what is asked of you, and every choice that you have"), choice_lines),
    _shower("table", ("tb",), later("the contract, the stock, the upcard, and every seat"), table_lines),
    _shower("hand", ("h",), later("your cards, sorted by use for the contract"), hand_lines),
    _shower("melds", ("m",), later("the melds on the table, with their numbers and owners"), meld_lines),
    _shower("discards", ("dis",), later("the upcard and the dead discards (R5)"), discard_lines),
    _shower("score", ("sc",), later("the score sheet: every hand by every player"), score_lines),
    _shower("hands", (), later("everybody's last cards in the hand that was finished last"), hands_lines),
    _shower("log", (), later("everything that has happened in this hand"), log_lines),
    _shower("hint", (), later("what a bot would do, and the cards that would help"), hint_lines),
    _shower("talk", (), later("what has been said at the table"), talk_lines),
    _shower("who", ("w",), later("who sits at the table"), lobby_lines),
    Command(
        name="chart",
        arguments=later("[FILE.svg]"),
        topic=Topic.LOOKING,
        help=later("the totals after each hand as a chart; with a file's name as a picture in that file"),
        run=_chart,
        complete=nothing,
    ),
    Command(
        name="rules",
        aliases=("r",),
        arguments=later("[NUMBER|table]"),
        topic=Topic.LOOKING,
        help=later("the rules, one of them, as in rules 7 or rules R7.4, or what this table changes in them"),
        run=_rules,
        complete=_complete_rules,
    ),
)
"""The commands that show something."""
