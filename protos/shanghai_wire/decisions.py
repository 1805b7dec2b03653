"""What a seat owes, as messages and back, with the text of a decision's id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shanghai.v1 import view_pb2
from shanghai_engine.action import Claim
from shanghai_engine.decision import Decision, DecisionId, DecisionKind, OfferDecision, PlayDecision
from shanghai_wire.actions import lay_off_message, read_lay_off, read_swap, swap_message
from shanghai_wire.bad_message import BadMessage, chosen, given, within
from shanghai_wire.cards import card_numbers, draft_message, read_cards, read_drafts
from shanghai_wire.numbering import CLAIMS

_ID = re.compile(r"(0|[1-9][0-9]{0,8})" + r"\.(0|[1-9][0-9]{0,8})" * 3)


@dataclass(frozen=True, slots=True)
class GoOnDecision:
    """A seat is asked when to go on to the next hand (R2.4), which is the table's question and not the engine's."""

    seat: int
    id: DecisionId


def decision_text(game: int, name: DecisionId) -> str:
    """Give the id of a decision as it travels, as in `1.3.17.1`: with the game of its table, from 1, in front.

    So no two decisions of a table have the same, though it plays one game after another.
    """
    return f"{game}.{name}"


def read_decision_id(text: str, field: str = "decision_id") -> tuple[int, DecisionId]:
    """Give the game and the decision that a text names; raises `BadMessage` for a text that no id has."""
    match = _ID.fullmatch(text)
    if match is None:
        raise BadMessage(field, text, "it is the id of a decision, four numbers as in '1.3.17.1'")
    game, hand, turn, step = map(int, match.groups())
    return game, DecisionId(hand, turn, step)


def decision_message(decision: Decision | GoOnDecision, *, game: int) -> view_pb2.Decision:
    """Give what a seat owes in a game of its table, from 1, as a message; the claim order is in the public view."""
    name = decision_text(game, decision.id)
    if isinstance(decision, GoOnDecision):
        return view_pb2.Decision(id=name, go_on=view_pb2.GoOnDecision())
    if decision.kind is DecisionKind.OFFER:
        offer = _offer_message(decision.claims, decision.place, decision.passing_ends_hand)
        return view_pb2.Decision(id=name, offer=offer)
    return view_pb2.Decision(
        id=name,
        play=view_pb2.PlayDecision(
            lay_down=[draft_message(draft) for draft in decision.lay_down or ()],
            lay_offs=[lay_off_message(lay_off) for lay_off in decision.lay_offs],
            swaps=[swap_message(swap) for swap in decision.swaps],
            discards=card_numbers(decision.discards),
            must_lay_down=decision.must_lay_down,
        ),
    )


def decision_bytes(decision: Decision | GoOnDecision, *, game: int) -> bytes:
    """Give the bytes of what a seat owes in a game of its table, from 1; those of an offer are mostly made already."""
    if isinstance(decision, GoOnDecision) or decision.kind is not DecisionKind.OFFER:
        return decision_message(decision, game=game).SerializeToString()
    offered = _offer_bytes(decision.claims, decision.place, decision.passing_ends_hand)
    return view_pb2.Decision(id=decision_text(game, decision.id)).SerializeToString() + offered


def _offer_message(claims: Sequence[Claim], place: int, passing_ends_hand: bool) -> view_pb2.OfferDecision:  # noqa: FBT001
    return view_pb2.OfferDecision(
        claims=[CLAIMS.number[claim] for claim in claims], place=place, passing_ends_hand=passing_ends_hand
    )


@lru_cache(maxsize=1 << 7)
def _offer_bytes(claims: tuple[Claim, ...], place: int, passing_ends_hand: bool) -> bytes:  # noqa: FBT001
    """Give the bytes of an asked seat's part of an offer: the same few in every game."""
    return view_pb2.Decision(offer=_offer_message(claims, place, passing_ends_hand)).SerializeToString()


def read_decision(
    message: view_pb2.Decision, *, seat: int, claim_order: Sequence[int], field: str = "decision"
) -> Decision | GoOnDecision:
    """Give what a seat owes; `claim_order` is that of the public view. Raises `BadMessage`."""
    _, name = read_decision_id(message.id, within(field, "id"))
    kind = chosen(message, "ask", field, ("offer", "play", "go_on"))
    if kind == "offer":
        return _read_offer(message.offer, seat, name, tuple(claim_order), within(field, kind))
    if kind == "play":
        return _read_play(message.play, seat, name, within(field, kind))
    return GoOnDecision(seat, name)


def _read_offer(
    offer: view_pb2.OfferDecision, seat: int, name: DecisionId, claim_order: tuple[int, ...], field: str
) -> Decision:
    given(offer, "place", field, "the seat's place in the claim order, from 0")
    claims = within(field, "claims")
    return OfferDecision(
        seat=seat,
        id=name,
        claims=tuple(CLAIMS.read(claim, f"{claims}[{place}]") for place, claim in enumerate(offer.claims)),
        claim_order=claim_order,
        place=offer.place,
        passing_ends_hand=offer.passing_ends_hand,
    )


def _read_play(play: view_pb2.PlayDecision, seat: int, name: DecisionId, field: str) -> Decision:
    lay_offs, swaps = within(field, "lay_offs"), within(field, "swaps")
    return PlayDecision(
        seat=seat,
        id=name,
        lay_down=read_drafts(play.lay_down, within(field, "lay_down")) or None,
        lay_offs=tuple(read_lay_off(each, seat, f"{lay_offs}[{place}]") for place, each in enumerate(play.lay_offs)),
        swaps=tuple(read_swap(each, seat, f"{swaps}[{place}]") for place, each in enumerate(play.swaps)),
        discards=read_cards(play.discards, within(field, "discards")),
        must_lay_down=play.must_lay_down,
    )
