"""No stream, answer or error shows a card that its viewer may not know: all that was sent is decoded and walked."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace

import grpc.aio
import pytest
from google.protobuf.message import Message
from message_walk import unknown_fields, walk
from server_table import AT_ONCE, Player, Playground, playground, seated, token_of

from shanghai.v1 import card_pb2, service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim
from shanghai_engine.card import CARDS, Card
from shanghai_engine.event import (
    Answered,
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    Event,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Swapped,
)
from shanghai_engine.game import Game
from shanghai_engine.state import Phase
from shanghai_wire.actions import action_message
from shanghai_wire.cards import card_number
from shanghai_wire.refused import Refused

CARD_TEXT = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][CDHS]|JK)(?![A-Za-z0-9])")
"""A card in its text form."""
GRACE_MS = 1000
PUBLIC_CARDS = {
    "public.game.upcard",
    "public.game.dead",
    "public.game.melds.cards",
    "public.game.melds.stands_for",
    "public.game.results.hands.cards",
    "public.game.events.hand_dealt.upcard",
    "public.game.events.offer_settled.card",
    "public.game.events.card_drawn.card",
    "public.game.events.laid_down.melds.cards",
    "public.game.events.laid_down.melds.stands_for",
    "public.game.events.laid_off.card",
    "public.game.events.laid_off.after.cards",
    "public.game.events.laid_off.after.stands_for",
    "public.game.events.swapped.card",
    "public.game.events.swapped.after.cards",
    "public.game.events.swapped.after.stands_for",
    "public.game.events.discarded.card",
    "public.game.events.hand_ended.hands.cards",
}
OWN_CARDS = {
    "private.own.hand",
    "private.own.drawn",
    "private.own.learned.cards",
    "private.decision.play.lay_down.cards",
    "private.decision.play.lay_offs.card",
    "private.decision.play.swaps.card",
    "private.decision.play.discards",
}


@dataclass
class Known:
    """What may be known after some public events of a game: worked out from the record alone, not from any view."""

    hand: int
    public: Counter[Card]
    upcard: Card | None
    dead: list[Card]
    hands: list[tuple[Card, ...]]
    learned: list[Counter[Card]]
    over: bool
    seeds: list[bytes]


def shown_openly(event: Event) -> list[Card]:
    """Give the cards that an event turns face up for everybody."""
    match event:
        case Dealt():
            return [event.upcard]
        case LaidDown():
            return [card for meld in event.melds for card in meld.cards]
        case LaidOff() | Swapped() | Discarded():
            return [event.card]
        case _:
            return []


def known_by_place(record: str) -> dict[tuple[int, int], Known]:
    """Give what may be known, by the hand and the number of its public events, from the record of the whole game."""
    lines = [json.loads(line) for line in record.splitlines()]
    whole = Game.from_record(lines)
    game = Game.replay(whole.events[:1])
    known: dict[tuple[int, int], Known] = {}
    public: Counter[Card] = Counter()
    learned: list[Counter[Card]] = []
    seeds: list[bytes] = []
    count = 0
    for event in whole.events[1:]:
        assert not isinstance(event, Answered)
        game.evolve(event)
        if isinstance(event, Dealt):
            public, count = Counter(), 0
            learned = [Counter(hand) for hand in event.hands]
        public.update(shown_openly(event))
        if isinstance(event, OfferClosed) and event.result is OfferResult.BOUGHT and event.seat is not None:
            learned[event.seat].update(event.penalty)
        if isinstance(event, Drew) and event.source is DrawSource.STOCK:
            learned[event.seat][event.card] += 1
        count += 1
        state = game.state
        if state.phase in {Phase.HAND_OVER, Phase.GAME_OVER}:
            seeds = [result.seed for result in state.results]
            for hand in state.hands:
                public.update(hand)
        known[state.hand, count] = Known(
            hand=state.hand,
            public=public.copy(),
            upcard=state.upcard,
            dead=list(state.dead),
            hands=list(state.hands),
            learned=[each.copy() for each in learned],
            over=state.phase is Phase.GAME_OVER,
            seeds=[*seeds],
        )
    return known


def check_update(
    update: table_pb2.Update, seat: int | None, known: Known, secrets: list[bytes], *, first_hand: int = 1
) -> int:
    """Check every card, text and byte string of an update against what its viewer may know; gives how many cards."""
    cards = 0
    waits = known.hand < first_hand and not known.over
    own = set() if seat is None or waits else {*known.hands[seat], *known.learned[seat]}
    for found in walk(update):
        if found.enum == "Card":
            assert isinstance(found.value, int)
            card = Card(found.value)
            cards += 1
            if found.path.endswith("stands_for"):
                continue
            if found.path in PUBLIC_CARDS:
                assert known.public[card] or found.path.startswith("public.game.results"), (found, known)
            else:
                assert found.path in OWN_CARDS, found
                # A card that was taken from the upcard has been open; it may be laid off already.
                assert card in own or (found.path == "private.own.drawn" and known.public[card]), (found, known)
        elif isinstance(found.value, str):
            assert not CARD_TEXT.search(found.value) or found.path.startswith("public.table.rules.points"), found
        elif isinstance(found.value, bytes):
            shown = [seed for seed in secrets if seed in found.value]
            assert all(seed in known.seeds or known.over for seed in shown), found
    game = update.public.game
    assert game.upcard == (known.upcard or 0)
    assert [Card(card) for card in game.dead] == known.dead
    if seat is None:
        assert not update.HasField("private")
    elif waits:
        assert update.private.own == view_pb2.OwnView(seat=seat)
        assert update.private.decision.WhichOneof("ask") in {None, "go_on"}
    else:
        assert [Card(card) for card in update.private.own.hand] == sorted(known.hands[seat])
        mine = Counter(card for each in update.private.own.learned for card in each.cards)
        assert mine == Counter(map(int, known.learned[seat].elements()))
    return cards


@dataclass
class Sent:
    """All that a server has sent to one viewer: the messages of its streams, the answers to its calls, and refusals."""

    seat: int | None
    streams: list[bytes] = field(default_factory=list)
    answers: list[Message] = field(default_factory=list)
    texts: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    """With the cards, in text form, that the viewer was shown or had named itself."""
    first_hand: int = 1
    """The hand from which on the viewer has the seat: of those before he sees nothing of it (R2.3)."""


async def try_what_is_unlawful(player: Player, sent: Sent) -> None:
    """Ask for what one may not: cards that one does not hold, an old decision, with a strange token."""
    held = {Card(card) for card in player.last.private.own.hand}
    stranger = Player(player.ground, player.table, "Stranger", bytes(16), player.seat)
    tries = [
        (player, view_pb2.Action(discard=view_pb2.Discard(card=card_number(card))), card.text)
        for card in [card for card in CARDS if card not in held][:2]
    ]
    tries += [(player, action_message(Answer(player.seat, Claim.BUY)), ""), (stranger, tries[0][1], "")]
    shown = {Card(found.value).text for found in walk(player.last) if found.enum == "Card" and found.value}  # type: ignore[arg-type]
    for who, action, named in tries:
        for decision in (f"1.{player.last.public.game.hand}.{player.last.public.game.turn_number}.1", "1.1.1.0"):
            try:
                sent.answers.append(await who.act(action, decision=decision))
            except grpc.aio.AioRpcError as error:
                refused = Refused.by_call(error)
                said = f"{refused.message} {dict(refused.values)} {error.debug_error_string()}"
                sent.texts.append((said, frozenset({*shown, named})))


async def stood_in_for(player: Player, spectator: Player) -> None:
    """Let somebody be away until a stand-in has played for him, and come back."""

    def place() -> tuple[int, int]:
        game = spectator.last.public.game
        return game.hand, len(game.events)

    def seat() -> table_pb2.Seat:
        return spectator.last.public.table.seats[player.seat]

    before = place()
    await player.unwatch()
    await spectator.until(lambda: not seat().connected)
    player.ground.clock.advance(GRACE_MS / 1000)
    await spectator.until(lambda: seat().stand_in and place() != before)
    await player.watch(after_sequence=player.last.sequence)
    await spectator.until(lambda: not seat().stand_in)


async def let_in(ground: Playground, request: service_pb2.JoinTableRequest) -> service_pb2.JoinTableResponse:
    """Sit down as soon as somebody who plays is there: nobody new is let in before."""
    while True:
        try:
            return await ground.stub.JoinTable(request)
        except grpc.aio.AioRpcError as error:
            if Refused.by_call(error).reason != "NOBODY_PLAYS":
                raise


async def come_late(ground: Playground, table: str, name: str, sent: Sent) -> Player:
    """Take the seat of a bot in the middle of the game."""
    token = token_of(name, table)
    request = service_pb2.JoinTableRequest(
        table=table, request_id=f"late {name}", seat_token=token, name=name, seat=sent.seat
    )
    answer = await let_in(ground, request)
    sent.answers.append(answer)
    assert sent.seat is not None
    late = Player(ground, table, name, token, sent.seat)
    shown = (await late.watch()).public
    if answer.waits_for_deal:
        # The hand may be over by now, but its successor is not dealt before he has gone on.
        sent.first_hand = shown.game.hand + 1
        await try_what_is_unlawful(late, sent)
    return late


async def play_late(host: Player, sent: Sent) -> None:
    """Take the seat of a bot at once, and play on with those who sit there."""
    lea = await come_late(host.ground, host.table, "Lea", sent)
    await lea.play()
    sent.streams += lea.raw


async def played(ground: Playground, names: tuple[str, ...], seats: int) -> tuple[list[Sent], str]:
    """Play a whole game with everything that happens at a table; gives what each viewer was sent, and the record.

    A spectator comes late, another from the start. One player comes back again and again, once after a stand-in has
    played for him, and is replaced by a second client of his; another gives his seat up in the second hand, so that a
    bot plays it on, until somebody takes it who comes late. Where a bot sits, somebody takes it in the first hand.
    """
    players = await seated(ground, names, seats=seats, options=replace(AT_ONCE, grace_ms=GRACE_MS))
    ann = players[0]
    sent = [Sent(player.seat) for player in players] + [Sent(None)]
    spectator = await Player.spectate(ground, ann.table)
    turns, is_back = 0, asyncio.Event()

    async def curious() -> None:
        nonlocal turns
        turns += 1
        if turns % 8 == 1 and turns < 60:
            await try_what_is_unlawful(ann, sent[0])
            sent[0].answers.append(await ann.say(f"my turn {turns}"))
            sent[-1].answers.append(await ground.stub.ListTables(service_pb2.ListTablesRequest()))
        if turns == 2:
            await stood_in_for(ann, spectator)
            is_back.set()
        if turns % 6 == 0:
            await ann.unwatch()
            await ann.watch(after_sequence=ann.last.sequence)
        if turns % 13 == 0:
            newer = Player(ground, ann.table, ann.name, ann.token, ann.seat)
            await newer.watch(after_sequence=ann.last.sequence)
            await ann.until_closed()
            assert ann.closed is not None
            await newer.unwatch()
            sent[0].streams += newer.raw
            await ann.watch(after_sequence=ann.last.sequence)

    leaver, comer = players[1], Sent(players[1].seat)
    guests = [Sent(seats - 1)] if seats > len(players) else []

    async def play_and_leave() -> None:
        await leaver.play(hand=2)
        await is_back.wait()
        if leaver.last.public.table.status != table_pb2.TABLE_STATUS_OVER:
            sent[1].answers.append(await leaver.leave())
            await leaver.until_closed()
        turn = leaver.last.public.game.turn_number + 2
        await spectator.until(
            lambda: spectator.last.public.game.turn_number >= turn or spectator.last.public.game.places != []
        )
        dora = await come_late(ground, leaver.table, "Dora", comer)
        await dora.play()
        comer.streams += dora.raw

    others = [player.play() for player in players[2:]]
    await asyncio.gather(
        ann.play(before=curious), play_and_leave(), *others, *(play_late(ann, guest) for guest in guests)
    )
    late = await Player.spectate(ground, ann.table)
    await spectator.until(lambda: spectator.last.public.table.status == table_pb2.TABLE_STATUS_OVER)
    record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
    for each, viewer in zip(sent, (*players, spectator), strict=True):
        each.streams += viewer.raw
    sent[-1].streams += late.raw
    return [*sent, comer, *guests], record.record


def check_sent(sent: Sent, known: dict[tuple[int, int], Known], secrets: list[bytes]) -> int:
    """Check everything that one viewer was sent; gives how many cards were in it."""
    cards = 0
    for message in sent.streams:
        response = service_pb2.WatchResponse.FromString(message)
        assert not unknown_fields(response)
        if response.HasField("update") and response.update.public.HasField("game"):
            game = response.update.public.game
            cards += check_update(
                response.update, sent.seat, known[game.hand, len(game.events)], secrets, first_hand=sent.first_hand
            )
        else:
            assert not [found for found in walk(response) if found.enum == "Card"]
    for answer in sent.answers:
        assert not unknown_fields(answer)
        for found in walk(answer):
            assert found.enum != "Card"
            assert not isinstance(found.value, str) or not CARD_TEXT.search(found.value)
            assert not isinstance(found.value, bytes) or not [secret for secret in secrets if secret in found.value]
    for text, shown in sent.texts:
        assert set(CARD_TEXT.findall(text)) <= shown
    return cards


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("games", [3, pytest.param(100, marks=pytest.mark.soak)])
async def test_nothing_that_is_sent_shows_a_card_that_its_viewer_may_not_know(seats: int, games: int) -> None:
    """Whole games of scripted seats and bots with spectators: every message to every viewer is decoded and walked."""
    for number in range(games):
        async with playground(seed=f"secrecy {seats} {number}") as ground:
            sent, record = await played(ground, ("Ann", "Ben", "Cleo")[:seats], seats)
        known = known_by_place(record)
        lines = [json.loads(line) for line in record.splitlines()]
        secrets = [bytes.fromhex(lines[0]["game_seed"])]
        secrets += [bytes.fromhex(line["seed"]) for line in lines if line["event"] == "deal"]
        cards = sum(check_sent(each, known, secrets) for each in sent)
        assert cards > 1000
        assert sent[0].texts
        assert all(each.answers for each in (sent[0], sent[-1]))
        assert all(each.streams for each in sent)


def test_the_check_itself_finds_a_card_that_does_not_belong() -> None:
    """An update into which a foreign card, a card's text or a seed is put does not pass."""
    known = Known(
        hand=1,
        public=Counter([Card.H8]),
        upcard=Card.H8,
        dead=[],
        hands=[(Card.C2,), (Card.S9,)],
        learned=[Counter([Card.C2]), Counter([Card.S9])],
        over=False,
        seeds=[],
    )
    secret = b"s" * 32

    def update() -> table_pb2.Update:
        made = table_pb2.Update(sequence=1)
        made.public.game.upcard = card_pb2.CARD_8H
        made.private.own.hand.append(card_pb2.CARD_2C)
        made.private.own.learned.add(event_index=0, cards=[card_pb2.CARD_2C])
        return made

    assert check_update(update(), 0, known, [secret]) == 3
    spoilt = [update() for _ in range(6)]
    spoilt[0].public.game.dead.append(card_pb2.CARD_9S)
    spoilt[1].private.own.hand.append(card_pb2.CARD_9S)
    spoilt[2].public.table.chat.add(text="9S")
    spoilt[3].public.game.game_seed = secret
    spoilt[4].public.game.events.add().card_drawn.card = card_pb2.CARD_9S
    spoilt[5].private.decision.play.discards.append(card_pb2.CARD_9S)
    for each in spoilt:
        with pytest.raises(AssertionError):
            check_update(each, 0, known, [secret])
    with pytest.raises(AssertionError):
        check_update(update(), None, known, [secret])
    with pytest.raises(AssertionError):
        check_update(update(), 0, known, [secret], first_hand=2)
