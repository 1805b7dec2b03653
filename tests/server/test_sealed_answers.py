"""Answers to an offer are sealed: nobody's stream tells who has answered, or when (R7.14)."""

import asyncio
import itertools
from collections.abc import Sequence

import grpc.aio
import pytest
from held_journal import HeldJournal
from server_table import PATIENCE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.rebuilding import rebuild
from shanghai_server.table import table
from shanghai_server.table.intent_queue import IntentQueue
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
        assert answered.decision_id == "1.1.1.0"
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
        again = await refusal(last.answer_again(Claim.BUY, "1.1.1.0"))
        assert (again.reason, again.rule) == ("ALREADY_ANSWERED", "R7.10")


async def outcome(claims: tuple[Claim, ...], order: tuple[int, ...]) -> bytes:
    """Give the event that an offer ends with, where the seats answer in this order."""
    async with playground() as ground:
        players = await seated(ground, NAMES[: len(claims)])
        asked = list(players[0].last.public.game.claim_order)
        for seat in order:
            try:
                await players[seat].answer_again(claims[asked.index(seat)], "1.1.1.0")
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


async def absent_at_an_offer(ground: Playground) -> tuple[Player, list[Player]]:
    """Give the last of the claim order of the first offer, whose stand-in has not answered yet, and the others."""
    players = await seated(ground, NAMES[:3], options=Options(offer_ms=0, grace_ms=1000, bot_pace_ms=60_000))
    last = players[players[0].last.public.game.claim_order[-1]]
    others = [player for player in players if player is not last]
    await last.unwatch()
    for other in others:
        await other.until(lambda other=other: not seats_of(other)[last.seat].connected)  # type: ignore[misc]
    ground.clock.advance(1.5)
    for other in others:
        await other.until(lambda other=other: seats_of(other)[last.seat].stand_in)  # type: ignore[misc]
    return last, others


def seats_of(player: Player) -> Sequence[table_pb2.Seat]:
    """Give the seats as a player saw them last."""
    return player.last.public.table.seats


async def heard(others: Sequence[Player], *, said: int) -> list[list[bytes]]:
    """Let one of several say something, and give all that each was sent once everybody has heard it."""
    await others[0].say("Well?")
    for other in others:
        await other.until(lambda other=other: len(other.last.public.table.chat) == said)  # type: ignore[misc]
    return [[*other.raw] for other in others]


async def test_r7_14_an_absent_seat_answers_and_no_stream_tells_before_the_offer_closes() -> None:
    """Its answer changes no stream by a byte, not even that it is back; all see that once the offer is closed."""
    sent = []
    for answering in (False, True):
        async with playground() as ground:
            last, others = await absent_at_an_offer(ground)
            if answering:
                await last.answer_again(Claim.PASS, "1.1.1.0")
            sent.append(await heard(others, said=1))
    assert sent[0] == sent[1]
    async with playground() as ground:
        last, others = await absent_at_an_offer(ground)
        await last.answer_again(Claim.PASS, "1.1.1.0")
        for other in others:
            await other.answer(Claim.PASS)
        for other in others:
            await other.until(lambda other=other: len(other.last.public.game.events) > 1)  # type: ignore[misc]
            assert not seats_of(other)[last.seat].stand_in


async def test_r7_14_an_absent_seat_that_answers_puts_off_no_bots_answer() -> None:
    """Bots answer when they would have, so when the offer closes tells nobody that a person was before his stand-in."""
    async with playground() as ground:
        here, away = await seated(
            ground, NAMES[:2], options=Options(offer_ms=0, grace_ms=1000, bot_pace_ms=5000), seats=3
        )
        await away.unwatch()
        await here.until(lambda: not seats_of(here)[away.seat].connected)
        ground.clock.advance(1.0)
        await here.until(lambda: seats_of(here)[away.seat].stand_in)
        ground.clock.advance(3.0)
        await away.answer_again(Claim.PASS, "1.1.1.0")
        await here.answer(Claim.PASS)
        assert len(here.last.public.game.events) == 1
        ground.clock.advance(2.0)
        await here.until(lambda: len(here.last.public.game.events) > 1)


async def test_r7_14_a_clock_that_waits_for_an_absent_seat_does_not_go_on_when_it_answers() -> None:
    """Where the table waits for the absent the offer's clock stands still, and tells nobody that one has answered."""
    async with playground() as ground:
        options = Options(offer_ms=20_000, grace_ms=1000, wait_for_absent=True)
        here, away = await seated(ground, NAMES[:2], options=options)
        await away.unwatch()
        await here.until(lambda: not seats_of(here)[away.seat].connected)
        assert here.last.public.HasField("clock")
        ground.clock.advance(1.0)
        await here.until(lambda: not here.last.public.HasField("clock"))
        await away.answer_again(Claim.PASS, "1.1.1.0")
        await heard([here], said=1)
        assert not here.last.public.HasField("clock")


