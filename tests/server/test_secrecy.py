"""No stream, answer or error shows a card that its viewer may not know: all that was sent is decoded and walked."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from dataclasses import dataclass

import grpc.aio
import pytest
from message_walk import unknown_fields, walk
from server_table import Player, Playground, playground, seated

from shanghai.v1 import card_pb2, service_pb2, table_pb2, view_pb2
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
from shanghai_wire.cards import card_number
from shanghai_wire.refused import Refused

CARD_TEXT = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][CDHS]|JK)(?![A-Za-z0-9])")
"""A card in its text form."""
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


def check_update(update: table_pb2.Update, seat: int | None, known: Known, secrets: list[bytes]) -> int:
    """Check every card, text and byte string of an update against what its viewer may know; gives how many cards."""
    cards = 0
    own = set() if seat is None else {*known.hands[seat], *known.learned[seat]}
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
    else:
        assert [Card(card) for card in update.private.own.hand] == sorted(known.hands[seat])
        mine = Counter(card for each in update.private.own.learned for card in each.cards)
        assert mine == Counter(map(int, known.learned[seat].elements()))
    return cards


async def try_what_is_unlawful(player: Player) -> list[str]:
    """Ask for every discard that one does not hold; gives the texts of the refusals."""
    texts = []
    held = {Card(card) for card in player.last.private.own.hand}
    assert player.decision is not None
    for card in [card for card in CARDS if card not in held][:3]:
        action = view_pb2.Action()
        action.discard.card = card_number(card)
        try:
            await player.act(action)
        except grpc.aio.AioRpcError as error:
            refused = Refused.by_call(error)
            sentence = f"{refused.message} {dict(refused.values)} {error.debug_error_string()}"
            texts.append(sentence.replace(card.text, "its own card"))
    return texts


async def played(ground: Playground, names: tuple[str, ...], seats: int) -> tuple[list[Player], Player, str, list[str]]:
    """Play a whole game with a spectator; gives the seats, the spectator, the record, and the texts of refusals."""
    players = await seated(ground, names, seats=seats)
    spectator = await Player.spectate(ground, players[0].table)
    texts: list[str] = []

    async def curious() -> None:
        if players[0].decision is not None and players[0].decision.HasField("play") and len(texts) < 12:
            texts.extend(await try_what_is_unlawful(players[0]))

    await asyncio.gather(players[0].play(before=curious), *(player.play() for player in players[1:]))
    await spectator.until(lambda: spectator.last.public.table.status == table_pb2.TABLE_STATUS_OVER)
    record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=players[0].table))
    listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
    assert not [found for found in walk(listed) if found.enum == "Card"]
    return players, spectator, record.record, texts


@pytest.mark.parametrize("seats", [2, 4, 6])
async def test_nothing_that_is_sent_shows_a_card_that_its_viewer_may_not_know(seats: int) -> None:
    """A whole game of scripted seats and bots with a spectator: every message to every viewer is decoded and walked."""
    async with playground(seed=f"secrecy {seats}") as ground:
        players, spectator, record, texts = await played(ground, ("Ann", "Ben"), seats)
    known = known_by_place(record)
    lines = [json.loads(line) for line in record.splitlines()]
    secrets = [bytes.fromhex(lines[0]["game_seed"])]
    secrets += [bytes.fromhex(line["seed"]) for line in lines if line["event"] == "deal"]
    cards = 0
    for viewer in (*players, spectator):
        seat = viewer.seat if viewer.seat >= 0 else None
        for message in viewer.raw:
            response = service_pb2.WatchResponse.FromString(message)
            assert not unknown_fields(response)
            if response.HasField("update") and response.update.public.HasField("game"):
                game = response.update.public.game
                cards += check_update(response.update, seat, known[game.hand, len(game.events)], secrets)
            else:
                assert not [found for found in walk(response) if found.enum == "Card"]
    assert cards > 1000
    assert texts
    assert not [text for text in texts if CARD_TEXT.search(text)]


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
