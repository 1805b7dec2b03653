"""A shell with one job: it begins a program on its terminal, says when that is stopped, and goes on with it at a line.

python tests/job_shell.py PROGRAM [ARGUMENT ...]      as the leader of a session of its own
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import termios

STOPPED = "The job is stopped: "
"""What is printed then; the number of its process follows."""


def _begun(program: list[str]) -> int:
    job = os.fork()
    if not job:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        for number in (signal.SIGTTOU, signal.SIGTSTP):
            signal.signal(number, signal.SIG_DFL)
        os.execvp(program[0], program)  # noqa: S606 (the program of a test)
    return job


def main() -> int:
    """Run the job to its end, and give its exit code."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    usual = termios.tcgetattr(0)
    job = _begun(sys.argv[1:])
    # A shell may set its terminal while the job has it.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    while True:
        _process, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status)
        os.tcsetpgrp(0, os.getpgrp())
        termios.tcsetattr(0, termios.TCSANOW, usual)
        os.write(1, f"{STOPPED}{job}.\r\n".encode())
        sys.stdin.readline()
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main())
