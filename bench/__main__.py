"""Run the benches: `python -m bench` runs all of them, `python -m bench NAME ...` some, `--list` names them.

A bench is a module of this folder with a function `measure() -> Ratio`, or one that gives several things to print:
ratios, targets (`met` or `NOT MET`), lines of text.
"""

import argparse
import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import cast

import bench
from bench.ratio import Ratio


def benches() -> dict[str, Callable[[], Ratio | Iterable[object]]]:
    """Give the `measure` of every module in this folder that has one, by the module's name."""
    names = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name != "__main__"]
    modules = {name: importlib.import_module(f"bench.{name}") for name in names}
    return {
        name: cast("Callable[[], Ratio | Iterable[object]]", m.measure)
        for name, m in modules.items()
        if hasattr(m, "measure")
    }


def main() -> None:
    """Run what the command line names, or everything, and print one line for each."""
    # The library's own lines about connections that end would stand between the figures.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    known = benches()
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure, each against something bare.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)}; all when none is given")
    parser.add_argument("--list", action="store_true", help="only name the benches")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"there is no bench {unknown[0]!r}; there are {', '.join(known)}")
    names = arguments.names or list(known)
    if arguments.list:
        print("\n".join(names))
    elif len(names) == 1:
        measured = known[names[0]]()
        for line in [measured] if isinstance(measured, Ratio) else measured:
            print(f"{names[0]}: {line}", flush=True)
    else:
        # Each in a process of its own: none finds the memory, the threads and the event loop that another has left.
        programs = [[sys.executable, "-m", "bench", name] for name in names]
        failed = [program for program in programs if subprocess.run(program, check=False).returncode]  # noqa: S603 (this one)
        sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
