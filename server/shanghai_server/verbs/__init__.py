"""The verbs: what people, the host, bots and clocks do at a table, and the gates before each of them."""
