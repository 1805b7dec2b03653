"""How a table stands: made of its facts, and of nothing else."""
