"""The hand-written side of the contract: engine values to messages and back, lossless both ways, without policy."""
