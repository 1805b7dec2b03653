"""Another game with the same people: new secrets, new promises, and the record of the old one for whoever asks."""

import asyncio
import hashlib
import json
from dataclasses import replace

import pytest
from server_table import AT_ONCE, SHORT, TALKATIVE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.action import Claim
from shanghai_engine.verify import Receipt, verify
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal

LOBBY, OVER = table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_OVER
NONCES = {"Ann": b"A" * 16, "Ben": b"B" * 16}


def status(player: Player) -> int:
    """Give where the table is in its life, as a player sees it."""
    return player.last.public.table.status


async def record(ground: Playground, table: str, number: int | None = None) -> service_pb2.GetRecordResponse:
    """Give the record of a game, or of the last that is over."""
    return await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table, game_number=number))


async def played(ground: Playground, *, seats: int = 3) -> list[Player]:
    """Play a game of two persons and a bot to its end."""
    players = await seated(ground, ("Ann", "Ben"), seats=seats)
    await asyncio.gather(*(player.play() for player in players))
    return players


async def sit_there(player: Player, *names: str) -> None:
    """Wait until a player sees these sit at the table."""
    await player.until(lambda: [seat.name for seat in player.last.public.table.seats] == [*names])


async def promised(player: Player, nonce: bytes, number: int) -> None:
    """Promise a nonce for a game."""
    await player.call("CommitNonce", nonce_commitment=hashlib.sha256(nonce).digest(), game_number=number)


async def test_the_second_game_has_a_seed_promised_first_and_nonces_promised_after() -> None:
    """Its commitment is there before any nonce, the nonces enter the shuffle, and both records verify on their own."""
    async with playground() as ground:
        ann, ben = await played(ground)
        table, old = ann.table, ann.last.public.table.commitment
        first = (await record(ground, table)).record
        await ann.call("Rematch")
        for player in (ann, ben):
            await player.until(lambda player=player: status(player) == LOBBY)  # type: ignore[misc]
        view = ben.last.public.table
        assert (view.game_number, ben.last.public.HasField("game")) == (2, False)
        assert view.commitment != old
        assert not any(seat.nonce_promised or seat.ready for seat in view.seats)
        await promised(ann, NONCES["Ann"], 2)
        await promised(ben, b"another", 2)
        await promised(ben, NONCES["Ben"], 2)
        await ann.until(lambda: [seat.nonce_promised for seat in ann.last.public.table.seats] == [True, True, False])
        await ann.start()
        await ann.until(lambda: status(ann) == table_pb2.TABLE_STATUS_STARTING)
        late = await refusal(promised(ben, b"B" * 16, 2))
        assert late.reason == "GAME_STARTED"
        await ann.call("RevealNonce", nonce=NONCES["Ann"])
        assert (await refusal(ben.call("RevealNonce", nonce=b"another"))).reason == "WRONG_NONCE"
        await ben.call("RevealNonce", nonce=NONCES["Ben"])
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert list(ann.last.public.game.nonces) == [NONCES["Ann"], NONCES["Ben"], bytes(16)]
        assert (await record(ground, table)).game_number == 1
        assert (await refusal(record(ground, table, 2))).reason == "GAME_NOT_OVER"
        await asyncio.gather(ann.play(), ben.play())
        second = await record(ground, table)
        assert (second.game_number, (await record(ground, table, 1)).record) == (2, first)
    lines = second.record.encode().splitlines()
    receipt = Receipt(commitment=view.commitment, nonce=NONCES["Ben"], seat=1)
    assert verify(lines, receipt=receipt).lawful
    assert verify(first.encode().splitlines()).lawful
    assert json.loads(lines[0])["game_seed"] != json.loads(first.splitlines()[0])["game_seed"]


async def test_everybody_together_has_a_rematch_without_the_host() -> None:
    """A wish of each connected person is enough; one alone changes nothing but what everybody sees of it."""
    async with playground() as ground:
        ann, ben = await played(ground)
        await ben.call("Rematch")
        await ann.until(lambda: ann.last.public.table.seats[1].wish == table_pb2.WISH_REMATCH)
        assert status(ann) == OVER
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        assert status(ben) == OVER
        await ben.call("Rematch")
        await ben.until(lambda: status(ben) == LOBBY)
        assert not any(seat.wish for seat in ben.last.public.table.seats)


