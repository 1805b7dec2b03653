"""The form of a question to the solver: whether what is asked about is of the kinds that it should be.

A plain number is equal to the card with that number, and a text is a sequence too: without a look at the kinds such a
question would have an answer that is about nothing, or break in the middle of a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import Meld, MeldDraft
from shanghai_engine.rules import RuleSet

_CARD, _MELD, _DRAFT = {Card}, {Meld}, {MeldDraft}


def check_question(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> None:
    """Raise `Malformed` for what is no hand, no contract or no rule set."""
    _check_cards(hand, "a hand")
    _check_contract(contract)
    _check_rules(rules)


def check_turn(
    hand: Sequence[Card],
    contract: Contract | None,
    melds: Sequence[Meld],
    rules: RuleSet,
    *,
    seat: int,
    laid_down_now: bool,
    must_play: Sequence[Card],
) -> None:
    """Raise `Malformed` for what is no turn: also for melds out of place, or a joker to be played that is not held."""
    _check_cards(hand, "a hand")
    if contract is not None:
        _check_contract(contract)
    _check_rules(rules)
    if not _is_of(melds, _MELD) or any(meld.id != place for place, meld in enumerate(melds)):
        raise Malformed(melds, "the melds on the table are a tuple or a list of Meld, each at the place of its id")
    if type(seat) is not int or seat < 0:
        raise Malformed(seat, "a seat is a whole number from 0 (R2.2)")
    if type(laid_down_now) is not bool:
        raise Malformed(laid_down_now, "whether the seat laid down in this turn is true or false")
    _check_cards(must_play, "what must be played")
    if any(hand.count(card) < must_play.count(card) for card in must_play):
        raise Malformed(must_play, "only cards of the hand can be those that must be played (R10.3)")


def check_melds(drafts: Sequence[MeldDraft], contract: Contract) -> None:
    """Raise `Malformed` for what are no melds, or for no contract."""
    if not _is_of(drafts, _DRAFT):
        raise Malformed(drafts, "the melds of a lay-down are a tuple or a list of MeldDraft")
    _check_contract(contract)


def _check_cards(cards: object, what: str) -> None:
    if not _is_of(cards, _CARD):
        raise Malformed(cards, f"{what} is a tuple or a list of Card; parse_cards reads text, as in '8H TD JK'")


def _check_contract(contract: object) -> None:
    if type(contract) is not Contract:
        raise Malformed(contract, "a contract is a Contract, as in Contract(sets=(3,), runs=(4,))")


def _check_rules(rules: object) -> None:
    if type(rules) is not RuleSet:
        raise Malformed(rules, "the rules are a RuleSet, as RuleSet.preset gives one (R16)")


def _is_of(values: Any, kinds: set[type[Any]]) -> bool:  # noqa: ANN401 whatever was given
    """Say whether values are a tuple or a list of one kind."""
    return type(values) in {tuple, list} and {*map(type, values)} <= kinds
