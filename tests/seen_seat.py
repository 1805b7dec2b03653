"""A seat as a player sees it, and the same player at a server that was started again."""

from server_table import Player, Playground

from shanghai.v1 import table_pb2


def seat_at(player: Player, index: int) -> table_pb2.Seat:
    """Give a seat as a player sees it."""
    return player.last.public.table.seats[index]


def moved(player: Player, ground: Playground) -> Player:
    """Give the same player at a server that was started again."""
    return Player(ground, player.table, player.name, player.token, player.seat)
