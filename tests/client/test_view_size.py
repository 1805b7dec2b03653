"""What a hostile server sends too much of is refused before anything is made of it."""

from __future__ import annotations

import pytest
from google.protobuf.message import Message

from shanghai.v1 import card_pb2, table_pb2, view_pb2
from shanghai_client.cli.fault import end_with
from shanghai_client.cli.wrong import FAILED
from shanghai_client.scene import Scene
from shanghai_client.view_size import MOST_CARDS, MOST_CHAT, check_size
from shanghai_wire.bad_message import BadMessage


def _update(*, public: view_pb2.PublicView | None = None, private: table_pb2.PrivateUpdate | None = None) -> Message:
    update = table_pb2.Update(sequence=1)
    update.public.table.table = "ABCDE"
    if public is not None:
        update.public.game.CopyFrom(public)
    if private is not None:
        update.private.CopyFrom(private)
    return update


_CARD = card_pb2.CARD_TWO_OF_CLUBS if hasattr(card_pb2, "CARD_TWO_OF_CLUBS") else card_pb2.Card.values()[1]
MELD = card_pb2.Meld(cards=[_CARD] * 3)
TOO_MUCH = {
    "melds": (view_pb2.PublicView(melds=[MELD] * 10_000), None, "game.melds = '10000 entries'"),
    "a meld": (view_pb2.PublicView(melds=[card_pb2.Meld(cards=[_CARD] * 30_000)]), None, "game.melds.cards"),
    "dead": (view_pb2.PublicView(dead=[_CARD] * 2_000), None, "game.dead"),
    "hand": (None, table_pb2.PrivateUpdate(own=view_pb2.OwnView(seat=0, hand=[_CARD] * 2_000)), "own.hand"),
    "lay-offs": (
        None,
        table_pb2.PrivateUpdate(
            decision=view_pb2.Decision(play=view_pb2.PlayDecision(lay_offs=[view_pb2.LayOff(meld=0)] * 10_001))
        ),
        "decision.play.lay_offs",
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_more_than_a_game_can_have_is_refused(what: str) -> None:
    """The sentence names the field, how much it held, and how much is possible."""
    public, private, said = TOO_MUCH[what]
    update = _update(public=public, private=private)
    assert isinstance(update, table_pb2.Update)
    with pytest.raises(BadMessage, match="has at most") as bad:
        Scene.of(update)
    assert said in str(bad.value)


def _seats(count: int) -> table_pb2.Update:
    update = table_pb2.Update(sequence=1)
    for index in range(count):
        update.public.table.seats.add(index=index)
    return update


def test_a_seat_that_the_table_has_not_is_refused() -> None:
    """It is named with what would be right, before anything looks for who sits there."""
    update = _seats(2)
    update.private.own.seat = 7
    with pytest.raises(BadMessage, match=r"own\.seat = 7 cannot be read: it is one of 2 seats, from 0"):
        Scene.of(update)
    for seat in (-1, 2):
        update = _seats(2)
        update.public.table.takeovers.add(seat=seat)
        with pytest.raises(BadMessage, match=r"table\.takeovers\[0\]\.seat"):
            Scene.of(update)
    update = _seats(2)
    update.public.table.seats[1].index = 5
    with pytest.raises(BadMessage, match=r"table\.seats\[1\]\.index = 5"):
        Scene.of(update)


def test_what_a_server_says_wrongly_is_no_wrong_input() -> None:
    """The exit code is that of a failure, and the sentence says who said it."""
    sentence, code = end_with(BadMessage("own.seat", 7, "it is one of 2 seats, from 0"))
    assert (code, sentence.partition(":")[0]) == (FAILED, "the server said what this client cannot read")


def test_as_much_as_a_game_can_have_is_read() -> None:
    """A hand of all cards of six packs is no more than possible."""
    own = view_pb2.OwnView(seat=0, hand=[_CARD] * MOST_CARDS)
    update = _update(private=table_pb2.PrivateUpdate(own=own))
    assert isinstance(update, table_pb2.Update)
    check_size(update)


def test_of_much_talk_the_last_lines_are_kept() -> None:
    """Thousands of lines are neither shown nor laid out."""
    update = table_pb2.Update(sequence=1)
    for number in range(3_000):
        update.public.table.chat.add(number=number, name="Eve", text="日" * 500)
    shown = Scene.of(update).table.chat
    assert [shown[0].number, shown[-1].number, len(shown)] == [3_000 - MOST_CHAT, 2_999, MOST_CHAT]
