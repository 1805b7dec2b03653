"""What holds at a table besides the rules, said before its game: the clocks, and what its host has left out."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene

_MS = 1000


def terms_lines(scene: Scene) -> list[str]:
    """Give the clocks of a table, and that it has no hints or no spectators; nothing where it does not say."""
    if not scene.table.HasField("options"):
        return []
    options = scene.table.options
    said = [
        _("Time for an offer: {offer}; for a turn: {turn}; between hands: {pause}.").format(
            offer=_time(options.offer_ms), turn=_time(options.turn_ms), pause=_time(options.pause_ms)
        )
    ]
    if options.wait_for_absent or not options.grace_ms:
        said.append(_("Whoever is away is waited for."))
    else:
        said.append(_("Whoever is away for {grace} is played for.").format(grace=_time(options.grace_ms)))
    said += [_("No hints are shown.")] if options.no_hints else []
    if not options.spectators:
        said.append(_("Nobody looks on."))
    elif options.spectator_delay_ms:
        late = _time(options.spectator_delay_ms)
        said.append(_("Who looks on sees everything {late} later.").format(late=late))
    if options.HasField("latecomers") and not options.latecomers:
        said.append(_("Nobody takes a bot's seat once the game is on."))
    return wrap(" ".join(said), width=scene.width, indent="  ")


def _time(milliseconds: int) -> str:
    return count(round(milliseconds / _MS), "second") if milliseconds else _("no limit")
