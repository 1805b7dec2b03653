"""What leaves a server goes through few doors: one module shows tables, one refuses, one writes the log."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import shanghai_server

FOLDER = Path(shanghai_server.__file__).parent
SOURCES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
    for path in FOLDER.rglob("*.py")
}


def imported(source: ast.Module) -> Iterator[str]:
    """Give the whole names of everything that a module imports, wherever it does."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def called(source: ast.Module) -> Iterator[str]:
    """Give the names of all functions and methods that a module calls."""
    for node in ast.walk(source):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def who_imports(*names: str) -> set[str]:
    """Give the modules that import any of these, whole or something of it."""
    return {
        module
        for module, source in SOURCES.items()
        for found in imported(source)
        if any(f"{found}.".startswith(f"{name}.") for name in names)
    }


def who_calls(*names: str) -> set[str]:
    """Give the modules that call any of these."""
    return {module for module, source in SOURCES.items() if {*called(source)} & {*names}}


def test_one_module_decides_what_a_viewer_sees_of_a_game() -> None:
    """No other takes a view, but the steward, who gives it to its bot; and no other makes a message of one."""
    assert who_calls("public_view", "own_view") == {"table.showing"}
    assert who_calls("view") == {"table.steward"}
    encoders = ("shanghai_wire.views", "shanghai_wire.decisions.decision_bytes", "shanghai_wire.updates.public_bytes")
    parts = (
        "shanghai.v1.view_pb2",
        "shanghai.v1.card_pb2",
        "shanghai_wire.cards",
        "shanghai_wire.updates.private_bytes",
    )
    assert who_imports(*encoders, *parts) == {"table.showing"}
    assert who_calls("Question") == {"table.steward"}


def test_one_module_makes_a_status_of_what_is_refused() -> None:
    """Whatever is raised, it decides what of that is told."""
    assert who_imports("grpc_status") == {"doors.answering"}
    assert who_calls("set_details", "set_code", "set_trailing_metadata", "abort_with_status") == set()


def test_one_module_writes_the_log_and_nothing_is_printed() -> None:
    """What it writes has passed through what hides secrets."""
    makers = {
        module
        for module, source in SOURCES.items()
        for name in imported(source)
        if name.startswith("structlog") and not name.startswith("structlog.typing")
    }
    assert makers == {"house.log"}
    assert who_imports("shanghai_server.house.redaction") == {"house.log"}
    assert who_calls("print", "getLogger", "get_logger", "basicConfig") == set()


def test_one_module_gives_out_records() -> None:
    """And where a game is not over, it has been refused before."""
    assert who_imports("shanghai_server.tables.records") == {"tables.tables"}
