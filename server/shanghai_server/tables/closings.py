"""The closings of tables: why those are gone that were closed for good, for whoever comes back to one."""

from __future__ import annotations

from shanghai_server.house.refusal import CallRefused, TableRefusal

REMEMBERED = 1000
"""Of so many tables it is told; of the others, as of one that never was, that there is none."""
_LONGEST_CODE = 64


class Closings:
    """Why the last tables were closed. A restart finds it in the journal again."""

    def __init__(self, most: int = REMEMBERED) -> None:
        """Begin with none; `most` are remembered."""
        self._most = most
        self._reasons: dict[str, str] = {}

    def note(self, code: str, reason: str) -> None:
        """Take note that a table was closed for good, and why."""
        self._reasons.pop(code, None)
        self._reasons[code] = reason
        if len(self._reasons) > self._most:
            del self._reasons[next(iter(self._reasons))]

    def refusal(self, code: str) -> CallRefused:
        """Give the refusal of a call to a table that is not there, by its code as it was sent."""
        name = code.strip().upper()
        reason = self._reasons.get(name)
        if reason is None:
            return CallRefused(TableRefusal.NO_SUCH_TABLE, table=code[:_LONGEST_CODE])
        return CallRefused(TableRefusal.TABLE_CLOSED, table=name, reason=reason)
