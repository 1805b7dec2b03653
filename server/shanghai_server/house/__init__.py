"""The house: what all tables of a server share, and what nobody may do too often."""
