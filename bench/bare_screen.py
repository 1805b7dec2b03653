"""The least full-screen program with this library that also opens a connection: `python -m bench.bare_screen`.

It shows a screenful of text, and Tab changes it: what any terminal client of prompt_toolkit and grpc takes.
"""

from __future__ import annotations

import asyncio
import itertools

import grpc.aio
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

ROWS = 24


def main() -> None:
    """Show it until the process is killed."""
    numbers = itertools.count()
    shown = next(numbers)
    keys = KeyBindings()

    @keys.add("tab")
    def _next(event: KeyPressEvent) -> None:
        nonlocal shown
        del event
        shown = next(numbers)

    def text() -> str:
        return "\n".join(f"line {line} of picture {shown}" for line in range(ROWS))

    async def run() -> None:
        async with grpc.aio.insecure_channel("127.0.0.1:1"):
            await Application(
                layout=Layout(Window(FormattedTextControl(text))), key_bindings=keys, full_screen=True
            ).run_async()

    asyncio.run(run())


if __name__ == "__main__":
    main()
