"""The servers in the lobby, which come and go by themselves while one of them is chosen."""

from __future__ import annotations

import pytest

from shanghai_client.lobby.effect import Connect, PlayHere, Type
from shanghai_client.lobby.keys import pressed
from shanghai_client.lobby.page import Lobby, Page, Search, Server


def _servers(addresses: str) -> tuple[Server, ...]:
    return tuple(Server(f"{each}:7410", "known") for each in addresses.split())


def _lobby(addresses: str, cursor: int) -> Lobby:
    return Lobby(name="Ann", servers=_servers(addresses), search=Search.FOUND, cursor=cursor)


@pytest.mark.parametrize(
    ("before", "cursor", "after", "opened"),
    [
        ("a b", 1, "b a", Connect("a:7410")),
        ("a b", 2, "a c b", Connect("b:7410")),
        ("a b", 2, "b", Connect("b:7410")),
        ("a b", 1, "b c", Type()),
        ("a b", 3, "a b c", Type()),
        ("a", 2, "", Type()),
        ("", 0, "a b", PlayHere()),
    ],
)
def test_chosen_is_a_server_and_not_a_row(before: str, cursor: int, after: str, opened: object) -> None:
    """Whoever comes and goes, Enter opens what was chosen; where that has gone it opens no other."""
    lobby = _lobby(before, cursor).with_servers(_servers(after), Search.FOUND)
    assert [server.address for server in lobby.servers] == [f"{each}:7410" for each in after.split()]
    assert pressed(lobby, "enter").effect == opened


@pytest.mark.parametrize("servers", ["a", "a b c d"])
def test_on_other_pages_servers_choose_nothing(servers: str) -> None:
    """What is found while one looks at tables leaves the chosen table."""
    lobby = Lobby(name="Ann", page=Page.NEW, servers=_servers("a b"), cursor=5)
    assert lobby.with_servers(_servers(servers), Search.FOUND).cursor == 5
