"""Building melds by hand: each card has a letter, each meld a number; the table is asked only when they are ready."""

from __future__ import annotations

from dataclasses import replace

from shanghai_client.failure import Refused
from shanghai_client.language import _, later
from shanghai_client.present.choices import waits_for_deal_text
from shanghai_client.present.refusal import already_down_text, refusal_text
from shanghai_client.screen.choosing import letters_of
from shanghai_client.screen.model import Building, Model
from shanghai_client.screen.staging import Staging, fault_of
from shanghai_client.screen.stepping import Act, Step, done, stay
from shanghai_engine.action import LayDown

READY = later("your melds are ready: you lay them down on your own turn, after drawing (R8.5)")
"""What is said where the melds are ready, and it is not yet the time for them."""


def begin(model: Model) -> Step:
    """Begin to build, or go on with what was staged."""
    scene, game = model.scene, model.game
    if scene is not None and scene.waits:
        return stay(model, waits_for_deal_text())
    if scene is None or game is None or scene.seat is None:
        return stay(model, _("melds are built by who plays, once the game has begun"))
    further = scene.down
    if further and not game.rules.extra_melds:
        return stay(model, already_down_text())
    wanted = Staging.of(game.contract, further=further)
    shape = [(slot.kind, slot.size) for slot in model.staging.slots]
    staging = model.staging if shape == [(slot.kind, slot.size) for slot in wanted.slots] else wanted
    return Step(replace(model, mode=Building(), staging=staging, note=""))


def by_letter(model: Model, key: str) -> Step:
    """Stage the card with a letter; take it back where it is staged."""
    for place, letter in letters_of(model).items():
        if letter == key:
            return stage(replace(model, cursor=place))
    return stay(model, _("no card has the key {key}: Esc goes back").format(key=key))


def stage(model: Model) -> Step:
    """Stage the card under the cursor; take it back where it is staged."""
    card = model.under_cursor
    if card is None:
        return stay(model, _("you hold no card to stage"))
    if model.cursor in model.staged_places:
        return _with(model, model.staging.without(card))
    return _with(model, model.staging.stage(card))


def by_number(model: Model, key: str) -> Step:
    """Make the meld with a number, from 1, the present one."""
    number = int(key)
    if not 1 <= number <= len(model.staging.slots):
        return stay(model, _("there is no meld {key} to build").format(key=key))
    return _with(model, model.staging.choose(number - 1))


def further(model: Model, by: int) -> Step:
    """Make the next meld, or the one before, the present one."""
    return _with(model, model.staging.choose(model.staging.current + by))


def unstage(model: Model) -> Step:
    """Take the card that was staged last in the present meld back."""
    return _with(model, model.staging.unstage())


def undo(model: Model) -> Step:
    """Take the last change back."""
    return _with(model, model.staging.undo())


def clear(model: Model) -> Step:
    """Take all cards back."""
    return _with(model, model.staging.cleared())


def turn(model: Model, by: int) -> Step:
    """Let the present run stand in the next of its ways, or the one before: its jokers for other cards."""
    game = model.game
    if game is None or not model.staging.slots:
        return stay(model)
    staging = model.staging.turned(by, game.rules)
    if staging is model.staging:
        return stay(model, _("this meld lies in one way only: a run with jokers may have several"))
    return _with(model, staging)


def fill(model: Model) -> Step:
    """Stage the best melds, to be changed."""
    play = None if model.scene is None else model.scene.play
    if play is None or play.lay_down is None:
        return stay(model, _("there is no lay-down now to begin with"))
    return _with(model, model.staging.filled(play.lay_down))


def is_ready(model: Model) -> bool:
    """Say whether the staged melds can be laid down now."""
    scene = model.scene
    return scene is not None and scene.play is not None and bool(model.staging.cards) and fault(model) is None


def lay_down(model: Model) -> Step:
    """Lay the staged melds down; where they do not fulfil the contract, say why."""
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return stay(model)
    broken = fault(model)
    if broken is not None:
        return stay(model, refusal_text(broken, scene))
    if scene.play is None:
        return stay(model, _(READY))
    return done(model, Act(LayDown(scene.play.seat, model.staging.drafts(game.rules))))


def fault(model: Model) -> Refused | None:
    """Say what keeps the staged melds from being laid down, as the table would; none where they may be."""
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return None
    return fault_of(model.staging, hand=game.hand, contract=game.contract, rules=game.rules, further=scene.down)


def _with(model: Model, staging: Staging) -> Step:
    return Step(replace(model, staging=staging, note=""))
