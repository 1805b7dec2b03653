"""Whole games over loopback gRPC."""

import asyncio

from server_table import Player, playground

from shanghai.v1 import service_pb2, table_pb2


async def test_a_whole_game_is_played_by_scripted_seats() -> None:
    """Four seats play a game to its end by what their streams show, and get its record."""
    async with playground() as ground:
        table = await ground.create(4)
        players = [await Player.join(ground, table, name) for name in ("Ann", "Ben", "Cleo", "Dan")]
        await players[0].start()
        await asyncio.gather(*(player.play() for player in players))
        assert players[0].last.public.table.status == table_pb2.TABLE_STATUS_OVER
        record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table))
        assert record.record.splitlines()[-1].startswith('{"event":"game_end"')
        for player in players:
            await player.unwatch()


async def test_a_whole_game_is_played_against_bots() -> None:
    """One seat plays against three bots of the server to the end of the game."""
    async with playground() as ground:
        table = await ground.create(4)
        player = await Player.join(ground, table, "Ann")
        await player.start()
        await player.play()
        assert player.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        await player.unwatch()
