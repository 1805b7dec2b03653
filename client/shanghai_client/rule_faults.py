"""What is wrong with house rules, in the player's language: the engine's clauses are recognised, and said again."""

from __future__ import annotations

from shanghai_client.clauses import said_again
from shanghai_client.language import LANGUAGES, later, spoken
from shanghai_client.reasons import sentence_by_reason
from shanghai_engine.malformed import BadRules, written

CLAUSES = (
    later("it is true or false"),
    later("it is 'at_most_naturals', 'any' or a whole number from 0"),
    later("it is a whole number from {low} to {high}"),
    later("it is a list of whole numbers, one for each hand"),
    later("it is a list of contracts, one for each hand (R6)"),
    later("it is a table of whole numbers with the keys {keys}"),
    later("it is {first} or {second} or {third}"),
    later("it is {first} or {second}"),
    later("its keys are {keys}"),
    later("each is a whole number from 0, or -1 for no limit"),
    later("each hand deals {low} to {high} cards"),
    later("a game has {low} to {high} hands (R2.1)"),
    later("a game has {low} to {high} packs"),
    later("a game has {low} to {high} players (R1.2)"),
    later("a card counts {low} to {high} points"),
    later("there is no such rule; the rules are {names}"),
    later("the presets are {names}"),
    later("contracts has {hands} hands, and it has one entry for each ({rules})"),
    later("contracts has {hands} hands, and both have one entry for each ({rules})"),
    later("contracts has {hands} hand, and it has one entry for each ({rules})"),
    later("contracts has {hands} hand, and both have one entry for each ({rules})"),
    later(
        "hand {hand} deals {dealt} cards to each of {players} players, and with the upcard and one card of stock for"
        " each of them needs {needed} of the {cards} cards"
    ),
    later("the contract of hand {hand} asks for {size} cards and nobody can hold more than {most}"),
    later("the contract of hand {hand} asks for {runs} runs that differ in suit, and there are {suits} suits"),
    later("the contract of hand {hand} asks for {sets} sets that differ in rank, and there are {ranks} ranks"),
    later("the contract of hand {hand} asks for a set of {size}, and {packs} packs make none larger than {largest}"),
    later("the contract of hand {hand} asks for {melds} melds, and a contract has {most} at most"),
    later("the contract of hand {hand} asks for {size} cards, and a contract has {most} at most"),
    later("a contract asks for at least one set or run (R6)"),
    later("a set has {least} cards or more (R8.1)"),
    later("a run has {low} to {high} cards (R8.2)"),
    later('a contract is a table of "sets" and "runs", each a list of sizes'),
    later("the sizes of a contract's melds are a list of whole numbers"),
    later("the size of a meld is a whole number"),
)
"""What the engine says would be right, the more definite first; what stands in braces is different each time."""


def rule_fault_text(bad: BadRules) -> str:
    """Give the sentence of rules that cannot be: the engine's own in English, and else what it says, said again."""
    if spoken() == LANGUAGES[0]:
        return str(bad)
    values = {"field": bad.field, "value": written(bad.value), "right": clause_text(bad.right)}
    return f"{sentence_by_reason('BAD_RULES', values)} (R16)"


def clause_text(clause: str) -> str:
    """Give a clause of the engine in the player's language; one that is not known as it is."""
    return said_again(clause, CLAUSES)
