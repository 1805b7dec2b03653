"""The time in which a server stands still, as one that is stopped with Ctrl-Z, is taken from nobody's clock."""

from __future__ import annotations

from shanghai_server.house.clock import PULSE, SystemClock


class Hands:
    """The time of a system, which a test turns."""

    def __init__(self) -> None:
        self.time = 5000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.time


def ring() -> None:
    """Do nothing at the moment of an alarm."""


async def test_the_time_in_which_the_loop_stood_still_is_left_out() -> None:
    """The clock goes on where it stood, once for each standstill; a loop that is only busy for a moment is on time."""
    hands = Hands()
    clock = SystemClock(hands)
    alarm = clock.call_at(clock.now() + 1000, ring)
    began = clock.now()
    for _ in range(10):
        hands.time += PULSE
        clock.now()
    assert clock.now() == began + 10 * PULSE
    for standstill in (2 * PULSE, 8.0, 86_400.0):
        before = clock.now()
        hands.time += standstill
        # It may have run for a pulse before, unseen: however often it is stopped, every clock runs out.
        assert clock.now() == before + PULSE
        hands.time += 0.5
        assert clock.now() == before + PULSE + 0.5
    alarm.cancel()


async def test_before_its_first_alarm_nobody_knows_whether_a_loop_runs() -> None:
    """Then all time counts."""
    hands = Hands()
    clock = SystemClock(hands)
    began = clock.now()
    hands.time += 100
    assert clock.now() == began + 100
