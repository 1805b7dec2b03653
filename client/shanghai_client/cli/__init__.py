"""The command line `shanghai-rum`: the only place that may start a server beside a client."""
