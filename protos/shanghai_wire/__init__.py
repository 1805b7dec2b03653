"""The hand-written side of the contract: engine values to messages and back, lossless both ways, without policy.

    numbering      the contract's enums and the engine's
    cards          cards, melds, drafts, the ends of runs
    rules          rule sets and contracts
    events         what happened: public events, what a seat learned, results of hands
    views          what a seat or a spectator may know
    decisions      what a seat owes
    actions        what a seat does
    updates        the bytes of an update, of which the public ones are encoded once for everybody
    refused        refusals, as they travel in the status of a call
    bad_message    what is raised for a message that cannot be read

A function named after what it gives (`meld_message`) makes a message; one that begins with `read_` makes an engine
value of one, and raises `BadMessage` with the field's name. Only rule sets raise the engine's `BadRules`.
"""

CONTRACT_REVISION = 1
"""The revision of the contract that this package speaks; a client cannot play on a server of another one."""
