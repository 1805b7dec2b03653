"""The floors of the house: an import goes down, never up and never sideways."""

import ast
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

# The longest name that fits a module says on which floor it stands.
FLOORS = {
    "shanghai_engine": 0,
    "shanghai_engine.bots": 1,
    "shanghai": 1,
    "shanghai_wire": 2,
    "shanghai_server": 3,
    "shanghai_client": 3,
    "shanghai_client.cli": 4,
}
# The packages of the server, from the ground up.
SERVER_FLOORS = ("journal", "house", "standing", "verbs", "table", "tables", "doors")
WRITTEN_BY_HAND = ("shanghai_engine", "shanghai_wire", "shanghai_server", "shanghai_client")
STANDARD_LIBRARY_ONLY = {"shanghai_engine", "shanghai_engine.bots"}
LAZY_ONLY = {("shanghai_client.cli", "shanghai_server")}


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module: its whole name, the line, and whether it waits inside a function, or is for types alone."""

    name: str
    line: int
    lazy: bool


def package_of(module: str) -> str | None:
    """Give the longest name in FLOORS that `module` is or lies in, None for a module that is not ours."""
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in FLOORS), None)


def server_floor_of(module: str) -> int:
    """Give the floor inside the server on which a module stands; the package of all is under everything."""
    inner = module.partition(".")[2].partition(".")[0]
    return SERVER_FLOORS.index(inner) if inner in SERVER_FLOORS else -1


def imports_of(source: str, module: str, *, is_package: bool) -> Iterator[Import]:
    """Find every import of a module's source, those under TYPE_CHECKING and inside functions included."""

    def visit(node: ast.AST, *, lazy: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                stem = module.split(".")[: None if is_package and node.level == 1 else is_package - node.level]
                base = ".".join([*stem, base] if base else stem)
            # `from package import name` may name a sub-module, which may stand on another floor than the package.
            yield from (Import(f"{base}.{alias.name}", node.lineno, lazy) for alias in node.names)
        inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        # What only the type checker reads is never loaded.
        inside = inside or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        for child in ast.iter_child_nodes(node):
            yield from visit(child, lazy=inside)

    return visit(ast.parse(source), lazy=False)


def faults_of(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """Say in one sentence each which imports of a module go up, go sideways or leave the standard library."""
    own = package_of(module)
    assert own is not None, f"{module!r} stands on no floor"
    faults = []
    for each in imports_of(source, module, is_package=is_package):
        other = package_of(each.name)
        top = each.name.split(".")[0]
        if other is None:
            if own in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names:
                faults.append(f"{module}:{each.line} imports {each.name!r}, which is not in the standard library")
        elif other != own and FLOORS[other] >= FLOORS[own]:
            faults.append(f"{module}:{each.line} imports {each.name!r}, which is not on a lower floor")
        elif own in STANDARD_LIBRARY_ONLY and other not in STANDARD_LIBRARY_ONLY:
            faults.append(f"{module}:{each.line} imports {each.name!r}, which is not in the engine")
        elif own == other == "shanghai_server" and server_floor_of(each.name) > server_floor_of(module):
            faults.append(f"{module}:{each.line} imports {each.name!r}, which is on a higher floor of the server")
        elif (own, other) in LAZY_ONLY and not each.lazy:
            faults.append(f"{module}:{each.line} imports {each.name!r} outside a function")
    return faults


def modules_of(package: str) -> Iterator[tuple[str, Path]]:
    """Give the name and the file of every module of an importable package, wherever it is installed."""
    spec = importlib.util.find_spec(package)
    assert spec is not None, f"{package!r} is not installed"
    for folder in map(Path, spec.submodule_search_locations or []):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join([package, *(parts[:-1] if parts[-1] == "__init__" else parts)]), path


@pytest.mark.parametrize("package", WRITTEN_BY_HAND)
def test_every_import_goes_down(package: str) -> None:
    """No module of the package imports from its own height or from above, and the engine needs nothing installed."""
    modules = list(modules_of(package))
    assert modules, f"{package!r} has no modules, so nothing was checked"
    faults = [
        fault
        for module, path in modules
        for fault in faults_of(path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py")
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("shanghai_engine.card", "import shanghai_wire"),
        ("shanghai_engine.card", "import grpc"),
        ("shanghai_engine.card", "from shanghai.v1 import card_pb2"),
        ("shanghai_engine.card", "from shanghai_engine import bots"),
        ("shanghai_engine.card", "from . import bots"),
        ("shanghai_engine.card", "from .bots.greedy import decide"),
        ("shanghai_engine.bots.greedy", "from shanghai.v1 import card_pb2"),
        ("shanghai_engine.bots.greedy", "import msgspec"),
        ("shanghai_wire.card", "from shanghai_server.table.table import Table"),
        ("shanghai_server.table.table", "import shanghai_client"),
        ("shanghai_server.table.table", "def late():\n    import shanghai_client"),
        ("shanghai_server.house.peers", "from shanghai_server.doors.service import TableService"),
        ("shanghai_server.standing.fact", "from shanghai_server import table"),
        ("shanghai_server.verbs.lobby", "def late():\n    from shanghai_server.tables.making import TableMaking"),
        ("shanghai_client.model", "import shanghai_server"),
        ("shanghai_client.model", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import shanghai_server"),
        ("shanghai_client.model", "from shanghai_client.cli import main"),
        ("shanghai_client.model", "from .cli.main import main"),
        ("shanghai_client.cli.main", "import shanghai_server"),
        ("shanghai_client.cli.main", "class Embedded:\n    from shanghai_server import table"),
    ],
)
def test_a_bad_import_is_caught(module: str, source: str) -> None:
    """Each import that breaks the rule of floors is found, and only once."""
    assert len(faults_of(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("shanghai_engine.hand", "import enum\nfrom collections import Counter\nfrom shanghai_engine.card import Card"),
        ("shanghai_engine.hand", "from .card import Card\nfrom . import card"),
        ("shanghai_engine.bots.greedy", "from shanghai_engine.card import Card\nfrom ..view import View"),
        ("shanghai_wire.card", "from shanghai.v1 import card_pb2\nfrom shanghai_engine.bots import greedy"),
        ("shanghai_server.table.table", "import grpc\nimport shanghai_wire, shanghai_engine.view"),
        (
            "shanghai_server.table.table",
            "from shanghai_server.verbs import gates\nfrom shanghai_server.table import watcher",
        ),
        ("shanghai_client.cli.play", "import click\nfrom shanghai_client import model\nfrom ..model import Model"),
        ("shanghai_client.cli.play", "async def embedded():\n    from shanghai_server.doors.server import Server"),
    ],
)
def test_a_good_import_passes(module: str, source: str) -> None:
    """Imports from lower floors, from the same package and, for the command line, a late server are all right."""
    assert faults_of(source, module) == []


def test_relative_imports_of_a_package_start_at_itself() -> None:
    """In an `__init__`, one dot is the package: the engine's may not import its bots, the bots' may import both."""
    assert len(faults_of("from . import bots", "shanghai_engine", is_package=True)) == 1
    assert faults_of("from . import greedy\nfrom .. import card", "shanghai_engine.bots", is_package=True) == []