async def test_r7_14_who_has_answered_while_absent_is_back_after_a_restart_too() -> None:
    """The journal knows that he is to come back at the close of the offer, and he does."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        last, others = await absent_at_an_offer(ground)
        await last.answer_again(Claim.PASS, "1.1.1.0")
        table = await rebuild(journal, last.table, Settings())
    assert table.standing.seats[last.seat].absent
    assert table.standing.seats[last.seat].returning
    async with playground(journal=journal) as ground:
        for other in others:
            other.ground = ground
            await other.watch()
        for other in others:
            await other.answer(Claim.PASS)
        await others[0].until(lambda: len(others[0].last.public.game.events) > 1)
        assert not seats_of(others[0])[last.seat].stand_in


@pytest.mark.parametrize("decision", ["1.1.1.0", "1.1.7.0", "nonsense"])
async def test_r15_1_a_refused_answer_of_an_absent_seat_changes_nothing(decision: str) -> None:
    """Neither what is no claim nor a stale decision brings the absent back, or shows in any stream."""
    wrong = view_pb2.Action(answer=view_pb2.AnswerOffer(claim=99 if decision == "1.1.1.0" else view_pb2.CLAIM_PASS))  # type: ignore[arg-type]
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        last, others = await absent_at_an_offer(ground)
        seen = [[*other.raw] for other in others]
        written = len(await journal.read(last.table, 0))
        refused = await refusal(last.act(wrong, decision=decision))
        assert refused.reason == ("BAD_MESSAGE" if decision == "1.1.1.0" else "STALE_DECISION")
        assert len(await journal.read(last.table, 0)) == written
        after = await heard(others, said=1)
        assert [sent[:-1] for sent in after] == seen
        assert seats_of(others[0])[last.seat].stand_in


async def test_r15_1_a_refused_call_of_any_kind_brings_nobody_back() -> None:
    """The absent host has his rights for what he may do, and a refusal leaves him absent."""
    async with playground() as ground:
        ann, ben, _ = await seated(ground, NAMES[:3], options=Options(grace_ms=1000, bot_pace_ms=60_000))
        await ann.unwatch()
        await ben.until(lambda: not seats_of(ben)[0].connected)
        ground.clock.advance(1.5)
        await ben.until(lambda: seats_of(ben)[0].stand_in)
        sequence = ben.last.sequence
        assert (await refusal(ann.call("KickSeat", seat=0))).reason == "NOT_YOURSELF"
        assert (await refusal(ann.call("ResumeGame"))).reason == "NOT_PAUSED"
        await ben.say("Is she there?")
        await ben.until(lambda: len(ben.last.public.table.chat) == 1)
        assert seats_of(ben)[0].stand_in
        assert ben.last.sequence == sequence + 1
        await ann.call("PauseGame")
        await ben.until(lambda: ben.last.public.table.pause_reason == table_pb2.PAUSE_REASON_HOST)
        assert not seats_of(ben)[0].stand_in


class NotingJournal(MemoryJournal):
    """A journal that notes how many records each append had."""

    def __init__(self) -> None:
        super().__init__()
        self.appended: list[int] = []

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Note and append."""
        self.appended.append(len(records))
        return await super().append(table, after_sequence, records, snapshot=snapshot)


async def test_answers_that_come_together_are_written_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sealed answer waits a moment for the others, and all are written at once when the last one closes the offer."""
    journal = NotingJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES)
        order = [players[seat] for seat in players[0].last.public.game.claim_order]
        monkeypatch.setattr(table, "GATHERING", 1000.0)
        journal.appended.clear()
        await asyncio.gather(*(player.answer(Claim.PASS) for player in reversed(order)))
        assert journal.appended == [len(order)]


async def test_what_is_seen_does_not_wait_for_sealed_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where somebody says something meanwhile, that is shown at once, and the answer before it is written with it."""
    journal = NotingJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES)
        first, *_, last = [players[seat] for seat in players[0].last.public.game.claim_order]
        monkeypatch.setattr(table, "GATHERING", 1000.0)
        journal.appended.clear()
        answering = asyncio.ensure_future(last.answer(Claim.PASS))
        said = 0
        while not answering.done():
            said += 1
            await first.say(f"Well? {said}")
        assert sum(journal.appended) == said + 1
        assert len(journal.appended) == said


async def test_r7_14_who_asks_for_the_record_neither_waits_for_a_sealed_answer_nor_hastens_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While it waits for others, and while it is written down, the question is answered as at any other time."""
    journal, waits, more = HeldJournal(), asyncio.Event(), IntentQueue.more

    async def noted(queue: IntentQueue, until: float) -> bool:
        waits.set()
        return await more(queue, until)

    async with playground(journal=journal) as ground:
        ann, ben, *_ = players = await seated(ground, NAMES)
        last = players[ann.last.public.game.claim_order[-1]]

        async def ask() -> list[str]:
            asked = [service_pb2.GetRecordRequest(table=ann.table, seat_token=token) for token in tokens]
            calls = (refusal(ground.stub.GetRecord(request)) for request in asked)
            return [(await asyncio.wait_for(call, PATIENCE)).reason for call in calls]

        tokens, reasons = (b"", ben.token, bytes(16)), ["GAME_NOT_OVER", "GAME_NOT_OVER", "BAD_TOKEN"]
        monkeypatch.setattr(table, "GATHERING", 1000.0)
        monkeypatch.setattr(IntentQueue, "more", noted)
        journal.free.clear()
        journal.is_asked.clear()
        answering = asyncio.ensure_future(last.answer(Claim.PASS))
        try:
            await waits.wait()
            assert await ask() == reasons
            assert not journal.is_asked.is_set()
            saying = asyncio.ensure_future(ann.say("Well?"))
            await journal.is_asked.wait()
            assert await ask() == reasons
        finally:
            # Else the server would not stop.
            journal.free.set()
        await asyncio.gather(answering, saying)
