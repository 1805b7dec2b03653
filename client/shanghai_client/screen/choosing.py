"""Choosing a card of the hand, and a place for it, by one key each."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import replace

from shanghai_client.language import _
from shanghai_client.screen.guard import slip_of
from shanghai_client.screen.model import Building, Choosing, Confirming, Model, Placing, Wish
from shanghai_client.screen.stepping import Act, Run, Step, at, done, stay
from shanghai_engine.action import Discard, LayOff, Swap
from shanghai_engine.card import Card

LETTERS = string.ascii_lowercase + string.ascii_uppercase
"""The keys of the cards, in the order in which these are shown."""
_COMMANDS = {Wish.DISCARD: "discard", Wish.LAY_OFF: "off", Wish.SWAP: "swap"}


def places_for(model: Model, wish: Wish, card: Card | None = None) -> tuple[LayOff | Swap, ...]:
    """Give every lawful place for a card, or for any."""
    play = None if model.scene is None else model.scene.play
    if play is None or wish is Wish.DISCARD:
        return ()
    moves: Sequence[LayOff | Swap] = play.lay_offs if wish is Wish.LAY_OFF else play.swaps
    return tuple(each for each in moves if card in {None, each.card})


def choosable(model: Model) -> tuple[int, ...]:
    """Give the places in the hand of the cards that can be chosen now, in order."""
    match model.mode:
        case Choosing(Wish.DISCARD):
            play = None if model.scene is None else model.scene.play
            cards = set() if play is None else set(play.discards)
        case Choosing(wish):
            cards = {each.card for each in places_for(model, wish)}
        case Building():
            cards = set(model.hand)
        case _:
            cards = set()
    return tuple(place for place, card in enumerate(model.hand) if card in cards)


def letters_of(model: Model) -> dict[int, str]:
    """Give the key of each card that can be chosen now, by its place in the hand."""
    return dict(zip(choosable(model), LETTERS, strict=False))


def begin(model: Model, wish: Wish) -> Step:
    """Begin to choose a card for something; where only one choice is there it is done, where none, it is said."""
    places = places_for(model, wish)
    if wish is not Wish.DISCARD and len(places) == 1:
        return done(model, Act(places[0]))
    chosen = replace(model, mode=Choosing(wish), note="")
    found = choosable(chosen)
    if not found:
        return _nothing(model, wish)
    cursor = model.cursor if model.cursor in found else found[-1]
    only = {model.hand[place] for place in found}
    if wish is not Wish.DISCARD and len(only) == 1:
        return choose(replace(chosen, cursor=cursor))
    return Step(replace(chosen, cursor=cursor))


def _nothing(model: Model, wish: Wish) -> Step:
    """Say that nothing can be chosen; what is not asked at all is left to the command, which says by which rule."""
    scene, card = model.scene, model.under_cursor
    if scene is not None and scene.play is not None and scene.down:
        if wish is Wish.LAY_OFF:
            return stay(model, _("none of your cards fits a meld on the table (R9.2)"))
        if wish is Wish.SWAP:
            return stay(model, _("none of your cards is what a joker on the table stands for (R10.1)"))
    if scene is not None and scene.play is not None and wish is Wish.SWAP:
        return stay(model, _("there is no swap with which you could lay down in this turn (R10.2)"))
    return done(model, Run(f"{_COMMANDS[wish]} {card}" if card is not None else _COMMANDS[wish]))


def by_letter(model: Model, key: str) -> Step:
    """Choose the card with a letter."""
    for place, letter in letters_of(model).items():
        if letter == key:
            return choose(replace(model, cursor=place))
    return stay(model, _("no card has the key {key}: Esc goes back").format(key=key))


def choose(model: Model) -> Step:
    """Choose the card under the cursor."""
    card, mode = model.under_cursor, model.mode
    if card is None or not isinstance(mode, Choosing) or model.cursor not in choosable(model):
        return stay(model)
    if mode.wish is Wish.DISCARD:
        return _discard(model, card)
    places = places_for(model, mode.wish, card)
    if len(places) == 1:
        return done(model, Act(places[0]))
    return Step(replace(model, mode=Placing(places), note=""))


def _discard(model: Model, card: Card) -> Step:
    scene = model.scene
    if scene is None or scene.play is None:
        return stay(model)
    action = Discard(scene.play.seat, card)
    question = slip_of(card, scene) if model.look.guard else ""
    if question:
        return Step(replace(model, mode=Confirming(question, action), note=""))
    return done(model, Act(action))


def place_letters(model: Model) -> dict[LayOff | Swap, str]:
    """Give the key of each place that can be chosen now."""
    return dict(zip(model.mode.places, LETTERS, strict=False)) if isinstance(model.mode, Placing) else {}


def place_by_letter(model: Model, key: str) -> Step:
    """Choose the place with a letter."""
    for action, letter in place_letters(model).items():
        if letter == key:
            return done(model, Act(action))
    return stay(model, _("no place has the key {key}: Esc goes back").format(key=key))


def move(model: Model, by: int) -> Step:
    """Move the cursor to the left or right; while a card is being chosen, to the next that can be."""
    if isinstance(model.mode, Choosing):
        places = choosable(model)
        further = [place for place in places if (place - model.cursor) * by > 0]
        there = (min(further) if by > 0 else max(further)) if further else model.cursor
        return Step(replace(model, cursor=there))
    return Step(replace(model, cursor=at(model.hand, model.cursor + by)))
