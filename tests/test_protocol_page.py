"""docs/protocol.md says what the code does."""

from __future__ import annotations

import pytest
from refusal_tables import PAGE, with_tables

from shanghai.v1 import service_pb2
from shanghai_server.house.settings import Settings
from shanghai_wire import CONTRACT_REVISION

pytestmark = pytest.mark.checkout


def test_the_page_lists_every_refusal_as_the_code_has_it() -> None:
    """The tables of refusals are those that `python tests/refusal_tables.py` writes."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page)


def test_the_page_names_every_call_and_the_revision() -> None:
    """No call of the service is missing, and the revision is the one that the server speaks."""
    page = PAGE.read_text(encoding="utf-8")
    calls = service_pb2.DESCRIPTOR.services_by_name["TableService"].methods_by_name
    assert [call for call in calls if f"`{call}" not in page] == []
    assert f"revision {CONTRACT_REVISION}" in page


def test_page_and_contract_name_how_long_a_repeat_gets_its_first_answer() -> None:
    """The number of requests that is promised is the one that a server keeps."""
    contract = PAGE.parent.parent / "protos" / "shanghai" / "v1" / "service.proto"
    for text in (PAGE.read_text(encoding="utf-8"), contract.read_text(encoding="utf-8")):
        words = " ".join(text.replace("//", " ").split())
        assert f"last {Settings().kept_requests} requests" in words
        assert f"last {Settings().kept_requests_of_gone}" in words
