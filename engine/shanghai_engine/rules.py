"""The rule set of a table: every house rule of R16 as one frozen value, with named presets.

Field names and values are those that stand in records, in TOML files and on the wire. What is unknown, or cannot be
played, is refused by name, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self

from shanghai_engine.card import CARDS, JOKER, JOKERS_PER_PACK, LOWEST_RANK, RANK, RANK_LETTERS, TWO, Card, Suit
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.malformed import BadRules, Malformed

FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
"""R1.2."""
MOST_HANDS, MOST_PACKS = 15, 6
"""R16."""
MOST_MELDS, MOST_CONTRACT_CARDS = 5, 20
"""What one contract may ask for: every contract that is played anywhere is smaller, and what a hand holds beyond it can
only be bought. The solver's work grows with the number of melds to choose."""
MOST_RESHUFFLES = 255
"""A reshuffle's number is one byte in the shuffle that anyone can verify."""
PACK_SIZE = 54
"""R1.1."""
UNLIMITED = -1
"""The value of `buys` that sets no limit."""
POINT_KEYS: tuple[str, ...] = (*RANK_LETTERS, "JK")
"""The keys of `points`, in the order in which the value holds them."""

Jokers = int | Literal["at_most_naturals", "any"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All that a table can change (R16); `RuleSet()` is the standard."""

    aces: Literal["high", "high_or_low"] = "high"
    wild: Literal["jokers", "jokers_and_twos"] = "jokers"
    jokers_per_meld: Jokers = "at_most_naturals"
    go_out_with_discard: bool = False
    buy_extra_cards: int = 2
    buys: tuple[int, ...] = (3, 3, 3, 3, 3, 3, 3, 3, 4, 4)
    buy_priority: Literal["dealer_left", "turn_left"] = "dealer_left"
    down_may_buy: bool = False
    turn_may_buy: Literal["two_players", "never", "always"] = "two_players"
    joker_swap: Literal["everyone", "down_only", "nobody"] = "everyone"
    swap_in_sets: bool = True
    swapped_joker: Literal["keep", "play_this_turn"] = "keep"
    lay_off_when_laying_down: bool = True
    extra_melds: bool = False
    distinct_set_ranks: bool = False
    distinct_run_suits: bool = False
    reshuffles: int = 1
    turn_limit: int = 60
    contracts: tuple[Contract, ...] = STANDARD_CONTRACTS
    cards_dealt: tuple[int, ...] = (11,) * 10
    points: tuple[int, ...] = (20, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 15, 25)
    """By `POINT_KEYS`: the ranks from 2 to A, then the joker (R12.1)."""
    packs: tuple[int, ...] = (2, 2, 2, 3, 3, 4, 4)
    """By number of players, from 2 to 8 (R1.2)."""
    card_points: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Points by card number, from 0; derived from `points`."""
    wild_cards: tuple[bool, ...] = field(init=False, repr=False, compare=False)
    """Whether a card may stand for another, by card number from 0; derived from `wild`."""
    lowest_rank: int = field(init=False, repr=False, compare=False)
    """The lowest rank of a place in a run: 1 where the ace may lie low; derived from `aces`."""
    hashed: int = field(init=False, repr=False, compare=False)
    """The hash: rules are a part of many keys, and have many fields."""

    def __post_init__(self) -> None:
        """Check all fields together; raises `BadRules` for the first that cannot be used."""
        for name, (_, valid, right) in _FIELDS.items():
            value = getattr(self, name)
            if not valid(value):
                raise BadRules(name, _wrong_part(name, value, valid), right)
        lengths = {"buys": "R7.2", "cards_dealt": "R3.1"}
        wrong = [name for name in lengths if len(getattr(self, name)) != len(self.contracts)]
        if wrong:
            hands = "1 hand" if len(self.contracts) == 1 else f"{len(self.contracts)} hands"
            has = "both have" if len(wrong) > 1 else "it has"
            right = (
                f"contracts has {hands}, and {has} one entry for each ({', '.join(lengths[name] for name in wrong)})"
            )
            values = [list(getattr(self, name)) for name in wrong]
            raise BadRules(" and ".join(wrong), values[0] if len(wrong) == 1 else values, right)
        by_card = (0, *(self.points[RANK[card] - 2] for card in CARDS[:-1]), self.points[-1])
        object.__setattr__(self, "card_points", by_card)
        twos = self.wild == "jokers_and_twos"
        wild = (False, *(card == JOKER or (twos and RANK[card] == TWO) for card in CARDS))
        object.__setattr__(self, "wild_cards", wild)
        object.__setattr__(self, "lowest_rank", LOWEST_RANK - (self.aces == "high_or_low"))
        object.__setattr__(self, "hashed", hash(tuple(getattr(self, name) for name in _FIELDS)))

    def __hash__(self) -> int:
        return self.hashed

    def __reduce__(self) -> tuple[Callable[[Mapping[str, object]], RuleSet], tuple[dict[str, object]]]:
        """Pickle only what differs from the standard; the hash of a text is another one in every process."""
        return RuleSet.from_mapping, (self.changes(),)

    @property
    def hands(self) -> int:
        """How many hands a game has (R2.1)."""
        return len(self.contracts)

    def contract(self, hand: int) -> Contract:
        """Give the contract of a hand, counted from 1 (R6); raises `Malformed` for a hand that there is not."""
        if not _whole(hand, 1, len(self.contracts)):
            raise Malformed(hand, f"the hands are 1 to {len(self.contracts)} (R2.1)")
        return self.contracts[hand - 1]

    def packs_for(self, players: int) -> int:
        """Give the number of packs for 2 to 8 players (R1.2); raises `Malformed` for another number."""
        if not _whole(players, FEWEST_PLAYERS, MOST_PLAYERS):
            raise Malformed(players, f"a game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players (R1.2)")
        return self.packs[players - FEWEST_PLAYERS]

    def turn_buys(self, players: int) -> bool:
        """Say whether the player on turn may also buy (R7.9)."""
        return self.turn_may_buy == "always" or (self.turn_may_buy == "two_players" and players == FEWEST_PLAYERS)

    def check_players(self, players: int) -> None:
        """Raise `BadRules` where this many players cannot play these rules, with the reason (R16)."""
        if not _whole(players, FEWEST_PLAYERS, MOST_PLAYERS):
            raise BadRules("players", players, f"a game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players (R1.2)")
        cards = self.packs_for(players) * PACK_SIZE
        for number, (contract, dealt) in enumerate(zip(self.contracts, self.cards_dealt, strict=True), start=1):
            needed = players * dealt + 1 + players
            if cards < needed:
                right = (
                    f"hand {number} deals {dealt} cards to each of {players} players, and with the upcard and one card"
                    f" of stock for each of them needs {needed} of the {cards} cards"
                )
                raise BadRules("packs", self.packs_for(players), right)
            refused = self._refuse_contract(contract, number, players)
            if refused is not None:
                raise BadRules("contracts", str(contract), f"the contract of hand {number} asks for {refused}")

    def _refuse_contract(self, contract: Contract, hand: int, players: int) -> str | None:
        """Say what a contract asks for that these rules and so many players can never have, or that nobody plays.

        None where all is well.
        """
        packs = self.packs_for(players)
        most = self._most_cards(hand, players)
        if contract.size > most:
            return f"{contract.size} cards and nobody can hold more than {most}"
        if self.distinct_run_suits and len(contract.runs) > len(Suit):
            return f"{len(contract.runs)} runs that differ in suit, and there are {len(Suit)} suits"
        ranks = len(RANK_LETTERS) - self.wild_cards[Card.C2]
        if self.distinct_set_ranks and len(contract.sets) > ranks:
            return f"{len(contract.sets)} sets that differ in rank, and there are {ranks} ranks"
        largest = self._largest_set(packs)
        if any(size > largest for size in contract.sets):
            return f"a set of {contract.sets[0]}, and {packs} packs make none larger than {largest}"
        melds = len(contract.sets) + len(contract.runs)
        if melds > MOST_MELDS:
            return f"{melds} melds, and a contract has {MOST_MELDS} at most"
        if contract.size > MOST_CONTRACT_CARDS:
            return f"{contract.size} cards, and a contract has {MOST_CONTRACT_CARDS} at most"
        return None

    def _largest_set(self, packs: int) -> int:
        """Give the most cards that a set can have: all of its rank, and all the jokers that it may hold."""
        naturals = packs * len(Suit)
        jokers = packs * (JOKERS_PER_PACK + len(Suit) * self.wild_cards[Card.C2])
        match self.jokers_per_meld:
            case "any":
                return naturals + jokers
            case "at_most_naturals":
                return naturals + min(naturals, jokers)
            case limit:
                return naturals + min(limit, jokers)

    def _most_cards(self, hand: int, players: int) -> int:
        """Give the most cards that a hand can reach: the deal, all buys, and one draw; at most all that there are."""
        buys = self.buys[hand - 1]
        if players == FEWEST_PLAYERS and not self.turn_buys(players):
            # Only the first upcard can be bought: every later one was discarded by the one player not on turn (R7.8).
            buys = min(buys, 1) if buys != UNLIMITED else 1
        cards = self.packs_for(players) * PACK_SIZE
        if buys == UNLIMITED:
            return cards
        return min(cards, self.cards_dealt[hand - 1] + buys * (1 + self.buy_extra_cards) + 1)

    @classmethod
    def preset(cls, name: str) -> RuleSet:
        """Give a preset by its name; raises `BadRules` for an unknown one."""
        if name not in tuple(PRESETS):
            raise BadRules("preset", name, f"the presets are {', '.join(PRESETS)}")
        return PRESETS[name]

    @classmethod
    def from_mapping(cls, value: Mapping[str, object]) -> Self:
        """Read the form that stands in records and TOML files; a missing field has its standard value.

        Raises `BadRules` for an unknown field and for a value that cannot be used.
        """
        if not isinstance(value, Mapping):
            raise BadRules("rules", value, f"they are a table of fields; the rules are {', '.join(_FIELDS)}")
        given: dict[str, Any] = {}
        for name, entry in value.items():
            if name not in _FIELDS:
                raise BadRules(name, entry, f"there is no such rule; the rules are {', '.join(_FIELDS)}")
            given[name] = _FIELDS[name][0](name, entry)
        return cls(**given)

    def to_mapping(self) -> dict[str, object]:
        """Give every field in the form that stands in records and TOML files."""
        mapping: dict[str, object] = {name: getattr(self, name) for name in _FIELDS}
        mapping["buys"] = list(self.buys)
        mapping["cards_dealt"] = list(self.cards_dealt)
        mapping["contracts"] = [contract.to_mapping() for contract in self.contracts]
        mapping["points"] = dict(zip(POINT_KEYS, self.points, strict=True))
        mapping["packs"] = {str(players): packs for players, packs in enumerate(self.packs, start=FEWEST_PLAYERS)}
        return mapping

    def changes(self) -> dict[str, object]:
        """Give the fields that differ from the standard, in the form that stands in records."""
        standard = STANDARD.to_mapping()
        return {name: value for name, value in self.to_mapping().items() if value != standard[name]}

    def __repr__(self) -> str:
        """Give the expression that rebuilds the value, naming only what differs from the standard."""
        changed = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in fields(self)
            if f.compare and getattr(self, f.name) != f.default
        ]
        return f"RuleSet({', '.join(changed)})"


