"""What is asked of the player, in two lines, and below it the keys that answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from shanghai_client.failure import Refused
from shanghai_client.language import _, begun, later, plural
from shanghai_client.present.amounts import ordinal
from shanghai_client.present.cells import cells, clip_name, comma_list, wrap
from shanghai_client.present.choices import choice_lines, gives_way, last_card_text, stand_in_text
from shanghai_client.present.people import People
from shanghai_client.present.refusal import refusal_text
from shanghai_client.present.table import waits_text
from shanghai_client.scene import Scene
from shanghai_client.screen import building
from shanghai_client.screen.choosing import place_letters
from shanghai_client.screen.keyboard.place import Place, resting_place
from shanghai_client.screen.keys import find, named_keys, shown_name
from shanghai_client.screen.model import Building, Choosing, Confirming, Model, Placing, Wish
from shanghai_client.screen.panes.title import time_text
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.pieces import Line, Piece, fitted, line, width_of
from shanghai_client.screen.signs import with_cards
from shanghai_client.screen.staging import Slot, as_refused, fault_of_slot
from shanghai_engine.action import Claim, LayOff, Swap
from shanghai_engine.card import Card, cards_text
from shanghai_engine.decision import Decision
from shanghai_engine.meld import MeldKind
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.view import PublicView

_MOST_OF_A_NOTE = 2
"""Lines of a message."""
_FEW = 5
"""So many cards are named where they can be laid off or swapped."""
_AROUND = 3
"""Cells around a warning: it stands on a ground of its own."""
_SHORT_NAME = 10
"""Cells of a name where there is little room."""
_NAMES = (24, 12, 10, 8, 6, 5, 4)
"""Cells of the names in a claim order, the most first."""
_WISHES = {
    Wish.DISCARD: later("Discard which card? Press the letter below it; this ends your turn."),
    Wish.LAY_OFF: later("Lay off which card? Press the letter below it."),
    Wish.SWAP: later("Put which card in a joker's place? Press the letter below it."),
}
_UNLESS = {
    Unless.HELPS: later("passing unless a card helps"),
    Unless.JOKER: later("passing unless a joker"),
}


def asking_lines(model: Model, *, width: int) -> list[Line]:
    """Give the question and what is to be known for it, in two lines; a long message below it takes one more."""
    first, second = _question(model)
    lines = [_styled(model, parts) for parts in (first, second)]
    if model.note:
        said = wrap(begun(model.note), width=width - 2)
        lines[1:] = [_styled(model, [("class:note", part)]) for part in said[:_MOST_OF_A_NOTE]]
    return [fitted(each, width) for each in lines]


Parts = Sequence[tuple[str, str] | Piece]
"""Styles and texts, and what a click on them presses."""


def _styled(model: Model, parts: Parts) -> Line:
    pieces: list[Piece] = []
    for part in (Piece(*each) for each in parts):
        pieces += with_cards(part.text, model.signs, style=part.style, press=part.press)
    return (Piece("", " "), *pieces)


def _question(model: Model) -> tuple[Parts, Parts]:
    scene, game = model.scene, model.game
    if not model.link.whole:
        return _lost(model)
    if scene is None:
        return [("class:question", _("Waiting for the table."))], []
    if game is None:
        return _begun(model) or ([("class:question", waits_text(scene))], [])
    return _begun(model) or _owed(model, scene, game)


def _begun(model: Model) -> tuple[Parts, Parts] | None:
    """Give what is asked within something that the player has begun; none where he has begun nothing."""
    match model.mode:
        case Confirming(question=question):
            return [("class:warning", f" {question} ")], [("", _("y does it, every other key goes back."))]
        case Choosing(wish):
            return [("class:question", _(_WISHES[wish]))], [("", _("Left, Right and Enter do, too. Esc goes back."))]
        case Placing(places):
            question = _("Where does {card} go? Press the letter at the meld.").format(card=places[0].card)
            return [("class:question", question)], _places(model)
        case Building():
            return _building(model)
        case _:
            return None


def _owed(model: Model, scene: Scene, game: PublicView) -> tuple[Parts, Parts]:
    """Give what the table asks, or what it waits for."""
    if model.sending:
        return [("class:dim", _("Sent to the table."))], []
    if scene.stood_in:
        return [("class:question", stand_in_text("k"))], []
    if scene.offer is not None and not scene.table.pause_reason:
        return _offer(model, scene, game, scene.offer)
    if scene.play is not None and not scene.table.pause_reason:
        return _play(model, scene, game)
    return [("class:question" if scene.going_on else "", choice_lines(scene)[0])], _standing(model)


def _lost(model: Model) -> tuple[Parts, Parts]:
    link = model.link
    since = time_text(model.now - (link.lost_at or 0.0))
    again = max(0.0, link.retry_at - model.now)
    first = _("{what}, for {time} now.").format(what=begun(link.sentence), time=since)
    if cells(first) > model.columns - _AROUND:
        # The title has the time, too.
        first = _("{sentence}.").format(sentence=begun(link.sentence))
    if isinstance(model.mode, Confirming):
        # Its keys work meanwhile, and end the client for one.
        return [("class:warning", f" {model.mode.question} ")], [("class:warning", f" {first} ")]
    if link.right:
        right = _("{sentence}.").format(sentence=begun(link.right))
        return [("class:warning", f" {first} ")], [("class:warning", f" {right} ")]
    when = _("Trying again in {n} s").format(n=round(again)) if again >= 1 else _("Trying again now")
    if model.staging.cards:
        return [("class:warning", f" {first} ")], [("", _("{when}; what you have staged stays.").format(when=when))]
    return [("class:warning", f" {first} ")], [("", _("{when}.").format(when=when))]


def _standing(model: Model, *, room: int | None = None) -> Parts:
    """Say what goes on by itself in this hand, where it has room; the heading of the hand says it, too."""
    plays = model.scene is not None and model.scene.seat is not None and resting_place(model) is Place.TABLE
    said = _UNLESS.get(model.unless) if plays else None
    if said is None:
        return []
    texts = (_("Auto-pass: {what} (A changes it).").format(what=_(said)), begun(_(said)))
    return [("class:dim", text) for text in texts if room is None or cells(text) <= room][:1]


def _offer(model: Model, scene: Scene, game: PublicView, offer: Decision) -> tuple[Parts, Parts]:
    people = People.of(scene)
    room = model.columns - 2
    first, order = _offered(game, offer, people), _order(offer, people, room=room)
    if Claim.BUY in offer.claims:
        first, order = _priced(game, offer, people, room=room)
    if offer.passing_ends_hand:
        return [("class:question", first)], [("class:warning", _ends_text())]
    return [("class:question", first)], [("", order), *_standing(model, room=room - cells(order))]


def _offered(game: PublicView, offer: Decision, people: People) -> str:
    if offer.seat == game.turn:
        return _("Your turn: take {card}, or pass and draw from the stock?").format(card=game.upcard)
    return _("Buy {card}? It is {whose} turn.").format(card=game.upcard, whose=people.whose(game.turn))


def _priced(game: PublicView, offer: Decision, people: People, *, room: int) -> tuple[str, str]:
    """Give the question and the claim order, with what a buy costs behind the one or before the other."""
    both = _("{question} {more}")
    price = _price(game, offer.seat)
    question, order = _offered(game, offer, people), _order(offer, people, room=room)
    whole = both.format(question=question, more=price)
    if cells(whole) <= room:
        return whole, order
    # The question is not cut, and nobody who comes before is left out: rather a name is.
    below = _named_order(offer, people, room=room - cells(price) - 1)
    if below:
        return question, both.format(question=price, more=below)
    shorter = replace(people, names=tuple(clip_name(name, _SHORT_NAME) for name in people.names))
    whole = both.format(question=_offered(game, offer, shorter), more=price)
    return (whole if cells(whole) <= room else question), order


def _ends_text() -> str:
    warning = _("The stock is empty: if all pass, this hand ends and nobody wins it (R13.1).")
    return f" {warning} "


def _price(game: PublicView, seat: int) -> str:
    extra, left = game.rules.buy_extra_cards, game.seats[seat].buys_left
    cost = plural("A buy brings {n} more card", "A buy brings {n} more cards", extra).format(n=extra)
    if left == UNLIMITED:
        return f"{cost}."
    return plural("{cost}; {n} buy left.", "{cost}; {n} buys left.", left).format(cost=cost, n=left)


def _order(offer: Decision, people: People, *, room: int) -> str:
    """Give the claim order with one's own place in it: by names, else by the numbers of the seats."""
    numbers = {seat: str(seat) for seat in offer.claim_order}
    return _named_order(offer, people, room=room) or _listed(offer, numbers)


