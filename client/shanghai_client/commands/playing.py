"""The commands that answer a decision: each is read here, and the table says whether it is lawful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shanghai_client.commands.command import BadCommand, Command, Desk, Topic, check_alone, nothing
from shanghai_client.commands.words import in_letters, is_end, read_card, read_end, read_meld_id, read_melds
from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.choices import lay_off_command
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.melds import meld_text
from shanghai_client.present.refusal import already_down_text
from shanghai_client.scene import Scene
from shanghai_engine.action import Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.decision import Decision
from shanghai_engine.meld import MeldKind, refuse_lay_off
from shanghai_engine.refusal import Refusal
from shanghai_engine.solver import distance
from shanghai_engine.view import PublicView
from shanghai_wire.actions import GoOn


def _game(scene: Scene) -> PublicView:
    if scene.game is None:
        raise BadCommand(_("the game has not begun: nothing can be played yet"))
    return scene.game


def _own(desk: Desk) -> int:
    if desk.seat is None:
        raise BadCommand(_("you watch this table, and hold no seat: only players can do that"))
    return desk.seat.index


def _claimer(claim: Claim) -> Command:
    names = {Claim.TAKE: "take", Claim.BUY: "buy", Claim.PASS: "pass"}
    helps = {
        Claim.TAKE: later("take the upcard as your draw, on your own turn"),
        Claim.BUY: later("claim to buy the upcard, with its extra cards from the stock (R7.1)"),
        Claim.PASS: later("do not claim the upcard; on your own turn, draw from the stock"),
    }

    async def run(desk: Desk, words: Sequence[str]) -> None:
        check_alone(names[claim], words)
        seat = _own(desk)
        _game(desk.scene)
        await desk.act(Answer(seat, claim))

    return Command(
        name=names[claim], aliases=(names[claim][0],), topic=Topic.PLAYING, help=helps[claim], run=run, complete=nothing
    )


async def _lay(desk: Desk, words: Sequence[str]) -> None:
    seat, scene = _own(desk), desk.scene
    game = _game(scene)
    if words and words != ["best"]:
        await desk.act(LayDown(seat, read_melds(words, scene)))
        return
    play = scene.play
    if play is not None and play.lay_down is not None:
        await desk.act(LayDown(seat, play.lay_down))
        return
    if scene.down and not game.rules.extra_melds:
        raise BadCommand(already_down_text())
    if play is None:
        raise BadCommand(_("you lay down on your own turn, after drawing (R8.5)"))
    if scene.down:
        raise BadCommand(_("your hand makes no further meld (R16)"))
    missing = distance(scene.hand, game.contract, game.rules)
    text = _("you cannot lay down {contract} yet: {cards} missing (R8.5)")
    raise BadCommand(text.format(contract=contract_words(game.contract), cards=count(missing, "card")))


async def _off(desk: Desk, words: Sequence[str]) -> None:
    seat, scene = _own(desk), desk.scene
    game = _game(scene)
    words = list(words)
    if not words:
        raise BadCommand(_("name the card to lay off, as in off 5C, or off 5C 1 low"))
    card = read_card(words.pop(0))
    meld = None if not words or is_end(words[0]) else read_meld_id(words.pop(0), scene)
    end = read_end(words.pop(0)) if words else None
    if words:
        text = _("off takes a card, a meld and an end of a run: {words!r} is too much")
        raise BadCommand(text.format(words=" ".join(words)))
    places = [each for each in _lay_offs(scene) if each.card == card]
    fitting = [each for each in places if meld in {None, each.meld} and end in {None, each.end}]
    if len(fitting) == 1:
        await desk.act(fitting[0])
    elif fitting:
        choices = ", ".join(lay_off_command(game, each) for each in fitting)
        text = _("{card} fits in {count} places: say which by {choices}")
        raise BadCommand(text.format(card=card, count=len(fitting), choices=choices))
    else:
        await desk.act(_unlawful_lay_off(scene, LayOff(seat, meld if meld is not None else -1, card, end)))


def _lay_offs(scene: Scene) -> Sequence[LayOff]:
    return scene.play.lay_offs if scene.play is not None else ()


def _unlawful_lay_off(scene: Scene, meant: LayOff) -> LayOff:
    """Give the lay-off that was meant though it is not lawful, for the table to say which rule it breaks.

    A meld below 0 is one that was not named. Raises `BadCommand` where what was left open fits nowhere.
    """
    game, card = _game(scene), meant.card
    melds = [meld for meld in game.melds if meant.meld in {-1, meld.id}]
    ways = [
        replace(meant, meld=meld.id, end=end)
        for meld in melds
        for end in (meld.ends if meant.end is None or meld.kind is MeldKind.SET else (meant.end,))
    ]
    reasons = {way: refuse_lay_off(game.melds[way.meld], card, way.end, game.rules) for way in ways}
    fits = [way for way, reason in reasons.items() if reason is None]
    if fits:
        # Something else is in its way.
        return fits[0]
    if scene.play is not None and scene.down and card in scene.hand and len(ways) > 1:
        if meant.meld == -1:
            raise BadCommand(_("{card} fits no meld on the table (R9.2)").format(card=card))
        if set(reasons.values()) <= {Refusal.NOT_THE_NEXT_CARD, Refusal.RUN_ENDS_HERE}:
            run = meld_text(game.melds[meant.meld])
            text = _("{card} fits neither end of the run {run}: it takes the next card of its suit (R9.2)")
            raise BadCommand(text.format(card=card, run=run))
    return ways[0] if ways else replace(meant, meld=max(meant.meld, 0))


async def _swap(desk: Desk, words: Sequence[str]) -> None:
    seat, scene = _own(desk), desk.scene
    game = _game(scene)
    words = list(words)
    if not words:
        raise BadCommand(_("name the card to put in a joker's place, as in swap 6H, or swap 6H 1"))
    card = read_card(words.pop(0))
    meld = read_meld_id(words.pop(0), scene) if words else None
    if words:
        raise BadCommand(_("swap takes a card and a meld: {words!r} is too much").format(words=" ".join(words)))
    swaps: Sequence[Swap] = scene.play.swaps if scene.play is not None else ()
    fitting = [each for each in swaps if each.card == card and meld in {None, each.meld}]
    if len(fitting) == 1:
        await desk.act(fitting[0])
    elif fitting:
        choices = ", ".join(f"swap {card} {each.meld}" for each in fitting)
        text = _("{card} can be swapped in {count} melds: say which by {choices}")
        raise BadCommand(text.format(card=card, count=len(fitting), choices=choices))
    else:
        if meld is None and scene.down and scene.play is not None and card in scene.hand and _has_jokers(game):
            raise BadCommand(_("{card} is not what a joker on the table stands for (R10.1)").format(card=card))
        await desk.act(_unlawful_swap(game, seat, card, meld))


def _has_jokers(game: PublicView) -> bool:
    return any(each.jokers for each in game.melds)


def _unlawful_swap(game: PublicView, seat: int, card: Card, meld: int | None) -> Swap:
    """Give the swap that was meant though it is not lawful, for the table to say which rule it breaks."""
    melds = [each for each in game.melds if each.jokers and meld in {None, each.id}]
    for each in melds:
        for index in each.joker_places():
            if each.stands_for(index) in {None, card}:
                return Swap(seat, each.id, index, card)
    if melds:
        return Swap(seat, melds[0].id, melds[0].joker_places()[0], card)
    if meld is None:
        raise BadCommand(_("there is no joker in any meld on the table to swap for (R10.1)"))
    return Swap(seat, meld, 0, card)


async def _discard(desk: Desk, words: Sequence[str]) -> None:
    seat = _own(desk)
    _game(desk.scene)
    if len(words) != 1:
        raise BadCommand(_("name the one card to discard, as in discard KS"))
    await desk.act(Discard(seat, read_card(words[0])))


async def _go(desk: Desk, words: Sequence[str]) -> None:
    if list(words) not in ([], ["on"]):
        raise BadCommand(_("go, or go on: {words!r} is too much").format(words=" ".join(words)))
    seat = _own(desk)
    if not desk.scene.going_on:
        raise BadCommand(_("one goes on between two hands, and now there is nothing to go on from (R2.4)"))
    await desk.act(GoOn(seat))


def _held(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    return [card.text for card in dict.fromkeys(scene.hand)] if not words else ()


def _complete_off(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    places = _lay_offs(scene)
    if not words:
        return list(dict.fromkeys(each.card.text for each in places))
    places = [each for each in places if each.card.text == in_letters(words[0])]
    if len(words) == 1:
        return list(dict.fromkeys(str(each.meld) for each in places))
    return [each.end.value for each in places if each.end is not None and str(each.meld) == words[1]]


def _complete_swap(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    play: Decision | None = scene.play
    swaps = play.swaps if play is not None else ()
    if not words:
        return list(dict.fromkeys(each.card.text for each in swaps))
    return [str(each.meld) for each in swaps if each.card.text == in_letters(words[0])] if len(words) == 1 else ()


def _complete_lay(scene: Scene, words: Sequence[str]) -> Sequence[str]:
    used = [in_letters(word) for word in words]
    left = [card.text for card in scene.hand]
    for word in used:
        if word in left:
            left.remove(word)
    return [*([] if words else ["best"]), *dict.fromkeys(left), *(["/"] if words else [])]


PLAYING: tuple[Command, ...] = (
    _claimer(Claim.TAKE),
    _claimer(Claim.PASS),
    _claimer(Claim.BUY),
    Command(
        name="lay",
        aliases=("l",),
        arguments=later("[MELD / MELD ...]"),
        topic=Topic.PLAYING,
        help=later("lay down the best melds, or those that you name, as in lay 8C 8D 8S / 4H 5H 6H JK (R8.5)"),
        run=_lay,
        complete=_complete_lay,
    ),
    Command(
        name="off",
        aliases=("o",),
        arguments=later("CARD [MELD] [low|high]"),
        topic=Topic.PLAYING,
        help=later("lay off a card on a meld; where only one place is left, name only the card (R9)"),
        run=_off,
        complete=_complete_off,
    ),
    Command(
        name="swap",
        aliases=("s",),
        arguments=later("CARD [MELD]"),
        topic=Topic.PLAYING,
        help=later("put the card that a joker stands for in its place, and take the joker (R10)"),
        run=_swap,
        complete=_complete_swap,
    ),
    Command(
        name="discard",
        aliases=("d",),
        arguments=later("CARD"),
        topic=Topic.PLAYING,
        help=later("discard a card, which ends your turn (R4.2)"),
        run=_discard,
        complete=_held,
    ),
    Command(
        name="go",
        aliases=("g",),
        topic=Topic.PLAYING,
        help=later("between two hands: go on to the next (R2.4)"),
        run=_go,
        complete=nothing,
    ),
)
"""The commands that answer a decision."""
