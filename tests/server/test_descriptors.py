"""How many files and connections a server may have open."""

from __future__ import annotations

import io
import json
import resource

import pytest

from shanghai_server.doors import descriptors
from shanghai_server.doors.descriptors import MOST, allow_many, prepare
from shanghai_server.house.log import LogFormat, LogLevel, file_log
from shanghai_server.house.settings import Settings


def test_a_server_takes_what_the_system_allows() -> None:
    """The soft limit of a shell is raised to the hard one, within reason; a second time nothing changes."""
    before = soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, soft), hard))
        allowed = allow_many()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (allowed, hard)
        assert allowed == (MOST if hard == resource.RLIM_INFINITY else min(hard, MOST))
        assert allow_many() == allowed
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize(("allowed", "told"), [(1599, [{"allowed": 1599, "needed": 1600}]), (1600, [])])
def test_a_host_is_told_where_the_system_allows_too_few(
    monkeypatch: pytest.MonkeyPatch, allowed: int, told: list[dict[str, int]]
) -> None:
    """Fewer than the server's own limits let in: the log says how many there are, and how many it takes."""
    monkeypatch.setattr(descriptors, "allow_many", lambda: allowed)
    text = io.StringIO()
    prepare(
        Settings(spectators=1000, streams_per_peer=500), file_log(text, form=LogFormat.JSON, level=LogLevel.WARNING)
    )
    lines = [json.loads(line) for line in text.getvalue().splitlines()]
    assert [{name: line[name] for name in ("allowed", "needed")} for line in lines] == told
