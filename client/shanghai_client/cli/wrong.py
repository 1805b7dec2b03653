"""What ends the program with one sentence, and the exit code that each kind has.

0   done
1   failed: a record that does not verify, a table that is full
2   wrong input or usage
3   no server answers
4   the server speaks another revision of the contract
130 interrupted
"""

from __future__ import annotations

DONE, FAILED, WRONG, NO_CONNECTION, OTHER_VERSION, INTERRUPTED = 0, 1, 2, 3, 4, 130


class WrongInput(Exception):
    """The user asked for something that cannot be; the text says what would be right, and nothing was started."""


class Failed(Exception):
    """What was asked for could not be done; the text says why."""
