"""Answers to an offer are sealed: nobody's stream tells who has answered, or when (R7.14)."""

import asyncio
import itertools

import grpc.aio
import pytest
from server_table import Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_wire.refused import Refused

NAMES = ("Ann", "Ben", "Cleo", "Dan")


async def watched_until_chat(ground: Playground, *, answering: bool) -> tuple[list[list[bytes]], Player]:
    """Play to the first offer, let the last of the claim order pass or not, and let the first one say something.

    Gives what every seat and a spectator were sent, and the last of the claim order.
    """
    players = await seated(ground, NAMES)
    spectator = await Player.spectate(ground, players[0].table)
    everybody = [*players, spectator]
    for viewer in everybody:
        await viewer.until(lambda viewer=viewer: viewer.last.public.table.spectators == 1)  # type: ignore[misc]
    order = spectator.last.public.game.claim_order
    last = players[order[-1]]
    if answering:
        answered = await last.answer(Claim.PASS)
        assert answered.decision_id == "1.1.0"
    await players[order[0]].say("Well?")
    for viewer in everybody:
        await viewer.until(lambda viewer=viewer: len(viewer.last.public.table.chat) == 1)  # type: ignore[misc]
    return [[*viewer.raw] for viewer in everybody], last


async def test_r7_14_an_answer_before_the_offer_closes_changes_no_stream_by_a_byte() -> None:
    """What every seat and a spectator receive is the same whether somebody has answered or not, to the byte."""
    async with playground() as ground:
        silent, _ = await watched_until_chat(ground, answering=False)
    async with playground() as ground:
        sent, last = await watched_until_chat(ground, answering=True)
    assert last.last.private.own.answer == view_pb2.CLAIM_PASS
    assert last.decision is None
    # To itself its answer shows in what it is sent next, for whatever reason.
    own, own_silent = sent[last.seat].pop(), silent[last.seat].pop()
    assert own != own_silent
    assert service_pb2.WatchResponse.FromString(own).update.public == (
        service_pb2.WatchResponse.FromString(own_silent).update.public
    )
    assert sent == silent


async def test_r7_14_a_stream_opened_after_answering_shows_the_answer_and_no_decision() -> None:
    """Whoever comes back to an open offer that he has answered is told so, and is asked nothing."""
    async with playground() as ground:
        players = await seated(ground, NAMES)
        last = players[players[0].last.public.game.claim_order[-1]]
        await last.answer(Claim.PASS)
        await last.unwatch()
        first = await last.watch()
        assert first.private.own.answer == view_pb2.CLAIM_PASS
        assert not first.private.HasField("decision")
        again = await refusal(last.answer_again(Claim.BUY, "1.1.0"))
        assert (again.reason, again.rule) == ("ALREADY_ANSWERED", "R7.10")


async def outcome(claims: tuple[Claim, ...], order: tuple[int, ...]) -> bytes:
    """Give the event that an offer ends with, where the seats answer in this order."""
    async with playground() as ground:
        players = await seated(ground, NAMES[: len(claims)])
        asked = list(players[0].last.public.game.claim_order)
        for seat in order:
            try:
                await players[seat].answer_again(claims[asked.index(seat)], "1.1.0")
            except grpc.aio.AioRpcError as error:
                assert Refused.by_call(error).reason == "STALE_DECISION"  # noqa: PT017 # late is all that it may be
        watcher = players[0]
        await watcher.until(lambda: len(watcher.last.public.game.events) > 1)
        settled = watcher.last.public.game.events[1]
        assert settled.HasField("offer_settled")
        return settled.SerializeToString()


@pytest.mark.parametrize("wishes", [(0, 0, 0), (0, 1, 1), (0, 0, 1), (1, 1, 0), (1, 1, 1)])
async def test_r7_12_who_gets_the_card_does_not_depend_on_who_answers_first(wishes: tuple[int, ...]) -> None:
    """Whatever three seats wish, each order in which their answers arrive has the same outcome."""
    claims = tuple(Claim.PASS if not wish else Claim.BUY if place else Claim.TAKE for place, wish in enumerate(wishes))
    outcomes = {await outcome(claims, order) for order in itertools.permutations(range(3))}
    assert len(outcomes) == 1


async def test_r7_12_answers_that_arrive_at_once_have_one_outcome() -> None:
    """All seats answer at the same time over their own calls; the first of the claim order who wants it has it."""
    async with playground() as ground:
        players = await seated(ground, NAMES)
        order = list(players[0].last.public.game.claim_order)
        calls = [
            players[seat].answer(Claim.PASS if place == 0 else Claim.BUY)
            for place, seat in reversed([*enumerate(order)])
        ]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert not isinstance(answers[-1], BaseException)
        await players[0].until(lambda: len(players[0].last.public.game.events) > 1)
        settled = players[0].last.public.game.events[1].offer_settled
        assert settled.seat == order[1]
