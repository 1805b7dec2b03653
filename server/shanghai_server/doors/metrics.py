"""The metrics of a server, in the format of Prometheus, on an address of their own.

Every name begins with `shanghai_`, but for those of the process. Labels are the names of methods, outcomes, reasons
and statuses, which this program alone makes up: no name, no token, no card and no table stands in any.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from shanghai.v1 import table_pb2
from shanghai_server.doors.listening import ListenError, check_listen, read_address
from shanghai_server.doors.scraping import ScrapeServer
from shanghai_server.house.counts import Counts, Durations
from shanghai_server.tables.tables import Tables

PATIENCE = 10.0
"""The seconds that whoever asks waits for a busy event loop."""
LOOPBACK = "127.0.0.1"


class Metrics:
    """The address on which a server's numbers can be read while it runs."""

    def __init__(self, server: ScrapeServer) -> None:
        """Take the HTTP server and let it answer; `serve` makes one."""
        self._server = server
        threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()

    @classmethod
    async def serve(cls, listen: str, counts: Counts, tables: Tables) -> Metrics:
        """Let the numbers be read at `http://HOST:PORT/metrics`; `listen` is HOST:PORT, or a port of loopback.

        Raises `ListenError`.
        """
        address = metrics_address(listen)
        await check_listen(address)
        host, port = read_address(address)
        registry = CollectorRegistry()
        loop = asyncio.get_running_loop()
        registry.register(TableNumbers(lambda: numbers(counts, tables), loop))
        for kind in (ProcessCollector, PlatformCollector, GCCollector):
            kind(registry=registry)
        try:
            return cls(ScrapeServer(host, port, make_wsgi_app(registry)))
        except OSError as error:
            raise ListenError(address, "it is in use, or cannot be used") from error

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.server_port)

    async def stop(self) -> None:
        """Let go of the address."""
        await asyncio.to_thread(self._server.shutdown)
        self._server.server_close()


def metrics_address(listen: str) -> str:
    """Give HOST:PORT for what a host names: a port alone, with or without a colon, is one of loopback."""
    port = listen.removeprefix(":")
    return f"{LOOPBACK}:{port}" if port.isdecimal() else listen


def is_loopback(address: str) -> bool:
    """Say whether HOST:PORT can be reached from this machine alone; raises `ListenError` for what is none."""
    host, _ = read_address(address)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class TableNumbers(Collector):
    """Reads the numbers in the event loop to which they belong, whichever thread asks."""

    def __init__(self, read: Callable[[], list[Metric]], loop: asyncio.AbstractEventLoop) -> None:
        """Take what reads them, and the loop."""
        self._read = read
        self._loop = loop

    def collect(self) -> Iterable[Metric]:
        """Give all numbers as they are now."""
        return asyncio.run_coroutine_threadsafe(self._look(), self._loop).result(PATIENCE)

    async def _look(self) -> list[Metric]:
        return self._read()


def numbers(counts: Counts, tables: Tables) -> list[Metric]:
    """Give every number of a server, as docs/hosting.md names them."""
    return [*_now(tables), *_so_far(counts)]


def _now(tables: Tables) -> list[Metric]:
    in_use = tables.in_use()
    watchers = [watcher for table in in_use for watcher in table.watchers]
    seats = sum(bool(watcher.token) for watcher in watchers)
    by_status = GaugeMetricFamily("shanghai_tables", "Tables, by their status.", labels=["status"])
    found = Counter(tables.statuses())
    for status in table_pb2.TableStatus.values():
        by_status.add_metric([_status(status)], found[status])
    streams = GaugeMetricFamily("shanghai_streams", "Open streams, by what they show.", labels=["shows"])
    streams.add_metric(["seat"], seats)
    streams.add_metric(["spectator"], len(watchers) - seats)
    streams.add_metric(["list"], tables.table_list.followers)
    waiting = [table.queued for table in in_use]
    return [
        by_status,
        GaugeMetricFamily("shanghai_tables_in_use", "Tables that are in memory.", len(in_use)),
        streams,
        GaugeMetricFamily("shanghai_people_connected", "Persons on a seat whose stream is open.", seats),
        GaugeMetricFamily("shanghai_intents_waiting", "Calls and the like that wait at all tables.", sum(waiting)),
        GaugeMetricFamily("shanghai_intents_waiting_most", "The most that wait at one table.", max(waiting, default=0)),
        GaugeMetricFamily(
            "shanghai_updates_waiting",
            "Updates that wait for the readers of streams.",
            sum(watcher.waiting for watcher in watchers),
        ),
    ]


def _so_far(counts: Counts) -> list[Metric]:
    calls = CounterMetricFamily(
        "shanghai_calls", "Calls by method and outcome, streams when they end.", labels=["method", "outcome"]
    )
    for (method, outcome), number in counts.calls.items():
        calls.add_metric([method, outcome], number)
    refusals = CounterMetricFamily("shanghai_refusals", "Refused calls and streams by reason.", labels=["reason"])
    for reason, number in counts.refusals.items():
        refusals.add_metric([reason], number)
    return [
        calls,
        refusals,
        _histogram("shanghai_append_seconds", "Time until an append is durable.", counts.appends),
        CounterMetricFamily("shanghai_stream_messages", "Messages sent on streams.", counts.messages),
        CounterMetricFamily("shanghai_stream_bytes", "Bytes of the messages sent on streams.", counts.message_bytes),
    ]


def _histogram(name: str, text: str, durations: Durations) -> HistogramMetricFamily:
    buckets, so_far = [], 0
    for bound, number in zip((*map(str, durations.bounds), "+Inf"), durations.numbers, strict=True):
        so_far += number
        buckets.append((bound, float(so_far)))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=durations.total)


def _status(status: table_pb2.TableStatus.ValueType) -> str:
    """Give the word for a status; a table that has not been read since the start has none yet."""
    if status == table_pb2.TABLE_STATUS_UNSPECIFIED:
        return "unread"
    return table_pb2.TableStatus.Name(status).removeprefix("TABLE_STATUS_").lower()
