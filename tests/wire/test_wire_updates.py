"""The bytes of updates, joined from parts, are those of the whole message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_strategies import random_game

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.state import Phase
from shanghai_wire.decisions import decision_bytes, decision_message
from shanghai_wire.rules import rules_message
from shanghai_wire.updates import GameBytes, OwnBytes, private_bytes, public_bytes, update_bytes
from shanghai_wire.views import own_message, public_message


@pytest.mark.parametrize("players", [2, 4])
def test_updates_of_a_whole_game_are_what_encoding_everything_would_give(players: int) -> None:
    """Change after change and hand after hand, seat and spectator get the content and size of the `WatchResponse`."""
    game_bytes = GameBytes()
    own_bytes = [OwnBytes() for _ in range(players)]
    decided = 0
    for moment, game in enumerate(random_game(players=players, seed=players)):
        seat, seen = moment % players, game.state.phase is Phase.GAME_OVER or moment % 5 < 3
        if not seen:  # an encoder need not be asked after each change
            continue
        view = game.view(seat)
        assert view.own is not None
        decision = game.decisions().get(seat)
        table = table_pb2.TableView(
            table="ABCDE",
            rules=rules_message(view.public.rules),
            seats=[table_pb2.Seat(index=i) for i in range(players)],
        )
        clock = table_pb2.Clock(kind=table_pb2.CLOCK_KIND_TURN, seat=seat, left_ms=moment) if moment % 2 else None
        table_alone = table.SerializeToString(deterministic=True)
        public = public_bytes(
            table=table_alone,
            clock=None if clock is None else clock.SerializeToString(),
            game=game_bytes.encode(view.public),
        )
        decision_alone = None if decision is None else decision_message(decision, game=1)
        private = private_bytes(
            own=own_bytes[seat].encode(view.own, hand=view.public.hand),
            decision=None if decision is None else decision_bytes(decision, game=1),
        )
        whole = service_pb2.WatchResponse(
            update=table_pb2.Update(
                sequence=moment,
                new_from=len(view.public.events) - 1,
                events_skipped=moment % 3 == 0,
                public=table_pb2.PublicUpdate(table=table, clock=clock, game=public_message(view.public)),
                private=table_pb2.PrivateUpdate(own=own_message(view.own), decision=decision_alone),
            )
        )
        new_from, skipped = whole.update.new_from, whole.update.events_skipped
        joined = update_bytes(
            sequence=moment, new_from=new_from, events_skipped=skipped, public=public, private=private
        )
        assert service_pb2.WatchResponse.FromString(joined) == whole
        assert len(joined) == whole.ByteSize()
        whole.update.ClearField("private")
        for_all = update_bytes(sequence=moment, new_from=new_from, events_skipped=skipped, public=public)
        assert service_pb2.WatchResponse.FromString(for_all) == whole
        assert len(for_all) == whole.ByteSize()
        decided += decision is not None
    assert decided > 100


def test_an_update_before_the_first_deal() -> None:
    """With no game, no clock and no decision only the table and the seat's number are sent, empty as they may be."""
    public = public_bytes(table=b"")
    own = view_pb2.OwnView(seat=0)
    response = service_pb2.WatchResponse.FromString(
        update_bytes(
            sequence=1,
            new_from=0,
            events_skipped=True,
            public=public,
            private=private_bytes(own=own.SerializeToString()),
        )
    )
    assert response.update.public.HasField("table")
    assert not response.update.public.HasField("game")
    assert not response.update.public.HasField("clock")
    assert response.update.private.own.HasField("seat")
    assert not response.update.private.HasField("decision")


@given(
    sequence=st.integers(0, 2**64 - 1),
    new_from=st.integers(0, 2**31 - 1),
    events_skipped=st.booleans(),
    name=st.text(max_size=300),
    private=st.booleans(),
)
def test_the_head_of_an_update_is_what_protobuf_writes(
    *,
    sequence: int,
    new_from: int,
    events_skipped: bool,
    name: str,
    private: bool,
) -> None:
    """Numbers and lengths of every size are written as protobuf writes them."""
    public = table_pb2.PublicUpdate(table=table_pb2.TableView(name=name))
    own = table_pb2.PrivateUpdate() if private else None
    whole = service_pb2.WatchResponse(
        update=table_pb2.Update(
            sequence=sequence, new_from=new_from, events_skipped=events_skipped, public=public, private=own
        )
    )
    joined = update_bytes(
        sequence=sequence,
        new_from=new_from,
        events_skipped=events_skipped,
        public=public_bytes(table=public.table.SerializeToString()),
        private=None if own is None else own.SerializeToString(),
    )
    assert joined == whole.SerializeToString()


def test_an_encoder_that_comes_late_gives_the_whole_history() -> None:
    """A new encoder, as after a restart, gives at once what the old one gives."""
    old = GameBytes()
    for moment, game in enumerate(random_game(players=3, seed=3)):
        view = game.view().public
        encoded = old.encode(view)
        if moment % 50 == 0:
            assert GameBytes().encode(view) == encoded
