"""The lobby: seats, names, bots, the host, nonces, and the list of tables."""

import hashlib
from typing import Any

import grpc
import pytest
from server_table import SHORT, Player, fresh_id, playground, refusal, token_of

from shanghai.v1 import rules_pb2, service_pb2, table_pb2
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.option import options_message
from shanghai_wire.rules import read_rules, rules_message


async def add_bot(player: Player, *, level: str = "", seat: int | None = None) -> service_pb2.AddBotResponse:
    """Put a bot on a seat, as a player."""
    return await player.ground.stub.AddBot(
        service_pb2.AddBotRequest(
            table=player.table, request_id=fresh_id(), seat_token=player.token, level=level, seat=seat
        )
    )


async def test_a_table_shows_its_rules_and_options_with_every_field() -> None:
    """What the maker left out is there as well, as the server has it."""
    async with playground(settings=Settings()) as ground:
        answer = await ground.stub.CreateTable(
            service_pb2.CreateTableRequest(
                request_id="make",
                name=" The  kitchen\u202e table ",
                seats=3,
                preset="literal",
                options=table_pb2.TableOptions(turn_ms=5000, wait_for_absent=True),
            )
        )
        spectator = await Player.spectate(ground, answer.table)
        table = spectator.last.public.table
        assert table.name == "The kitchen table"
        assert read_rules(table.rules).reshuffles == 0
        assert table.options == table_pb2.TableOptions(
            offer_ms=20_000,
            turn_ms=5000,
            grace_ms=60_000,
            pause_ms=30_000,
            bot_pace_ms=800,
            wait_for_absent=True,
            latecomers=True,
            spectators=True,
            spectator_delay_ms=0,
            no_hints=False,
        )
        assert len(answer.commitment) == 32
        assert table.commitment == answer.commitment
        assert [seat.occupant for seat in table.seats] == [table_pb2.OCCUPANT_NOBODY] * 3


async def test_a_repeated_create_gives_the_same_table() -> None:
    """A request id makes one table; another content under it is refused."""
    async with playground() as ground:
        request = service_pb2.CreateTableRequest(request_id="make", seats=3)
        first = await ground.stub.CreateTable(request)
        assert await ground.stub.CreateTable(request) == first
        request.seats = 4
        assert (await refusal(ground.stub.CreateTable(request))).reason == "REQUEST_ID_REUSED"
        tables = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert [table.table for table in tables.tables] == [first.table]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (service_pb2.CreateTableRequest(seats=1), "BAD_FIELD"),
        (service_pb2.CreateTableRequest(seats=9), "BAD_FIELD"),
        (service_pb2.CreateTableRequest(seats=3, preset="nonsense"), "BAD_RULES"),
        (service_pb2.CreateTableRequest(seats=3, rules=rules_pb2.Rules(aces="low")), "BAD_RULES"),
        (service_pb2.CreateTableRequest(seats=8, rules=rules_pb2.Rules(packs={"8": 1})), "BAD_RULES"),
        (service_pb2.CreateTableRequest(seats=3, options=table_pb2.TableOptions(turn_ms=-1)), "BAD_FIELD"),
        (service_pb2.CreateTableRequest(seats=3, options=table_pb2.TableOptions(turn_ms=86_400_001)), "BAD_FIELD"),
        (service_pb2.CreateTableRequest(seats=3, options=table_pb2.TableOptions(bot_pace_ms=60_001)), "BAD_FIELD"),
        (
            service_pb2.CreateTableRequest(seats=3, options=table_pb2.TableOptions(spectator_delay_ms=600_001)),
            "BAD_FIELD",
        ),
        (service_pb2.CreateTableRequest(seats=3, name="x" * 25), "LONG_NAME"),
    ],
)
async def test_a_table_that_cannot_be_played_is_not_made(request_: service_pb2.CreateTableRequest, reason: str) -> None:
    """What is wrong is named, and no table comes of it."""
    async with playground() as ground:
        request_.request_id = "make"
        refused = await refusal(ground.stub.CreateTable(request_))
        assert (refused.reason, refused.status_code) == (reason, grpc.StatusCode.INVALID_ARGUMENT)
        assert not (await ground.stub.ListTables(service_pb2.ListTablesRequest())).tables


async def test_the_longest_times_of_a_table_are_as_long_as_the_contract_says() -> None:
    """A clock is at most a day, a bot takes a minute at most for what it does, and spectators are ten minutes late."""
    longest = Options(offer_ms=86_400_000, bot_pace_ms=60_000, spectator_delay_ms=600_000)
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2, options=longest), "Ann")
        assert ann.last.public.table.options == options_message(longest)


