"""The settings of a player: what they are, where they come from, and the file that holds them.

A flag of the command line is stronger than a variable of the environment, and that is stronger than the file.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from shanghai_client.failure import ClientFailure
from shanghai_client.folders import MOST_SETTINGS
from shanghai_client.language import _, later
from shanghai_client.person_name import MOST as MOST_IN_NAME
from shanghai_client.person_name import BadName, read_name
from shanghai_client.quoted import quoted, shortened
from shanghai_client.system_errors import why
from shanghai_client.toml_faults import toml_fault_text
from shanghai_client.whole_file import read_own

PREFIX = "SHANGHAI_RUM_"
"""What the variables of the environment begin with: `SHANGHAI_RUM_SORT` is the setting `sort`."""
NO_COLOR = "NO_COLOR"
"""The variable by which people ask all programs for no colours (no-color.org); the file is stronger."""

Language = Literal["auto", "en", "ja"]
Theme = Literal["four-colour", "two-colour", "mono", "high-contrast"]
Background = Literal["dark", "light"]
Colours = Literal["auto", "none", "16", "256", "true"]
Sort = Literal["use", "rank", "suit", "own"]
AutoPass = Literal["ask", "helps", "joker"]
Value = str | bool
"""What a setting can be."""
_SAID = {"yes": True, "no": False, "on": True, "off": False}
"""What people write for true and false, besides these."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab", forbid_unknown_fields=True):
    """Every setting of a player with its usual value; their names in files have `-` where these have `_`."""

    name: Annotated[
        str,
        Meta(max_length=MOST_IN_NAME, description=later("Your name at the table; empty for that of your account.")),
    ] = ""
    lang: Annotated[Language, Meta(description=later("The language that you read: auto is that of your system."))] = (
        "auto"
    )
    address: Annotated[
        str,
        Meta(description=later("HOST:PORT of the server that the lobby opens; empty where it shall ask.")),
    ] = ""
    plain: Annotated[
        bool, Meta(description=later("Whether lines only are printed, for screen readers, instead of a full screen."))
    ] = False
    theme: Annotated[
        Theme, Meta(description=later("The colours of the suits; mono and high-contrast need none to tell them apart."))
    ] = "four-colour"
    background: Annotated[Background, Meta(description=later("The background that your terminal has."))] = "dark"
    colours: Annotated[
        Colours, Meta(description=later("How many colours are used: auto is as many as the terminal has."))
    ] = "auto"
    ascii: Annotated[
        bool, Meta(description=later("Whether suits and lines are drawn with the signs of ASCII alone."))
    ] = False
    ambiguous_wide: Annotated[
        bool,
        Meta(
            description=later("Whether your terminal gives two cells to signs of ambiguous width, as some in Asia do.")
        ),
    ] = False
    bell: Annotated[bool, Meta(description=later("Whether the terminal's bell rings when it is your turn."))] = True
    sort: Annotated[
        Sort, Meta(description=later("How your hand is sorted at first: by use for the contract, rank, suit, or own."))
    ] = "use"
    auto_pass: Annotated[
        AutoPass,
        Meta(
            description=later(
                "Whether offers are passed by themselves from the deal on: ask is never, helps unless the card helps"
                " you, joker unless it is a joker."
            )
        ),
    ] = "ask"  # noqa: S105 (no password)
    confirm: Annotated[
        bool,
        Meta(description=later("Whether a discard that looks like a slip, as that of a joker, is asked about.")),
    ] = True
    discovery: Annotated[
        str,
        Meta(
            description=later(
                "Where hosts in the local network are looked for and announced: all, off, or addresses of"
                " this machine with commas between them."
            )
        ),
    ] = "all"


class BadSetting(ClientFailure):
    """A setting cannot be what was asked for; the text names where that stands, and what would be right."""


