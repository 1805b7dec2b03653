"""`shanghai-rum verify`: whether a record is lawful, from its seeds to its last point."""

from __future__ import annotations

import json
from pathlib import Path

import click

from shanghai_client.cli.option_types import Hex
from shanghai_client.cli.record_reading import first_fields, read_record
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import FAILED, WrongInput
from shanghai_client.folders import data_path, receipts_in
from shanghai_client.language import _, later
from shanghai_client.record_faults import record_fault_text
from shanghai_engine.shuffle import COMMITMENT_BYTES, NONCE_BYTES
from shanghai_engine.verify import Receipt, Verdict
from shanghai_engine.verify import verify as verify_lines
from shanghai_wire.shown_text import visible


@command(
    help=later(
        "Check seeds, commitments, dealer, deals, reshuffles and every rule of a record, and name the first wrong"
        " line.\n\n"
        "A wrong line is named with the rule that it breaks, or with (record) where it does not keep to the record's"
        " format. A receipt is what this program keeps when its user sits down: what the table promised then of the"
        " shuffle. Where there is one of this game, the record must be the game that was promised; what another program"
        " has kept is given by --commitment and --nonce. The players' names are part of no promise, and are not"
        " checked."
    )
)
@click.argument("file", type=click.Path(path_type=Path))
@option(
    "--commitment",
    type=Hex(COMMITMENT_BYTES),
    metavar="HEX",
    help=later("The commitment that the table published before the game: the record must be of that game."),
)
@option(
    "--nonce",
    type=Hex(NONCE_BYTES),
    metavar="HEX",
    help=later("The nonce that you gave, with --commitment: the deals must have been made with it."),
)
@option("--json", "as_json", is_flag=True, help=later("Print what was found as one JSON object."))
@click.pass_context
def verify(context: click.Context, file: Path, *, commitment: bytes | None, nonce: bytes | None, as_json: bool) -> None:
    """Check a record, and name its first wrong line."""
    if nonce is not None and commitment is None:
        raise WrongInput(_("--nonce stands beside --commitment: a nonce alone does not say that the seed came first"))
    lines = read_record(file)
    receipt = _kept_for(lines) if commitment is None else Receipt(commitment=commitment, nonce=nonce)
    verdict = verify_lines(lines, receipt=receipt)
    if as_json:
        click.echo(json.dumps(_found(verdict, len(lines), receipt), ensure_ascii=False))
    else:
        click.echo(visible(_sentence(verdict, file, len(lines), receipt)))
    if not verdict.lawful:
        context.exit(FAILED)


def _kept_for(lines: list[bytes]) -> Receipt | None:
    """Give what this user kept of the game that a record says it is; none if he did not sit there.

    That is the game with the record's commitment, or else one into which he gave a nonce that the record has: a record
    with his nonce and another seed is not of another game, it is a false one.
    """
    fields = first_fields(lines)
    nonces = fields.get("nonces")
    own = None
    for kept in receipts_in(data_path()).all():
        for promise in kept.promises:
            if not promise.commitment or kept.seat is None:
                continue
            nonce = promise.nonce if promise.counts else None
            receipt = Receipt(commitment=promise.commitment, nonce=nonce, seat=kept.seat)
            if promise.commitment.hex() == fields.get("commitment"):
                return receipt
            if own is None and nonce is not None and any(nonce) and isinstance(nonces, list) and nonce.hex() in nonces:
                own = receipt
    return own


def _found(verdict: Verdict, lines: int, receipt: Receipt | None) -> dict[str, object]:
    found: dict[str, object] = {"lawful": verdict.lawful, "lines": lines, "receipt": receipt is not None}
    if verdict.finding is not None:
        finding = verdict.finding
        found |= {"line": finding.line, "rule": finding.rule, "sentence": finding.sentence}
    return found


def _sentence(verdict: Verdict, file: Path, lines: int, receipt: Receipt | None) -> str:
    if verdict.finding is not None:
        finding = verdict.finding
        text = _("{path!r} is not lawful: line {line}: {sentence} ({rule})")
        return text.format(
            path=str(file), line=finding.line, sentence=record_fault_text(finding.sentence), rule=finding.rule
        )
    # A name can be changed in a record, and nothing that was published would show it: that must not look checked.
    text = _("{path!r} is lawful: {lines} lines, every deal and every move.")
    if receipt is not None and receipt.seat is not None:
        text = _(
            "{path!r} is lawful: {lines} lines, every deal and every move. It is the game that the table promised you"
            " when you sat down, as your receipt of that says; only the players' names are not checked."
        )
    elif receipt is not None and receipt.nonce is not None:
        text = _(
            "{path!r} is lawful: {lines} lines, every deal and every move. It is the game of this commitment, and your"
            " nonce went into every deal; only the players' names are not checked."
        )
    elif receipt is not None:
        text = _(
            "{path!r} is lawful: {lines} lines, every deal and every move. It is the game of this commitment; only the"
            " players' names are not checked."
        )
    return text.format(path=str(file), lines=lines)
