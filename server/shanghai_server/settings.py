"""What a server allows, and what a table's clocks are where its maker says nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from shanghai_engine.rules import MOST_PLAYERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a table. Times are in milliseconds, and 0 is no such clock.

    `offer_ms` is the time to answer an offer, `turn_ms` that for a turn from its draw to its discard, `grace_ms` how
    long a seat whose stream broke is waited for, `pause_ms` the pause between hands, `bot_pace_ms` what a bot takes
    for an action. With `wait_for_absent` the table waits for an absent seat instead of letting a stand-in play it.
    """

    offer_ms: int = 20_000
    turn_ms: int = 90_000
    grace_ms: int = 60_000
    pause_ms: int = 30_000
    bot_pace_ms: int = 800
    wait_for_absent: bool = False


LONGEST_MS = 24 * 60 * 60 * 1000
"""The longest time that an option may name: a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The limits of a server, the defaults of its tables, and its own times in milliseconds.

    `queued_intents` wait at a table at most, `batched_intents` go into one append; `queued_updates` wait for a slow
    watcher before the older ones are dropped; `kept_requests` is how many answers are kept per seat for a repeat.
    """

    tables: int = 1000
    seats: int = MOST_PLAYERS
    name_characters: int = 24
    chat_characters: int = 200
    chat_lines: int = 50
    request_bytes: int = 64 * 1024
    queued_intents: int = 64
    batched_intents: int = 32
    queued_updates: int = 64
    kept_requests: int = 256
    kept_tokens: int = 64
    nonces_ms: int = 5_000
    heartbeat_ms: int = 10_000
    retry_after_ms: int = 2_000
    options: Options = field(default_factory=Options)
