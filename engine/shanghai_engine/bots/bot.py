"""What a built-in player is: a name, a sentence, and one function of what a seat can see."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from shanghai_engine.action import Action
from shanghai_engine.bots.late_random import LateRandom
from shanghai_engine.decision import Decision, DecisionId
from shanghai_engine.malformed import Malformed
from shanghai_engine.view import View

Decide = Callable[[View, Decision, random.Random], Action]
"""Give the choice of a seat from its view, what it owes, and chance of its own; the same for the same three."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A built-in player: `name` is its level on the command line, `about` says in one sentence how it plays."""

    name: str
    about: str
    decide: Decide


def rng_for(salt: str | bytes, seat: int, decision_id: DecisionId) -> random.Random:
    """Give the chance that a bot has for one decision: made from salt, seat and decision, the same in any process.

    Raises `Malformed` for a salt that is neither text nor bytes.
    """
    if not isinstance(salt, str | bytes):
        raise Malformed(salt, "the salt of a bot's chance is text or bytes")
    return LateRandom(partial(_seed_for, salt, seat, decision_id))


def _seed_for(salt: str | bytes, seat: int, decision_id: DecisionId) -> int:
    secret = salt.encode() if isinstance(salt, str) else salt
    digest = hashlib.sha256(secret + f"|{seat}|{decision_id}".encode()).digest()
    return int.from_bytes(digest[:16], "big")
