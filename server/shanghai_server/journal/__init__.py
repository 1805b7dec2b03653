"""The journal: what every table has done, durable before anybody sees it."""
