"""The id of a request: whoever repeats the request repeats the id, and gets the first answer."""

from __future__ import annotations

from uuid import uuid4


def new_request_id() -> str:
    """Give an id that nobody else has."""
    return uuid4().hex