async def test_the_server_holds_no_more_tables_than_it_may() -> None:
    """The limit is refused as exhausted."""
    async with playground(settings=Settings(tables=1)) as ground:
        await ground.create(2)
        refused = await refusal(ground.create(2))
        assert (refused.reason, refused.status_code) == ("TOO_MANY_TABLES", grpc.StatusCode.RESOURCE_EXHAUSTED)


async def test_seats_are_taken_in_order_or_by_wish() -> None:
    """One gets the first free seat, or the one asked for; a taken and a missing seat are refused."""
    async with playground() as ground:
        table = await ground.create(3)
        ben = await Player.join(ground, table, "Ben", seat=1)
        ann = await Player.join(ground, table, "Ann")
        assert (ann.seat, ben.seat) == (0, 1)
        assert (await refusal(Player.join(ground, table, "Cleo", seat=1))).reason == "SEAT_TAKEN"
        assert (await refusal(Player.join(ground, table, "Cleo", seat=3))).reason == "NO_SUCH_SEAT"
        await Player.join(ground, table, "Cleo")
        refused = await refusal(Player.join(ground, table, "Dan"))
        assert (refused.reason, refused.values["table"]) == ("TABLE_FULL", table)


async def test_equal_names_are_told_apart() -> None:
    """The second Ann is Ann 2, whatever the case of the letters."""
    async with playground() as ground:
        table = await ground.create(4)
        names = []
        for number, name in enumerate(("Ann", "Ann", "ANN", "  An\u200bn ")):
            answer = await ground.stub.JoinTable(
                service_pb2.JoinTableRequest(table=table, request_id="join", seat_token=bytes([number]) * 16, name=name)
            )
            names.append(answer.name)
        assert names == ["Ann", "Ann 2", "ANN 3", "Ann 4"]


@pytest.mark.parametrize(
    ("name", "reason"), [("", "EMPTY_NAME"), ("\u200b\u202e \n", "EMPTY_NAME"), ("x" * 25, "LONG_NAME")]
)
async def test_a_name_that_nobody_could_read_is_refused(name: str, reason: str) -> None:
    """Names have 1 to 24 visible characters."""
    async with playground() as ground:
        table = await ground.create(2)
        assert (await refusal(Player.join(ground, table, name))).reason == reason


async def test_joining_again_with_the_same_token_gives_the_same_seat() -> None:
    """A repeat gets the first answer, and a new request with a token that is seated is told its seat."""
    async with playground() as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann", seat=2)
        again = await Player.join(ground, table, "Ann", seat=2, watch=False)
        assert again.seat == ann.seat
        other = service_pb2.JoinTableRequest(
            table=table, request_id="lost and found", seat_token=ann.token, name="Anna", seat=0
        )
        answer = await ground.stub.JoinTable(other)
        assert (answer.seat, answer.name) == (2, "Ann")
        other = service_pb2.JoinTableRequest(table=table, request_id="join Ann", seat_token=ann.token, name="Anna")
        assert (await refusal(ground.stub.JoinTable(other))).reason == "REQUEST_ID_REUSED"


async def test_the_first_to_join_is_the_host_and_the_right_passes_on() -> None:
    """Only the host adds bots and starts; when he leaves, the next who joined is the host."""
    async with playground() as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann", seat=2)
        ben = await Player.join(ground, table, "Ben", seat=0)
        refused = await refusal(add_bot(ben))
        assert (refused.reason, refused.status_code) == ("NOT_HOST", grpc.StatusCode.PERMISSION_DENIED)
        assert (await refusal(ben.start())).reason == "NOT_HOST"
        await ben.until(lambda: ben.last.public.table.seats[2].connected)
        assert [seat.host for seat in ben.last.public.table.seats] == [False, False, True]
        await ann.leave()
        await ben.until(lambda: ben.last.public.table.seats[0].host)
        assert ben.last.public.table.seats[2].occupant == table_pb2.OCCUPANT_NOBODY
        assert (await add_bot(ben)).seat == 1


