"""The README says what is so: its sample is what the program prints, and its pictures are there."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from client_program import run_program

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"

pytestmark = pytest.mark.checkout


async def test_the_sample_is_what_the_program_prints(tmp_path: Path) -> None:
    """The command that stands above the sample prints the sample, and nothing else."""
    text = README.read_text(encoding="utf-8")
    found = re.search(r"```\nprintf '([^']+)' \| \S+/shanghai-rum ([^\n]+)\n```\n\n```\n(.*?)```\n", text, re.DOTALL)
    assert found is not None
    ran = await run_program(*found[2].split(), home=tmp_path, typed=found[1].replace("\\n", "\n"))
    assert ran.code == 0
    assert ran.out == found[3]


def test_every_picture_is_there_and_well_formed() -> None:
    """What the README shows is in the repository, is SVG, and says in words what it is."""
    pictures = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    assert len(pictures) >= 2
    for said, name in pictures:
        assert said
        root = ET.parse(ROOT / name).getroot()  # noqa: S314 (kept here)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.findtext("{http://www.w3.org/2000/svg}title")


def test_every_link_leads_somewhere() -> None:
    """Every file that the README names by a link is there."""
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []
