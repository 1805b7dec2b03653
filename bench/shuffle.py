"""The verifiable shuffle of three packs, against the bare HMACs that it cannot do without."""

import hmac

from bench.ratio import Ratio, measure_ratio
from shanghai_engine.shuffle import SeededChance

PACKS = 3
CARDS = 54 * PACKS


def measure() -> Ratio:
    """Deal hand 1 of a game for five."""
    chance = SeededChance(game_seed=bytes(32), nonces=(bytes(16),) * 5)
    key, messages = bytes(32), [place.to_bytes(4, "big") for place in range(CARDS)]
    assert len(chance.deal(1, PACKS)) == CARDS
    return measure_ratio(
        work=f"shuffling {PACKS} packs",
        run=lambda: chance.deal(1, PACKS),
        bare=f"{CARDS} HMACs",
        run_bare=lambda: [hmac.digest(key, message, "sha256") for message in messages],
    )