async def test_a_rematch_follows_a_game_and_nothing_else() -> None:
    """Before and during a game it is refused, and a promise for another game is none for this one."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        assert (await refusal(ann.call("Rematch"))).reason == "NO_REMATCH"
        assert (await refusal(record(ground, table))).reason == "GAME_NOT_STARTED"
        assert (await refusal(record(ground, table, 2))).reason == "NO_SUCH_GAME"
        assert (await refusal(record(ground, table, 0))).reason == "NO_SUCH_GAME"
        assert (await refusal(promised(ann, b"x" * 16, 2))).reason == "OTHER_GAME"
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert (await refusal(ann.call("Rematch"))).reason == "NO_REMATCH"
        assert (await refusal(record(ground, table))).reason == "GAME_NOT_OVER"


async def test_a_commitment_that_is_none_is_refused() -> None:
    """A promise is 32 bytes, or nothing."""
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann")
        refused = await refusal(ann.call("CommitNonce", nonce_commitment=b"short", game_number=1))
        assert (refused.reason, refused.values["field"]) == ("BAD_FIELD", "nonce_commitment")


async def test_bots_that_played_for_persons_have_names_of_their_own_in_the_next_game() -> None:
    """Whoever has gone is not in the rematch by name, and may sit down again under it."""
    async with playground() as ground:
        ann, ben = await played(ground)
        await ben.leave()
        await ann.until(lambda: ann.last.public.table.seats[1].occupant == table_pb2.OCCUPANT_BOT)
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        assert [seat.name for seat in ann.last.public.table.seats] == ["Ann", "Bot 2", "Bot 1"]
        await ann.call("RemoveBot", seat=1)
        back = await Player.join(ground, ann.table, "Ben", request_id="back again")
        assert (back.seat, back.name) == (1, "Ben")


async def test_a_bot_that_played_for_who_was_sent_away_has_a_name_that_nobody_has_in_the_next_game() -> None:
    """Also where the bot that was there before sits on a higher seat, or has a higher number than there are bots."""
    async with playground() as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann")
        for seat in (1, 2):
            await ann.call("AddBot", seat=seat)
        await ann.call("RemoveBot", seat=1)
        ben = await Player.join(ground, table, "Ben")
        assert ben.seat == 1
        await sit_there(ann, "Ann", "Ben", "Bot 2")
        await ann.start()
        await asyncio.gather(ann.play(), ben.play())
        await ann.call("KickSeat", seat=1)
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        await sit_there(ann, "Ann", "Bot 1", "Bot 2")
        for seat, name in ((1, "Bot 1"), (2, "Bot 2")):
            await ann.call("RemoveBot", seat=seat)
            assert (await ann.call("AddBot", seat=seat)).name == name


async def test_a_rematch_and_every_record_survive_restarts() -> None:
    """The same game in two servers: promises, the second game, and the records of both, byte for byte."""

    def moved(player: Player, ground: Playground) -> Player:
        return Player(ground, player.table, player.name, player.token, player.seat)

    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await played(ground)
        first = await record(ground, ann.table)
        await ann.call("Rematch", request_id="rematch")
        await promised(ben, NONCES["Ben"], 2)
        await ben.until(lambda: status(ben) == LOBBY and ben.last.public.table.seats[1].nonce_promised)
        shown = ben.last
    async with playground(journal=journal, seed="another") as ground:
        ann, ben = moved(ann, ground), moved(ben, ground)
        update = await ben.watch(after_sequence=shown.sequence)
        assert update.sequence > shown.sequence
        assert update.public.table.commitment == shown.public.table.commitment
        assert update.public.table.seats[1].nonce_promised
        await ann.watch()
        await ann.call("Rematch", request_id="rematch")
        assert ann.last.public.table.game_number == 2
        await ann.start()
        await ben.call("RevealNonce", nonce=NONCES["Ben"])
        await asyncio.gather(ann.play(), ben.play())
        second = await record(ground, ann.table, 2)
    async with playground(journal=journal) as ground:
        assert await record(ground, ann.table, 1) == first
        assert await record(ground, ann.table) == second


async def test_a_snapshot_keeps_all_that_people_have_agreed_on() -> None:
    """In the second hand of a second game, paused, private, with a kick and a latecomer: a restart changes nothing."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(4, rules=SHORT, passcode="open sesame")
        ann = await Player.join(ground, table, "Ann", passcode="open sesame")
        eve = await Player.join(ground, table, "Eve", passcode="open sesame")
        await ann.call("KickSeat", seat=eve.seat)
        await ann.start()
        await ann.play()
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        ben = await Player.join(ground, table, "Ben", passcode="open sesame", seat=2)
        await asyncio.gather(ann.play(hand=2), ben.play(hand=2))
        await ben.call("PauseGame")
        await ann.call("PauseGame")
        await ann.until(lambda: status(ann) == table_pb2.TABLE_STATUS_PAUSED)
        await ben.call("ResumeGame")
        await ann.until(lambda: ann.last.public.table.seats[2].wish == table_pb2.WISH_RESUME)
        shown = ann.last
    async with playground(journal=journal) as ground:
        ann = Player(ground, table, "Ann", ann.token, 0)
        ben = Player(ground, table, "Ben", ben.token, 2)
        await ben.watch()
        await ann.watch()
        await ann.until(lambda: ann.last.public.table.seats[2].connected)
        assert ann.last.public == shown.public
        assert ann.last.private == shown.private
        again = service_pb2.JoinTableRequest(
            table=table, request_id="x", seat_token=eve.token, name="Eve", passcode="open sesame"
        )
        assert (await refusal(ground.stub.JoinTable(again))).reason == "KICKED"
        assert (await refusal(Player.spectate(ground, table))).reason == "WRONG_PASSCODE"
        await ann.call("ResumeGame")
        await asyncio.gather(ann.play(), ben.play())
        for number in (1, 2):
            request = service_pb2.GetRecordRequest(table=table, game_number=number, passcode="open sesame")
            assert verify((await ground.stub.GetRecord(request)).record.encode().splitlines()).lawful


