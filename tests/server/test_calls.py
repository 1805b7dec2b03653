"""Calls that change something: who may make them, what a repeat gets, and what is too late."""

import hashlib
from collections.abc import Awaitable
from typing import Any

import grpc
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, fresh_id, playground, refusal, seated, token_of

from shanghai.v1 import service_pb2, view_pb2
from shanghai_engine.action import Claim, Discard
from shanghai_engine.card import CARDS, Card
from shanghai_server.doors.server import PING_MS, QUIET_MS
from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import Request, Said, fact_bytes
from shanghai_server.standing.rebuilding import rebuild
from shanghai_wire.actions import GoOn, action_message


async def first_play(ground: Playground) -> tuple[Player, list[Player]]:
    """Play to the first turn after its draw; gives who is on turn, and everybody."""
    players = await seated(ground, ("Ann", "Ben", "Cleo"))
    turn = players[players[0].last.public.game.turn]
    await turn.answer(Claim.TAKE)
    for player in players:
        await player.until(lambda player=player: player.last.public.game.phase == view_pb2.PHASE_PLAY)  # type: ignore[misc]
    return turn, players


async def test_a_repeated_act_gets_the_first_answer_and_happens_once() -> None:
    """The same request id with the same content is the same act, also when its decision is long over."""
    async with playground() as ground:
        turn, players = await first_play(ground)
        assert turn.decision is not None
        decision = turn.decision.id
        card = Card(turn.decision.play.discards[0])
        first = await turn.act(Discard(turn.seat, card), decision=decision, request_id="once")
        await turn.until(lambda: turn.last.public.game.turn != turn.seat)
        seen = turn.last.public.game.events[:]
        again = await turn.act(Discard(turn.seat, card), decision=decision, request_id="once")
        assert again == first
        await players[0].say("still here")
        await turn.until(lambda: len(turn.last.public.table.chat) == 1)
        assert list(turn.last.public.game.events) == list(seen)


async def test_a_repeat_gets_its_first_answer_after_very_many_newer_requests() -> None:
    """As far back as the contract promises, also after a restart nothing is said twice; what is older is forgotten."""
    kept = Settings().kept_requests
    journal = MemoryJournal()
    settings = Settings(options=AT_ONCE, chat=Rate(burst=2 * kept, per_second=1.0))
    async with playground(journal=journal, settings=settings) as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann", watch=False)
        await ann.say("hello", request_id="first")
        for number in range(2, 12):
            await ann.say("and more", request_id=f"said {number}")
        # As if they had been made, one after the other, up to the last place that is kept.
        written = await journal.read(ann.table, 0)
        said = [
            fact_bytes(
                Said(seat=0, text="more", request=Request(token=held, id=f"later {n}", likeness=b"", answer=b""))
            )
            for held in [hashlib.sha256(ann.token).hexdigest()]
            for n in range(kept - 11)
        ]
        await journal.append(ann.table, len(written), said)
    async with playground(journal=journal, settings=settings) as ground:
        ann.ground = ground
        assert (await ann.say("hello", request_id="first")).number == 1
        assert (await refusal(ann.say("other words", request_id="first"))).reason == "REQUEST_ID_REUSED"
        assert (await ann.say("one more", request_id="one more")).number == kept + 1
        assert (await ann.say("hello", request_id="first")).number == kept + 2


def test_what_a_seat_may_call_for_until_a_dead_connection_is_noticed_is_kept() -> None:
    """Whoever is cut off can repeat all that he does not know the answers of, however fast he called."""
    settings = Settings()
    unnoticed = (QUIET_MS + PING_MS) / 1000
    assert settings.calls.burst + settings.calls.per_second * unnoticed < settings.kept_requests


async def test_of_who_has_gone_the_last_requests_are_kept_and_no_more() -> None:
    """However many come and call and go, a table remembers little of them; a repeat of how one went has its answer."""
    journal = MemoryJournal()
    settings = Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE, kept_requests_of_gone=3)
    async with playground(journal=journal, settings=settings) as ground:
        table = await ground.create(2)
        gone = [await Player.join(ground, table, name, watch=False) for name in ("Ann", "Ben")]
        for number in range(10):
            for player in gone:
                await player.say("hello", request_id=f"said {number}")
        ann, ben = gone
        left = await ann.leave(request_id="leave")
        await ben.call("HandOverSeat", code="SEATCODE", request_id="offer")
        await Player.join(ground, table, "Cleo", watch=False, code="SEATCODE")
        await Player.join(ground, table, "Dan", watch=False)
        assert await ann.leave(request_id="leave") == left
        assert (await ann.say("hello", request_id="said 9")).number == 19
        assert (await ben.say("hello", request_id="said 9")).number == 20
        for player in gone:
            assert (await refusal(player.say("hello", request_id="said 6"))).reason == "BAD_TOKEN"
        kept = (await rebuild(journal, table, settings)).standing.requests
    assert [list(requests) for requests in kept.values()] == [
        ["said 8", "said 9", "leave"],
        ["said 8", "said 9", "offer"],
        ["join Cleo"],
        ["join Dan"],
    ]


