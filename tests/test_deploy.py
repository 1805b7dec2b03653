"""What deploy/ starts is a command line of ours, and stops as the server wants to be stopped."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import click
import pytest

from shanghai_client.cli.main import shanghai_rum

pytestmark = pytest.mark.checkout
DEPLOY = Path(__file__).parents[1] / "deploy"
UNIT = DEPLOY / "shanghai-rum.service"
CONTAINERFILE = DEPLOY / "Containerfile"


def parsed(arguments: list[str]) -> click.Context:
    """Give what our command line makes of some arguments, without doing it; fails where it refuses them."""
    context = shanghai_rum.make_context("shanghai-rum", list(arguments))
    while isinstance(context.command, click.Group):
        left = [*context._protected_args, *context.args]  # noqa: SLF001 (click's own way to hand the rest down)
        name, command, rest = context.command.resolve_command(context, left)
        assert command is not None
        context = command.make_context(name, rest, parent=context)
    return context


def unit() -> dict[str, str]:
    """Give the settings of the unit's service; of one that stands there twice the last."""
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return dict(parser["Service"])


def instructions() -> list[tuple[str, str]]:
    """Give the Containerfile's instructions with what follows each, continued lines joined and comments left out."""
    lines = [line for line in CONTAINERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def test_the_unit_starts_a_server_on_its_own_folder() -> None:
    """The command and its options are ours; systemd fills the folder in, and the host his options."""
    program, *arguments = shlex.split(unit()["ExecStart"])
    assert program.endswith("/bin/shanghai-rum")
    assert arguments[-1] == "$OPTIONS"
    given = [argument.replace("${STATE_DIRECTORY}", "/var/lib/shanghai-rum") for argument in arguments[:-1]]
    context = parsed([*given, "--listen", "0.0.0.0:7411", "--metrics", "9464"])
    assert context.command.name == "host"
    assert context.params["data"] == Path("/var/lib/shanghai-rum")
    assert context.params["log"] == "-"
    assert context.params["listen"] == "0.0.0.0:7411", "options of the host do not count"


def test_the_unit_stops_it_in_order_and_keeps_it_apart() -> None:
    """SIGTERM with time for it, a user and a folder of its own, and no way to more rights."""
    settings = unit()
    assert settings["KillSignal"] == "SIGTERM"
    assert settings["StateDirectory"] == "shanghai-rum"
    assert settings["StateDirectoryMode"] == "0700"
    for name in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp", "PrivateDevices", "RestrictNamespaces"):
        assert settings[name] == "yes", name
    assert settings["ProtectSystem"] == "strict"
    assert settings["CapabilityBoundingSet"] == ""


def test_the_unit_lets_it_open_what_it_needs() -> None:
    """Both kinds of addresses, the socket of `admin`, and netlink, which tells the addresses of the machine."""
    families = set(unit()["RestrictAddressFamilies"].split())
    assert families == {"AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"}
    # Without /proc/stat the library gives none of the process's metrics.
    assert unit().get("ProcSubset", "all") == "all"


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    """`systemd-analyze verify` says nothing, where there is one: of settings it does not know it says so."""
    verify = shutil.which("systemd-analyze")
    # The program is not installed here, and systemd looks for it.
    text = UNIT.read_text(encoding="utf-8").replace("/opt/shanghai-rum/bin/shanghai-rum", "/bin/true")
    copy = tmp_path / UNIT.name
    copy.write_text(text, encoding="utf-8")
    if verify is not None:
        command = [verify, "verify", str(copy)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)  # noqa: S603 (systemd's)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    # Elsewhere: every line is a section, a comment or a setting.
    for line in filter(None, text.splitlines()):
        assert line.startswith(("[", "#")) or line.partition("=")[0].isalnum(), line


def test_the_image_starts_a_server_and_asks_it_how_it_is() -> None:
    """Entry point and health check are command lines of ours, on the folder that is a volume; options stand behind."""
    found = dict(instructions())
    assert "CMD" not in found, "whoever gave an option would have to give all of them"
    program, *arguments = json.loads(found["ENTRYPOINT"])
    assert program == "shanghai-rum"
    assert parsed([*arguments, "--listen", "0.0.0.0:7411"]).params["listen"] == "0.0.0.0:7411"
    context = parsed(arguments)
    assert context.command.name == "host"
    assert [str(context.params["data"])] == json.loads(found["VOLUME"])
    assert found["EXPOSE"] == context.params["listen"].rpartition(":")[2]
    _, _, check = found["HEALTHCHECK"].partition("CMD ")
    program, *arguments = json.loads(check)
    assert program == "shanghai-rum"
    assert parsed(arguments).params["data"] == context.params["data"]
    assert found["STOPSIGNAL"] == "SIGTERM"


def test_the_image_has_two_stages_and_no_rights() -> None:
    """What builds stays behind, what is copied in is there, and the server does not run as root."""
    names = [name for name, _ in instructions()]
    assert names.count("FROM") == 2
    assert set(names) <= {
        *("FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK"),
        "ENTRYPOINT",
    }
    last = instructions()[len(names) - names[::-1].index("FROM") - 1 :]
    assert [rest for name, rest in last if name == "USER"] == ["shanghai"]
    sources = [
        source
        for name, rest in instructions()
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    ]
    assert sources
    ignored = (DEPLOY.parent / ".containerignore").read_text(encoding="utf-8").splitlines()
    for source in sources:
        assert (DEPLOY.parent / source).exists(), source
        assert f"!{source}" in ignored, source


def test_the_page_builds_an_image_that_can_say_how_it_is() -> None:
    """Podman leaves a health check out of an image in its usual format, with a warning that nobody reads."""
    for page in (DEPLOY.parent / "docs" / "hosting.md", CONTAINERFILE):
        builds = [line for line in page.read_text(encoding="utf-8").splitlines() if "podman build" in line]
        assert builds
        assert all("podman build --format docker -f deploy/Containerfile" in line for line in builds)


def test_both_are_installed_from_the_checkout_with_what_announces_them() -> None:
    """No index has this program, and what would have its name there is not ours."""
    page = (DEPLOY.parent / "docs" / "hosting.md").read_text(encoding="utf-8")
    image = " ".join(rest for name, rest in instructions() if name == "RUN")
    for text in (page, image):
        assert set(re.findall(r"bin/pip install (?:-\S+ )*([^\s`]+)", text)) == {"'.[lan]'"}
