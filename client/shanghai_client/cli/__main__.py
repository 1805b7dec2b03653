"""`python -m shanghai_client.cli` is `shanghai-rum`."""

from shanghai_client.cli.main import main

main()
