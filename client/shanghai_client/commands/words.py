"""Cards, melds and ends as people type them: small letters, `10H`, `joker` and `8♥` are understood."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import product

from shanghai_client.commands.command import BadCommand
from shanghai_client.language import _
from shanghai_client.scene import Scene
from shanghai_engine.card import JOKER, RANK, SUIT, Card, cards_text
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import fulfils

_JOKERS = {"JK", "JOKER", "*"}
_SIGNS = {
    **dict.fromkeys("♣♧", "C"),
    **dict.fromkeys("♦♢", "D"),
    **dict.fromkeys("♥♡", "H"),
    **dict.fromkeys("♠♤", "S"),
    **dict.fromkeys("\N{PLAYING CARD BLACK JOKER}\N{PLAYING CARD RED JOKER}\N{PLAYING CARD WHITE JOKER}", "JK"),
    **dict.fromkeys("\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}"),
}
"""What stands for a suit or a joker on screens, with what is typed for it; a selector only says how it is drawn."""
_LETTERS = str.maketrans(_SIGNS)
_KINDS = {"set": MeldKind.SET, "run": MeldKind.RUN}
BETWEEN_MELDS = "/"


def read_card(word: str) -> Card:
    """Read a card, as in `8h`, `10H`, `8♥` or `jk`; raises `BadCommand`."""
    text = in_letters(word)
    try:
        return JOKER if text in _JOKERS else Card.parse(text)
    except Malformed as bad:
        text = _("{word!r} is no card: a card is a rank (2 to 9, T, J, Q, K, A) and a suit (C, D, H, S), or JK")
        raise BadCommand(text.format(word=word)) from bad


def in_letters(word: str) -> str:
    """Give what was typed as a card's text form has it: `8♥` is `8H`; what is no card is left to be refused."""
    # Who types Japanese may have the wide forms of letters and figures on.
    return unicodedata.normalize("NFKC", word).translate(_LETTERS).upper().replace("10", "T", 1)


def read_meld_id(word: str, scene: Scene) -> int:
    """Read the number of a meld on the table, with or without an `m` before it; raises `BadCommand`."""
    digits = word.lower().removeprefix("m")
    if not digits.isascii() or not digits.isdigit():
        text = _("{word!r} is no meld: name it by the number that it has on the table (melds shows them)")
        raise BadCommand(text.format(word=word))
    number = int(digits)
    melds = len(scene.game.melds) if scene.game is not None else 0
    if number >= melds:
        text = _("there is no meld {number} on the table: there are none yet (R9.1)")
        if melds:
            text = _("there is no meld {number} on the table: the first is 0, and the last {last} (R9.1)")
        raise BadCommand(text.format(number=number, last=melds - 1))
    return number


def is_end(word: str) -> bool:
    """Say whether a word names an end of a run, or begins to."""
    return any(end.value.startswith(word.lower()) for end in End) and bool(word)


def read_end(word: str) -> End:
    """Read the end of a run; raises `BadCommand`."""
    if not is_end(word):
        raise BadCommand(_("{word!r} is no end of a run: say low or high").format(word=word))
    return next(end for end in End if end.value.startswith(word.lower()))


def read_melds(words: Sequence[str], scene: Scene) -> tuple[MeldDraft, ...]:
    """Read melds parted by `/`, each as cards in order, with `set` or `run` before them where that is not plain.

    What reads as no meld at all keeps the kind that it looks like: the table then says which rule it breaks.
    Raises `BadCommand` where a word is no card, or where a kind has to be named.
    """
    parts = list(_parts(words))
    rules = scene.game.rules if scene.game is not None else STANDARD
    kinds = [[kind] if kind is not None else _kinds_of(cards, rules) for kind, cards in parts]
    ways = [
        tuple(_draft(kind, cards, rules) for kind, (_, cards) in zip(chosen, parts, strict=True))
        for chosen in product(*kinds)
    ]
    if len(ways) > 1 and scene.game is not None:
        contract = scene.game.contract
        ways = [way for way in ways if fulfils(way, contract)] or ways
    if len(ways) > 1:
        unclear = next(cards for own, (_, cards) in zip(kinds, parts, strict=True) if len(own) > 1)
        text = _("{cards} can be a set and a run: write set or run before it")
        raise BadCommand(text.format(cards=cards_text(unclear)))
    return ways[0]


def _parts(words: Sequence[str]) -> Iterator[tuple[MeldKind | None, tuple[Card, ...]]]:
    spread = " ".join(words).replace(BETWEEN_MELDS, f" {BETWEEN_MELDS} ").split()
    part: list[str] = []
    for word in (*spread, BETWEEN_MELDS):
        if word != BETWEEN_MELDS:
            part.append(word)
            continue
        kind = _KINDS.get(part[0].lower()) if part else None
        cards = part[1:] if kind is not None else part
        if not cards:
            raise BadCommand(
                _("a meld is missing: write all melds with / between them, as in lay 8C 8D 8S / 4H 5H 6H JK")
            )
        yield kind, tuple(read_card(each) for each in cards)
        part = []


def _kinds_of(cards: tuple[Card, ...], rules: RuleSet) -> list[MeldKind]:
    reads = [kind for kind in MeldKind if _is_meld(_draft(kind, cards, rules), rules)]
    return reads or [_looks_like(cards)]


def _is_meld(draft: MeldDraft, rules: RuleSet) -> bool:
    return isinstance(read_meld(draft, meld_id=0, owner=0, rules=rules), Meld)


def _looks_like(cards: tuple[Card, ...]) -> MeldKind:
    """Give the kind that was probably meant by cards that are no meld: one rank more than one suit, or not."""
    naturals = [card for card in cards if card != JOKER]
    ranks, suits = len({RANK[card] for card in naturals}), len({SUIT[card] for card in naturals})
    return MeldKind.SET if ranks <= suits else MeldKind.RUN


def _draft(kind: MeldKind, cards: tuple[Card, ...], rules: RuleSet) -> MeldDraft:
    """Make a draft; a run without jokers may be typed in any order."""
    typed = MeldDraft(kind, cards)
    if kind is MeldKind.RUN and JOKER not in cards and not _is_meld(typed, rules):
        return MeldDraft(kind, tuple(sorted(cards, key=RANK.__getitem__)))
    return typed
