"""Every refusal: a stable code, the rule that stands behind it, and its sentence (R15.1).

The sentence is a template. Its values travel with the refusal, so that it can be said in another language.
"""

from __future__ import annotations

from shanghai_engine.choice import Choice


class Refusal(Choice):
    """Why an action is refused; the name is the stable code, the value its rule and its sentence."""

    # What the game waits for
    NOT_YOUR_TURN = ("R4.1", "seat {seat} is not on turn: it is seat {turn}'s turn")
    OFFER_IS_OPEN = ("R4.2", "seat {seat} cannot play yet: the offer of {card} is open, and comes before the draw")
    NO_OFFER_IS_OPEN = ("R7.10", "there is no offer to answer: seat {turn} has drawn, and plays until it discards")
    HAND_IS_OVER = ("R2.4", "hand {hand} is over: nothing can be played before the next deal")
    GAME_IS_OVER = ("R2.1", "the game is over, and nothing more can be played")
    HAND_IS_ON = ("R2.4", "hand {hand} is still being played, and the next is dealt when it is over")
    NO_SUCH_SEAT = ("R2.2", "there is no seat {seat}: the seats are 0 to {last}")

    # The offer
    NOT_IN_THE_OFFER = ("R7.10", "seat {seat} has no part in the offer of {card} (asked: {order})")
    ALREADY_ANSWERED = ("R7.10", "seat {seat} has already answered the offer of {card}, and an answer is final")
    TAKE_IS_FOR_THE_TURN = (
        "R7.5",
        "only the player on turn, seat {turn}, can take {card} as his draw; seat {seat} can buy it or pass",
    )
    TURN_CANNOT_BUY = ("R7.9", "the player on turn does not buy: he can take {card} or pass and draw from the stock")
    TURN_CANNOT_BUY_NOW = (
        "R7.9",
        "seat {seat} cannot buy {card} now, being down, without a buy left or with too small a stock: take it or pass",
    )

    TIMEOUT_IS_THE_TABLES = ("R7.11", "a time-out is the table's to give: seat {seat} takes, buys or passes")

    # Melds
    SET_TOO_SHORT = ("R8.1", "{meld} is too short: a set has 3 cards or more")
    NOT_ONE_RANK = ("R8.1", "{meld} is no set: all its cards but the jokers are of one rank")
    RUN_TOO_SHORT = ("R8.2", "{meld} is too short: a run has 4 cards or more")
    NOT_ONE_SUIT = ("R8.2", "{meld} is no run: all its cards but the jokers are of one suit")
    NOT_CONSECUTIVE = ("R8.2", "{meld} is no run: its cards are in consecutive ascending rank, each joker in its place")
    BEYOND_THE_RANKS = ("R1.3", "{meld} is no run: a run goes from {lowest} up to A at most, without a wrap")
    TOO_MANY_JOKERS = ("R8.3", "{meld} has too many jokers: no meld has more jokers than other cards")

    OVER_THE_JOKER_LIMIT = ("R8.3", "{meld} has too many jokers: at this table a meld has {limit} at most")
    NO_NATURAL_CARD = ("R8.3", "{meld} has no natural card: a meld has at least one card that is no joker")

    # Laying down
    ALREADY_DOWN = ("R8.5", "seat {seat} is down already: one lays down once per hand")
    RANKS_NOT_DISTINCT = (
        "R8.6",
        "{melds} hold two sets of one rank: at this table they differ in rank",
    )
    SUITS_NOT_DISTINCT = (
        "R8.6",
        "{melds} hold two runs of one suit: at this table they differ in suit",
    )
    NO_MELDS = ("R8.5", "there is nothing to lay down: name at least one set or run")
    NOT_THE_CONTRACT = (
        "R8.5",
        "{melds} cannot fulfil the contract: hand {hand} asks for {contract}, all at once and nothing beyond",
    )
    CARDS_NOT_IN_HAND = ("R8.5", "{melds} cannot be laid down: the hand of seat {seat} lacks {missing}")
    CARD_NOT_IN_HAND = (
        "R4.2",
        "{card} is not in the hand of seat {seat}: one plays and discards the cards in one's hand",
    )

    # Laying off
    NOT_DOWN = ("R9.1", "seat {seat} is not down: one lays off only after laying down")
    NO_SUCH_MELD = ("R9.1", "there is no meld {meld} on the table: the first is 0, and the last {last}")
    NO_MELDS_YET = ("R9.1", "there is no meld {meld} on the table: nobody has laid down yet")
    NOT_THE_SETS_RANK = ("R9.2", "{card} does not fit the set {meld}: a set takes its rank or a joker")
    NOT_THE_NEXT_CARD = (
        "R9.2",
        "{card} does not fit the {end} end of the run {meld}: a run takes the next card of its suit at either end",
    )
    RUN_ENDS_HERE = (
        "R9.2",
        "the run {meld} takes nothing more at its {end} end: a run goes from {lowest} to A",
    )
    TOO_MANY_JOKERS_WITH_IT = ("R8.3", "{meld} cannot take another joker: no meld has more jokers than other cards")
    OVER_THE_JOKER_LIMIT_WITH_IT = (
        "R8.3",
        "{meld} cannot take another joker: here a meld has {limit} at most",
    )
    NOT_IN_THE_SAME_TURN = (
        "R9.1",
        "seat {seat} has laid down in this turn: at this table one lays off and swaps from the next turn on",
    )
    SET_HAS_NO_ENDS = ("R9.2", "a set has no ends: name an end for a run only")
    END_MISSING = ("R9.2", "the run {meld} has two ends: say whether {card} goes to the low or the high one")

    # Swapping
    NO_SWAPS = ("R10.1", "jokers are not swapped at this table")
    NO_SWAPS_IN_SETS = ("R10.1", "jokers are swapped in runs only at this table")
    SWAP_WHEN_DOWN = ("R10.1", "seat {seat} is not down: at this table only who is down swaps jokers")
    NO_JOKER_THERE = ("R10.1", "there is no joker at place {index} of {meld}")
    JOKER_FOR_JOKER = ("R10.1", "a joker is swapped for a natural card, not for another joker")
    NOT_WHAT_THE_JOKER_IS = ("R10.1", "{card} is not what the joker at place {index} of {meld} stands for")
    COULD_NOT_LAY_DOWN = (
        "R10.2",
        "the swap is refused: seat {seat} is not down, and could not lay down {contract} with this joker",
    )

    JOKER_COULD_NOT_BE_PLAYED = (
        "R10.3",
        "this would leave {jokers} in the hand: at this table a swapped joker is played in the same turn",
    )

    # Discarding
    MUST_PLAY_JOKER = (
        "R10.3",
        "seat {seat} must play {jokers} before discarding: a swapped joker is not kept here",
    )
    MUST_LAY_DOWN = ("R10.2", "seat {seat} swapped a joker before laying down, and must lay down before discarding")

    @property
    def rule(self) -> str:
        """The number of the rule, as in `R8.3`."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """The sentence, with its values named in braces."""
        return self.value[1]
