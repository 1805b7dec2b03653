"""The doors of a server: its gRPC services, its metrics, its host's own door, and how it is set up behind them."""
