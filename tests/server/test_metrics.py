"""The metrics of a server: scraped on loopback, with the names that the page for hosts has, and nobody's secrets."""

from __future__ import annotations

import asyncio
import re
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
import pytest
from hand_clock import HandClock
from prometheus_client.parser import text_string_to_metric_families
from server_table import AT_ONCE, TALKATIVE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2
from shanghai_engine.action import Claim
from shanghai_server.doors.beside import Beside
from shanghai_server.doors.listening import ListenError
from shanghai_server.doors.metrics import is_loopback, metrics_address
from shanghai_server.doors.server import GameServer
from shanghai_server.house.counts import Durations
from shanghai_server.house.secret import SeededSecrets
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
Sample = tuple[str, frozenset[tuple[str, str]]]


@asynccontextmanager
async def measured() -> AsyncIterator[tuple[Playground, GameServer]]:
    """Serve with metrics on a free port of loopback."""
    async with playground() as ground, MemoryJournal() as journal:
        settings = Settings(options=AT_ONCE, chat=TALKATIVE)
        server = GameServer(
            journal, settings=settings, secrets=SeededSecrets("m"), clock=HandClock(), beside=Beside(metrics="0")
        )
        port = await server.start()
        ground.port = port
        await ground.channel.close()
        ground.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)])
        try:
            yield ground, server
        finally:
            await ground.channel.close()
            await server.stop(1)


async def scrape(server: GameServer) -> str:
    """Give what stands on the address of the metrics."""

    def read() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics", timeout=60) as answer:
            text: str = answer.read().decode()
            return text

    return await asyncio.to_thread(read)


