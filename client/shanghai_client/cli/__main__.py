"""`python -m shanghai_client.cli`: the command line, where its script is not on the path."""

from shanghai_client.cli.starting import main

if __name__ == "__main__":
    main()
