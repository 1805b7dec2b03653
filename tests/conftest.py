"""What every test gets: Hypothesis set up for a shared machine, searching longer where `make soak` runs.

`--hypothesis-profile short` searches less: the same tests once more, on a built wheel or with other libraries.
"""

import pytest
from hypothesis import settings

# No deadline: the machine may be busy, and a timed test fails for no fault of the code.
settings.register_profile("test", deadline=None)
settings.register_profile("short", parent=settings.get_profile("test"), max_examples=20)
settings.register_profile("soak", parent=settings.get_profile("test"), max_examples=2000)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the long search when the soak tests are asked for, unless `--hypothesis-profile` has chosen already."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("soak" if config.getoption("markexpr") == "soak" else "test")
