"""Chance: the shuffle that anyone can verify, and the one argument through which it enters the engine.

A game seed of 32 bytes and a nonce of 16 bytes from every seat fix every deal. Cards are ordered by
HMAC-SHA-256, so the order can be checked in any language once the seeds are shown (R12.2).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from shanghai_engine.card import CARDS, JOKER, JOKERS_PER_PACK, Card
from shanghai_engine.malformed import Malformed

GAME_SEED_BYTES = 32
NONCE_BYTES = 16
HAND_SEED_BYTES = COMMITMENT_BYTES = 32
"""The length of an HMAC-SHA-256, and of a SHA-256."""
NO_NONCE = bytes(NONCE_BYTES)
"""What stands for the nonce of a seat that gives none."""


@runtime_checkable
class Chance(Protocol):
    """Where deals come from. Tests start from any deal by giving one of their own; the contract cannot."""

    def first_dealer(self, players: int) -> int:
        """Give the seat that deals hand 1 (R2.2)."""
        ...

    def hand_seed(self, hand: int) -> bytes:
        """Give the seed of a hand, counted from 1."""
        ...

    def deal(self, hand: int, packs: int) -> tuple[Card, ...]:
        """Give the cards of all packs in their order from the top."""
        ...

    def reshuffle(self, hand: int, number: int, dead: Sequence[Card]) -> tuple[Card, ...]:
        """Give the dead cards in the order of the new stock, its top first; `number` counts from 1."""
        ...


@dataclass(frozen=True, slots=True)
class SeededChance:
    """The verifiable shuffle of a game seed and the nonces by seat; raises `Malformed` where they are no bytes."""

    game_seed: bytes
    nonces: tuple[bytes, ...]

    def __post_init__(self) -> None:
        """Refuse a seed and nonces of another kind: a deal would fail far from here."""
        _check_kinds(self.game_seed, self.nonces)

    def hand_seed(self, hand: int) -> bytes:
        """Give the seed of a hand: 32 bytes. Hand 0 is the draw of the first dealer."""
        return hmac_sha256(self.game_seed, b"".join(self.nonces) + bytes((hand,)))

    def first_dealer(self, players: int) -> int:
        """Give the seat that deals hand 1 (R2.2)."""
        return int.from_bytes(self.hand_seed(0)[:8], "big") % players

    def deal(self, hand: int, packs: int) -> tuple[Card, ...]:
        """Give the cards of all packs in their order from the top."""
        pack = [*CARDS[:-1], *[JOKER] * JOKERS_PER_PACK]
        return _ordered(pack * packs, self.hand_seed(hand), b"")

    def reshuffle(self, hand: int, number: int, dead: Sequence[Card]) -> tuple[Card, ...]:
        """Give the dead cards in the order of the new stock, its top first; `number` counts from 1."""
        return _ordered(sorted(dead), self.hand_seed(hand), bytes((number,)))


def _check_kinds(game_seed: object, nonces: object) -> None:
    if not isinstance(game_seed, bytes):
        raise Malformed(game_seed, f"a game seed is {GAME_SEED_BYTES} bytes")
    if not isinstance(nonces, tuple) or not all(isinstance(nonce, bytes) for nonce in nonces):
        raise Malformed(nonces, f"the nonces are a tuple of {NONCE_BYTES} bytes for each seat")


def _ordered(cards: Sequence[Card], seed: bytes, prefix: bytes) -> tuple[Card, ...]:
    """Order cards by the HMAC of their places under one seed (RFC 2104), whose two hashes begin with the seed alike."""
    key = int.from_bytes(seed.ljust(_BLOCK, b"\0"), "big")
    inner = hashlib.sha256((key ^ _INNER).to_bytes(_BLOCK, "big") + prefix)
    outer = hashlib.sha256((key ^ _OUTER).to_bytes(_BLOCK, "big"))
    keys = []
    for place in range(len(cards)):
        begun, whole = inner.copy(), outer.copy()
        begun.update(place.to_bytes(4, "big"))
        whole.update(begun.digest())
        keys.append(whole.digest())
    return tuple([cards[place] for place in sorted(range(len(cards)), key=keys.__getitem__)])


_BLOCK = hashlib.sha256().block_size
_INNER = int.from_bytes(b"\x36" * _BLOCK, "big")
_OUTER = int.from_bytes(b"\x5c" * _BLOCK, "big")


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Give the HMAC-SHA-256 of a message, 32 bytes (RFC 2104)."""
    return hmac.digest(key, message, "sha256")


def commitment(secret: bytes) -> bytes:
    """Give the SHA-256 of a secret: what is published before the secret is."""
    return hashlib.sha256(secret).digest()
