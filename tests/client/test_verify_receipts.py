"""What `verify` holds a record against: the receipt of the game that the record says it is."""

from __future__ import annotations

import json
from pathlib import Path

from client_program import run_program

from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_engine.action import Deal
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.game import Game
from shanghai_engine.line import line_text
from shanghai_engine.record import record_lines
from shanghai_engine.rules import PRESETS, RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_engine.state import Phase

OWN, OTHER = b"n" * 16, b"m" * 16


def a_record(seed: bytes, nonces: tuple[bytes, ...]) -> str:
    """Play a game of one short hand by bots, and give its record."""
    fields = PRESETS["standard"].to_mapping() | {"contracts": [{"sets": [3]}], "buys": [3], "cards_dealt": [6]}
    game = Game.new(seed=seed, players=["Ann", "Ben"], nonces=nonces, rules=RuleSet.from_mapping(fields))
    while game.state.phase is not Phase.GAME_OVER:
        if game.state.phase is Phase.HAND_OVER:
            game.apply(Deal())
            continue
        seat, decision = next(iter(game.decisions().items()))
        game.apply(LEVELS[DEFAULT_LEVEL].decide(game.view(seat), decision, rng_for(seed, seat, decision.id)))
    return "".join(f"{line_text(line)}\n" for line in record_lines(game))


async def found(home: Path, record: str, *options: str) -> tuple[int, dict[str, object]]:
    """Verify a record as the user of a home, and give the exit code and what was found."""
    path = home / "g.jsonl"
    path.write_text(record, encoding="utf-8")
    ran = await run_program("verify", "--json", str(path), *options, home=home)
    return ran.code, json.loads(ran.out)


async def test_r2_2_a_lawful_record_of_another_seed_is_not_the_game_that_was_promised(tmp_path: Path) -> None:
    """A game with one's own nonce and an exchanged seed is found false, though every line of it is lawful."""
    book = ReceiptBook(tmp_path / "data" / "shanghai-rum" / "receipts")
    seed, exchanged = b"s" * 32, b"e" * 32
    receipt = Receipt.new(server="127.0.0.1:7410", table="ABCDE", name="Ann", nonce=OWN)
    book.keep(receipt.taken(seat=0, commitment=commitment(seed)))
    code, verdict = await found(tmp_path, a_record(seed, (OWN, OTHER)))
    assert (code, verdict["lawful"], verdict["receipt"]) == (0, True, True)
    code, verdict = await found(tmp_path, a_record(exchanged, (OWN, OTHER)))
    assert (code, verdict["line"], verdict["rule"], verdict["receipt"]) == (1, 1, "R2.2", True)
    code, verdict = await found(tmp_path, a_record(seed, (OTHER, OTHER)))
    assert (code, verdict["line"], verdict["rule"]) == (1, 1, "R2.2")
    # Where one did not sit there is nothing to hold it against.
    code, verdict = await found(tmp_path, a_record(exchanged, (OTHER, OTHER)))
    assert (code, verdict["lawful"], verdict["receipt"]) == (0, True, False)


async def test_a_late_comer_s_nonce_names_no_game(tmp_path: Path) -> None:
    """A nonce that went into no shuffle, like the zeros of those who have none, connects a record with nothing."""
    book = ReceiptBook(tmp_path / "data" / "shanghai-rum" / "receipts")
    zeros = bytes(16)
    receipt = Receipt.new(server="127.0.0.1:7410", table="ABCDE", name="Ann", nonce=zeros)
    book.keep(receipt.taken(seat=0, commitment=commitment(b"s" * 32), counts=False))
    code, verdict = await found(tmp_path, a_record(b"e" * 32, (zeros, OTHER)))
    assert (code, verdict["receipt"]) == (0, False)


