"""Built-in players: pure functions of what a seat can see."""
