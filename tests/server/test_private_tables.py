"""Private tables: who needs the passcode, who does not, and that it stands nowhere."""

import asyncio
import io

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message
from hand_clock import HandClock
from message_walk import walk
from server_table import AT_ONCE, Player, playground, refusal, seated, token_of

from shanghai.v1 import service_pb2, service_pb2_grpc
from shanghai_server.doors.server import GameServer
from shanghai_server.house.log import file_log
from shanghai_server.house.secret import SeededSecrets
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.passcode import Passcode

SECRET = "Grünkohl am Freitag"  # noqa: S105 (the tests' own)


async def test_joining_and_watching_need_the_passcode_and_a_seat_does_not() -> None:
    """A wrong one and none are refused alike; whoever holds a seat, or is given one, needs none."""
    async with playground() as ground:
        table = await ground.create(3, passcode=SECRET)
        for wrong in ("", "grünkohl am freitag", "x" * 1000):
            refused = await refusal(Player.join(ground, table, "Eve", passcode=wrong))
            assert (refused.reason, refused.status_code) == ("WRONG_PASSCODE", grpc.StatusCode.PERMISSION_DENIED)
            refused = await refusal(Player.spectate(ground, table, passcode=wrong))
            assert (refused.reason, refused.status_code) == ("WRONG_PASSCODE", grpc.StatusCode.PERMISSION_DENIED)
        # The same text in another Unicode form, with blanks around it.
        ann = await Player.join(ground, table, "Ann", passcode=" Gru\u0308nkohl am Freitag ")
        spectator = await Player.spectate(ground, table, passcode=SECRET)
        assert spectator.last.public.table.private
        await ann.unwatch()
        await ann.watch()
        assert (await Player.join(ground, table, "Ann", request_id="again", watch=False)).seat == ann.seat
        await ann.call("HandOverSeat", code="COMEONIN")
        assert (await Player.join(ground, table, "Ben", code="COMEONIN")).seat == 0


