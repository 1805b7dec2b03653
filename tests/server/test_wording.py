"""Names and chat, cleaned before anybody else sees them."""

import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shanghai_engine.refusal import Refusal
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import bot_name, read_chat, read_name, told_apart
from shanghai_server.standing.passcode import Passcode
from shanghai_wire.shown_text import cleaned


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("A\u0301nn", "\u00c1nn"),
        ("A\u200b\u0301nn", "\u00c1nn"),
        ("\u202eAnn\u202c", "Ann"),
        ("A\u200bn\u200dn\ufeff", "Ann"),
        ("A\x1b[31mnn\x00", "A[31mnn"),
        ("\u2028\u2029", ""),
        ("\u3164\u2800", ""),
        ("\U000e0041Ann", "Ann"),
    ],
)
def test_what_cannot_be_seen_or_turns_the_line_is_taken_away(text: str, clean: str) -> None:
    """Control, bidi, zero-width and blank characters go, white space is one blank, and the text is NFC."""
    assert cleaned(text) == clean


@given(st.text())
def test_a_cleaned_text_is_one_line_without_anything_unseen(text: str) -> None:
    """Whatever is given; and cleaning it again changes nothing."""
    clean = cleaned(text)
    assert cleaned(clean) == clean
    assert unicodedata.is_normalized("NFC", clean)
    assert clean == clean.strip()
    assert not [c for c in clean if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}]


@pytest.mark.parametrize("text", ["", " ", "\u0301", "\u200b\u0301", "\u3000"])
def test_a_name_without_a_visible_character_is_refused(text: str) -> None:
    """A mark with nothing under it is no name either."""
    with pytest.raises(CallRefused) as refused:
        read_name(text, limit=24)
    assert refused.value.refusal.name == "EMPTY_NAME"
    assert str(refused.value).isascii()


@given(
    st.lists(st.text(alphabet="aAbB 2", min_size=1, max_size=6), max_size=12),
    st.text(alphabet="aAbB 2", min_size=1, max_size=6),
)
def test_a_name_told_apart_is_new_and_no_longer_than_allowed(taken: list[str], name: str) -> None:
    """Whoever sits there already, the name differs by more than the case of its letters."""
    given_name = told_apart(name, taken, limit=6)
    assert given_name.casefold() not in {other.casefold() for other in taken}
    assert len(given_name) <= 6


def test_a_bot_has_the_first_number_that_is_free() -> None:
    """Whatever number of bots there is, and also where a person is called like one."""
    assert bot_name([]) == "Bot 1"
    assert bot_name(["Ann", "Bot 2"]) == "Bot 1"
    assert bot_name(["bot\ufe0f 1", "Ann", "BOT 2", "Bot 4"]) == "Bot 3"


@pytest.mark.parametrize("unseen", ["\ufe0f", "\u034f", "\u180b", "\U000e0100"])
def test_names_that_look_the_same_are_told_apart(unseen: str) -> None:
    """A mark that nobody sees makes no other name."""
    assert told_apart(f"Ann{unseen}", ["Ann"], limit=24) == f"Ann{unseen} 2"
    assert told_apart("Ann", [f"A{unseen}nn"], limit=24) == "Ann 2"


@pytest.mark.parametrize("read", [read_name, read_chat])
def test_marks_without_end_on_one_letter_cost_no_time(read: Callable[..., str]) -> None:
    """They are left out where no language has so many, so that putting them in order stays cheap."""
    marks = "\u0315" * 15_900 + "\u0316" * 15_900
    assert read(f"a{marks}b", limit=200) == "a" + "\u0315" * 30 + "b"
    assert read("e\u0316\u0301", limit=200) == "\u00e9\u0316"
    # A vowel sign that has no class of its own, but is made of two that have one.
    assert len(read("a" + "\u0f73" * 15_900, limit=200)) == 61


def test_a_passcode_that_is_far_too_long_is_not_read() -> None:
    """It opens nothing and makes none, whatever stands in it."""
    long = "a" + "\u0315" * 15_900 + "\u0316" * 15_900
    with pytest.raises(CallRefused, match="not 31801"):
        Passcode.of(long, salted_by="seed")
    assert not Passcode.of("sesame", salted_by="seed").opens(long)


MANY = "bots|calls|cards|games|hands|jokers|levels|lines|melds|ones|players|seats|spectators|streams|tables|tries"
AMOUNT = re.compile(rf"\{{\w+\}} (?:{MANY})\b|\b(?:{MANY}) (?:are )?(?:\{{|\d to)")
NEVER_ONE = {"{seats} seats", "seats are 0 to"}
"""What a table always has two of at least."""


@pytest.mark.parametrize("refusal", [*TableRefusal, *Refusal])
def test_the_sentence_of_a_refusal_is_right_for_every_number(refusal: TableRefusal | Refusal) -> None:
    """No amount that may be one stands at a word for many: it would read `1 tables`, or `seats 1 are empty`."""
    assert set(AMOUNT.findall(refusal.sentence)) <= NEVER_ONE
