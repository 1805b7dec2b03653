"""Refusals travel in the status of a call, whole, and come back; over a real connection too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import grpc
import grpc.aio
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status
from hypothesis import given
from hypothesis import strategies as st
from wire_strategies import violations

from shanghai_engine.malformed import BadRules, Malformed, ShanghaiError
from shanghai_engine.refusal import Refusal
from shanghai_engine.violation import RuleViolation
from shanghai_wire.bad_message import BadMessage, missing
from shanghai_wire.refused import CUT, DOMAIN, MOST_BYTES, RULE, Refused


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed call, as gRPC gives it."""

    status_code: grpc.StatusCode
    sentence: str | None
    trailing: Iterable[tuple[str, str | bytes]] | None

    def code(self) -> grpc.StatusCode:
        """Give the status."""
        return self.status_code

    def details(self) -> str | None:
        """Give the sentence."""
        return self.sentence

    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Give what came last."""
        return self.trailing


def failed(status: status_pb2.Status) -> Failed:
    """Give the call that ends with a status."""
    ended = rpc_status.to_status(status)
    return Failed(ended.code, ended.details, ended.trailing_metadata)


def size_on_the_wire(status: status_pb2.Status) -> int:
    """Give the bytes that a status takes, as gRPC writes them: details in base64, the sentence percent-encoded."""
    return -(-len(status.SerializeToString()) // 3) * 4 + len(quote(status.message, safe=" "))


def info_of(status: status_pb2.Status) -> error_details_pb2.ErrorInfo:
    """Give the one detail of a status."""
    (detail,) = status.details
    info = error_details_pb2.ErrorInfo()
    assert detail.Unpack(info)
    return info


def test_r15_1_a_refusal_carries_its_code_its_rule_and_every_value_of_its_sentence() -> None:
    """The engine's refusal travels as FAILED_PRECONDITION with all that makes up its sentence."""
    violation = RuleViolation(Refusal.NOT_THE_NEXT_CARD, card="8H", end="low", meld="4H JK 6H 7H")
    status = Refused.by_engine(violation).to_status()
    info = info_of(status)
    assert (status.code, info.reason, info.domain) == (9, "NOT_THE_NEXT_CARD", "shanghai-rum")
    assert dict(info.metadata) == {"rule": "R9.2", "card": "8H", "end": "low", "meld": "4H JK 6H 7H"}
    assert status.message == violation.message == violation.refusal.sentence.format_map(info.metadata)


@given(violations())
def test_a_refusal_comes_back(violation: RuleViolation) -> None:
    """Whatever refusal the engine gives, the caller has it as it was."""
    refused = Refused.by_engine(violation)
    assert Refused.by_call(failed(refused.to_status())) == refused
    assert (refused.reason, refused.rule, refused.values) == (violation.code, violation.rule, violation.values)


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_has_a_code_and_a_rule_that_the_error_info_allows(refusal: Refusal) -> None:
    """Reasons are of capitals, digits and underscores, at most 63 long, and no value is named like the rule."""
    assert refusal.name.replace("_", "").isalnum()
    assert refusal.name == refusal.name.upper()
    assert len(refusal.name) <= 63
    assert "{" + RULE + "}" not in refusal.sentence


@pytest.mark.parametrize(
    ("error", "reason", "rule", "values"),
    [
        (
            BadRules("aces", "low", "it is 'high'"),
            "BAD_RULES",
            "R16",
            {"field": "aces", "value": "low", "right": "it is 'high'"},
        ),
        (BadMessage("a.b", 0, "it is 1"), "BAD_MESSAGE", "", {"field": "a.b", "value": "0", "right": "it is 1"}),
        (missing("a.b", "a card"), "BAD_MESSAGE", "", {"field": "a.b", "right": "a card"}),
        (Malformed("XX", "it is a card"), "MALFORMED", "", {"value": "XX", "right": "it is a card"}),
    ],
)
def test_what_cannot_be_read_is_an_invalid_argument(
    error: ShanghaiError, reason: str, rule: str, values: dict[str, str]
) -> None:
    """An error of reading travels with its field, its value and what would be right."""
    refused = Refused.by_call(failed(Refused.by_engine(error).to_status()))
    assert refused == Refused(grpc.StatusCode.INVALID_ARGUMENT, reason, rule, str(error), values)
    assert str(refused) == str(error)


