"""A well-formed action that breaks a rule (R15.1)."""

from __future__ import annotations

from functools import partial
from typing import Any

from shanghai_engine.card import LOWEST_RANK
from shanghai_engine.malformed import ShanghaiError, shortened
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet


class RuleViolation(ShanghaiError):
    """An action was refused, and nothing has changed: the code, the rule's number, and what would be right."""

    def __init__(self, refusal: Refusal, **values: object) -> None:
        """Take the refusal and every value that its sentence names; one that is very long is cut."""
        self.refusal = refusal
        self.values = {name: shortened(str(value)) for name, value in values.items()}
        super().__init__(refusal, self.values)

    @property
    def code(self) -> str:
        """The stable code, as in `NOT_DOWN`."""
        return self.refusal.name

    @property
    def rule(self) -> str:
        """The number of the rule, as in `R9.1`."""
        return self.refusal.rule

    @property
    def message(self) -> str:
        """What was wrong and what would be right, in one sentence without the rule's number."""
        return self.refusal.sentence.format_map(self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of, so that a worker process can raise it too."""
        values: dict[str, Any] = self.values
        return partial(type(self), **values), (self.refusal,)

    def __repr__(self) -> str:
        """Give the expression that rebuilds the violation."""
        return f"RuleViolation({', '.join([repr(self.refusal), *(f'{k}={v!r}' for k, v in self.values.items())])})"

    def __str__(self) -> str:
        """Give the sentence and the rule's number."""
        return f"{self.message} ({self.rule})"


def violation(refusal: Refusal, rules: RuleSet, **values: object) -> RuleViolation:
    """Give the violation of a rule about melds, with what the table's rules add to its sentence."""
    lowest = "2" if rules.lowest_rank == LOWEST_RANK else "A"
    return RuleViolation(refusal, limit=rules.jokers_per_meld, lowest=lowest, **values)