def _wrong_part(name: str, value: object, valid: Callable[[Any], bool]) -> object:
    """Give of a table (`points`, `packs`) only the entries that cannot be used; any other value whole."""
    keys = {"points": POINT_KEYS, "packs": _PLAYERS}.get(name)
    if keys is None or not isinstance(value, tuple) or len(value) != len(keys):
        return value
    return {key: entry for key, entry in zip(keys, value, strict=True) if not valid((entry,) * len(keys))}


def _plain(_name: str, value: object) -> object:
    return value


def _numbers(name: str, value: object) -> tuple[object, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadRules(name, value, "it is a list of whole numbers, one for each hand")
    return tuple(value)


def _contracts(name: str, value: object) -> tuple[Contract, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadRules(name, value, "it is a list of contracts, one for each hand (R6)")
    found = []
    for entry in value:
        try:
            found.append(Contract.from_mapping(entry))
        except Malformed as bad:
            # Where the sizes are wrong together, they are said as they were given.
            wrong = entry if isinstance(bad.value, Contract) else bad.value
            raise BadRules(name, wrong, bad.right) from bad
    return tuple(found)


def _keyed(keys: tuple[str, ...], standard: tuple[int, ...]) -> Callable[[str, object], tuple[object, ...]]:
    """Give a reader of a table with these keys, in which a missing key has its standard value."""

    def read(name: str, value: object) -> tuple[object, ...]:
        if not isinstance(value, Mapping):
            raise BadRules(name, value, f"it is a table of whole numbers with the keys {', '.join(keys)}")
        unknown = [key for key in value if key not in keys]
        if unknown:
            raise BadRules(name, unknown[0], f"its keys are {', '.join(keys)}")
        return tuple(value.get(key, usual) for key, usual in zip(keys, standard, strict=True))

    return read


def _one_of(*values: str) -> tuple[Any, Callable[[Any], bool], str]:
    right = f"it is {' or '.join(repr(value) for value in values)}"
    return (_plain, lambda value: isinstance(value, str) and value in values, right)


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _number(low: int, high: int) -> tuple[Any, Callable[[Any], bool], str]:
    return (_plain, lambda value: _whole(value, low, high), f"it is a whole number from {low} to {high}")


def _all_whole(values: object, low: int, high: int, *, length: int | None = None) -> bool:
    return (
        isinstance(values, tuple)
        and (length is None or len(values) == length)
        and all(_whole(value, low, high) for value in values)
    )


_YES_NO: tuple[Any, Callable[[Any], bool], str] = (_plain, lambda value: isinstance(value, bool), "it is true or false")
_PLAYERS = tuple(str(players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1))
_MOST = 1_000_000

_FIELDS: dict[str, tuple[Callable[[str, Any], Any], Callable[[Any], bool], str]] = {
    "aces": _one_of("high", "high_or_low"),
    "wild": _one_of("jokers", "jokers_and_twos"),
    "jokers_per_meld": (
        _plain,
        lambda value: (isinstance(value, str) and value in {"at_most_naturals", "any"}) or _whole(value, 0, _MOST),
        "it is 'at_most_naturals', 'any' or a whole number from 0",
    ),
    "go_out_with_discard": _YES_NO,
    "buy_extra_cards": _number(0, 3),
    "buys": (
        _numbers,
        lambda value: _all_whole(value, UNLIMITED, _MOST),
        "each is a whole number from 0, or -1 for no limit",
    ),
    "buy_priority": _one_of("dealer_left", "turn_left"),
    "down_may_buy": _YES_NO,
    "turn_may_buy": _one_of("two_players", "never", "always"),
    "joker_swap": _one_of("everyone", "down_only", "nobody"),
    "swap_in_sets": _YES_NO,
    "swapped_joker": _one_of("keep", "play_this_turn"),
    "lay_off_when_laying_down": _YES_NO,
    "extra_melds": _YES_NO,
    "distinct_set_ranks": _YES_NO,
    "distinct_run_suits": _YES_NO,
    # The number of a reshuffle is one byte of what orders it.
    "reshuffles": _number(0, MOST_RESHUFFLES),
    "turn_limit": _number(10, 200),
    "cards_dealt": (_numbers, lambda value: _all_whole(value, 5, 15), "each hand deals 5 to 15 cards"),
    "contracts": (
        _contracts,
        lambda value: (
            isinstance(value, tuple) and 1 <= len(value) <= MOST_HANDS and all(isinstance(c, Contract) for c in value)
        ),
        "a game has 1 to 15 hands (R2.1)",
    ),
    "points": (
        _keyed(POINT_KEYS, (20, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 15, 25)),
        lambda value: _all_whole(value, 0, 100, length=len(POINT_KEYS)),
        "a card counts 0 to 100 points",
    ),
    "packs": (
        _keyed(_PLAYERS, (2, 2, 2, 3, 3, 4, 4)),
        lambda value: _all_whole(value, 1, MOST_PACKS, length=len(_PLAYERS)),
        f"a game has 1 to {MOST_PACKS} packs",
    ),
}
"""By field: how it is read from a record or a TOML file, what makes a value valid, and what would be right."""

STANDARD = RuleSet()
LITERAL = RuleSet(reshuffles=0)
"""The standard without a reshuffle: what the source says to the letter (R13.2)."""
CLASSIC = RuleSet(aces="high_or_low", wild="jokers_and_twos", go_out_with_discard=True)
"""What many American tables play: jokers and twos wild, out with a discard, aces high or low."""
QUICK = RuleSet(
    contracts=tuple(STANDARD_CONTRACTS[hand - 1] for hand in (1, 2, 4, 6, 10)),
    buys=(3, 3, 3, 3, 4),
    cards_dealt=(11,) * 5,
)
"""The contracts of hands 1, 2, 4, 6 and 10: an hour's game."""
PRESETS: dict[str, RuleSet] = {"standard": STANDARD, "literal": LITERAL, "classic": CLASSIC, "quick": QUICK}
