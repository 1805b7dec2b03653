"""What a server allows, and what a table's clocks are where its maker says nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from shanghai_engine.rules import MOST_PLAYERS
from shanghai_server.house.rate import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a table. Times are in milliseconds, and 0 is no such clock.

    `offer_ms` is the time to answer an offer, `turn_ms` that for a turn from its draw to its discard, `grace_ms` how
    long a seat whose stream broke is waited for, `pause_ms` the pause between hands, `bot_pace_ms` what a bot takes
    for an action. With `wait_for_absent` the table waits for an absent seat instead of letting a stand-in play it.
    `latecomers` may take a bot's seat once the game has begun, `spectators` may watch, and see everything so much later
    as `spectator_delay_ms` says. `no_hints` asks clients to give none.
    """

    offer_ms: int = 20_000
    turn_ms: int = 90_000
    grace_ms: int = 60_000
    pause_ms: int = 30_000
    bot_pace_ms: int = 800
    wait_for_absent: bool = False
    latecomers: bool = True
    spectators: bool = True
    spectator_delay_ms: int = 0
    no_hints: bool = False


LONGEST_MS = 24 * 60 * 60 * 1000
"""The longest time that an option may name: a day."""
LONGEST_PACE_MS = 60 * 1000
"""The longest that a bot may take for an action: no clock runs for its turn, so all others wait for it."""
LONGEST_DELAY_MS = 10 * 60 * 1000
"""The longest that spectators may be behind: all of it is kept in memory."""
DAY_S = 24 * 60 * 60
_CALLS = Rate(burst=100, per_second=20.0)
_PEER_CALLS = Rate(burst=200, per_second=50.0)
_PEER_TABLES = Rate(burst=200, per_second=0.02)
_PEER_JOINS = Rate(burst=20, per_second=0.2)
_CHAT = Rate(burst=10, per_second=1.0)
_WRONG_CODES = Rate(burst=20, per_second=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The limits of a server, the defaults of its tables, and its own times in milliseconds.

    A peer is an address without its port, which several players may share: it has so many streams open
    (`streams_per_peer`) and tables that it made and that are not over (`tables_per_peer`), makes one so often, over or
    not (`making_per_peer`), takes a seat at one table so often (`joins_per_peer`), and calls so often without a seat
    (`calls_per_peer`; questions about the server are counted apart); while so many bytes of its answers have not got
    through (`untaken_bytes_per_peer`) it gets no more large ones. `spectators` watch a table at most. A request has at
    most `request_bytes`. `calls` is how often a person may call, `chat` how often something may be said from a seat,
    whoever sits there, `wrong_codes` how often a peer may give a wrong passcode at a table, and how often a
    wrong hand-over code.
    `queued_intents` calls wait at a table at most, `queued_streams` to be let in, and `batched_intents` go into one
    append; `queued_updates` wait for a slow watcher before the older ones are dropped, and one that reads nothing for
    `too_slow_ms` while others wait is let go of (0: never).
    What a table has written is no more than `table_bytes`, beside what a game that has begun still needs.
    `kept_requests` is how many answers are kept per seat for a repeat: more than a seat can call for in the time in
    which nobody has noticed that its connection is dead, and about twice as many as a game of ten hands has. Of who
    holds no seat any more `kept_requests_of_gone` are kept, and of no more than `kept_tokens` persons in all.
    A hand-over code is good for `hand_over_ms`. A table at which nobody has been for `kept_s` seconds is disposed of,
    one whose game is over for `kept_over_s`, one in its lobby without a person for `kept_empty_s`; every `sweep_ms`
    this is looked at.
    """

    tables: int = 1000
    seats: int = MOST_PLAYERS
    name_characters: int = 24
    chat_characters: int = 200
    chat_lines: int = 50
    request_bytes: int = 64 * 1024
    table_bytes: int = 256 * 1024 * 1024
    queued_intents: int = 64
    batched_intents: int = 32
    queued_streams: int = 1000
    queued_updates: int = 64
    spectators: int = 1000
    tables_per_peer: int = 100
    making_per_peer: Rate = _PEER_TABLES
    joins_per_peer: Rate = _PEER_JOINS
    streams_per_peer: int = 500
    untaken_bytes_per_peer: int = 32 * 1024 * 1024
    calls_per_peer: Rate = _PEER_CALLS
    calls: Rate = _CALLS
    kept_requests: int = 1024
    kept_requests_of_gone: int = 64
    kept_tokens: int = 64
    nonces_ms: int = 5_000
    heartbeat_ms: int = 10_000
    too_slow_ms: int = 60_000
    retry_after_ms: int = 2_000
    chat: Rate = _CHAT
    wrong_codes: Rate = _WRONG_CODES
    hand_over_ms: int = 10 * 60 * 1000
    kept_s: int = 30 * DAY_S
    kept_over_s: int = 7 * DAY_S
    kept_empty_s: int = DAY_S
    sweep_ms: int = 60_000
    options: Options = field(default_factory=Options)
