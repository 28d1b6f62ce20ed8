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

from .analysis import storage, walks
from .analysis.program_shapes import analyse
from .analysis.shapes import Shapes
from .codegen import llvm
from .diag import CompileError, InternalError, ToolError
from .frontend.check.module import check
from .frontend.parse import parse
from .frontend.preprocess import preprocess
from .lower.module import lower
from .mapping import block_strips
from .mapping.versions import candidates, worth_keeping
from .options import Options
from .report import remarks
from .report.outcome import Outcomes
from .source import Source
from .transform.grid_stride import sweep_loops
from .transform.hoist import hoist
from .transform.inline_barriers import inline_barriers
from .transform.loop_locals import give_twins
from .transform.merge_calls import merge_calls
from .transform.outline import outline
from .transform.spin_locks import release_early
from .transform.split_head import split_heads
from .tree import show
from .tree.nodes import Module


@dataclass(frozen=True)
class Compiled:
    """One program file and what the stages made of it, by the stage's name."""

    source: Source
    options: Options
    results: Mapping[str, Any] = field(default_factory=dict, repr=False)
    outcomes: Outcomes = field(default_factory=Outcomes, repr=False)  # filled in by the stage `llvm`

    @property
    def module(self) -> Module:
        """What the checker and the tree-to-tree passes made of the text."""
        result: Module = self.results["outline"]
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
        return _guard("codegen", lambda: llvm.emit_object(self.results["opt"], self.options))

    def assembly(self) -> str:
        return _guard("codegen", lambda: llvm.emit_assembly(self.results["opt"], self.options))


def prepare(module: Module) -> Module:
    """The tree-to-tree passes, from the checker's tree to the one that is analysed."""
    for rewrite in (
        merge_calls,
        walks.mark,
        split_heads,
        inline_barriers,
        release_early,
        hoist,
        give_twins,
        sweep_loops,
    ):
        module = rewrite(module)
    return module


STAGES: tuple[tuple[str, Callable[[Compiled], Any]], ...] = (
    ("preprocess", lambda c: preprocess(c.source, c.options)),
    ("parse", lambda c: parse(c.results["preprocess"])),
    ("tree", lambda c: check(c.results["parse"])),
    ("traverse", lambda c: prepare(c.results["tree"])),
    ("outline", lambda c: outline(c.results["traverse"])),
    ("storage", lambda c: storage.decide(c.module)),
    ("strips", lambda c: {along: block_strips.plans(c.module, c.results["storage"], along) for along in "xy"}),
    ("versions", lambda c: candidates(c.module, c.results["storage"], c.results["strips"]["x"], c.options.lanes)),
    ("shape", lambda c: worth_keeping(analyse(c.module, c.results["storage"], c.results["versions"]), c.options.lanes)),
    ("llvm", lambda c: lower(c.module, c.shapes, c.results["strips"], c.options, c.outcomes)),
    ("opt", lambda c: llvm.optimise(c.results["llvm"], c.options)),
)

# What --dump-ir prints for a stage, and what follows the last one.
DUMPS: Mapping[str, Callable[[Compiled], str]] = {
    "preprocess": lambda c: c.results["preprocess"].text,
    "tree": lambda c: show.show(c.results["tree"]),
    "traverse": lambda c: show.show(c.results["traverse"]),
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
