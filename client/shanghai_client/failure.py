"""What goes wrong between a client and a server, each with the one sentence that a person reads.

    ClientFailure            everything that this package raises on purpose
    ├── CannotConnect        nobody answers there, or not in time
    ├── VersionMismatch      the server speaks another revision of the contract
    ├── Refused              the server said no: a reason, a rule where there is one, a sentence
    └── Closed               the server ended what this client watches, and it will not go on
"""

from __future__ import annotations

import grpc
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "shanghai-rum"
"""The domain of every `google.rpc.ErrorInfo` of this contract."""
_DETAILS = "grpc-status-details-bin"


class ClientFailure(Exception):
    """The root of everything that the client raises on purpose; its text is a sentence for a person."""


class CannotConnect(ClientFailure):
    """No server answers at an address."""

    def __init__(self, address: str, why: str) -> None:
        """Take the address as it was given, and what happened instead of an answer."""
        super().__init__(f"cannot connect to {address!r}: {why}")
        self.address = address


class VersionMismatch(ClientFailure):
    """The server speaks another revision of the contract, so nothing more can be said to it."""

    def __init__(self, *, ours: int, theirs: int, version: str) -> None:
        """Take both revisions and the server's version."""
        older = "server" if theirs < ours else "client"
        super().__init__(
            f"the server (version {version or 'unknown'}) speaks revision {theirs} of the contract and this client"
            f" revision {ours}: update the {older}"
        )
        self.ours = ours
        self.theirs = theirs


class Refused(ClientFailure):
    """The server refused a call, and nothing has changed (R15.1).

    `reason` is stable and for programs, `rule` a rule's number as in `R9.1` or empty, `sentence` says what was
    wrong and what would be right, `values` holds every value that the sentence names.
    """

    def __init__(self, *, reason: str, sentence: str, rule: str = "", values: dict[str, str] | None = None) -> None:
        """Take what the server said."""
        super().__init__(sentence if not rule or rule in sentence else f"{sentence} ({rule})")
        self.reason = reason
        self.rule = rule
        self.sentence = sentence
        self.values = values or {}


class Closed(ClientFailure):
    """The server ended a stream for good."""


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """Read a refusal out of a failed call; what carries no details keeps its status as the reason."""
    sentence = error.details() or "the server refused, and said nothing more"
    info = _error_info(error)
    if info is None:
        return Refused(reason=error.code().name, sentence=sentence)
    values = dict(info.metadata)
    return Refused(reason=info.reason, rule=values.pop("rule", ""), sentence=sentence, values=values)


def _error_info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo | None:
    for key, value in error.trailing_metadata() or ():
        if key != _DETAILS or not isinstance(value, bytes):
            continue
        for detail in status_pb2.Status.FromString(value).details:
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info) and info.domain == DOMAIN:
                return info
    return None
