"""What is said at the table."""

from __future__ import annotations

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene


def talk_text(line: table_pb2.ChatLine) -> str:
    """Give a line of talk with its speaker."""
    return _("{name} says: {text}").format(name=line.name, text=line.text)


def notice_text(notice: table_pb2.Notice) -> str:
    """Give what the server's host tells everybody."""
    return _("The server's host says: {text}").format(text=notice.text)


def talk_lines(scene: Scene) -> list[str]:
    """Give what has been said, as far back as the table keeps it."""
    said = [part for line in scene.table.chat for part in wrap(talk_text(line), width=scene.width, indent="  ")]
    return said or [_("Nobody has said anything yet.")]
