"""What goes wrong between a client and a server, each with the one sentence that a person reads.

ClientFailure            everything that this package raises on purpose
├── NoFolder             a folder of the user's cannot be made
├── CannotConnect        nobody answers there, or not in time
├── VersionMismatch      the server speaks another revision of the contract
├── Refused              the server said no: a reason, a rule where there is one, a sentence
└── Ended                the server ended what this client watches, and it will not go on
"""

from __future__ import annotations

import grpc

from shanghai_client.asked_pause import asked_pause
from shanghai_client.foreign_text import fit
from shanghai_client.language import _
from shanghai_client.reasons import sentence_by_reason
from shanghai_client.rule_faults import clause_text
from shanghai_client.server_faults import server_fault_text
from shanghai_wire import refused as wire


class ClientFailure(Exception):
    """The root of everything that the client raises on purpose; its text is a sentence for a person."""


class NoFolder(ClientFailure):
    """A folder that the program needs cannot be made; the text names it, and says what it is for."""


class CannotConnect(ClientFailure):
    """No server answers at an address."""

    def __init__(self, address: str, why: str) -> None:
        """Take the address as it was given, and what happened instead of an answer."""
        super().__init__(_("cannot connect to {address!r}: {why}").format(address=address, why=why))
        self.address = address
        self.why = why


class VersionMismatch(ClientFailure):
    """The server speaks another revision of the contract, so nothing more can be said to it."""

    def __init__(self, *, ours: int, theirs: int, version: str) -> None:
        """Take both revisions and the server's version."""
        text = (
            _(
                "the server (version {version}) speaks revision {theirs} of the contract and this client revision"
                " {ours}: update the server"
            )
            if theirs < ours
            else _(
                "the server (version {version}) speaks revision {theirs} of the contract and this client revision"
                " {ours}: update the client"
            )
        )
        super().__init__(text.format(version=version or _("unknown"), theirs=theirs, ours=ours))
        self.ours = ours
        self.theirs = theirs


class Refused(ClientFailure):
    """The server refused a call, and nothing has changed (R15.1).

    `reason` is stable and for programs, `rule` a rule's number as in `R9.1` or empty, `sentence` says what was
    wrong and what would be right, `values` holds every value that the sentence names.
    """

    def __init__(
        self,
        *,
        reason: str,
        sentence: str,
        rule: str = "",
        values: dict[str, str] | None = None,
        wrong_input: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Take what the server said; `wrong_input` where the request itself was what could not be.

        `retry_after` is after how many seconds the same may be tried again; none where that helps nothing.
        """
        super().__init__(sentence if not rule or rule in sentence else f"{sentence} ({rule})")
        self.reason = reason
        self.rule = rule
        self.sentence = sentence
        self.values = values or {}
        self.wrong_input = wrong_input
        self.retry_after = retry_after


class Ended(ClientFailure):
    """The server ended what this client watches, for good; the text says why.

    `lost_seat` says that the seat is not this client's any more: it was given up, handed over, or taken away, which is
    `sent_away`.
    """

    def __init__(self, sentence: str, *, lost_seat: bool = False, sent_away: bool = False) -> None:
        """Take why, whether the seat is lost, and whether the table's host has taken it away."""
        super().__init__(sentence)
        self.lost_seat = lost_seat
        self.sent_away = sent_away


_SAID_AGAIN = {"right": clause_text, "reason": server_fault_text}
"""What says a value of a refusal, which is a clause of the engine or the server, in the player's language."""


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """Read a refusal out of a failed call; what is not the server's own keeps its status as the reason."""
    said = wire.Refused.by_call(error)
    plain = {name: fit(value) for name, value in said.values.items()}
    values = {name: _SAID_AGAIN.get(name, str)(value) for name, value in plain.items()}
    sentence = sentence_by_reason(said.reason, values) or fit(said.message)
    return Refused(
        reason=said.reason or said.status_code.name,
        rule=said.rule,
        sentence=sentence or _("the server refused, and said nothing more"),
        values=plain,
        wrong_input=said.status_code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND},
        retry_after=None if said.retry_after_ms is None else asked_pause(said.retry_after_ms),
    )
