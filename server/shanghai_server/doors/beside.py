"""What a server serves beside its tables: its numbers, and the door for its own host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shanghai_server.doors.admin import Admin
from shanghai_server.doors.metrics import Metrics
from shanghai_server.house.house import House
from shanghai_server.tables.tables import Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is asked for.

    `metrics` is where the numbers can be read, HOST:PORT or a port of loopback; empty for nowhere. `admin` is the data
    folder, in which the door for the server's own host stands; none for no such door.
    """

    metrics: str = ""
    admin: Path | None = None


class ServedBeside:
    """What is served beside the tables while a server runs."""

    def __init__(self, asked: Beside, tables: Tables, house: House) -> None:
        """Take what is asked for, and whose tables they are."""
        self._asked = asked
        self._tables = tables
        self._house = house
        self._metrics: Metrics | None = None
        self._admin = None if asked.admin is None else Admin(asked.admin, tables, house)

    async def start(self) -> None:
        """Serve; raises `ListenError` where the numbers cannot be read there.

        Without the door everybody can play: where it cannot be made, on a full disk say, that is logged.
        """
        if self._asked.metrics:
            self._metrics = await Metrics.serve(self._asked.metrics, self._house.counts, self._tables)
        if self._admin is not None:
            try:
                await self._admin.start()
            except OSError as error:
                self._house.log.warning("the host has no door", why=f"{error.strerror or error}: {error.filename!r}")

    async def stop(self) -> None:
        """Serve nothing more; stopping twice is the same as once."""
        if self._admin is not None:
            await self._admin.stop()
        metrics, self._metrics = self._metrics, None
        if metrics is not None:
            await metrics.stop()

    @property
    def metrics_port(self) -> int:
        """The port of the metrics; 0 where they are not served."""
        return 0 if self._metrics is None else self._metrics.port
