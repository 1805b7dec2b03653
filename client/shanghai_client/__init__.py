"""The Shanghai Rum client: the connection, the bot kit and the terminal client."""
