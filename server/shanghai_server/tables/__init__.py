"""All tables of a server: made, found, listed, put away."""
