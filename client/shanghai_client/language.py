"""The language that a player reads: every text is written in English in the code, and looked up when it is shown.

The other languages are catalogues under `locale/`, compiled when the package is built or installed (`make protos`).
`make words` collects the texts of the code into them.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files

LANGUAGES = ("en", "ja")
"""The languages that there are; the first is the one in which the texts stand in the code."""
SIGNS = {"en": "", "ja": "あア漢"}
"""Signs beyond ASCII that each of them needs, some for all: what cannot show them cannot show the language."""
DOMAIN = "shanghai_rum"
"""The name of the catalogues."""
AUTO = "auto"
"""What says that the locale shall decide, as where nothing is said."""
VARIABLE = "SHANGHAI_RUM_LANG"
"""The variable of the environment that names the language."""
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables that say in which language a person reads: the first that says anything counts."""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = LANGUAGES[0]


class UnknownLanguage(ValueError):
    """A language that this program does not speak."""

    def __init__(self, language: str, where: str) -> None:
        """Take the language as it was given, and what gave it."""
        super().__init__(
            _("{where} is {language!r}, and this program speaks {languages}").format(
                where=where, language=language, languages=", ".join(LANGUAGES)
            )
        )


def choose(wanted: str = "", *, environment: Mapping[str, str], setting: str = "") -> str:
    """Give the language to speak: the one `wanted`, else that of the environment, the setting, or the locale.

    `wanted` is what `--lang` says, `setting` what the settings file says, each empty where it says nothing. Raises
    `UnknownLanguage` where one of these three names a language that there is not; a locale of another language is
    no mistake, and is answered in English.
    """
    for language, where in ((wanted, "--lang"), (environment.get(VARIABLE, ""), VARIABLE), (setting, "lang")):
        if language in LANGUAGES:
            return language
        if language not in {"", AUTO}:
            raise UnknownLanguage(language, where)
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    language = locale.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def has_signs(encoding: str | None, language: str) -> bool:
    """Say whether an encoding has the signs of a language; none is UTF-8, as where a stream is no terminal's."""
    try:
        SIGNS[language].encode(encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def speak(language: str) -> None:
    """Show every text in a language from now on."""
    global _catalogue, _language
    _catalogue, _language = _read(language), language


def spoken() -> str:
    """Give the language in which texts are shown: one of `LANGUAGES`."""
    return _language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Show every text in a language within a block."""
    before = _language
    speak(language)
    try:
        yield
    finally:
        speak(before)


def _read(language: str) -> gettext.NullTranslations:
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    compiled = files("shanghai_client") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with compiled.open("rb") as file:
        return gettext.GNUTranslations(file)


def _(message: str) -> str:
    """Give a text in the player's language; it is looked up at the call, so never call this while importing."""
    return _catalogue.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """Give the one of two texts that goes with a count, in the player's language; `{count}` is left to the caller."""
    return _catalogue.ngettext(one, many, count)


def begun(sentence: str) -> str:
    """Give a sentence as one begins in the player's language: with a capital in English, as it is elsewhere.

    In other languages what stands first may be a command, which is written as it is typed.
    """
    return f"{sentence[:1].upper()}{sentence[1:]}" if _language == LANGUAGES[0] else sentence


def later(message: str) -> str:
    """Mark a text that is translated where it is shown, as in a table of sentences; gives it as it is."""
    return message
