"""What the applications share whose kernels launch kernels: their ways to run, and their inputs."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from .. import harness, programs
from ..harness import AppError
from . import variants
from .app import App, Array, Arrays, Case
from .nested_records import CONFIGURATIONS, LEVELS
from .variants import Variant

CITATION, KRONECKER = "citation", "kron"
QUICK_INPUTS = ("citation:3000", "kron:10")
KNOWN = "citation:NODES, kron:SCALE, or a Matrix-Market file"
THRESHOLD = 64


def _form(name: str, text: str, *arguments: str) -> Variant:
    return Variant(name, text, arguments=("--form", name.partition("-")[0], *arguments))


FORMS = (
    _form("flat", "no kernel launches another"),
    _form("basic", "a launch for each large item"),
    _form("warp", "a launch for all large items of a warp"),
    _form("block", "a launch for all large items of a block"),
    _form("grid", "a launch for all large items of the grid"),
)
HOST = (
    Variant("serial", "C++ on one thread", "host", arguments=("--host", "serial"), parallel=False),
    Variant("openmp", "C++ with OpenMP", "host", arguments=("--host", "openmp")),
)

# of the figure about sizes of consolidated grids: those that the forms above do not have
SIZES = tuple(
    _form(f"{level}-{name}", f"{level}, {text}", "--kc", value)
    for level in LEVELS
    for name, text, value in (
        *((f"kc{n}", f"grids of the size that lets {n} run at a time", str(n)) for n in (1, 16, 32)),
        ("1-1", "a block for each item", "1-1"),
        ("best", "the quickest of nine sizes", "best"),
    )
    if value != str(CONFIGURATIONS[level])
)

nested_app = partial(
    App,
    variants=(*FORMS, *HOST),
    baselines=tuple(variant.name for variant in HOST),
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    orders=(),
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    gpu_flags=("-rdc=true", "-l", "cudadevrt"),
)


# ------------------------------------------------------------------------------------------- inputs


def whole_number(text: str) -> int:
    """Return the whole number from 0 that an argument is."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number from 0, found '{text}'")
    return int(text)


def add_threshold(parser: argparse.ArgumentParser) -> None:
    """Add the option that says what is large."""
    text = f"an item of more entries is large (default: {THRESHOLD})"
    parser.add_argument("--threshold", type=whole_number, default=THRESHOLD, metavar="N", help=text)


def cases_with_threshold(name: str, args: argparse.Namespace) -> Iterator[Case]:
    """Return the problem that an input poses to an application that has `add_threshold`."""
    yield case_of(name, {"threshold": getattr(args, "threshold", THRESHOLD)})


def case_of(name: str, parameters: Mapping[str, int]) -> Case:
    """Return the problem that an input poses. A program makes its graph itself; of a file it gets the bytes."""
    options = tuple(word for option, value in parameters.items() for word in (f"--{option}", str(value)))
    if re.fullmatch(rf"({CITATION}|{KRONECKER})(:\d+)?", name):
        return Case(name, name, {}, ("--input", name, *options), parameters=parameters)
    try:
        matrix = np.fromfile(name, np.uint8)
    except OSError as fault:
        raise AppError(f"{name}: {fault.strerror}") from None
    if not matrix.tobytes().startswith(b"%%MatrixMarket"):
        raise AppError(f"{name}: line 1: '%%MatrixMarket matrix coordinate KIND SYMMETRY' is expected")
    return Case(
        name, name, {"matrix": matrix}, ("--input", "{matrix}", *options), parameters=parameters, raw=("matrix",)
    )


def graph_of(source: Path, case: Case) -> dict[str, Array]:
    """Return the arrays of a problem's graph, as the program makes them or reads them from a file.

    `start` and `column` are those of SciPy's `csr_matrix`; the others are the application's own.
    """
    with tempfile.TemporaryDirectory(prefix=f"{source.stem}-") as folder:
        program = programs.build(source)
        try:
            harness.run(
                (program, "--input", case.input, "--host", "serial", "--reps", "1", "--save-graph", f"{folder}/g")
            )
        except AppError as fault:
            raise AppError(_own_words(source.stem, str(fault))) from None
        return {file.stem.partition("-")[2]: np.load(file) for file in Path(folder).glob("g-*.npy")}


def _own_words(program: str, said: str) -> str:
    """Return what a program says is wrong, without its command line and its usage."""
    found = [line for line in said.splitlines() if line.startswith(f"{program}: error: ")]
    return found[0].removeprefix(f"{program}: error: ") if found else said


def source_of(graph: Mapping[str, Array]) -> int:
    """Return the node of most edges, the first of several, from which searches begin."""
    return int(np.diff(graph["start"]).argmax())


def check_bounds(what: str, numbers: str, place: str, truth: Arrays, found: Array) -> None:
    """Raise `AppError` unless `found` is `truth["right"]` to within `truth["bound"]`."""
    expected = truth["right"]
    same_shape = found.shape == expected.shape
    wrong = np.flatnonzero(~(np.abs(found - expected) <= truth["bound"])) if same_shape else np.arange(len(expected))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(expected)} {numbers} are wrong; first: {place} {first}: "
            f"{found.ravel()[first]}, expected {expected[first]} to within {truth['bound'][first]}"
        )
