"""A person's whole hand through the plain client on a pseudo-terminal, against scripted seats, from a scripted deal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from client_program import Terminal
from server_table import AT_ONCE, Player, playground

from shanghai_engine.action import Answer, Claim, Discard, LayDown
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.event import GameStarted
from shanghai_engine.game import Game
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.rules import RuleSet
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire.actions import GoOn

Table = tuple[Terminal, list[asyncio.Task[None]]]
"""Pat's terminal, and what the scripted seats do."""
RULES = RuleSet(contracts=(Contract(sets=(3,), runs=(4,)),) * 2, buys=(3, 3), cards_dealt=(8, 8))
PAT, FIRST, SECOND, THIRD = 0, 1, 2, 3
DEALER = SECOND
HANDS = {
    PAT: "8C 8D 3S 4S 5S 6S 4H KD",
    FIRST: "JC JD 9C TC 2H 2S AD 8H",
    SECOND: "8S 7C 7D 5C 4D 9S TS JS",
    THIRD: "5H JK 7H QC QD QS 2C 2D",
}
UPCARD = "9D"
# By whom: Third, Pat, First; Third's buy; Second; Pat's buy; Third; Pat.
STOCK = "3C 9H 3D KS KC 3H 6H TH AC QH"
LAID_BY_THIRD = (
    MeldDraft(MeldKind.SET, parse_cards("QC QD QS")),
    MeldDraft(MeldKind.RUN, parse_cards("5H JK 7H 8H")),
)
DISCARDS = {1: "2C", 3: "8H", 4: "8S", 5: "2D"}
"""What the scripted seats discard, by the number of the turn."""


class Stacked:
    """Chance that deals the hands of this test."""

    def first_dealer(self, players: int) -> int:
        """Give the dealer."""
        del players
        return DEALER

    def hand_seed(self, hand: int) -> bytes:
        """Give a seed that fixes nothing."""
        return bytes((hand,)) * 32

    def deal(self, hand: int, packs: int) -> tuple[Card, ...]:
        """Give the order of all cards from the top."""
        del hand
        order = [(DEALER + 1 + place) % 4 for place in range(4)]
        dealt = [parse_cards(HANDS[seat])[number] for number in range(8) for seat in order]
        top = [*dealt, Card.parse(UPCARD), *parse_cards(STOCK)]
        left = Counter([*CARDS, JOKER] * packs)
        left.subtract(top)
        return (*top, *left.elements())

    def reshuffle(self, hand: int, number: int, dead: Sequence[Card]) -> tuple[Card, ...]:
        """Give the dead cards as they are."""
        del hand, number
        return tuple(dead)


class NotingJournal(MemoryJournal):
    """A journal that tells when a seat has answered a decision, which no stream may show (R7.14)."""

    def __init__(self) -> None:
        super().__init__()
        self._acted: set[tuple[int, str]] = set()
        self._changed = asyncio.Condition()

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Append, and take note of what seats did."""
        sequence = await super().append(table, after_sequence, records, snapshot=snapshot)
        facts = [msgspec.json.decode(record) for record in records]
        async with self._changed:
            self._acted |= {(fact["seat"], fact["decision"]) for fact in facts if fact["fact"] == "acted"}
            self._changed.notify_all()
        return sequence

    async def acted(self, seat: int, decision: str) -> None:
        """Wait until a seat has answered a decision."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(lambda: (seat, decision) in self._acted), 60)


def claim_of(seat: int, card: Card, order: Sequence[int]) -> Claim:
    """Give the scripted answer to an offer: First and Third would buy what Pat wants."""
    wanted = {THIRD: "8H", FIRST: "8S"}
    return Claim.BUY if card.text == wanted.get(seat) and seat != order[0] else Claim.PASS


def owes_another(player: Player, answered: str) -> bool:
    """Say whether a seat owes a decision other than the one that it has answered."""
    return player.decision is not None and player.decision.id != answered


async def play_script(player: Player, journal: NotingJournal) -> None:
    """Play a scripted seat until the first hand is over; an offer that Pat has a part in waits for Pat's answer."""
    answered = ""
    while True:
        await player.until(partial(owes_another, player, answered))
        decision = player.decision
        assert decision is not None
        answered = decision.id
        game = player.last.public.game
        if decision.HasField("go_on"):
            await player.act(GoOn(player.seat), decision=answered)
            return
        if decision.HasField("offer"):
            order = list(game.claim_order)
            if PAT in order:
                await journal.acted(PAT, answered)
            await player.act(Answer(player.seat, claim_of(player.seat, Card(game.upcard), order)), decision=answered)
        elif game.turn_number == 5 and not game.seats[player.seat].down:
            await player.act(LayDown(player.seat, LAID_BY_THIRD), decision=answered)
        else:
            await player.act(Discard(player.seat, Card.parse(DISCARDS[game.turn_number])), decision=answered)


