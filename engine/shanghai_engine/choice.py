"""What every enum of the engine has in common."""

from __future__ import annotations

from enum import Enum


class Choice(Enum):
    """An enum whose `repr` is the expression that gives the member."""

    # Members are singletons. The hash that an Enum has by itself is worked out from the name, each time.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        """Give the expression that gives the member, as in `Claim.PASS`."""
        return f"{type(self).__name__}.{self.name}"
