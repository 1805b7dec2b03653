"""How the members of an engine's enum are numbered in the contract, both ways; cards have equal numbers in both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from shanghai.v1 import card_pb2, event_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_engine.event import DrawSource, EndReason, OfferResult
from shanghai_engine.meld import End, MeldKind
from shanghai_engine.state import Phase
from shanghai_wire.bad_message import BadMessage

M = TypeVar("M", bound=Enum)
N = TypeVar("N", bound=int)


@dataclass(frozen=True, slots=True)
class Numbering(Generic[M, N]):
    """One engine's enum and one of the contract: `number` by member, `member` by number.

    The contract's 0, unspecified, is no member: it stands for none.
    """

    number: Mapping[M, N]
    member: Mapping[int, M]
    unspecified: N

    @classmethod
    def by_name(cls, members: type[M], items: Iterable[tuple[str, N]], prefix: str) -> Numbering[M, N]:
        """Pair members with the names and numbers of the contract, which begin with the prefix.

        Raises `KeyError` where a member has none, which the tests rule out.
        """
        named = dict(items)
        number = {member: named[f"{prefix}_{member.name}"] for member in members}
        return cls(number, {value: member for member, value in number.items()}, named[f"{prefix}_UNSPECIFIED"])

    def without(self, member: M) -> Numbering[M, N]:
        """Give the numbering where one member is not meant, so that it is not read and not named as right."""
        rest = {number: each for number, each in self.member.items() if each is not member}
        return Numbering(self.number, rest, self.unspecified)

    def optional_number(self, member: M | None) -> N:
        """Give the number of a member, and unspecified for none."""
        return self.unspecified if member is None else self.number[member]

    def read(self, number: int, field: str) -> M:
        """Give the member; raises `BadMessage` for unspecified and for a number that the contract does not know."""
        member = self.member.get(number)
        if member is None:
            names = ", ".join(f"{value} ({each.name})" for value, each in self.member.items())
            raise BadMessage(field, number, f"it is one of {names}")
        return member

    def read_optional(self, number: int, field: str) -> M | None:
        """Give the member, and none for unspecified; raises `BadMessage` for a number that nothing has."""
        return None if number == self.unspecified else self.read(number, field)


MELD_KINDS = Numbering.by_name(MeldKind, card_pb2.MeldKind.items(), "MELD_KIND")
ENDS = Numbering.by_name(End, card_pb2.End.items(), "END")
CLAIMS = Numbering.by_name(Claim, view_pb2.Claim.items(), "CLAIM")
SEAT_CLAIMS = CLAIMS.without(Claim.TIMEOUT)
"""What a seat itself answers an offer with; a time-out is the table's to give (R7.11)."""
PHASES = Numbering.by_name(Phase, view_pb2.Phase.items(), "PHASE")
OFFER_RESULTS = Numbering.by_name(OfferResult, event_pb2.OfferResult.items(), "OFFER_RESULT")
DRAW_SOURCES = Numbering.by_name(DrawSource, event_pb2.DrawSource.items(), "DRAW_SOURCE")
END_REASONS = Numbering.by_name(EndReason, event_pb2.EndReason.items(), "END_REASON")
