"""The contract's generated code, as it is installed: whole, typed, and fit for the installed grpcio and protobuf."""

import importlib
import pkgutil
from importlib.resources import files

import shanghai


def test_every_generated_module_imports() -> None:
    """Each module of the contract imports; generated code refuses to, with an older grpcio or protobuf than its own."""
    names = [module.name for module in pkgutil.walk_packages(shanghai.__path__, "shanghai.")]
    imported = [importlib.import_module(name).__name__ for name in names]
    assert {name.rpartition("_pb2")[2] for name in imported if "_pb2" in name} == {"", "_grpc"}


def test_the_generated_packages_are_typed() -> None:
    """Type checkers read the stubs beside the code, at every level of the package."""
    packages = ["shanghai", *(m.name for m in pkgutil.walk_packages(shanghai.__path__, "shanghai.") if m.ispkg)]
    assert "shanghai.v1" in packages
    for package in packages:
        assert files(package).joinpath("py.typed").is_file()
    modules = [path.name for path in files("shanghai.v1").iterdir() if path.name.endswith("_pb2.py")]
    assert modules
    for module in modules:
        assert files("shanghai.v1").joinpath(f"{module}i").is_file()