class Source(Enum):
    """What a value of a setting can come from, the strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    FILE = "file"
    USUAL = "usual"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the value of a setting comes from: a flag, a variable or a file by its name, or nothing that was said."""

    source: Source
    name: str = ""

    @property
    def text(self) -> str:
        """The origin in words."""
        return self.name or _("usual")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its field, its key in the file, its variable, its usual value, and what may be chosen.

    `choices` are the values that it has, none where it is free text or yes and no; `longest` is how many characters a
    text may have, none for any; `text` says what it is for.
    """

    field: str
    key: str
    kind: Any
    usual: Value
    choices: tuple[str, ...]
    longest: int | None
    text: str

    @property
    def flag(self) -> str:
        """The option of the command line."""
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        """The variable of the environment."""
        return PREFIX + self.field.upper()

    @property
    def right(self) -> str:
        """What would be right, in words."""
        if self.choices:
            return _("one of {choices}").format(choices=", ".join(self.choices))
        if isinstance(self.usual, bool):
            return _("true or false")
        if self.longest is not None:
            return _("text of at most {longest} characters").format(longest=self.longest)
        return _("text")

    def read(self, value: object, *, strict: bool, where: str) -> Value:
        """Give a value as the setting's own; raises `BadSetting`, which says `where` the value stands.

        Without `strict` it is text, as in the environment, where yes and no are true and false; a choice that is a
        number may always be one.
        """
        if isinstance(value, int) and str(value) in self.choices:
            value = str(value)
        meant = value
        if isinstance(self.usual, bool) and isinstance(value, str) and not strict:
            meant = _SAID.get(value.strip().lower(), value)
        try:
            read: Value = msgspec.convert(meant, self.kind, strict=strict)
        except msgspec.ValidationError as error:
            raise self._bad(value, self.right, where) from error
        right = _CHECKS[self.field](read) if self.field in _CHECKS and isinstance(read, str) else ""
        if right:
            raise self._bad(value, right, where)
        return read

    def _bad(self, value: object, right: str, where: str) -> BadSetting:
        text = _("{where}: {key} cannot be {value}; right would be {right}")
        return BadSetting(text.format(where=where, key=self.key, value=quoted(value), right=right))


def _right_name(text: str) -> str:
    """Say what a name would have to be; nothing where it is one, or none at all."""
    try:
        read_name(text or "-")
    except BadName:
        return _("text that can be printed, and of which something can be seen")
    return ""


def _right_address(text: str) -> str:
    """Say what an address would have to be; nothing where it is one, or none at all."""
    # Loaded here: whoever has no address in the settings needs no network for them.
    from shanghai_client.channel import BadAddress, check_address  # noqa: PLC0415

    try:
        check_address(text or "localhost:1")
    except BadAddress:
        return _("HOST:PORT, as in 192.168.1.5:7410")
    return ""


def _right_discovery(text: str) -> str:
    """Say what an answer to where hosts are looked for would have to be; nothing where it is one."""
    try:
        interfaces_of(text)
    except ValueError:
        return _("all, off, or IPv4 addresses of this machine, as in 192.168.1.5")
    return ""


_CHECKS: Mapping[str, Callable[[str], str]] = {
    "name": _right_name,
    "address": _right_address,
    "discovery": _right_discovery,
}
"""What a text has to be beyond its length, by field: says what would be right where it is not."""


def interfaces_of(discovery: str) -> tuple[str, ...] | None:
    """Read the setting `discovery`: the addresses to use, empty for all that there are, none for no discovery at all.

    Raises `ValueError` where it is neither.
    """
    word = discovery.strip().lower()
    if word == "off":
        return None
    if word == "all":
        return ()
    return tuple(str(ipaddress.IPv4Address(each.strip())) for each in word.split(","))


def _settings() -> tuple[Setting, ...]:
    found = []
    for field in msgspec.structs.fields(Settings):
        shape = msgspec.inspect.type_info(field.type)
        inner = shape.type if isinstance(shape, msgspec.inspect.Metadata) else shape
        choices = tuple(map(str, inner.values)) if isinstance(inner, msgspec.inspect.LiteralType) else ()
        text = next(each.description for each in field.type.__metadata__ if each.description)
        found.append(
            Setting(
                field=field.name,
                key=field.encode_name,
                kind=field.type,
                usual=field.default,
                choices=_in_order(field.type, choices),
                longest=getattr(inner, "max_length", None),
                text=text,
            )
        )
    return tuple(found)


def _in_order(kind: Any, choices: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ANN401 (an annotation)
    """Give choices as they were written down: msgspec sorts them."""
    written: tuple[str, ...] = getattr(kind.__origin__, "__args__", ())
    return written if choices else ()


SETTINGS: tuple[Setting, ...] = _settings()
"""Every setting, in the order of the file."""
BY_KEY: dict[str, Setting] = {setting.key: setting for setting in SETTINGS}
"""Every setting by its key in the file."""


def setting_of(key: str) -> Setting:
    """Give the setting of a key, written with `-` or `_`; raises `BadSetting` for an unknown one."""
    found = BY_KEY.get(key.strip().lower().replace("_", "-"))
    if found is None:
        text = _("there is no setting {key}: they are {keys}")
        raise BadSetting(text.format(key=quoted(key), keys=", ".join(BY_KEY)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings as they are for this run, by the field of each where its value comes from, and the settings file."""

    settings: Settings
    origins: Mapping[str, Origin]
    file: Path
    """The file, whether there is one or not."""