def _named_order(offer: Decision, people: People, *, room: int) -> str:
    """Give the claim order with shorter names where the whole ones have no room; empty where they would be alike."""
    if len(offer.claim_order) == 1:
        return _("Nobody else can claim it. ")
    for why in (True, False) if gives_way(offer) else (False,):
        for width in _NAMES:
            names = {seat: clip_name(people.names[seat], width) for seat in offer.claim_order}
            said = _listed(offer, names, why=why)
            if cells(said.rstrip()) <= room and _differ(names, people):
                return said
    return ""


def _listed(offer: Decision, names: Mapping[int, str], *, why: bool = False) -> str:
    """Give the claim order by these names; `why` says to who is down on his own turn that buyers come before him."""
    order = offer.claim_order
    listed = comma_list([_("YOU") if seat == offer.seat else names[seat] for seat in order])
    said = _("You come {place} of {n}: {names}. ")
    if why:
        said = _("You come {place} of {n}, for you are down (R7.6): {names}. ")
    return said.format(place=ordinal(offer.place), n=len(order), names=listed)


def _differ(names: Mapping[int, str], people: People) -> bool:
    """Say whether shortened names are as different as the whole ones."""
    return len(set(names.values())) == len({people.names[seat] for seat in names})


def _play(model: Model, scene: Scene, game: PublicView) -> tuple[Parts, Parts]:
    play = scene.play
    if play is None:
        return [], []
    own = scene.view.own if scene.view is not None else None
    drawn = own.drawn if own is not None else None
    first = _("Your turn: you drew {card}.").format(card=drawn) if drawn in scene.hand else _("Your turn goes on.")
    if play.must_lay_down:
        return [("class:question", first)], [("class:warning", _(" You swapped a joker: now lay down (R10.2). "))]
    if play.must_play:
        owed = _(" Before you discard, play the swapped {cards} (R16). ").format(cards=cards_text(play.must_play))
        return [("class:question", first)], [("class:warning", owed)]
    return [("class:question", first)], [("", " ".join(_possible(model, scene, game, play)))]


