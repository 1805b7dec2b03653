"""What keys do without a terminal, and hands of any cards."""

from __future__ import annotations

from hypothesis import strategies as st

from shanghai_client.screen.keys import pressed
from shanghai_client.screen.model import Model
from shanghai_client.screen.stepping import Step
from shanghai_engine.card import CARDS

HANDS = st.lists(st.sampled_from(CARDS), min_size=1, max_size=23).map(lambda cards: tuple(sorted(cards)))


def after(model: Model, *keys: str) -> Step:
    """Give the last step of some keys."""
    step = Step(model)
    for key in keys:
        step = pressed(step.model, key)
    return step