async def test_r2_2_a_record_is_held_against_a_commitment_and_a_nonce_that_are_given(tmp_path: Path) -> None:
    """Who played by another program gives them himself, without a seat; what he gives counts more than what is kept."""
    seed, exchanged = b"s" * 32, b"e" * 32
    commitment_given = ("--commitment", commitment(seed).hex().upper())
    given = (*commitment_given, "--nonce", OWN.hex())
    for options in (given, commitment_given):
        code, verdict = await found(tmp_path, a_record(seed, (OTHER, OWN)), *options)
        assert (code, verdict["lawful"], verdict["receipt"]) == (0, True, True)
        code, verdict = await found(tmp_path, a_record(exchanged, (OTHER, OWN)), *options)
        assert (code, verdict["line"], verdict["rule"]) == (1, 1, "R2.2")
    code, verdict = await found(tmp_path, a_record(seed, (OTHER, OTHER)), *given)
    assert (code, verdict["line"], verdict["rule"]) == (1, 1, "R2.2")
    assert f"{OTHER.hex()}, {OTHER.hex()}: the receipt holds {OWN.hex()}" in str(verdict["sentence"])
    book = ReceiptBook(tmp_path / "data" / "shanghai-rum" / "receipts")
    receipt = Receipt.new(server="127.0.0.1:7410", table="ABCDE", name="Ann", nonce=OWN)
    book.keep(receipt.taken(seat=0, commitment=commitment(seed)))
    code, verdict = await found(tmp_path, a_record(seed, (OTHER, OWN)), *given)
    assert (code, verdict["lawful"]) == (0, True)


async def test_verify_says_what_was_given_to_hold_a_record_against(tmp_path: Path) -> None:
    """One sentence with both, another with the commitment alone."""
    path = tmp_path / "g.jsonl"
    path.write_text(a_record(b"s" * 32, (OWN, OTHER)), encoding="utf-8")
    given = ("--commitment", commitment(b"s" * 32).hex())
    ran = await run_program("verify", str(path), *given, "--nonce", OWN.hex(), home=tmp_path)
    assert "It is the game of this commitment, and your nonce went into every deal; " in ran.out
    ran = await run_program("verify", str(path), *given, home=tmp_path)
    assert "It is the game of this commitment; only the players' names are not checked." in ran.out


async def test_what_is_no_commitment_or_nonce_is_wrong_input(tmp_path: Path) -> None:
    """Exit code 2 and what would be right: digits, so many of them, and a commitment beside each nonce."""
    nonce, long = "00" * 16, "00" * 32
    for options, sentence in (
        (("--commitment", "0" * 63), f"{'0' * 63!r} is not 64 hexadecimal digits, which are 32 bytes."),
        (("--commitment", long, "--nonce", f"{nonce[:-1]}g"), "g' is not 32 hexadecimal digits, which are 16 bytes."),
        (("--commitment", long, "--nonce", f" {nonce[1:]}"), "is not 32 hexadecimal digits, which are 16 bytes."),
        (("--nonce", nonce), "--nonce stands beside --commitment: "),
    ):
        ran = await run_program("verify", "none.jsonl", *options, home=tmp_path)
        assert (ran.code, ran.out) == (2, "")
        assert sentence in ran.err


async def test_verify_works_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A home that is no folder keeps no receipts, and a record is checked all the same."""
    home = tmp_path / "home"
    home.touch()
    path = tmp_path / "g.jsonl"
    path.write_text(a_record(b"s" * 32, (OWN, OTHER)), encoding="utf-8")
    ran = await run_program("verify", str(path), home=home)
    assert (ran.code, ran.err) == (0, "")
    assert "is lawful" in ran.out


async def test_a_record_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    """Names from a file are shown without control and bidi characters, and in the line where they belong."""
    path = tmp_path / "g.jsonl"
    spoilt = json.dumps("A\x1b]0;owned\x07\u202en\nEve has won.")
    path.write_text(a_record(b"s" * 32, (OWN, OTHER)).replace('"Ann"', spoilt), encoding="utf-8")
    for command in ("replay", "verify"):
        ran = await run_program(command, str(path), home=tmp_path)
        shown = ran.out + ran.err
        assert [sign for sign in shown if sign != "\n" and not sign.isprintable()] == []
        assert "\nEve has won." not in shown