def samples(text: str) -> dict[Sample, float]:
    """Give the value of every sample, by name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found: dict[Sample, float], name: str, **labels: str) -> float:
    """Give the value of one sample."""
    return found[name, frozenset(labels.items())]


async def test_the_numbers_are_those_of_the_tables() -> None:
    """Tables by status, streams, people, calls by outcome, refusals, appends and bytes are counted as they happen."""
    async with measured() as (ground, server):
        players = await seated(ground, ("Ann", "Ben"))
        spectator = await Player.spectate(ground, players[0].table)
        waiting = await ground.create(3)
        await refusal(players[0].act(players[0].choose(), decision="1-1-9"))
        for player in players:
            await player.answer(Claim.PASS)
        await spectator.until(lambda: len(spectator.last.public.game.events) > 1)
        await spectator.until(lambda: spectator.last.public.table.spectators == 1)
        found = samples(await scrape(server))
        assert value(found, "shanghai_tables", status="playing") == 1
        assert value(found, "shanghai_tables", status="lobby") == 1
        assert value(found, "shanghai_tables", status="over") == 0
        assert value(found, "shanghai_tables_in_use") == 2
        assert value(found, "shanghai_streams", shows="seat") == 2
        assert value(found, "shanghai_streams", shows="spectator") == 1
        assert value(found, "shanghai_people_connected") == 2
        assert value(found, "shanghai_calls_total", method="CreateTable", outcome="done") == 2
        assert value(found, "shanghai_calls_total", method="JoinTable", outcome="done") == 2
        assert value(found, "shanghai_calls_total", method="Act", outcome="done") == 2
        assert value(found, "shanghai_calls_total", method="Act", outcome="refused") == 1
        assert value(found, "shanghai_refusals_total", reason="STALE_DECISION") == 1
        assert value(found, "shanghai_append_seconds_count") >= 5
        appends = value(found, "shanghai_append_seconds_count")
        assert value(found, "shanghai_append_seconds_bucket", le="+Inf") == appends
        sent = sum(len(message) for player in (*players, spectator) for message in player.raw)
        assert value(found, "shanghai_stream_bytes_total") >= sent > 0
        assert value(found, "shanghai_intents_waiting") == 0
        assert value(found, "shanghai_updates_waiting") == 0
        await spectator.unwatch()
        assert waiting not in await scrape(server)


def of_the_game(found: dict[Sample, float]) -> dict[Sample, float]:
    """Give the numbers of the game alone, and not those of the process."""
    return {sample: number for sample, number in found.items() if sample[0].startswith("shanghai_")}


async def test_r7_14_no_number_tells_how_many_have_answered_an_open_offer() -> None:
    """They are the same before and after an answer and a refused one; once the offer has closed all is counted."""
    async with measured() as (ground, server):
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        last, *others = [players[seat] for seat in reversed(players[0].last.public.game.claim_order)]
        quiet = of_the_game(samples(await scrape(server)))
        await last.answer(Claim.PASS)
        assert (await refusal(last.answer_again(Claim.BUY, "1.1.1.0"))).reason == "ALREADY_ANSWERED"
        assert of_the_game(samples(await scrape(server))) == quiet
        for player in others:
            await player.answer(Claim.PASS)
        await last.until(lambda: len(last.last.public.game.events) > 1)
        found = samples(await scrape(server))
        assert value(found, "shanghai_calls_total", method="Act", outcome="done") == 3
        assert value(found, "shanghai_calls_total", method="Act", outcome="refused") == 1
        assert value(found, "shanghai_refusals_total", reason="ALREADY_ANSWERED") == 1
        # The answers may have been written down together.
        appends = value(found, "shanghai_append_seconds_count") - value(quiet, "shanghai_append_seconds_count")
        assert 2 <= appends <= 3


@pytest.mark.parametrize("answering", [False, True])
async def test_r7_14_that_an_append_is_not_counted_tells_nothing(answering: bool) -> None:  # noqa: FBT001
    """While an offer is open none of its table is, whether somebody has answered or not; those of others are."""
    async with measured() as (ground, server):
        players = await seated(ground, ("Ann", "Ben"))
        last = players[players[0].last.public.game.claim_order[-1]]
        appends = "shanghai_append_seconds_count"
        before = value(samples(await scrape(server)), appends)
        if answering:
            await last.answer(Claim.PASS)
        await players[0].say("Well?")
        assert value(samples(await scrape(server)), appends) == before
        await ground.create(2)
        assert value(samples(await scrape(server)), appends) == before + 1


async def test_nobodys_name_table_or_token_is_among_them() -> None:
    """Labels hold words of this program alone, whatever people call themselves and whatever tables they ask for."""
    async with measured() as (ground, server):
        players = await seated(ground, ("Annabel", "Benedict"))
        await refusal(Player.join(ground, "QQQQQ", "Nobody"))
        await players[0].say("Hello everybody")
        text = await scrape(server)
        secrets = ("Annabel", "Benedict", "Nobody", "QQQQQ", "Hello", players[0].table, players[0].token.hex())
        assert [secret for secret in secrets if secret in text] == []


@pytest.mark.checkout
async def test_the_page_for_hosts_names_them_all() -> None:
    """Each name stands in docs/hosting.md, and none that is not served."""
    async with measured() as (ground, server):
        await refusal(ground.stub.Act(service_pb2.ActRequest()))
        families = [family.name for family in text_string_to_metric_families(await scrape(server))]
    named = set(re.findall(r"`(shanghai_\w+?)(?:_total)?`", PAGE.read_text(encoding="utf-8")))
    assert named == {name for name in families if name.startswith("shanghai_")}


async def test_an_address_that_is_taken_is_refused_and_nothing_is_served() -> None:
    """Where the numbers cannot be read the server does not start; its own port is free again."""
    async with measured() as (_, server), MemoryJournal() as journal:
        second = GameServer(journal, beside=Beside(metrics=str(server.metrics_port)))
        with pytest.raises(ListenError, match="in use"):
            await second.start()


def test_a_port_alone_is_one_of_loopback() -> None:
    """Whoever names no host does not open the numbers to the network."""
    assert metrics_address("9464") == metrics_address(":9464") == "127.0.0.1:9464"
    assert metrics_address("0.0.0.0:9464") == "0.0.0.0:9464"
    assert [is_loopback(address) for address in ("127.0.0.1:1", "[::1]:1", "localhost:1", "0.0.0.0:1")] == [
        True,
        True,
        True,
        False,
    ]


def test_durations_are_counted_up_to_their_bound() -> None:
    """What takes just as long as a bound counts below it, and what takes longer than all at the end."""
    durations = Durations((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.2, 7.0):
        durations.add(seconds)
    assert durations.numbers == [2, 1, 1]
    assert durations.total == pytest.approx(7.35)