def choose(
    *, file: Path, environment: Mapping[str, str] | None = None, flags: Mapping[str, Value | None] | None = None
) -> Chosen:
    """Give the settings: a flag is stronger than the environment, and that is stronger than the file.

    `flags` are by field, none where a flag was not given. Raises `BadSetting` for a value that cannot be, and for a
    file that cannot be read; one that is not there says nothing.
    """
    environment = os.environ if environment is None else environment
    values: dict[str, Value] = {}
    origins = {setting.field: Origin(Source.USUAL) for setting in SETTINGS}

    def take(setting: Setting, value: Value, origin: Origin) -> None:
        values[setting.field], origins[setting.field] = value, origin

    if environment.get(NO_COLOR):
        take(BY_KEY["colours"], "none", Origin(Source.ENVIRONMENT, NO_COLOR))
    for key, value in read_file(file).items():
        take(BY_KEY[key], value, Origin(Source.FILE, str(file)))
    for setting in SETTINGS:
        said = environment.get(setting.variable)
        if said:
            value = setting.read(said, strict=False, where=setting.variable)
            take(setting, value, Origin(Source.ENVIRONMENT, setting.variable))
        flag = (flags or {}).get(setting.field)
        if flag is not None:
            take(setting, setting.read(flag, strict=True, where=setting.flag), Origin(Source.FLAG, setting.flag))
    # Every value was read by its own setting.
    return Chosen(settings=Settings(**values), origins=origins, file=file)  # type: ignore[arg-type]


def read_file(file: Path) -> dict[str, Value]:
    """Give what a settings file sets, by key; nothing where there is no file.

    Raises `BadSetting` for a file that is no TOML, and for a key or a value in it that cannot be.
    """
    where = repr(str(file))
    try:
        found = tomllib.loads(read_own(file, most=MOST_SETTINGS).decode("utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        # Nor is there one where the home itself is none.
        return {}
    except OSError as error:
        raise BadSetting(_("{where} cannot be read: {why}").format(where=where, why=why(error))) from error
    except UnicodeDecodeError as error:
        raise BadSetting(_("{where} cannot be read: it is not UTF-8 text").format(where=where)) from error
    except RecursionError as error:
        text = _("{where} cannot be read: its brackets lie too deep in each other")
        raise BadSetting(text.format(where=where)) from error
    except ValueError as error:
        # Besides what is no TOML: a number of thousands of figures.
        raise BadSetting(
            _("{where} cannot be read as TOML: {why}").format(where=where, why=toml_fault_text(error))
        ) from error
    values = {}
    for key, value in found.items():
        if key not in BY_KEY:
            raise BadSetting(
                _("{where}: there is no setting {key}; right would be one of {keys}").format(
                    where=where, key=shortened(key), keys=", ".join(BY_KEY)
                )
            )
        values[key] = BY_KEY[key].read(value, strict=True, where=where)
    return values