@pytest.fixture
async def pat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """Give Pat's terminal at a table where three scripted seats wait for the start, and what they do."""

    def stacked(started: GameStarted) -> Game:
        return Game(started, Stacked())

    monkeypatch.setattr("shanghai_server.verbs.playing.Game", stacked)
    journal = NotingJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(4, rules=RULES, options=AT_ONCE)
        terminal = Terminal("join", f"127.0.0.1:{ground.port}", "--table", table, "--name", "Pat", home=tmp_path)
        try:
            await terminal.expect("You are the host")
            players = [await Player.join(ground, table, name) for name in ("First", "Second", "Third")]
            scripts = [asyncio.create_task(play_script(player, journal)) for player in players]
            yield terminal, scripts
            for script in scripts:
                script.cancel()
            await asyncio.gather(*scripts, return_exceptions=True)
            for player in players:
                await player.unwatch()
        finally:
            terminal.close()


async def test_a_person_plays_a_whole_hand_on_a_terminal(pat: Table) -> None:
    """Offers are passed, won and lost, melds laid, extended at both ends and swapped from, by typed commands alone."""
    terminal, scripts = pat
    await buy_cards(terminal)
    await play_them(terminal)
    await look_at_the_sheet(terminal)
    for script in scripts:
        await script
    await terminal.press("d")
    assert await terminal.ended() == 0


async def buy_cards(terminal: Terminal) -> None:
    """Play the offers and Pat's first turn."""
    await terminal.type("start")
    await terminal.expect("Hand 1 of 2: 1 set of 3, 1 run of 4")
    # The first offer is passed, on Third's turn.
    await terminal.expect("9D is offered, on Third's turn")
    await terminal.expect("Claim order: Third, YOU, First, Second. You come 2nd of 4.")
    await terminal.type("pass")
    await terminal.expect("Third discards 2C.")
    # Pat's own turn: a lay-off before laying down is refused by its rule.
    await terminal.expect("The upcard is 2C")
    await terminal.type("p")
    await terminal.expect("You draw 9H from the stock.")
    await terminal.expect("discard CARD")
    await terminal.type("off 4H")
    await terminal.expect("(R9.1)")
    await terminal.type("lay 8C 8D KD / 3S 4S 5S 6S")
    await terminal.expect("(R8.1)")
    await terminal.type("discard kd")
    await terminal.expect("You discard KD.")
    # 8H: Third comes before Pat, and buys it although Pat claims it too.
    await terminal.expect("8H is offered, on Second's turn")
    await terminal.expect("Claim order: Second, Third, YOU. You come 3rd of 3.")
    await terminal.type("buy")
    await terminal.expect("Third buys 8H")
    await terminal.expect("You claimed 8H too, and Third came before you in the claim order (R7.11).")
    # 8S: First wants it too, and comes after Pat.
    await terminal.expect("8S is offered, on Third's turn")
    await terminal.type("b")
    await terminal.expect("You buy 8S, and 6H TH from the stock.")
    await terminal.expect("Third lays down QC QD QS / 5H JK=6H 7H 8H.")


async def play_them(terminal: Terminal) -> None:
    """Play Pat's second turn, in which everything goes to the table."""
    await terminal.expect("The upcard is 2D")
    await terminal.type("pass")
    await terminal.expect("You draw QH from the stock.")
    await terminal.expect("you can lay down.")
    await terminal.type("lay")
    await terminal.expect("You lay down 8C 8D 8S / 3S 4S 5S 6S.")
    await terminal.expect("fits a meld")
    await terminal.type("off 4h")
    await terminal.expect("You lay off 4H on meld 1 at the low end: 4H 5H JK=6H 7H 8H.")
    await terminal.expect("play >")
    await terminal.type("o 9H 1 high")
    await terminal.expect("You lay off 9H on meld 1 at the high end: 4H 5H JK=6H 7H 8H 9H.")
    await terminal.expect("play >")
    await terminal.type("swap 6H")
    await terminal.expect("You swap 6H for the joker of meld 1: 4H 5H 6H 7H 8H 9H.")
    await terminal.expect("play >")
    await terminal.type("off jk")
    await terminal.expect("JK fits in 6 places: say which by off JK 0,")
    await terminal.expect("play >")
    await terminal.type("off JK 0")
    await terminal.expect("You lay off JK on meld 0: QC QD QS JK.")
    await terminal.expect("play >")
    await terminal.type("off TH")
    await terminal.expect("You lay off TH on meld 1 at the high end")
    await terminal.expect("play >")
    await terminal.type("off QH")


async def look_at_the_sheet(terminal: Terminal) -> None:
    """Read the score sheet of the hand, in which everybody else scores what he holds, and go on."""
    await terminal.expect("You go out: hand 1 is over.")
    sheet = await terminal.expect("* went out")
    assert "AD" in sheet
    assert any(line.split()[-4:] == ["You", "First", "Second", "Third"] for line in sheet.splitlines())
    totals = [line.split() for line in sheet.splitlines() if line.startswith(("total", "place"))]
    assert totals == [["total", "0", "95", "50", "40"], ["place", "1", "4", "3", "2"]]
    await terminal.expect("Go on to the next hand: go (g).")
    await terminal.type("go")
    await terminal.expect("Hand 2: 1 set of 3, 1 run of 4.")


def test_the_scripted_cards_are_those_of_two_packs() -> None:
    """The stacked deal holds every card of the packs, and no other."""
    assert Counter(Stacked().deal(1, 2)) == Counter([*CARDS, JOKER] * 2)
