"""The rules of Shanghai Rum and the game record: standard library only, no I/O, no clock, no global random.

Everything that a user of the engine needs is here, by what it is for; `docs/engine.md` shows it at work. The built-in
players are in `shanghai_engine.bots`, the checking of records in `shanghai_engine.verify`.
"""

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card, Suit, cards_text, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.decision import Choices, Decision, DecisionId, DecisionKind, OfferDecision, PlayDecision
from shanghai_engine.event import (
    Answered,
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    EndReason,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.game import Game
from shanghai_engine.history import CardDrawn, HandDealt, Learned, OfferSettled, PublicEvent, StockReshuffled
from shanghai_engine.malformed import BadRecord, BadRules, Malformed, ShanghaiError
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind
from shanghai_engine.position import position_text, read_position
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import PRESETS, STANDARD, RuleSet
from shanghai_engine.shuffle import Chance, SeededChance
from shanghai_engine.solver import (
    Nearness,
    Turn,
    all_lay_downs,
    best_lay_down,
    best_turn,
    can_lay_down,
    distance,
    fulfils,
    how_near,
    outs,
)
from shanghai_engine.state import HandResult, Phase, State
from shanghai_engine.view import OwnView, PublicView, SeatView, View
from shanghai_engine.violation import RuleViolation

# Grouped by what they are for, not by the alphabet.
__all__ = [  # noqa: RUF022
    # A game
    "Game",
    "State",
    "Phase",
    "HandResult",
    "position_text",
    "read_position",
    "Chance",
    "SeededChance",
    # Cards, melds, contracts
    "Card",
    "Suit",
    "CARDS",
    "JOKER",
    "cards_text",
    "parse_cards",
    "MeldKind",
    "MeldDraft",
    "Meld",
    "End",
    "Contract",
    "STANDARD_CONTRACTS",
    # The table's rules
    "RuleSet",
    "STANDARD",
    "PRESETS",
    # What may be done
    "Decision",
    "OfferDecision",
    "PlayDecision",
    "DecisionId",
    "DecisionKind",
    "Choices",
    "Action",
    "Answer",
    "Claim",
    "LayDown",
    "LayOff",
    "Swap",
    "Discard",
    "TimeOut",
    "Deal",
    # What has happened
    "Event",
    "GameStarted",
    "Dealt",
    "Answered",
    "OfferClosed",
    "OfferResult",
    "Drew",
    "DrawSource",
    "Reshuffled",
    "LaidDown",
    "LaidOff",
    "Swapped",
    "Discarded",
    "HandEnded",
    "EndReason",
    "GameEnded",
    # What a seat sees
    "View",
    "PublicView",
    "OwnView",
    "SeatView",
    "Learned",
    "PublicEvent",
    "HandDealt",
    "OfferSettled",
    "CardDrawn",
    "StockReshuffled",
    # The solver
    "can_lay_down",
    "best_lay_down",
    "best_turn",
    "Turn",
    "all_lay_downs",
    "fulfils",
    "distance",
    "outs",
    "how_near",
    "Nearness",
    # What is raised
    "ShanghaiError",
    "Malformed",
    "BadRules",
    "BadRecord",
    "RuleViolation",
    "Refusal",
]