def _possible(model: Model, scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    if play.can_lay_down:
        melds = model.staging.drafts(game.rules) if building.is_ready(model) else play.lay_down or ()
        used = [card for draft in melds for card in draft.cards]
        points = game.rules.card_points
        left = sum(points[card] for card in scene.hand) - sum(points[card] for card in used)
        text = plural("l lays down {melds}: {n} point left.", "l lays down {melds}: {n} points left.", left)
        said = text.format(melds=" / ".join(str(draft) for draft in melds), n=left)
        if cells(said) > model.columns - 2:
            text = plural(
                "l lays down your melds, which h shows: {n} point left.",
                "l lays down your melds, which h shows: {n} points left.",
                left,
            )
            said = text.format(n=left)
        yield said
    for key, moves in (("o", play.lay_offs), ("s", play.swaps)):
        kinds = dict.fromkeys(each.card for each in moves)
        if kinds and key == "s" and not scene.down and not play.can_lay_down:
            yield _("You can swap {cards}, and lay down with the joker (R10.2).").format(cards=cards_text(list(kinds)))
        elif kinds:
            yield _movable(key, list(kinds))
    if not (play.can_lay_down or play.lay_offs or play.swaps):
        yield last_card_text(scene) or _("Discard a card to end your turn.")


def _movable(key: str, kinds: Sequence[Card]) -> str:
    """Say which cards can be laid off, or swapped; many are only counted, for the hand has marks below them."""
    if len(kinds) <= _FEW:
        text = _("You can lay off {cards}.") if key == "o" else _("You can swap {cards}.")
        return text.format(cards=cards_text(kinds))
    if key == "o":
        text = plural("{n} card can be laid off (+).", "{n} kinds of cards can be laid off (+).", len(kinds))
    else:
        text = plural("{n} card can be swapped (s).", "{n} kinds of cards can be swapped (s).", len(kinds))
    return text.format(n=len(kinds))


def _places(model: Model) -> Parts:
    """Give the places that a card may go to, each to be clicked on."""
    game = model.game
    if game is None:
        return []
    parts: list[Piece] = []
    for action, letter in place_letters(model).items():
        parts += [Piece("", f" {model.signs.dot} ")] if parts else []
        parts.append(Piece("", _place(action, letter, game), letter))
    return parts


def _place(action: LayOff | Swap, letter: str, game: PublicView) -> str:
    meld = game.melds[action.meld]
    match action:
        case LayOff(end=end) if meld.kind is MeldKind.RUN and end is not None:
            side = _("low") if end.value == "low" else _("high")
            return _("{key} on {n} {end}").format(key=letter, n=meld.id, end=side)
        case Swap() if meld.kind is MeldKind.RUN:
            text = _("{key} in {n} for {card}")
            return text.format(key=letter, n=meld.id, card=meld.stands_for(action.index))
        case _:
            return _("{key} on {n}").format(key=letter, n=meld.id)


def _building(model: Model) -> tuple[Parts, Parts]:
    """Give what is built; what the table asks meanwhile stands above it, since the keys for it are behind Esc."""
    staging, scene, game = model.staging, model.scene, model.game
    slot = staging.slots[staging.current] if staging.slots else None
    if slot is None or scene is None or game is None:
        return [], []
    kind = _("set") if slot.kind is MeldKind.SET else _("run")
    text = _("Build meld {n}, a {kind} of {size} or more: press the letters of its cards.")
    build = text.format(n=staging.current + 1, kind=kind, size=slot.size)
    if scene.stood_in:
        return [("class:warning", _(" A stand-in plays for you (R14.2): Esc, then k takes your seat again. "))], [
            ("", build)
        ]
    if scene.offer is not None and not scene.table.pause_reason:
        asked = _("{question} Esc leads there.").format(question=_offered(game, scene.offer, People.of(scene)))
        below = [("class:warning", _ends_text())] if scene.offer.passing_ends_hand else [("", build)]
        return [("class:question", asked)], below
    fault = _fault(model, slot, game)
    if fault is not None:
        said = wrap(begun(refusal_text(fault, scene)), width=model.columns - 2)
        lines = [[("class:note", part)] for part in said[:_MOST_OF_A_NOTE]]
        return (lines[0], lines[1]) if len(lines) > 1 else ([("class:question", build)], lines[0])
    return [("class:question", build)], [("", _on(model, scene, game, slot))]


def _is_whole(model: Model) -> bool:
    """Say whether every meld that is asked for has cards enough; who is down may lay down one alone (R16)."""
    down = model.scene is not None and model.scene.down
    asked = [each for each in model.staging.slots if each.cards or not down]
    return bool(asked) and all(len(each.cards) >= each.size for each in asked)


def _fault(model: Model, slot: Slot, game: PublicView) -> Refused | None:
    """Say what is wrong already: with the present meld, or with all of them together."""
    broken = fault_of_slot(slot, game.rules) if len(slot.cards) >= slot.size else None
    if broken is not None:
        return as_refused(broken)
    return building.fault(model) if _is_whole(model) else None


def _on(model: Model, scene: Scene, game: PublicView, slot: Slot) -> str:
    """Say how one goes on, or that the melds are ready."""
    moves = len(slot.ways(game.rules)) > 1
    if not _is_whole(model):
        if moves:
            return _("< and > move its jokers; a digit or Tab goes to another meld.")
        return _("A digit or Tab goes to another meld, the same letter takes a card back.")
    if scene.play is None:
        return begun(_(building.READY))
    left = sum(game.rules.card_points[card] for card in scene.hand)
    left -= sum(game.rules.card_points[card] for card in model.staging.cards)
    said = plural("Ready: Enter lays them down, {n} point left.", "Ready: Enter lays them down, {n} points left.", left)
    said = said.format(n=left)
    return _("{sentence} < and > move its jokers.").format(sentence=said) if moves else said


def key_line(model: Model, *, width: int) -> Line:
    """Give the keys that are of use now, each with its word; what does not fit is left to the help."""
    pieces: list[Piece] = []
    # Where its word has no room the key alone is named; where it is no key at all, as in a question, it is not.
    help_key = [("?", "")] if find(model, "?") is not None else []
    for name, word in [*named_keys(model), *help_key]:
        if any(piece.press == name for piece in pieces):
            continue
        entry = [Piece("class:key", f" {shown_name(name)}", name), Piece("", f" {word} ", name)]
        if width_of(pieces) + width_of(entry) > width:
            break
        pieces += entry
    return fitted(line(*pieces), width)
