"""Makes what is built and never committed: the Python code of the contract, and the compiled catalogues of texts.

`protos/shanghai/v1/*.proto` become `protos/gen/shanghai/`, and each `.po` of the client the `.mo` beside it. Hatchling
runs this as a build hook; `python protos/hatch_build.py` (what `make protos` does) runs the same by hand.
"""

import importlib.metadata
import importlib.resources
import shutil
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = Path("protos")
GENERATED = SOURCES / "gen"
CATALOGUES = Path("client") / "shanghai_client" / "locale"


def generate(root: Path) -> list[Path]:
    """Empty `protos/gen` under the checkout `root`, fill it again from every .proto, and give the files written.

    Each package level gets an `__init__.py` and a `py.typed`. Messages and services come with stubs for type checkers.

    Raises:
        RuntimeError: there is no .proto to read, or protoc refuses one (it has said on stderr which, and why).
    """
    # Only a build needs protoc; whoever merely imports this module does not.
    from grpc_tools import protoc  # noqa: PLC0415

    sources, generated = root / SOURCES, root / GENERATED
    contract = sorted((sources / "shanghai").rglob("*.proto"))
    if not contract:
        raise RuntimeError(f"no .proto file lies under {str(sources / 'shanghai')!r}")
    shutil.rmtree(generated, ignore_errors=True)
    generated.mkdir(parents=True)
    well_known = importlib.resources.files("grpc_tools") / "_proto"
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={sources}",
            f"--proto_path={well_known}",
            *_plugins(),
            f"--python_out={generated}",
            f"--grpc_python_out={generated}",
            f"--mypy_out=quiet:{generated}",
            f"--mypy_grpc_out=quiet:{generated}",
            *map(str, contract),
        ]
    )
    if status != 0:
        raise RuntimeError(f"protoc ended with status {status}; its messages stand above")
    for package in sorted({path.parent for path in generated.rglob("*_pb2.py")} | {generated / "shanghai"}):
        (package / "__init__.py").write_text('"""Generated from the contract; do not edit."""\n', encoding="utf-8")
        (package / "py.typed").touch()
    return sorted(path for path in generated.rglob("*") if path.is_file())


def _plugins() -> list[str]:
    """Name mypy-protobuf's two plugins by path: of this interpreter's own copy, whatever else is on PATH."""
    distribution = importlib.metadata.distribution("mypy-protobuf")
    scripts = {file.stem: distribution.locate_file(file) for file in distribution.files or []}
    return [f"--plugin={name}={scripts[name]}" for name in ("protoc-gen-mypy", "protoc-gen-mypy_grpc")]


def compile_catalogues(root: Path) -> list[Path]:
    """Compile every catalogue of the client under the checkout `root`, and give the files written."""
    # Only a build needs Babel, as above.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    written = []
    for source in sorted((root / CATALOGUES).rglob("*.po")):
        with source.open("rb") as file:
            catalogue = read_po(file)
        compiled = source.with_suffix(".mo")
        with compiled.open("wb") as file:
            write_mo(file, catalogue)
        written.append(compiled)
    return written


class BuildHook(BuildHookInterface[Any]):
    """Makes both before a wheel or an editable install is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Generate under the folder that is being built; hatchling's two arguments do not matter to it."""
        generate(Path(self.root))
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    checkout = Path(__file__).resolve().parent.parent
    try:
        files = generate(checkout)
    except RuntimeError as refusal:
        sys.exit(f"protos: {refusal}")
    catalogues = compile_catalogues(checkout)
    sys.stdout.write(f"generated {len(files)} files in {GENERATED}, compiled {len(catalogues)} in {CATALOGUES}\n")
