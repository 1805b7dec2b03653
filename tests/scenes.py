"""Named scenes of a table, and the text that the plain client shows of each, kept under tests/data/screens.

python tests/scenes.py      writes the texts anew, to be looked at before they are committed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from positions import position

from shanghai.v1 import table_pb2
from shanghai_client.language import LANGUAGES, speaking
from shanghai_client.present.cards import hand_lines
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.melds import discard_lines, meld_lines
from shanghai_client.present.news import log_lines
from shanghai_client.present.score_sheet import final_lines, hand_over_lines
from shanghai_client.present.table import lobby_lines, table_lines
from shanghai_client.scene import Scene
from shanghai_engine.action import Deal
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.decision import DecisionId
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase
from shanghai_wire.decisions import GoOnDecision

SCREENS = Path(__file__).parent / "data" / "screens"
NAMES = ("Ann", "Bot 1", "日本太郎", "Zoë", "Eve", "Finn", "Gus", "A name of 24 characters!")
Present = Callable[[Scene], Sequence[str]]


def people(game: Game, *, away: int | None = None) -> list[table_pb2.Seat]:
    """Give who sits at the table of a game: a bot on seat 1, persons else."""
    return [
        table_pb2.Seat(
            index=seat,
            occupant=table_pb2.OCCUPANT_BOT if seat == 1 else table_pb2.OCCUPANT_PERSON,
            level="basic" if seat == 1 else "",
            name=NAMES[seat],
            connected=seat != away,
            stand_in=seat == away,
            host=seat == 0,
        )
        for seat in range(game.state.players)
    ]


def scene_of(game: Game, seat: int | None = 0, *, away: int | None = None, left_ms: int = 0) -> Scene:
    """Give what a seat sees of a game, or a spectator."""
    view = game.view(seat)
    public = replace(
        view.public, seats=tuple(replace(shown, name=NAMES[n]) for n, shown in enumerate(view.public.seats))
    )
    decision = game.decisions().get(seat) if seat is not None else None
    clock = table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=left_ms) if left_ms else None
    return Scene(
        table=table_pb2.TableView(table="ABCDE", status=table_pb2.TABLE_STATUS_PLAYING, seats=people(game, away=away)),
        clock=clock,
        view=replace(view, public=public),
        seat=seat,
        decision=decision,
        decision_id=str(decision.id) if decision is not None else "",
    )


def _offer_to_a_buyer() -> Scene:
    game = position(hand=2, turn=3, phase=Phase.OFFER, hands={0: "8C 8D 4H 5H 7H TC TS AS KD 3C JK"}, discards="8S")
    return scene_of(game, 0, left_ms=19_400)


def _offer_on_turn() -> Scene:
    game = position(hand=1, turn=0, phase=Phase.OFFER, hands={0: "8C 8D KH KS 2C 3D"}, discards="2H 8S", discarder=3)
    return scene_of(game, 0)


def _offer_that_ends_the_hand() -> Scene:
    game = position(hand=1, turn=0, phase=Phase.OFFER, stock="", discards="8S", hands={0: "8C KH KS 2C"}, discarder=3)
    return scene_of(game, 0)


def _offer_on_turn_down() -> Scene:
    game = position(
        hand=1,
        turn=0,
        phase=Phase.OFFER,
        melds=[(0, "8C 8D 8H"), (0, "KC KD KH")],
        hands={0: "KS 2C"},
        discards="9S",
        discarder=3,
    )
    return scene_of(game, 0)


def _offer_of_two() -> Scene:
    game = position(players=2, hand=8, turn=0, phase=Phase.OFFER, discards="9S", discarder=1)
    return scene_of(game, 0)


def _turn_that_can_lay_down() -> Scene:
    game = position(hand=2, turn=0, hands={0: "8C 8D JK 4H 5H 6H 7H KD 2S"}, drawn="KD")
    return scene_of(game, 0)


def _turn_with_melds() -> Scene:
    game = position(
        hand=2,
        turn=0,
        melds=[(2, "QC QD QS"), (2, "5H JK 7H 8H"), (0, "3C 3D JK"), (0, "9S TS JS QS")],
        hands={0: "4H 6H 8S JK QH 3S 2C"},
        drawn="JK",
    )
    return scene_of(game, 0, away=3)


def _eight_players() -> Scene:
    melds = [(seat, f"{rank}C {rank}D {rank}H") for seat, rank in enumerate("3456789T")]
    melds += [(seat, f"{rank}C {rank}D {rank}S JK") for seat, rank in enumerate("456789TJ")]
    hand = "2C 2D 2H 2S JC JD QH QS KC KD KH KS AC AD AH AS 3S 4S 5S 6S 7S 8S JK"
    return scene_of(position(players=8, hand=1, turn=0, melds=melds, hands={0: hand}, drawn="AS"), 0)


def _floating() -> Scene:
    game = position(hand=1, turn=1, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: "", 1: "5C 6D"}, drawn="6D")
    return scene_of(game, 0)


def _spectator() -> Scene:
    return scene_of(position(hand=3, turn=2, phase=Phase.OFFER, discards="4D 9C"), None)


@cache
def played(hands: int, *, players: int = 4, rules: RuleSet = STANDARD) -> Game:
    """Give a game of bots after so many hands."""
    game = Game.new(seed=bytes(32), players=list(NAMES[:players]), rules=rules)
    decide = LEVELS[DEFAULT_LEVEL].decide
    while len(game.state.results) < hands:
        decisions = game.decisions()
        if not decisions:
            game.apply(Deal())
        for seat, decision in decisions.items():
            if decision.id != next(iter(game.decisions().values()), decision).id:
                break
            if game.decisions().get(seat) == decision:
                game.apply(decide(game.view(seat), decision, rng_for("scenes", seat, decision.id)))
    return game


def _between_hands() -> Scene:
    game = played(2)
    state = game.state
    owed = GoOnDecision(0, DecisionId(state.hand, state.turn_number, state.step))
    shown = replace(scene_of(game, 0), decision=owed, decision_id=str(owed.id))
    shown.table.seats[3].ready = True
    return shown


def _game_over() -> Scene:
    return scene_of(played(10), 0)


def _lobby() -> Scene:
    seats = [
        table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, name="Ann", connected=True, host=True),
        table_pb2.Seat(index=1, occupant=table_pb2.OCCUPANT_BOT, name="Bot 1", level="basic"),
        table_pb2.Seat(index=2, occupant=table_pb2.OCCUPANT_NOBODY),
        table_pb2.Seat(index=3, occupant=table_pb2.OCCUPANT_PERSON, name="日本太郎"),
    ]
    table = table_pb2.TableView(table="ABCDE", name="Friday", status=table_pb2.TABLE_STATUS_LOBBY, seats=seats)
    return Scene(table=table, seat=0)


TABLE: tuple[Present, ...] = (table_lines, meld_lines, discard_lines, hand_lines, choice_lines)
SCENES: dict[str, tuple[Callable[[], Scene], tuple[Present, ...]]] = {
    "offer_to_a_buyer": (_offer_to_a_buyer, TABLE),
    "offer_on_turn": (_offer_on_turn, TABLE),
    "offer_that_ends_the_hand": (_offer_that_ends_the_hand, TABLE),
    "offer_on_turn_down": (_offer_on_turn_down, TABLE),
    "offer_of_two": (_offer_of_two, (choice_lines,)),
    "turn_that_can_lay_down": (_turn_that_can_lay_down, TABLE),
    "turn_with_melds": (_turn_with_melds, TABLE),
    "eight_players": (_eight_players, TABLE),
    "floating": (_floating, TABLE),
    "spectator": (_spectator, TABLE),
    "between_hands": (_between_hands, (hand_over_lines, choice_lines)),
    "game_over": (_game_over, (final_lines,)),
    "eight_players_over": (lambda: scene_of(played(10, players=8), 0), (final_lines,)),
    "log": (lambda: scene_of(played(1), 0), (log_lines,)),
    "lobby": (_lobby, (lobby_lines,)),
}
"""Every scene, with what is shown of it."""


@cache
def scene(name: str) -> Scene:
    """Give a scene by its name."""
    make, _ = SCENES[name]
    return make()


@cache
def screen(name: str, language: str = LANGUAGES[0]) -> str:
    """Give the text of a scene in a language."""
    _, presents = SCENES[name]
    with speaking(language):
        return "".join(f"{line}\n" for present in presents for line in present(scene(name)))


def screen_file(name: str, language: str = LANGUAGES[0]) -> Path:
    """Give the file that holds the text of a scene in a language."""
    return SCREENS / (f"{name}.txt" if language == LANGUAGES[0] else f"{name}.{language}.txt")


if __name__ == "__main__":
    SCREENS.mkdir(exist_ok=True)
    for each in SCENES:
        for spoken in LANGUAGES:
            screen_file(each, spoken).write_text(screen(each, spoken), encoding="utf-8")