async def test_another_content_under_a_used_request_id_is_refused() -> None:
    """A request id belongs to one content, and to one method."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        await turn.say("one", request_id="same")
        assert (await refusal(turn.say("two", request_id="same"))).reason == "REQUEST_ID_REUSED"
        assert (await refusal(turn.leave(request_id="same"))).reason == "REQUEST_ID_REUSED"
        assert (await turn.say("one", request_id="same")).number == 1


async def test_one_request_id_of_two_seats_is_two_requests() -> None:
    """Request ids need to be unique for the seat only."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"))
        numbers = [(await player.say("hello", request_id="1")).number for player in players]
        assert numbers == [1, 2]


async def test_a_refused_request_is_not_kept_and_may_be_tried_again() -> None:
    """A refusal changes nothing, so the same request can be accepted later."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        turn = players[players[0].last.public.game.turn]
        card = Card(turn.last.private.own.hand[0])
        refused = await refusal(turn.act(Discard(turn.seat, card), decision="1.1.1.1", request_id="again"))
        assert refused.reason == "STALE_DECISION"
        await turn.answer(Claim.PASS)
        for player in players:
            if player is not turn:
                await player.answer(Claim.PASS)
        await turn.until(lambda: turn.decision is not None and turn.decision.HasField("play"))
        answer = await turn.act(Discard(turn.seat, card), decision="1.1.1.1", request_id="again")
        assert answer.decision_id == "1.1.1.1"


@pytest.mark.parametrize("decision", ["1.1.1.0", "1.1.2.0", "1.9.9.9", "", "x" * 5000])
async def test_an_answer_to_a_decision_that_is_not_open_is_refused_as_stale(decision: str) -> None:
    """An act names the open decision, and is never applied to another one."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        assert turn.decision is not None
        card = Card(turn.decision.play.discards[0])
        refused = await refusal(turn.act(Discard(turn.seat, card), decision=decision))
        assert (refused.reason, refused.status_code) == ("STALE_DECISION", grpc.StatusCode.ABORTED)
        assert refused.values["open"] == "1.1.1.1"


async def test_r15_1_a_breach_of_the_rules_is_refused_with_its_rule_and_changes_nothing() -> None:
    """The refusal carries the rule's number and the values of its sentence; the decision stays open."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        held = {Card(card) for card in turn.last.private.own.hand}
        missing = next(card for card in CARDS if card not in held)
        refused = await refusal(turn.act(Discard(turn.seat, missing)))
        assert (refused.reason, refused.rule) == ("CARD_NOT_IN_HAND", "R4.2")
        assert refused.status_code is grpc.StatusCode.FAILED_PRECONDITION
        assert refused.values == {"card": missing.text, "seat": str(turn.seat)}
        await turn.act(turn.choose())


async def test_a_seat_that_is_not_on_turn_is_refused_by_the_rule_of_turns() -> None:
    """Everybody knows the open decision's id, and only whose it is may answer."""
    async with playground() as ground:
        turn, players = await first_play(ground)
        other = next(player for player in players if player is not turn)
        card = Card(other.last.private.own.hand[0])
        refused = await refusal(other.act(Discard(other.seat, card), decision="1.1.1.1"))
        assert (refused.reason, refused.rule) == ("NOT_YOUR_TURN", "R4.1")


async def test_nothing_is_played_before_and_after_the_game() -> None:
    """An act is refused in the lobby, and when the game is over."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        assert (await refusal(ann.answer_again(Claim.PASS, "1.1.1.0"))).reason == "GAME_NOT_STARTED"
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        await ann.play()
        assert (await refusal(ann.answer_again(Claim.PASS, "1.1.1.0"))).reason == "GAME_OVER"
        assert ann.decision is None


async def test_going_on_in_the_middle_of_a_hand_is_refused() -> None:
    """One goes on between two hands only (R2.4)."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        assert (await refusal(turn.act(GoOn(turn.seat)))).reason == "NOTHING_TO_GO_ON_FROM"


