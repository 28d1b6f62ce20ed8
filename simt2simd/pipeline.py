"""The device part of a program: the stages from text to optimised LLVM IR, in order.

    preprocess -> parse -> tree -> traverse -> shape -> llvm -> opt -> (object file or assembly)

Each stage is a function of what the ones before it made; `--dump-ir=STAGE` prints what it made.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from . import codegen, remarks, show, tree
from .check import check
from .diag import CompileError, InternalError, ToolError
from .hoist import hoist
from .inline import inline_barriers
from .instance import Shapes
from .lower import lower
from .outcome import Outcomes
from .parse import parse
from .preprocess import preprocess
from .shape import analyse
from .source import Source
from .spin import release_early
from .sweep import sweep_loops
from .target import Options
from .traverse import traverse
from .tree import Module
from .twins import give_twins


@dataclass(frozen=True)
class Compiled:
    """One program file and what the stages made of it, by the stage's name."""

    source: Source
    options: Options
    results: Mapping[str, Any] = field(default_factory=dict, repr=False)
    outcomes: Outcomes = field(default_factory=Outcomes, repr=False)  # filled in by the stage `llvm`

    @property
    def module(self) -> Module:
        """What the checker made of the text."""
        result: Module = self.results["traverse"]
        return result

    @property
    def shapes(self) -> Shapes:
        result: Shapes = self.results["shape"]
        return result

    @property
    def included(self) -> Mapping[str, str | None]:
        """The headers that were looked for: the text of each by its full path, None if it is not there."""
        result: Mapping[str, str | None] = self.results["preprocess"].included
        return result

    def dump(self, stage: str) -> str:
        """Return what `--dump-ir=STAGE` prints. Assumes that the stage has run."""
        return _guard(stage, DUMPS[stage], self)

    def remarks(self) -> list[remarks.Remark]:
        """Return what the compiler made of accesses, branches and calls, worst first."""
        return _guard("remarks", remarks.remarks, self.shapes, self.outcomes)

    def object_code(self) -> bytes:
        """Return the kernels as an ELF object file. Assumes that every stage has run."""
        return _guard("codegen", lambda: codegen.emit_object(self.results["opt"], self.options))

    def assembly(self) -> str:
        return _guard("codegen", lambda: codegen.emit_assembly(self.results["opt"], self.options))


def prepare(module: Module) -> Module:
    """The tree-to-tree passes, from the checker's tree to the one that is analysed."""
    for rewrite in (traverse, inline_barriers, release_early, hoist, give_twins, sweep_loops):
        module = rewrite(module)
    return module


def _loop_depth(module: Module) -> int:
    return max((tree.loop_depth(function.body) for function in module.functions.values()), default=0)


STAGES: tuple[tuple[str, Callable[[Compiled], Any]], ...] = (
    ("preprocess", lambda c: preprocess(c.source, c.options)),
    ("parse", lambda c: parse(c.results["preprocess"])),
    ("tree", lambda c: check(c.results["parse"])),
    ("traverse", lambda c: prepare(c.results["tree"])),
    ("shape", lambda c: analyse(c.results["traverse"], c.options.lanes)),
    ("llvm", lambda c: lower(c.results["traverse"], c.results["shape"], c.options, c.outcomes)),
    ("opt", lambda c: codegen.optimise(c.results["llvm"], c.options, _loop_depth(c.module))),
)

# What --dump-ir prints for a stage, and what follows the last one.
DUMPS: Mapping[str, Callable[[Compiled], str]] = {
    "preprocess": lambda c: c.results["preprocess"].text,
    "tree": lambda c: show.show(c.results["tree"]),
    "traverse": lambda c: show.show(c.module),
    "shape": lambda c: remarks.listing(c.shapes),
    "llvm": lambda c: str(c.results["llvm"]),
    "opt": lambda c: str(c.results["opt"]),
    "assembly": lambda c: c.assembly(),
}


def compile_device(
    source: Source,
    options: Options,
    dumps: Collection[str] = (),
    write: Callable[[str, str], object] = print,
    until: str = "opt",
) -> Compiled:
    """Run the stages up to `until` for one program file; call `write(stage, text)` for each stage in `dumps`.

    Raises `CompileError` with the faults of the program, `ToolError` if the machine lacks something, and
    `InternalError` for a fault of the compiler.
    """
    results: dict[str, Any] = {}
    compiled = Compiled(source, options, results)
    with _deep_recursion(), _no_collection():
        for name, stage in STAGES:
            results[name] = _guard(name, stage, compiled)
            if name in dumps:
                write(name, compiled.dump(name))
            if name == until:
                break
        if "assembly" in dumps:
            write("assembly", compiled.dump("assembly"))
        return compiled


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """The stages recurse a few calls deep per level of an expression; Python's own limit would be met at 200 levels."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 50_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@contextmanager
def _no_collection() -> Iterator[None]:
    """What the stages make stays until the end: the garbage collector would look at it again and again, for nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


P = ParamSpec("P")
T = TypeVar("T")


def _guard(stage: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `function`; an exception that no stage means to raise becomes an `InternalError`."""
    try:
        return function(*args, **kwargs)
    except (CompileError, ToolError, InternalError, MemoryError):
        raise
    except Exception as fault:
        raise InternalError(stage, fault) from fault
