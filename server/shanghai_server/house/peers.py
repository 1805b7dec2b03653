"""Peers: who calls, as far as a server can tell without a seat, and how much one of them may do and have.

A peer is an address without its port: several players behind one address are one peer, so its limits are generous.
Nothing of this is journaled: after a restart everybody may begin anew.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import unquote

from shanghai_server.house.clock import Clock
from shanghai_server.house.rate import Allowances, Rate
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.settings import Settings

NETWORK_BITS = 64
"""The bits of an IPv6 address that tell one household from another: the rest is its own to choose."""
CALLS_AT_ONCE = 100
"""How many calls one connection may make at once beside its streams: one that takes no answers holds no more."""
REMEMBERED = 10_000
"""Of how many peers it is remembered how much they have called."""


@functools.lru_cache(maxsize=4096)
def peer_of(end: str) -> str:
    """Give the peer behind the library's name for the other end of a connection, as in `ipv4:192.0.2.7:50123`.

    Of an IPv6 address that is its network of 64 bits; what is no address is a peer by its name.
    """
    scheme, _, place = end.partition(":")
    if scheme not in {"ipv4", "ipv6"}:
        return end
    host = unquote(place).rpartition(":")[0].removeprefix("[").removesuffix("]").partition("%")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return end
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))


def open_at_once(settings: Settings) -> int:
    """Give how many calls and streams one connection may have open."""
    return settings.streams_per_peer + CALLS_AT_ONCE


class Peers:
    """What each peer has open, has made, and has called without a seat."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        """Begin with nobody there."""
        self._settings = settings
        self._clock = clock
        self._streams: Counter[str] = Counter()
        self._open: Counter[str] = Counter()
        self._untaken: Counter[str] = Counter()
        self._waiting: dict[str, dict[asyncio.Future[Callable[[], None]], int]] = {}
        """Who waits for room, by peer, in the order in which they came, and how many bytes each has to send."""
        self._tables: dict[str, set[str]] = {}
        self._calls = Allowances(most=REMEMBERED)

    @contextmanager
    def stream(self, peer: str) -> Iterator[None]:
        """Count a stream while the block runs; raises `CallRefused` where the peer has too many."""
        limit = self._settings.streams_per_peer
        if self._streams[peer] >= limit:
            raise CallRefused.for_now(TableRefusal.PEER_STREAMS, self._settings.heartbeat_ms / 1000, limit=limit)
        self._streams[peer] += 1
        try:
            yield
        finally:
            self._streams[peer] -= 1
            if not self._streams[peer]:
                del self._streams[peer]

    def calls(self, peer: str) -> Callable[[], None]:
        """Count a call until its answer has got through, or cannot any more: gives what to call then.

        Raises `CallRefused` where the peer has too many open, whose requests do not come or whose answers it does not
        take. They are as many as fill two connections: of one that is full some have ended at the other end already.
        """
        limit = 2 * open_at_once(self._settings)
        if self._open[peer] >= limit:
            raise CallRefused.for_now(TableRefusal.PEER_STREAMS, self._settings.heartbeat_ms / 1000, limit=limit)
        self._open[peer] += 1
        return functools.partial(self._ended, peer)

    def _ended(self, peer: str) -> None:
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]

    def check_untaken(self, peer: str) -> None:
        """Raise `CallRefused` where the peer has not taken so many bytes of answers that it gets no more of them."""
        limit = self._settings.untaken_bytes_per_peer
        if self._untaken[peer] >= limit:
            wait = self._settings.retry_after_ms / 1000
            raise CallRefused.for_now(TableRefusal.PEER_TAKES_NOTHING, wait, limit=limit)

    def sends(self, peer: str, size: int) -> Callable[[], None]:
        """Take note of an answer of so many bytes on its way; gives what to call once it has got through, or cannot."""
        self._untaken[peer] += size

        def through() -> None:
            self._untaken[peer] -= size
            if not self._untaken[peer]:
                del self._untaken[peer]
            self._let_send(peer)

        return through

    @asynccontextmanager
    async def sending(self, peer: str, size: int) -> AsyncIterator[None]:
        """Wait until the peer has room for more, and count so many bytes while the block sends them."""
        has_room = self._untaken[peer] < self._settings.untaken_bytes_per_peer
        through = self.sends(peer, size) if has_room else await self._room(peer, size)
        try:
            yield
        finally:
            through()

    async def _room(self, peer: str, size: int) -> Callable[[], None]:
        """Wait for room, behind those who came before; gives what `sends` gives, and the bytes are counted by then."""
        turn: asyncio.Future[Callable[[], None]] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(peer, {})[turn] = size
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.get(peer, {}).pop(turn, None)
                self._let_send(peer)
            else:
                # Room was made for it in the very moment in which it went.
                turn.result()()
            raise

    def _let_send(self, peer: str) -> None:
        """Let those send who have waited for the longest, as many as there is room for; nobody else is woken."""
        waiting = self._waiting.get(peer)
        while waiting and self._untaken[peer] < self._settings.untaken_bytes_per_peer:
            turn = next(iter(waiting))
            size = waiting.pop(turn)
            # Who was cancelled has no turn, and takes no room.
            if not turn.done():
                turn.set_result(self.sends(peer, size))
        if waiting is not None and not waiting:
            del self._waiting[peer]

    def check_call(self, peer: str) -> None:
        """Take note of a call that no seat makes; raises `CallRefused` where the peer makes too many."""
        self._check(("call", peer), self._settings.calls_per_peer)

    def check_opening(self, peer: str) -> None:
        """Take note that somebody without a seat opens a stream; raises `CallRefused` where that comes too often.

        A peer may open all its streams at once, after a restart, say.
        """
        rate = Rate(burst=self._settings.streams_per_peer, per_second=self._settings.calls_per_peer.per_second)
        self._check(("stream", peer), rate)

    def check_question(self, peer: str) -> None:
        """Take note of a question about the server itself; raises `CallRefused` where they come too often.

        Each client that comes has one, so they may be as many at once as streams and calls together; they are counted
        apart, so that none of those is refused for them.
        """
        usual = self._settings.calls_per_peer
        rate = Rate(burst=self._settings.streams_per_peer + usual.burst, per_second=usual.per_second)
        self._check(("question", peer), rate)

    def _check(self, key: tuple[str, str], rate: Rate) -> None:
        self._check_rate(key, rate, TableRefusal.PEER_TOO_FAST)
        self._calls.use(key, rate, self._clock.now())

    def _check_rate(self, key: tuple[str, str], rate: Rate, refusal: TableRefusal) -> None:
        wait = self._calls.wait(key, rate, self._clock.now())
        if wait:
            raise CallRefused.for_now(refusal, wait, limit=rate.burst, per_second=f"{rate.per_second:g}")

    def check_tables(self, peer: str, is_unfinished: Callable[[str], bool]) -> None:
        """Raise `CallRefused` where the peer makes tables too often, or too many of its own are not over, by code."""
        made = {code for code in self._tables.pop(peer, ()) if is_unfinished(code)}
        if made:
            self._tables[peer] = made
        limit = self._settings.tables_per_peer
        if len(made) >= limit:
            raise CallRefused.for_now(TableRefusal.PEER_TABLES, self._settings.sweep_ms / 1000, limit=limit)
        # What a game has written stays when it is over, so these count too.
        self._check_rate(("table", peer), self._settings.making_per_peer, TableRefusal.TABLES_TOO_FAST)

    def tables_made(self) -> dict[str, set[str]]:
        """Give the codes of the tables that each peer has made since the start; some may be gone."""
        return {peer: set(codes) for peer, codes in self._tables.items()}

    def made(self, peer: str, table: str) -> None:
        """Take note that the peer has made a table."""
        self._calls.use(("table", peer), self._settings.making_per_peer, self._clock.now())
        self._tables.setdefault(peer, set()).add(table)
