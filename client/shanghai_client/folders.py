"""Where this program keeps things: the user's data folder and the folder of its log."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

if TYPE_CHECKING:
    from shanghai_client.pins import PinBook
    from shanghai_client.receipt import ReceiptBook

APP = "shanghai-rum"
SETTINGS_VARIABLE = "SHANGHAI_RUM_SETTINGS"
"""The variable of the environment that names another settings file."""


def data_path() -> Path:
    """Give where the folder of games and receipts is or would be."""
    return platformdirs.user_data_path(APP, appauthor=False)


def data_folder() -> Path:
    """Give the folder of games and receipts, made if it was missing and closed to others; raises `NoFolder`."""
    folder = data_path()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        # Loaded here: every command asks where the settings are, and hardly any meets this.
        from shanghai_client.failure import NoFolder  # noqa: PLC0415
        from shanghai_client.language import _  # noqa: PLC0415
        from shanghai_client.system_errors import why  # noqa: PLC0415

        text = _("the folder of your games and seats, {path!r}, cannot be made: {why}")
        raise NoFolder(text.format(path=str(folder), why=why(error))) from error
    return folder


def log_file() -> Path:
    """Give the path of the log, in a folder that is made if it was missing."""
    folder = platformdirs.user_log_path(APP, appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "shanghai-rum.log"


def pins_in(folder: Path) -> PinBook:
    """Give the certificates that this user trusts, which lie in the data folder."""
    # Loaded here: every command asks where the settings are, and few need what this needs.
    from shanghai_client.pins import PinBook  # noqa: PLC0415

    return PinBook(folder / "trusted-servers.json")


def receipts_in(folder: Path) -> ReceiptBook:
    """Give the receipts of all seats that this user has taken, which lie in the data folder."""
    from shanghai_client.receipt import ReceiptBook  # noqa: PLC0415 (as above)

    return ReceiptBook(folder / "receipts")


MOST_SETTINGS = 1 << 16
"""The bytes of a file that can be settings."""


def settings_path() -> Path:
    """Give where the settings file is or would be: in the user's configuration folder, or where a variable names it."""
    named = os.environ.get(SETTINGS_VARIABLE)
    return Path(named) if named else platformdirs.user_config_path(APP, appauthor=False) / "settings.toml"
