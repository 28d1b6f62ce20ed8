"""What an application is: its problems, how answers are checked, and the ways to solve them.

`apps/NAME/run.py` has one as `APP`. All of it works with Python and NumPy alone, but for `cases` and `truth`, which may
need the packages of the inputs and SciPy.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..harness import Record
from .chapters import Chapter, by_chapter
from .variants import Variant

Array = NDArray[Any]
Arrays = Mapping[str, Array]

ORDERS = ("sorted", "shuffled")
FOLDER = Path(__file__).parent.parent


@dataclass(frozen=True)
class Case:
    """One problem: an input, with the application's own parameters.

    `input` is what the user calls the input, `label` the same with parameters for people: "cities, k=8". Each array
    becomes a file; "{NAME}" in the program's `arguments` stands for the name of that file. `defines` are for the
    compilers. The files of those that are `raw` hold their bytes alone. If the arrays lie in one order already, `order`
    says which, and the program does not get it. Arrays that are `kept` are in built folders even if NumPy could make
    them from the input's name. Variants that are `slow_on_cpu` are left to a GPU.
    """

    input: str
    label: str
    arrays: Arrays
    arguments: tuple[str, ...]
    defines: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    order: str = ""
    raw: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    slow_on_cpu: tuple[str, ...] = ()


def no_truth(case: Case, most: int | None) -> Arrays:
    """Return nothing: the case itself says what is right."""
    return {}


@dataclass(frozen=True)
class Peer:
    """A Python package that solves the same problems.

    `setup(case, order, cores)` prepares everything and returns what is timed; `answers(case, result)` makes of its
    result an array as the programs write it. `judge`, of a package that has a model of its own, stands in for the
    comparison of answers: it returns what the record says of them, or raises `AppError`.
    """

    module: str
    setup: Callable[[Case, str, int], Callable[[], Any]]
    answers: Callable[[Case, Any], Array]
    judge: Callable[[Case, Array], Mapping[str, float]] | None = None


def no_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing to the command line."""


@dataclass(frozen=True)
class App:
    """An application.

    `cases(input, args)` returns the problems that an input poses. `truth(case, most)` returns what answers are compared
    with, of `most` queries or, without that number, of all; `check(what, case, truth, answers)` compares, and raises
    `AppError` if an answer is wrong. `tolerance` is by how much, relative, the numbers of two right answers differ at
    most; without one they are not compared. `exact`: all right answers are the same. `axis`: the parameter over which a
    figure shows times. `orders` are those in which a program can ask its queries; without queries there are none.
    `inputs` are used if the user names none, `quick_inputs` in their place if there are any and little time is to be
    spent; `known_inputs` says what else an input can be. Times are compared with that of the quickest of `baselines` on
    as many cores, or on the one that it uses. `peers` has an entry for each variant that runs in Python. `host_flags`
    are the C++ compiler's for all programs of a CPU, `libraries` what they are linked with; `gpu_flags` are nvcc's.
    `overheads(target)` measures what is no variant. `figures(title, records, folder)` draws figures of its own and
    returns their files.
    """

    name: str
    question: str
    source: Path
    inputs: tuple[str, ...]
    known_inputs: str
    cases: Callable[[str, argparse.Namespace], Iterable[Case]]
    truth: Callable[[Case, int | None], Arrays]
    check: Callable[[str, Case, Arrays, Array], None]
    variants: tuple[Variant, ...]
    baselines: tuple[str, ...]
    tolerance: float | None = None
    exact: bool = False
    axis: str = ""
    orders: Sequence[str] = ORDERS
    quick_inputs: Sequence[str] = ()
    peers: Mapping[str, Peer] = field(default_factory=dict)
    add_options: Callable[[argparse.ArgumentParser], None] = no_options
    host_flags: Sequence[str] = ()
    libraries: Sequence[str] = ()
    gpu_flags: Sequence[str] = ()
    overheads: Callable[[str], list[Record]] | None = None
    figures: Callable[[str, Sequence[Record], Path], list[Path]] | None = None

    def variant(self, name: str) -> Variant:
        """Return the variant with a name, which there is."""
        return next(variant for variant in self.variants if variant.name == name)


def chapters() -> list[Chapter]:
    """Return the applications, which are the folders with a `run.py`, by chapter."""
    return by_chapter(path.parent.name for path in FOLDER.glob("*/run.py"))


def names() -> list[str]:
    """Return the applications in the order of their chapters."""
    return [name for chapter in chapters() for name in chapter.names]


def app_of(name: str) -> App:
    """Return an application, of which there is a folder."""
    app: App = importlib.import_module(f"apps.{name}.run").APP
    return app
