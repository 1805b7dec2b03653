"""How many colours the terminal is sent."""

from __future__ import annotations

import os

from prompt_toolkit.output import ColorDepth


def colour_depth(colours: str = "auto") -> ColorDepth | None:
    """Give how many colours the terminal is sent: as the setting says, else as the environment; none asks `TERM`."""
    if colours in _DEPTHS:
        return _DEPTHS[colours]
    asked = ColorDepth.from_env()
    if asked is not None:
        return asked
    if os.environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ColorDepth.TRUE_COLOR
    if os.environ.get("TERM", "").lower().startswith(_WITHOUT_COLOURS):
        return ColorDepth.DEPTH_1_BIT
    return None


_WITHOUT_COLOURS = ("vt52", "vt1", "vt2", "vt3", "vt4", "vt5")
"""What begins the names of the terminals that have none."""
_DEPTHS = {
    "none": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.TRUE_COLOR,
}
