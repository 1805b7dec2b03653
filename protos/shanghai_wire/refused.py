"""Refusals, as they travel in the status of a call: a stable reason, the rule, and every value of the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import quote

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from shanghai_engine.malformed import BadRules, Malformed, ShanghaiError
from shanghai_engine.violation import RuleViolation
from shanghai_wire.bad_message import BadMessage

DOMAIN = "shanghai-rum"
"""Whose reasons these are (`google.rpc.ErrorInfo.domain`)."""
RULE = "rule"
"""The key of the rule's number in the metadata, beside the keys of the values."""
MOST_BYTES = 4096
"""A refusal is smaller on the wire: its details in base64 and its sentence in percent encoding, together."""
CUT = "…"
"""The last character of a value that was too long to travel."""
_LENGTHS = (2048, 1024, 512, 256, 128, 64, 32, 16)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a call was refused.

    `reason` is the stable code, empty where the refusal was not this server's own (no connection, say); `rule` the
    number of the rule, as in `R9.1`, empty where no rule of the game stands behind it; `values` all values of the
    sentence by name, so that it can be said in another language; `retry_after_ms` after how long the same may be tried
    again (`google.rpc.RetryInfo`), none where that helps nothing.
    """

    status_code: grpc.StatusCode
    reason: str
    rule: str
    message: str
    values: Mapping[str, str] = field(default_factory=dict, hash=False)
    retry_after_ms: int | None = None

    @classmethod
    def by_engine(cls, error: ShanghaiError) -> Refused:
        """Give the refusal that an error of the engine, or of reading a message, amounts to."""
        if isinstance(error, RuleViolation):
            return cls(grpc.StatusCode.FAILED_PRECONDITION, error.code, error.rule, error.message, error.values)
        sentence = str(error)
        if isinstance(error, Malformed):
            values = {"value": error.value if isinstance(error.value, str) else repr(error.value), "right": error.right}
            if isinstance(error, BadRules):
                values["field"] = error.field
                return cls(grpc.StatusCode.INVALID_ARGUMENT, "BAD_RULES", "R16", sentence, values)
            if isinstance(error, BadMessage):
                values["field"] = error.field
                if error.is_missing:
                    del values["value"]
                return cls(grpc.StatusCode.INVALID_ARGUMENT, "BAD_MESSAGE", "", sentence, values)
            return cls(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED", "", sentence, values)
        return cls(grpc.StatusCode.FAILED_PRECONDITION, "REFUSED", "", sentence)

    @classmethod
    def by_call(cls, error: RefusedCall) -> Refused:
        """Give the refusal that a failed call brought; its reason is empty where the call brought no such details."""
        code, sentence = error.code(), error.details() or ""
        info, retry = _details(error)
        if info is None:
            return cls(code, "", "", sentence)
        values = dict(info.metadata)
        retry_after_ms = None if retry is None else retry.retry_delay.ToMilliseconds()
        return cls(code, info.reason, values.pop(RULE, ""), sentence, values, retry_after_ms)

    def to_status(self) -> status_pb2.Status:
        """Give the status, with values cut where it would be too large; raises `ValueError` where even that is.

        `grpc_status.rpc_status.to_status` makes of it what a call is ended with: code, details and trailing metadata.
        """
        for length in _LENGTHS:
            values = {name: _cut(value, length) for name, value in self.values.items()}
            info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=values)
            if self.rule:
                info.metadata[RULE] = self.rule
            number, _ = self.status_code.value
            status = status_pb2.Status(code=number, message=_cut(self.message, length))
            status.details.add().Pack(info)
            if self.retry_after_ms is not None:
                retry = error_details_pb2.RetryInfo()
                retry.retry_delay.FromMilliseconds(self.retry_after_ms)
                status.details.add().Pack(retry)
            if _travelling_size(status) < MOST_BYTES:
                return status
        raise ValueError(f"a refusal is below {MOST_BYTES} bytes, and {self.reason} has {len(self.values)} values")

    def __str__(self) -> str:
        """Give the sentence, and the rule's number where there is one."""
        return f"{self.message} ({self.rule})" if self.rule and self.rule not in self.message else self.message


class RefusedCall(Protocol):
    """What is needed of a failed call: `grpc.aio.AioRpcError` has it, and so has what a blocking call raises."""

    def code(self) -> grpc.StatusCode:
        """Give the status."""

    def details(self) -> str | None:
        """Give the sentence."""

    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Give what the server sent last."""


def _details(error: RefusedCall) -> tuple[error_details_pb2.ErrorInfo | None, error_details_pb2.RetryInfo | None]:
    found: error_details_pb2.ErrorInfo | None = None
    again: error_details_pb2.RetryInfo | None = None
    try:
        status = rpc_status.from_call(error)  # type: ignore[arg-type] # its stub asks for more than it uses
        for detail in status.details if status is not None else ():
            info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
            if detail.Unpack(retry):
                again = retry
            elif found is None and detail.Unpack(info) and info.domain == DOMAIN:
                found = info
    except (ValueError, DecodeError):
        # Details that contradict the call's status, or cannot be read, are not this server's: a proxy's, perhaps.
        return None, None
    return found, again


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - len(CUT)] + CUT


def _travelling_size(status: status_pb2.Status) -> int:
    in_base64: int = (status.ByteSize() + 2) // 3 * 4
    return in_base64 + len(quote(status.message, safe=" "))