async def test_the_record_of_a_private_table_needs_the_passcode_or_a_seat() -> None:
    """Nobody else has it, also after a restart."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(2, passcode=SECRET)
        ann = await Player.join(ground, table, "Ann", passcode=SECRET)
        await ann.start()
        await ann.play()
    async with playground(journal=journal) as ground:
        ask = ground.stub.GetRecord
        request = service_pb2.GetRecordRequest(table=table)
        assert (await refusal(ask(request))).reason == "WRONG_PASSCODE"
        request.passcode = SECRET
        whole = await ask(request)
        assert whole.record
        assert await ask(service_pb2.GetRecordRequest(table=table, seat_token=ann.token)) == whole
        stranger = service_pb2.GetRecordRequest(table=table, seat_token=token_of("Eve", table), passcode=SECRET)
        assert (await refusal(ask(stranger))).reason == "BAD_TOKEN"


async def test_the_list_says_which_tables_are_private_and_names_nobody_there() -> None:
    """Everybody sees that there is one, how full it is, and not who plays."""
    async with playground() as ground:
        table = await ground.create(3, passcode=SECRET, name="Friday")
        await Player.join(ground, table, "Ann", passcode=SECRET)
        await ground.create(2)
        private, public = (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables
        assert (private.private, private.name, public.private) == (True, "Friday", False)
        assert [seat.name for seat in private.seats] == ["", "", ""]
        assert sum(seat.occupant == private.seats[0].occupant for seat in private.seats) == 1


@pytest.mark.parametrize("passcode", ["abc", "   ", "x" * 65])
async def test_a_passcode_that_is_too_short_or_too_long_is_refused(passcode: str) -> None:
    """It has 4 to 64 characters, and the refusal does not repeat it."""
    async with playground() as ground:
        refused = await refusal(ground.create(2, passcode=passcode))
        assert (refused.reason, refused.status_code) == ("BAD_PASSCODE", grpc.StatusCode.INVALID_ARGUMENT)
        assert passcode not in refused.message + str(dict(refused.values))


async def test_a_repeated_create_does_not_tell_whether_its_passcode_is_right() -> None:
    """Only whether there is one counts: that everybody sees in the list."""
    async with playground() as ground:
        table = await ground.create(2, passcode=SECRET, request_id="make")
        assert await ground.create(2, passcode=SECRET, request_id="make") == table
        # Nobody who knows the id finds out by it whether he has guessed the passcode, not even as far as its length.
        assert await ground.create(2, passcode="another", request_id="make") == table
        assert await ground.create(2, passcode="x", request_id="make") == table
        assert (await refusal(ground.create(2, request_id="make"))).reason == "REQUEST_ID_REUSED"


async def test_guessing_a_passcode_is_slowed_down_and_holds_up_nobody_who_sits() -> None:
    """After twenty wrong ones the right one waits too; a seat's stream and calls do not."""
    async with playground() as ground:
        table = await ground.create(3, passcode=SECRET)
        ann = await Player.join(ground, table, "Ann", passcode=SECRET)
        for number in range(20):
            assert (await refusal(Player.spectate(ground, table, passcode=f"{number}"))).reason == "WRONG_PASSCODE"
        refused = await refusal(Player.join(ground, table, "Ben", passcode=SECRET))
        assert (refused.reason, refused.status_code) == ("TOO_MANY_TRIES", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert refused.retry_after_ms == 1000
        await ann.say("hello")
        await ann.unwatch()
        await ann.watch()
        ground.clock.advance(1)
        assert (await Player.join(ground, table, "Ben", passcode=SECRET)).seat == 1


async def test_spectators_may_be_forbidden() -> None:
    """Only seats watch then; the list says so."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann", "Ben"), options=Options(bot_pace_ms=0, spectators=False))
        refused = await refusal(Player.spectate(ground, ann.table))
        assert (refused.reason, refused.status_code) == ("NO_SPECTATORS", grpc.StatusCode.PERMISSION_DENIED)
        (summary,) = (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables
        assert not summary.spectators_allowed


async def test_who_may_not_watch_a_table_has_no_record_of_it_either() -> None:
    """Also of an earlier game, and with the passcode; who holds a seat has it."""
    async with playground() as ground:
        table = await ground.create(2, passcode=SECRET, options=Options(bot_pace_ms=0, spectators=False))
        ann = await Player.join(ground, table, "Ann", passcode=SECRET)
        await ann.start()
        await ann.play()
        await ann.call("Rematch")
        for game in (None, 1):
            request = service_pb2.GetRecordRequest(table=table, game_number=game, passcode=SECRET)
            refused = await refusal(ground.stub.GetRecord(request))
            assert (refused.reason, refused.status_code) == ("NO_SPECTATORS", grpc.StatusCode.PERMISSION_DENIED)
        assert (await ann.record()).count('"event":"hand_end"') == 2


async def test_passcodes_tokens_and_codes_stand_in_no_log_no_view_no_error_and_no_journal() -> None:
    """A game with all of them, right and wrong: everything that was sent or written holds none."""
    log, journal, clock = io.StringIO(), MemoryJournal(), HandClock()
    code, wrong_code, wrong = "SECRETCODE77", "WRONGCODE88", "wrong passcode 99"
    async with journal:
        server = GameServer(
            journal,
            settings=Settings(options=AT_ONCE),
            secrets=SeededSecrets("secret"),
            clock=clock,
            log=file_log(log),
        )
        port = await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
            made = await stub.CreateTable(service_pb2.CreateTableRequest(request_id="make", seats=3, passcode=SECRET))
            tokens = [bytes([0x40 + number]) * 16 for number in range(3)]

            def join(number: int, **fields: str) -> service_pb2.JoinTableRequest:
                return service_pb2.JoinTableRequest(
                    table=made.table,
                    request_id=f"{number} {sorted(fields)}",
                    seat_token=tokens[number],
                    name=f"P{number}",
                    passcode=fields.get("passcode", ""),
                    hand_over_code=fields.get("code", ""),
                )

            errors = [str(await refusal(stub.JoinTable(join(0, passcode=wrong))))]
            await stub.JoinTable(join(0, passcode=SECRET))
            errors.append(str(await refusal(stub.JoinTable(join(1, code=wrong_code)))))
            offer = service_pb2.HandOverSeatRequest(
                table=made.table, request_id="offer", seat_token=tokens[0], code=code
            )
            await stub.HandOverSeat(offer)
            call = stub.Watch(service_pb2.WatchRequest(table=made.table, seat_token=tokens[0]))
            seen = [await call.read()]
            await stub.JoinTable(join(1, code=code))
            while True:
                response = await call.read()
                if not isinstance(response, service_pb2.WatchResponse):
                    break
                seen.append(response)
            spectator = stub.Watch(service_pb2.WatchRequest(table=made.table, passcode=SECRET))
            seen.append(await spectator.read())
            spectator.cancel()
            listed = await stub.ListTables(service_pb2.ListTablesRequest())
            records = b"".join(entry.record for entry in await journal.read(made.table, 0))
        await server.stop(1)
    shown = "".join(str(found.value) for message in [*seen, listed] for found in walk(as_message(message)))
    written = records.decode("utf-8", "replace") + records.decode("unicode_escape", "replace")
    for secret in (SECRET, code, wrong_code, wrong, *(token.decode("latin-1") for token in tokens)):
        for where in (shown, written, log.getvalue(), *errors):
            assert secret not in where
            assert secret.encode().hex() not in where
    assert len(seen) >= 3


def as_message(read: object) -> Message:
    """Give what was read from a stream as the message that it is."""
    assert isinstance(read, Message)
    return read


def test_a_passcode_is_held_against_its_hash_only() -> None:
    """The right one opens, also the second time; one character more or less does not; the hash differs by table."""
    kept = Passcode.of(SECRET, salted_by="one")
    assert kept.opens(SECRET)
    assert kept.opens(SECRET)
    assert not kept.opens(SECRET[:-1])
    assert not kept.opens("")
    assert not kept.opens("x" * 100_000)
    assert Passcode.of(SECRET, salted_by="two").key != kept.key
    assert kept.key.hex() not in repr(kept)
    assert repr(kept.key) not in repr(kept)


async def test_many_guesses_at_once_keep_the_table_going() -> None:
    """A burst of wrong passcodes is refused one and all, and the seats play on."""
    async with playground() as ground:
        table = await ground.create(2, passcode=SECRET)
        ann = await Player.join(ground, table, "Ann", passcode=SECRET)
        guesses = [refusal(Player.join(ground, table, f"Eve {n}", passcode=f"guess {n}")) for n in range(40)]
        reasons = {refused.reason for refused in await asyncio.gather(*guesses)}
        assert reasons == {"WRONG_PASSCODE", "TOO_MANY_TRIES"}
        await ann.start()
        await ann.play()
