"""No line of a log tells a card, a seed, a nonce, a token, a passcode or what people said, at any level."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import logging
import re
from collections.abc import Iterator, Sequence

import grpc.aio
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, playground, refusal

from shanghai.v1 import card_pb2, service_pb2, table_pb2, view_pb2
from shanghai_engine.card import CARDS, Card
from shanghai_engine.event import Event
from shanghai_server.house.log import LogLevel, file_log
from shanghai_server.house.redaction import HIDDEN, redact, redacted
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import Fact, Said
from shanghai_server.standing.standing import Standing
from shanghai_server.standing.taking import take

PASSCODE, CODE, CHAT = "open sesame", "ABCD-EFGH-JKLM", "I have three queens"
NONCE = bytes(range(16, 32))
CARD_TEXT = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][CDHS]|JK)(?![A-Za-z0-9])|\bCard\.|\bCARD_[0-9A-Z]")


def forms(secret: bytes) -> Iterator[str]:
    """Give every form in which bytes could stand in a line."""
    yield from (secret.hex(), secret.hex().upper(), secret.hex(" "), repr(secret), repr(secret)[2:-1])
    yield base64.b64encode(secret).decode().rstrip("=")


def told(lines: Sequence[str], secrets: Sequence[bytes], texts: Sequence[str]) -> list[str]:
    """Give the lines that tell what none may."""
    wanted = [form.replace("\\", "\\\\") for secret in secrets for form in forms(secret)]
    wanted += [form for secret in secrets for form in forms(secret)]
    return [line for line in lines if CARD_TEXT.search(line) or any(each in line for each in (*wanted, *texts))]


async def played(ground: Playground, monkeypatch: pytest.MonkeyPatch, journal: MemoryJournal) -> list[bytes]:
    """Play a whole game at a private table, with everything that goes wrong; gives the secrets that there were."""
    table = await ground.create(3, passcode=PASSCODE)
    ann = await Player.join(ground, table, "Ann", passcode=PASSCODE, nonce=NONCE)
    ben = await Player.join(ground, table, "Ben", passcode=PASSCODE)
    await ann.start()
    await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_STARTING)
    await ann.call("RevealNonce", nonce=NONCE)
    for player in (ann, ben):
        await player.until(lambda player=player: player.last.public.HasField("game"))  # type: ignore[misc]
    await ann.say(CHAT)
    await refusal(Player.spectate(ground, table, passcode="wrong passcode"))
    await refusal(Player.join(ground, table, "Eve", code="ABCDEFGHWRONG"))
    await ben.call("HandOverSeat", code=CODE)
    # Cards that nobody can play, choices of no seat, messages that are none, a bot that fails, a disk that is full.
    for card in CARDS:
        discard = view_pb2.Discard(card=card_pb2.Card.ValueType(card))
        await refusal(ann.act(view_pb2.Action(discard=discard), decision="1.1.1.0"))
    journal.failure = f"the disk is full: {Card.H8!r} and 9S, and {NONCE!r}"
    await refusal(ann.say(CHAT))
    journal.failure = None
    # Its clocks stand still for a second then.
    ground.clock.advance(2)

    def bad(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"{CARDS[0]} {CARDS[0]!r} {NONCE!r} {NONCE.hex()} {list(CARDS[:3])}")

    with monkeypatch.context() as patch:
        patch.setattr("shanghai_server.verbs.lobby.read_chat", bad)
        await refusal(ann.say(CHAT))
    with monkeypatch.context() as patch:
        patch.setattr("shanghai_server.verbs.thinking.rng_for", bad)
        patch.setattr("shanghai_server.doors.service.read_call", bad)
        await refusal(ann.say(CHAT))
    await asyncio.gather(ann.play(), ben.play())
    record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table, passcode=PASSCODE))
    lines = [json.loads(line) for line in record.record.splitlines()]
    seeds = [bytes.fromhex(lines[0]["game_seed"]), *(bytes.fromhex(x["seed"]) for x in lines if x["event"] == "deal")]

    def broken(standing: Standing, fact: Fact, events: Sequence[Event] | None = None) -> None:
        if isinstance(fact, Said):
            raise ZeroDivisionError(f"{fact.request} {standing.game_seed!r} {standing.game_seed.hex()} 8H JK")
        take(standing, fact, events)

    with monkeypatch.context() as patch:
        patch.setattr("shanghai_server.standing.ledger.take", broken)
        await refusal(ann.say(CHAT))
    assert await ben.ended() == table_pb2.CLOSE_REASON_FAULT
    tokens = [ann.token, ben.token]
    return [*seeds, NONCE, *tokens, *(hashlib.sha256(token).digest() for token in tokens)]


async def test_no_log_of_a_whole_game_tells_a_secret_at_any_level(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With refusals, faults, a full disk and a bad bot, at the level at which all is logged; the libraries' too."""
    caplog.set_level(logging.DEBUG)
    journal, file = MemoryJournal(), io.StringIO()
    settings = Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE)
    async with playground(journal=journal, settings=settings, log=file_log(file, level=LogLevel.DEBUG)) as ground:
        secrets = await played(ground, monkeypatch, journal)
    lines = file.getvalue().splitlines()
    events = {json.loads(line)["event"] for line in lines}
    assert {"call", "a call failed", "table failed", "listening"} <= events
    assert any("nothing could be written" in event for event in events)
    assert sum("ZeroDivisionError" in line and HIDDEN in line for line in lines) >= 2
    assert len(secrets) >= 8
    texts = (PASSCODE, "wrong passcode", CODE, CODE.replace("-", ""), "ABCDEFGHWRONG", CHAT)
    assert told(lines, secrets, texts) == []
    assert told([record.getMessage() for record in caplog.records], secrets, texts) == []


