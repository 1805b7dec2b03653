"""The sentence and the exit code of what ends a command that talks to a server, and of what nobody expected."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime

from shanghai_client.channel import BadAddress
from shanghai_client.cli.streams import terminal_is_gone
from shanghai_client.cli.wrong import FAILED, INTERRUPTED, NO_CONNECTION, OTHER_VERSION, WRONG
from shanghai_client.failure import CannotConnect, ClientFailure, Refused, VersionMismatch
from shanghai_client.folders import log_file
from shanghai_client.language import _
from shanghai_client.record_faults import bad_record_text
from shanghai_client.rule_faults import rule_fault_text
from shanghai_client.system_errors import why
from shanghai_client.table_desk import Interrupt
from shanghai_client.whole_file import NoFile
from shanghai_engine.malformed import BadRecord, BadRules, Malformed
from shanghai_wire.bad_message import BadMessage


def end_with(error: Exception) -> tuple[str, int]:
    """Give the sentence for a person and the exit code of an error; an unexpected one is written to the log whole."""
    if isinstance(error, Interrupt) or terminal_is_gone(error):
        return "", INTERRUPTED
    if isinstance(error, Malformed | BadAddress):
        # A message is the server's: nobody here has said that.
        return _malformed_sentence(error), FAILED if isinstance(error, BadMessage) else WRONG
    if isinstance(error, CannotConnect):
        return str(error), NO_CONNECTION
    if isinstance(error, VersionMismatch):
        return str(error), OTHER_VERSION
    if isinstance(error, Refused):
        return str(error), WRONG if error.wrong_input else FAILED
    if isinstance(error, ClientFailure):
        return str(error), FAILED
    if isinstance(error, OSError):
        return _os_sentence(error), FAILED
    return _unexpected(error), FAILED


def _malformed_sentence(error: Malformed | BadAddress) -> str:
    match error:
        case BadRules():
            return rule_fault_text(error)
        case BadRecord():
            return bad_record_text(error)
        case BadMessage():
            return _("the server said what this client cannot read: {what}").format(what=error)
        case _:
            return str(error)


def _os_sentence(error: OSError) -> str:
    return why(error) if error.filename is None else f"{error.filename!r}: {why(error)}"


def _unexpected(error: Exception) -> str:
    name = type(error).__name__
    # Loaded here: it is needed once in a long while.
    from shanghai_server.house.redaction import redacted

    told = redacted("".join(traceback.format_exception(error)))
    try:
        path = log_file()
        if path.exists() and not path.is_file():
            raise NoFile(_("it is no regular file"))
        with path.open("a", encoding="utf-8") as log:
            log.write(f"{datetime.now(UTC).isoformat()} unexpected\n{told}\n")
    except OSError as unwritable:
        text = _(
            "something went wrong that should not have ({name}): {error}; its details could not be written down,"
            " because {why}"
        )
        return text.format(name=name, error=error, why=_os_sentence(unwritable))
    text = _("something went wrong that should not have ({name}); its details are in {path!r}")
    return text.format(name=name, path=str(path))
