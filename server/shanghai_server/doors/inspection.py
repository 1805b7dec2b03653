"""What the host of a server sees of it: how it is doing, its tables, and who has what open. No card and no token."""

from __future__ import annotations

from collections import defaultdict

from shanghai.v1 import admin_pb2, service_pb2, table_pb2
from shanghai_server.doors.version import program_version
from shanghai_server.house.house import House
from shanghai_server.house.peers import Peers
from shanghai_server.tables.tables import Tables


def status(tables: Tables, house: House, *, uptime: float) -> admin_pb2.GetServerStatusResponse:
    """Give how a server is doing that has served for so many seconds."""
    in_use = tables.in_use()
    watchers = [watcher for table in in_use for watcher in table.watchers]
    return admin_pb2.GetServerStatusResponse(
        version=program_version(),
        uptime_s=int(uptime),
        tables=tables.number,
        tables_in_use=len(in_use),
        people=sum(bool(watcher.token) for watcher in watchers),
        streams=len(watchers),
        notice=house.board.message,
    )


def inspected(tables: Tables) -> list[admin_pb2.TableInspection]:
    """Give every table, in the order in which they were made."""
    found = []
    for code, kept in tables.kept():
        listed = service_pb2.ListTablesResponse.FromString(kept.shown[0]).tables
        inspection = admin_pb2.TableInspection(
            summary=listed[0] if listed else table_pb2.TableSummary(table=code),
            in_use=kept.table is not None,
            damage=kept.damage,
        )
        if kept.table is not None:
            inspection.sequence = kept.table.sequence
            inspection.streams = len(kept.table.watchers)
            inspection.waiting = kept.table.queued
        found.append(inspection)
    return found


def peers(tables: Tables, known: Peers) -> list[admin_pb2.Peer]:
    """Give who has streams open, and who has made tables that are still there, by address."""
    streams = defaultdict(list)
    for table in tables.in_use():
        for watcher, seat in table.viewers():
            stream = admin_pb2.PeerStream(table=table.code, seat=seat, waiting=watcher.waiting)
            streams[watcher.peer].append(stream)
    there = {code for code, _ in tables.kept()}
    made = known.tables_made()
    return [
        admin_pb2.Peer(address=address, streams=streams[address], tables_made=sorted(made.get(address, set()) & there))
        for address in sorted(streams.keys() | {address for address, codes in made.items() if codes & there})
    ]