async def test_an_action_that_cannot_be_read_is_an_invalid_argument() -> None:
    """No action at all, no card, a claim that only the clock makes: the field is named."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        for action in (
            view_pb2.Action(),
            view_pb2.Action(discard=view_pb2.Discard()),
            view_pb2.Action(answer=view_pb2.AnswerOffer(claim=view_pb2.CLAIM_TIMEOUT)),
        ):
            refused = await refusal(turn.act(action))
            assert (refused.reason, refused.status_code) == ("BAD_MESSAGE", grpc.StatusCode.INVALID_ARGUMENT)
            assert refused.values["field"].startswith("action")


@pytest.mark.parametrize(
    ("token", "reason", "status"),
    [
        (b"", "MALFORMED_TOKEN", grpc.StatusCode.INVALID_ARGUMENT),
        (b"short", "MALFORMED_TOKEN", grpc.StatusCode.INVALID_ARGUMENT),
        (bytes(16), "BAD_TOKEN", grpc.StatusCode.UNAUTHENTICATED),
        (token_of("Ann", "OTHER"), "BAD_TOKEN", grpc.StatusCode.UNAUTHENTICATED),
    ],
)
async def test_a_token_that_holds_no_seat_opens_nothing(token: bytes, reason: str, status: grpc.StatusCode) -> None:
    """Every call of a seat, and its stream, is refused without the seat's token."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        stub, table = ground.stub, turn.table
        assert turn.decision is not None
        given: dict[str, Any] = {"table": table, "request_id": fresh_id(), "seat_token": token}
        action = action_message(Discard(turn.seat, Card(turn.decision.play.discards[0])))
        calls: list[Awaitable[object]] = [
            stub.Act(service_pb2.ActRequest(**given, decision_id="1.1.1.1", action=action)),
            stub.Say(service_pb2.SayRequest(**given, text="hello")),
            stub.LeaveTable(service_pb2.LeaveTableRequest(**given)),
            stub.StartGame(service_pb2.StartGameRequest(**given)),
            stub.AddBot(service_pb2.AddBotRequest(**given)),
            stub.RevealNonce(service_pb2.RevealNonceRequest(**given)),
        ]
        if token:
            calls.append(stub.Watch(service_pb2.WatchRequest(table=table, seat_token=token)).read())
        for call in calls:
            refused = await refusal(call)
            assert (refused.reason, refused.status_code) == (reason, status)


@pytest.mark.parametrize("request_id", ["", "x" * 65, "new\nline", "\u202e"])
async def test_a_request_id_that_is_none_is_refused(request_id: str) -> None:
    """A request id has 1 to 64 printable characters."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        request = service_pb2.SayRequest(table=turn.table, request_id=request_id, seat_token=turn.token, text="hello")
        assert (await refusal(ground.stub.Say(request))).reason == "BAD_REQUEST_ID"


async def test_a_table_that_does_not_exist_is_not_found() -> None:
    """Every call names its table, and one that is not there is refused."""
    async with playground() as ground:
        refused = await refusal(ground.stub.GetRecord(service_pb2.GetRecordRequest(table="NOPE\u202e")))
        assert (refused.reason, refused.status_code) == ("NO_SUCH_TABLE", grpc.StatusCode.NOT_FOUND)
        assert refused.values == {"table": "NOPE\u202e"}
        assert refused.message == "there is no table 'NOPE\\u202e': ask for the list of tables"


async def test_the_record_is_refused_before_the_game_is_over() -> None:
    """The record holds every secret."""
    async with playground() as ground:
        turn, _ = await first_play(ground)
        refused = await refusal(ground.stub.GetRecord(service_pb2.GetRecordRequest(table=turn.table)))
        assert refused.reason == "GAME_NOT_OVER"
        table = await ground.create(2)
        refused = await refusal(ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table)))
        assert refused.reason == "GAME_NOT_STARTED"


async def test_a_field_that_a_rule_limits_is_refused_with_the_rules_number_and_its_bare_value() -> None:
    """The sentence quotes what was sent, the metadata hold it as it is, with the rule's number as everywhere."""
    async with playground() as ground:
        refused = await refusal(ground.create(9))
        assert (refused.reason, refused.rule) == ("BAD_FIELD", "R1.2")
        assert refused.values == {"field": "seats", "value": "9", "right": "a table has 2 to 8 seats (R1.2)"}
        ann = await Player.join(ground, await ground.create(2), "Ann", watch=False)
        refused = await refusal(ann.call("AddBot", level="grand master"))
        assert refused.values["level"] == "grand master"
        assert refused.message == "there is no bot of level 'grand master' (levels: basic)"