async def test_leaving_the_lobby_frees_the_seat_and_ends_the_stream() -> None:
    """The token holds nothing then, a repeat gets the first answer, and one may join anew."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        first = await ann.leave(request_id="leave")
        await ann.until(lambda: ann.closed is not None)
        assert ann.closed is not None
        assert ann.closed.reason == table_pb2.CLOSE_REASON_LEFT
        assert await ann.leave(request_id="leave") == first
        assert (await refusal(ann.say("hello"))).reason == "BAD_TOKEN"
        answer = await ground.stub.JoinTable(
            service_pb2.JoinTableRequest(table=table, request_id="back", seat_token=ann.token, name="Ann", seat=1)
        )
        assert (answer.seat, answer.name) == (1, "Ann")


async def test_bots_have_levels_and_names() -> None:
    """A bot of an unknown level is refused; others sit where they are asked to."""
    async with playground() as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann")
        assert (await refusal(add_bot(ann, level="grand master"))).reason == "NO_SUCH_LEVEL"
        bot = await add_bot(ann, seat=2)
        assert (bot.seat, bot.name) == (2, "Bot 1")
        await ann.until(lambda: ann.last.public.table.seats[2].occupant == table_pb2.OCCUPANT_BOT)
        assert ann.last.public.table.seats[2].level == "basic"


async def test_empty_seats_are_refused_closed_or_given_to_bots() -> None:
    """The host says what becomes of them; where they are closed, the seats behind them move up."""
    async with playground() as ground:
        table = await ground.create(4)
        ann = await Player.join(ground, table, "Ann", seat=1)
        refused = await refusal(ann.start(service_pb2.EMPTY_SEATS_UNSPECIFIED))
        assert (refused.reason, refused.values["seats"]) == ("SEATS_EMPTY", "0, 2, 3")
        unknown: Any = 77
        refused = await refusal(ann.start(unknown))
        right = "it is one of 0 (UNSPECIFIED), 1 (BOTS), 2 (CLOSE)"
        assert refused.message == f"empty_seats = 77 cannot be read: {right}"
        refused = await refusal(ann.start(service_pb2.EMPTY_SEATS_CLOSE))
        assert (refused.reason, refused.rule) == ("TOO_FEW_PLAYERS", "R1.2")
        ben = await Player.join(ground, table, "Ben", seat=3)
        other = await Player.join(ground, await ground.create(2), "Ann")
        await Player.join(ground, other.table, "Ben")
        # Where no seat is empty, too.
        assert (await refusal(other.start(unknown))).reason == "BAD_MESSAGE"
        await ann.start(service_pb2.EMPTY_SEATS_CLOSE)
        await ben.until(lambda: ben.last.public.HasField("game"))
        assert [seat.name for seat in ben.last.public.table.seats] == ["Ann", "Ben"]
        assert ben.last.private.own.seat == 1
        assert (await refusal(Player.join(ground, table, "Cleo"))).reason == "TABLE_FULL"
        assert (await refusal(ann.start())).reason == "GAME_STARTED"


async def test_lines_of_chat_name_the_seats_as_they_are_once_empty_ones_were_closed() -> None:
    """They move up with who said them, also in what a restart shows; of a seat that is gone they name none."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(5)
        ann = await Player.join(ground, table, "Ann", seat=1)
        ben, cleo = [await Player.join(ground, table, name, seat=seat) for name, seat in (("Ben", 3), ("Cleo", 4))]
        for player in (ann, ben, cleo):
            await player.say("hello")
        await ben.leave()
        await ann.until(lambda: len(ann.last.public.table.chat) == 3)
        await ann.start(service_pb2.EMPTY_SEATS_CLOSE)
        await ann.until(lambda: ann.last.public.HasField("game"))
        said = [("Ann", 0), ("Ben", None), ("Cleo", 1)]
        assert _said(ann) == said
        await cleo.say("hello again")
        await ann.until(lambda: len(ann.last.public.table.chat) == 4)
        assert _said(ann) == [*said, ("Cleo", 1)]
    async with playground(journal=journal) as ground:
        assert _said(await Player.spectate(ground, table)) == [*said, ("Cleo", 1)]


def _said(player: Player) -> list[tuple[str, int | None]]:
    """Give who said what is shown, and from which seat."""
    lines = player.last.public.table.chat
    return [(line.name, line.seat if line.HasField("seat") else None) for line in lines]


