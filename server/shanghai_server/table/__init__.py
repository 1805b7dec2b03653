"""A table at work: its queue and its task, and what everybody is shown."""
