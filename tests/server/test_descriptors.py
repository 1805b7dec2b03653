"""How many files and connections a server may have open."""

from __future__ import annotations

import resource

from shanghai_server.descriptors import MOST, allow_many


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
