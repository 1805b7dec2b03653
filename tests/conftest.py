"""What every test gets: Hypothesis set up for a shared machine, searching longer where `make soak` runs.

`--hypothesis-profile short` searches less: the same tests once more, on a built wheel or with other libraries.
"""

import os
import signal
from collections.abc import Iterator
from importlib.resources import as_file, files

import pytest
from closed_port import own_port
from hypothesis import HealthCheck, settings

from shanghai_server.doors.transport import settle_transport

# No deadline, and no look at how long examples take to draw: the machine may be busy, and a timed test fails for no
# fault of the code.
settings.register_profile("test", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", parent=settings.get_profile("test"), max_examples=20)
settings.register_profile("soak", parent=settings.get_profile("test"), max_examples=2000)


@pytest.fixture
def own_address() -> Iterator[str]:
    """Give an address of loopback at which this test may start a server, stop it, and start another one."""
    with own_port() as port:
        yield f"127.0.0.1:{port}"


def pytest_configure(config: pytest.Config) -> None:
    """Choose the long search when the soak tests are asked for, unless `--hypothesis-profile` has chosen already."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("soak" if config.getoption("markexpr") == "soak" else "test")
    _compile_catalogues()
    _listen_to_signals()
    _ask_no_proxy()
    _fork_alone()
    # The servers in the tests' own process serve as a server for many does.
    settle_transport()


def _listen_to_signals() -> None:
    """Let the programs that tests start be ended: who runs in the background, or by nohup, ignores these signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def _ask_no_proxy() -> None:
    """Let nothing go over a proxy of whoever runs the tests: all of it stays on this machine."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]


def _fork_alone() -> None:
    """Let a process that a test forks, a shell in a terminal say, be its own: the gRPC library would begin there anew.

    It then ends most of them before they become the program that they are for, wherever a test has used it before.
    """
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"


def _compile_catalogues() -> None:
    """Compile the catalogues of a checkout that are newer than what was made of them; a wheel brings them compiled."""
    with as_file(files("shanghai_client")) as client:
        for source in client.rglob("*.po"):
            compiled = source.with_suffix(".mo")
            if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
                continue
            # Only a checkout has Babel.
            from babel.messages.mofile import write_mo  # noqa: PLC0415
            from babel.messages.pofile import read_po  # noqa: PLC0415

            with source.open("rb") as text, compiled.open("wb") as file:
                write_mo(file, read_po(text))