async def test_the_game_waits_for_promised_nonces_and_uses_them() -> None:
    """A revealed nonce enters the shuffle, a wrong one is refused, one that never came is zeros after 5 s."""
    async with playground() as ground:
        table = await ground.create(3)
        nonces = {"Ann": b"a" * 16, "Ben": b"b" * 16}
        ann = await Player.join(ground, table, "Ann", nonce=nonces["Ann"])
        ben = await Player.join(ground, table, "Ben", nonce=nonces["Ben"])
        await ann.start()
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_STARTING)
        assert ann.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_NONCES, left_ms=5000)

        async def reveal(player: Player, nonce: bytes) -> None:
            await ground.stub.RevealNonce(
                service_pb2.RevealNonceRequest(table=table, request_id=fresh_id(), seat_token=player.token, nonce=nonce)
            )

        assert (await refusal(reveal(ann, nonces["Ben"]))).reason == "WRONG_NONCE"
        await reveal(ann, nonces["Ann"])
        assert (await refusal(reveal(ann, nonces["Ann"]))).reason == "NO_NONCE_WANTED"
        assert not ann.last.public.HasField("game")
        ground.clock.advance(5)
        await ben.until(lambda: ben.last.public.HasField("game"))
        assert list(ben.last.public.game.nonces) == [nonces["Ann"], bytes(16), bytes(16)]
        assert (await refusal(reveal(ben, nonces["Ben"]))).reason == "NO_NONCE_WANTED"


async def test_the_game_begins_as_soon_as_every_nonce_is_there() -> None:
    """Nobody waits for the clock then."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", nonce=b"a" * 16)
        await ann.start()
        request = service_pb2.RevealNonceRequest(
            table=table, request_id="reveal", seat_token=ann.token, nonce=b"a" * 16
        )
        await ground.stub.RevealNonce(request)
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert ann.last.public.game.nonces[0] == b"a" * 16


async def test_a_nonce_commitment_is_a_hash_or_nothing() -> None:
    """Anything else is refused by the field's name."""
    async with playground() as ground:
        table = await ground.create(2)
        request = service_pb2.JoinTableRequest(
            table=table, request_id="join", seat_token=token_of("Ann", table), name="Ann", nonce_commitment=b"short"
        )
        refused = await refusal(ground.stub.JoinTable(request))
        assert (refused.reason, refused.values["field"]) == ("BAD_FIELD", "nonce_commitment")


async def test_the_seed_is_promised_before_anybody_sits_down_and_shown_when_the_game_is_over() -> None:
    """The commitment of the answer to the first call is the hash of the seed in the last update."""
    async with playground() as ground:
        answer = await ground.stub.CreateTable(
            service_pb2.CreateTableRequest(request_id="make", seats=2, rules=rules_message(SHORT))
        )
        ann = await Player.join(ground, answer.table, "Ann")
        await ann.start()
        await ann.play()
        assert hashlib.sha256(ann.last.public.game.game_seed).digest() == answer.commitment


async def test_chat_is_cleaned_numbered_and_kept() -> None:
    """Lines are one line each, without control, bidi and zero-width characters; empty and long ones are refused."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        assert (await ann.say("he\u202ello\n wo\u200brld\x07")).number == 1
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        line = ann.last.public.table.chat[0]
        assert (line.number, line.seat, line.name, line.text) == (1, 0, "Ann", "hello world")
        assert (await refusal(ann.say(" \u200b"))).reason == "EMPTY_CHAT"
        assert (await refusal(ann.say("x" * 201))).reason == "LONG_CHAT"
        for number in range(60):
            await ann.say(f"line {number}")
        await ann.until(lambda: ann.last.public.table.chat[-1].number == 61)
        assert len(ann.last.public.table.chat) == 50


async def test_the_list_of_tables_is_streamed_with_every_change() -> None:
    """All tables at first, and all again when one is made, joined, or goes on."""
    async with playground() as ground:
        stream = ground.stub.WatchTables(service_pb2.WatchTablesRequest())
        first = await stream.read()
        assert isinstance(first, service_pb2.WatchTablesResponse)
        assert not first.tables
        table = await ground.create(2, name="kitchen")
        ann = await Player.join(ground, table, "Ann")
        await ann.start()
        seen: list[service_pb2.WatchTablesResponse] = []
        while not seen or seen[-1].tables[0].hand == 0:
            answer = await stream.read()
            assert isinstance(answer, service_pb2.WatchTablesResponse)
            seen.append(answer)
        summary = seen[-1].tables[0]
        assert (summary.table, summary.name, summary.hand, summary.hands) == (table, "kitchen", 1, 2)
        assert [seat.name for seat in summary.seats] == ["Ann", "Bot 1"]
        assert summary.status == table_pb2.TABLE_STATUS_PLAYING
        stream.cancel()
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert list(listed.tables) == list(seen[-1].tables)
