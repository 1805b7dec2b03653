"""An action in the words of advice, as in `discard KS`."""

from __future__ import annotations

from shanghai_client.present.choices import lay_off_command
from shanghai_client.scene import Scene
from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap


def advice_text(action: Action, scene: Scene) -> str:
    """Give what to do, as it follows `a bot would`."""
    game = scene.game
    match action:
        case Answer(claim=Claim.TAKE) if game is not None:
            return f"take {game.upcard}"
        case Answer(claim=Claim.BUY) if game is not None:
            return f"buy {game.upcard}"
        case LayDown():
            return f"lay down {' / '.join(str(draft) for draft in action.melds)}"
        case LayOff() if game is not None:
            return f"lay off {action.card} ({lay_off_command(game, action)})"
        case Swap():
            return f"swap {action.card} for the joker of meld {action.meld}"
        case Discard():
            return f"discard {action.card}"
        case _:
            return "pass"
