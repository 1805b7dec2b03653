"""The `shanghai-rum` command and what all its sub-commands share."""

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shanghai-rum")
def main() -> None:
    """Shanghai Rum, the card game of ten hands: play it, host it, join it."""