@pytest.mark.parametrize("spectates", [True, False])
async def test_a_viewer_follows_from_one_game_into_the_next(spectates: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """Sequences go on, the new game's events are all new, and nothing is said to be missing."""
    async with playground() as ground:
        ann, ben = await played(ground)
        viewer = await Player.spectate(ground, ann.table) if spectates else ben
        await viewer.until(lambda: status(viewer) == OVER)
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        await ann.start()
        await viewer.until(lambda: viewer.last.public.HasField("game") and viewer.last.public.table.game_number == 2)
        sequences = [update.sequence for update in viewer.updates]
        assert sequences == sorted(set(sequences))
        begun = next(
            update for update in viewer.updates if update.public.table.game_number == 2 and update.public.game.hand
        )
        assert (begun.new_from, begun.events_skipped) == (0, False)
        assert begun.public.game.events[0].HasField("hand_dealt")
        assert not begun.public.game.results


async def test_an_answer_to_a_decision_of_the_game_before_is_stale() -> None:
    """The same hand, turn and step in the next game is another decision: the old id answers nothing in it."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        assert ann.decision is not None
        old, first = ann.decision.id, Claim.PASS
        await asyncio.gather(ann.play(), ben.play())
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        await ann.start()
        await ann.until(lambda: ann.decision is not None and ann.last.public.table.game_number == 2)
        new = ann.decision.id
        assert (old, new) == ("1.1.1.0", "2.1.1.0")
        refused = await refusal(ann.answer_again(first, old))
        assert (refused.reason, refused.values["open"]) == ("STALE_DECISION", new)
        await ann.answer_again(first, new)


async def test_no_decision_of_a_table_has_the_id_of_another() -> None:
    """In two games at one table no id names two decisions: none of the first comes again in the second."""
    async with playground() as ground:
        ann, ben = await played(ground)
        ids = [{update.private.decision.id for update in ann.updates}]
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        seen = len(ann.updates)
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        await asyncio.gather(ann.play(), ben.play())
        ids.append({update.private.decision.id for update in ann.updates[seen:]})
        assert all(len(each) > 10 for each in ids)
        assert ids[0] & ids[1] == {""}


async def test_whoever_is_connected_is_back_when_another_game_is_prepared() -> None:
    """Of that game nobody has missed a turn (R14.2), so that no stand-in plays it for somebody who is there."""
    journal = MemoryJournal()
    settings = Settings(options=replace(AT_ONCE, turn_ms=1000, offer_ms=1000), chat=TALKATIVE, calls=TALKATIVE)
    async with playground(settings=settings, journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        for _ in range(1000):
            # Nobody plays: at first the least that is lawful is done for them, and then stand-ins play.
            ground.clock.advance(1)
            await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
            if status(ann) == OVER and status(ben) == OVER:
                break
        played_for = [[seat.stand_in for seat in update.public.table.seats] for update in ben.updates]
        assert [each for each in played_for if any(each)][-1] == [True, True]
        await ann.call("Rematch")
        await ben.until(lambda: status(ben) == LOBBY)
        await ann.start()
        await ben.until(lambda: ben.last.public.HasField("game"))
        assert not any(seat.stand_in for seat in ben.last.public.table.seats)
    async with playground(settings=settings, journal=journal) as ground:
        again = Player(ground, ben.table, ben.name, ben.token, ben.seat)
        await again.watch()
        assert [seat.stand_in for seat in again.last.public.table.seats] == [False, False]


async def test_who_is_not_there_when_another_game_is_prepared_is_absent_still() -> None:
    """Nobody waits for somebody who has gone; he is back when he comes."""
    settings = Settings(options=replace(AT_ONCE, grace_ms=1000), chat=TALKATIVE, calls=TALKATIVE)
    async with playground(settings=settings) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ben.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        ground.clock.advance(2)
        await ann.until(lambda: ann.last.public.table.seats[1].stand_in)
        await ann.play()
        await ann.call("Rematch")
        await ann.until(lambda: status(ann) == LOBBY)
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert ann.last.public.table.seats[1].stand_in
        await ben.watch()
        await ann.until(lambda: not ann.last.public.table.seats[1].stand_in)
