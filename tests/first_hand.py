"""The first hand of a game on a server, played by all its seats as far as a test needs it."""

from __future__ import annotations

from server_table import Player, Playground, seated

from shanghai.v1 import view_pb2
from shanghai_engine.action import Claim
from shanghai_server.house.settings import Options


async def settled(players: list[Player], events: int) -> None:
    """Wait until everybody has seen so many events of the hand."""
    for player in players:
        await player.until(lambda player=player: len(player.last.public.game.events) >= events)  # type: ignore[misc]


async def passed_to(players: list[Player]) -> Player:
    """Let everybody pass until somebody has drawn; gives who is on turn."""
    game = players[0].last.public.game
    for seat in game.claim_order:
        await players[seat].answer(Claim.PASS)
    await settled(players, len(game.events) + 2)
    return players[game.turn]


async def to_the_score_sheet(ground: Playground, names: tuple[str, ...], options: Options) -> list[Player]:
    """Play the first hand to its end."""
    players = await seated(ground, names, options=options)
    for _ in range(2000):
        game = players[0].last.public.game
        if game.phase == view_pb2.PHASE_HAND_OVER:
            break
        if game.phase == view_pb2.PHASE_OFFER:
            await passed_to(players)
        else:
            turn = players[game.turn]
            await turn.act(turn.choose())
            await settled(players, len(game.events) + 1)
    for player in players:
        await player.until(lambda player=player: player.last.public.game.phase == view_pb2.PHASE_HAND_OVER)  # type: ignore[misc]
    return players