def test_any_other_error_of_the_engine_is_a_refusal_too() -> None:
    """An error on purpose that is of no known kind keeps its sentence."""
    refused = Refused.by_engine(ShanghaiError("no"))
    assert (refused.reason, refused.message, refused.status_code.name) == ("REFUSED", "no", "FAILED_PRECONDITION")


@given(
    sentence=st.text(max_size=50),
    times=st.integers(1, 400),
    values=st.dictionaries(st.sampled_from(["meld", "card", "seat"]), st.text(min_size=1, max_size=30)),
)
def test_a_refusal_is_always_below_four_kib_and_says_where_it_was_cut(
    sentence: str, times: int, values: dict[str, str]
) -> None:
    """What is too long ends with an ellipsis, and what is cut is a beginning of what was there."""
    long = {name: value * times for name, value in values.items()}
    status = Refused(grpc.StatusCode.NOT_FOUND, "NOTHING", "R1.1", sentence * times, long).to_status()
    assert size_on_the_wire(status) < MOST_BYTES
    metadata = info_of(status).metadata
    assert metadata[RULE] == "R1.1"
    for name, value in long.items():
        came = metadata[name]
        assert came == value or (came.endswith(CUT) and value.startswith(came[:-1]))


def test_more_values_than_any_sentence_has_are_an_error_of_the_caller() -> None:
    """A refusal that cannot be made small enough by cutting values is not sent halved."""
    refused = Refused(grpc.StatusCode.INTERNAL, "X", "", "", {f"value_{number}": "x" for number in range(500)})
    with pytest.raises(ValueError, match="a refusal is below 4096 bytes, and X has 500 values"):
        refused.to_status()


def test_a_call_that_failed_without_details_keeps_its_status_and_sentence() -> None:
    """No connection, another server's details, contradicting or broken ones: the status and the sentence remain."""
    other = status_pb2.Status(code=14, message="gone")
    other.details.add().Pack(error_details_pb2.ErrorInfo(reason="ELSEWHERE", domain="example.org"))
    other.details.add().Pack(status_pb2.Status())
    broken = status_pb2.Status(code=14, message="gone")
    broken.details.add().Pack(error_details_pb2.ErrorInfo(reason="X", domain=DOMAIN))
    broken.details[0].value = b"\xff"
    key = "grpc-status-details-bin"
    for trailing in (
        None,
        (),
        (("other", "x"),),
        ((key, other.SerializeToString()),),
        ((key, broken.SerializeToString()),),
        ((key, b"\xff"),),
        ((key, status_pb2.Status(code=5, message="gone").SerializeToString()),),
        ((key, status_pb2.Status(code=14, message="here").SerializeToString()),),
    ):
        refused = Refused.by_call(Failed(grpc.StatusCode.UNAVAILABLE, "gone", trailing))
        assert refused == Refused(grpc.StatusCode.UNAVAILABLE, "", "", "gone")
    assert str(Refused.by_call(Failed(grpc.StatusCode.UNKNOWN, None, None))) == ""


def test_the_sentence_names_the_rule_once() -> None:
    """A player reads the rule's number behind the sentence, unless the sentence has it."""
    code = grpc.StatusCode.INVALID_ARGUMENT
    assert str(Refused(code, "X", "R9.1", "seat 1 is not down")) == "seat 1 is not down (R9.1)"
    assert str(Refused(code, "X", "R16", "aces cannot be used (R16)")) == "aces cannot be used (R16)"


async def test_a_refusal_crosses_a_connection() -> None:
    """A server that ends a call with the status, and a client that reads the error, have the same refusal."""
    refused = Refused(
        grpc.StatusCode.NOT_FOUND, "NO_SUCH_TABLE", "", "there is no table 'ÄÖ…'\n100 %", {"table": "ÄÖ…" * 2000}
    )
    ended = rpc_status.to_status(refused.to_status())

    async def refuse(_request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        await context.abort(ended.code, ended.details, ended.trailing_metadata)
        raise AssertionError("abort returns never")

    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handlers: dict[str, Any] = {"Refuse": grpc.unary_unary_rpc_method_handler(refuse)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Test", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)]) as channel:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Test/Refuse")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"")
    finally:
        await server.stop(None)
    back = Refused.by_call(caught.value)
    assert (back.status_code, back.reason, back.message) == (refused.status_code, refused.reason, refused.message)
    assert back.values["table"].endswith(CUT)
    assert refused.values["table"].startswith(back.values["table"][:-1])
