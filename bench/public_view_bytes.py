"""Encoding the public view of four seats after a change, against what protobuf alone needs to write the same message.

The view has 8 melds, 40 dead discards, five finished hands and 120 events, of which a change adds one.
"""

from dataclasses import replace

from bench.ratio import Ratio, measure_ratio
from shanghai.v1 import view_pb2
from shanghai_engine.card import CARDS, parse_cards
from shanghai_engine.event import Discarded, EndReason
from shanghai_engine.game import Game
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import STANDARD
from shanghai_engine.state import HandResult, Phase
from shanghai_engine.view import PublicView
from shanghai_wire.updates import GameBytes
from shanghai_wire.views import public_message


def _view() -> PublicView:
    start = Game.new(seed=bytes(32), players=4).view().public
    drafts = (
        MeldDraft(MeldKind.RUN, parse_cards("4H JK 6H 7H JK 9H TH")),
        MeldDraft(MeldKind.SET, parse_cards("8C 8D JK")),
    )
    melds = [read_meld(drafts[number % 2], meld_id=number, owner=number // 2, rules=STANDARD) for number in range(8)]
    result = HandResult(
        hand=1,
        contract=start.contract,
        dealer=0,
        reason=EndReason.OUT,
        winner=1,
        hands=(CARDS[:9], (), CARDS[9:20], CARDS[20:28]),
        scores=(45, 0, 80, 60),
        totals=(45, 0, 80, 60),
        seed=bytes(32),
        commitment=bytes(32),
    )
    return replace(
        start,
        phase=Phase.PLAY,
        dead=CARDS[:40],
        melds=tuple(meld for meld in melds if isinstance(meld, Meld)),
        results=(result,) * 5,
        events=(*start.events, *(Discarded(number % 4, CARDS[number % 53]) for number in range(119))),
    )


def measure() -> Ratio:
    """Encode the view with an encoder that has encoded the one before it."""
    view = _view()
    assert len(view.melds) == 8
    before = replace(view, events=view.events[:-1])
    message = public_message(view)
    encoder = GameBytes()
    assert view_pb2.PublicView.FromString(encoder.encode(before)) != message
    assert view_pb2.PublicView.FromString(encoder.encode(view)) == message
    return measure_ratio(
        work="encoding a four-seat public view after a change",
        run=lambda: encoder.encode(view),
        bare="writing its ready message",
        run_bare=message.SerializeToString,
    )