def test_the_check_itself_finds_every_form_of_a_secret() -> None:
    """A card, bytes in hex, as Python writes them and in base64, and a text that nobody else may read."""
    spoilt = ["8H", "the JK", "Card.H8", "CARD_8H", CHAT, *forms(NONCE), json.dumps(repr(NONCE))]
    assert told(spoilt, [NONCE], [CHAT]) == spoilt
    assert told(["a call failed", "AH1", "table ADLDP"], [NONCE], [CHAT]) == []


@pytest.mark.parametrize("card", [*Card])
def test_no_card_is_told_in_any_form(card: Card) -> None:
    """As text, as Python and the contract write it, in a list, in a sentence, as a value."""
    wire = card_pb2.Card.Name(card_pb2.Card.ValueType(card))
    for text in (str(card), repr(card), wire, f"{card} is not in the hand", f"[{card!r}]", f"'{card}'", f"a={card},"):
        assert CARD_TEXT.search(text), text
        assert not CARD_TEXT.search(redacted(text))
    line = redact(None, "info", {"event": "x", "what": card, "more": [card], "also": {"cards": int(card), "n": 1}})
    assert line == {"event": "x", "what": HIDDEN, "more": [HIDDEN], "also": {"cards": HIDDEN, "n": 1}}
    assert redact(None, "info", {"event": "x", "hand": [int(card)]}) == {"event": "x", "hand": HIDDEN}


def test_what_is_no_secret_is_told_as_it_is() -> None:
    """Numbers, codes of tables, reasons, times and the sentences of a log are what it is for."""
    event = {
        "event": "listening",
        "table": "ADLDP",
        "port": 7410,
        "at": 1.5,
        "ok": True,
        "none": None,
        "seat": 0,
        "hand": 3,
    }
    assert redact(None, "info", dict(event)) == event
    text = "2026-11-30T01:00:00Z File 'server/table.py', line 247, in _fail: reason STALE_DECISION 1.1.1.0"
    assert redacted(text) == text
    assert redact(None, "info", {"event": "x", "token": "abc", "data": b"abc", "error": ValueError("JK")}) == {
        "event": "x",
        "token": HIDDEN,
        "data": HIDDEN,
        "error": f"ValueError('{HIDDEN}')",
    }


async def test_an_error_of_ours_tells_a_caller_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text and its details are the same whatever was wrong, and hold nothing of it."""

    def bad(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"8H {NONCE.hex()}")

    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann", watch=False)
        monkeypatch.setattr("shanghai_server.verbs.lobby.read_chat", bad)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ann.say("hello")
        error = caught.value
        all_of_it = f"{error.details()} {error.trailing_metadata()!r} {error.debug_error_string()}"
        assert told([all_of_it], [NONCE], ["ZeroDivision", "Traceback"]) == []
