"""An action in the words of advice, as in `A bot would discard KS`."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.present.choices import lay_off_command
from shanghai_client.scene import Scene
from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap


def advice_text(action: Action, scene: Scene) -> str:
    """Give what a bot would do, as a sentence."""
    game = scene.game
    match action:
        case Answer(claim=Claim.TAKE) if game is not None:
            return _("A bot would take {card}.").format(card=game.upcard)
        case Answer(claim=Claim.BUY) if game is not None:
            return _("A bot would buy {card}.").format(card=game.upcard)
        case LayDown():
            melds = " / ".join(str(draft) for draft in action.melds)
            return _("A bot would lay down {melds}.").format(melds=melds)
        case LayOff() if game is not None:
            command = lay_off_command(game, action)
            return _("A bot would lay off {card} ({command}).").format(card=action.card, command=command)
        case Swap():
            return _("A bot would swap {card} for the joker of meld {meld}.").format(card=action.card, meld=action.meld)
        case Discard():
            return _("A bot would discard {card}.").format(card=action.card)
        case _:
            return _("A bot would pass.")
