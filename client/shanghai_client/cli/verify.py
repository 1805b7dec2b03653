"""`shanghai-rum verify`: whether a record is lawful, from its seeds to its last point."""

from __future__ import annotations

import json
from pathlib import Path

import click

from shanghai_client.cli.record_reading import read_record
from shanghai_client.cli.wrong import FAILED
from shanghai_engine.verify import Receipt, Verdict
from shanghai_engine.verify import verify as verify_lines


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@click.pass_context
def verify(context: click.Context, file: Path, *, as_json: bool) -> None:
    """Check seeds, commitments, dealer, deals, reshuffles and every rule of a record, and name the first wrong line.

    If this user has sat at the table, the record is also held against what the table promised then.
    """
    lines = read_record(file)
    receipt = _receipt_for(lines[0])
    verdict = verify_lines(lines, receipt=receipt)
    if as_json:
        click.echo(json.dumps(_found(verdict, len(lines), receipt), ensure_ascii=False))
    else:
        click.echo(_sentence(verdict, file, len(lines), receipt))
    if not verdict.lawful:
        context.exit(FAILED)


def _receipt_for(first: bytes) -> Receipt | None:
    """Give what this user kept of the game of a record's first line; none if he did not sit there."""
    from shanghai_client.folders import data_folder, receipts_in

    commitment = json.loads(first).get("commitment")
    for kept in receipts_in(data_folder()).all():
        for promise in kept.promises:
            if promise.commitment and promise.commitment.hex() == commitment and kept.seat is not None:
                nonce = promise.nonce if promise.counts else None
                return Receipt(commitment=promise.commitment, nonce=nonce, seat=kept.seat)
    return None


def _found(verdict: Verdict, lines: int, receipt: Receipt | None) -> dict[str, object]:
    found: dict[str, object] = {"lawful": verdict.lawful, "lines": lines, "receipt": receipt is not None}
    if verdict.finding is not None:
        finding = verdict.finding
        found |= {"line": finding.line, "rule": finding.rule, "sentence": finding.sentence}
    return found


def _sentence(verdict: Verdict, file: Path, lines: int, receipt: Receipt | None) -> str:
    if verdict.finding is not None:
        return f"{str(file)!r} is not lawful: {verdict.finding}"
    held = ", and it is the game that your own receipt promised" if receipt is not None else ""
    return f"{str(file)!r} is lawful: {lines} lines, every deal and every move{held}."
