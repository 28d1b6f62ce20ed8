"""The device part of a program: the stages from text to optimised LLVM IR, in order.

    preprocess -> parse -> tree -> traverse -> shape -> llvm -> opt -> (object file or assembly)

Each stage is a function of what the ones before it made; `--dump-ir=STAGE` prints what it made.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from .analysis import exchange, storage
from .analysis.program_shapes import analyse
from .analysis.shapes import Shapes
from .codegen import llvm
from .diag import CompileError, InternalError, ToolError
from .frontend.check.module import check
from .frontend.parse import parse
from .frontend.preprocess import preprocess
from .lower.module import lower
from .mapping import block_strips
from .mapping.versions import Versions, candidates, worth_keeping
from .report import remarks
from .report.outcome import Outcomes
from .source import Source
from .target import Options
from .transform.grid_stride import sweep_loops
from .transform.hoist import hoist
from .transform.inline_barriers import inline_barriers
from .transform.launch_parameters import leave_in_place
from .transform.loop_locals import give_twins
from .transform.merge_calls import traverse
from .transform.outline import outline
from .transform.spin_locks import release_early
from .tree import show
from .tree.nodes import Module
from .tree.walk import loop_depth


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
        with _deep_recursion:
            return _guard("remarks", remarks.remarks, self.module, self.shapes, self.outcomes)

    def object_code(self) -> bytes:
        """Return the kernels as an ELF object file. Assumes that every stage has run."""
        return _guard("codegen", lambda: llvm.emit_object(self.results["opt"], self.options))

    def assembly(self) -> str:
        return _guard("codegen", lambda: llvm.emit_assembly(self.results["opt"], self.options))


def prepare(module: Module) -> Module:
    """The tree-to-tree passes, from the checker's tree to the one that is analysed."""
    for rewrite in (traverse, inline_barriers, release_early, hoist, give_twins, sweep_loops, leave_in_place):
        module = rewrite(module)
    return module


def _candidates(c: Compiled) -> Versions:
    block_strips = c.results["strips"]["x"]
    return candidates(c.module, c.results["storage"], block_strips, c.results["exchanges"], c.options.lanes)


def _analysed(c: Compiled) -> Shapes:
    shapes = analyse(c.module, c.results["storage"], c.results["versions"])
    return worth_keeping(shapes, c.results["exchanges"], c.options.lanes)


def _loop_depth(module: Module) -> int:
    return max((loop_depth(function.body) for function in module.functions.values()), default=0)


STAGES: tuple[tuple[str, Callable[[Compiled], Any]], ...] = (
    ("preprocess", lambda c: preprocess(c.source, c.options)),
    ("parse", lambda c: parse(c.results["preprocess"])),
    ("tree", lambda c: check(c.results["parse"])),
    ("traverse", lambda c: prepare(c.results["tree"])),
    ("outline", lambda c: outline(c.results["traverse"])),
    ("storage", lambda c: storage.decide(c.module)),
    ("strips", lambda c: block_strips.along_axes(c.module, c.results["storage"])),
    ("exchanges", lambda c: exchange.find(c.module)),
    ("versions", lambda c: _candidates(c)),
    ("shape", lambda c: _analysed(c)),
    ("llvm", lambda c: lower(c.module, c.shapes, c.results["strips"], c.options, c.outcomes)),
    ("opt", lambda c: llvm.optimise(c.results["llvm"], c.options, _loop_depth(c.module))),
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
    with _deep_recursion, _no_collection:
        for name, stage in STAGES:
            results[name] = _guard(name, stage, compiled)
            if name in dumps:
                write(name, compiled.dump(name))
            if name == until:
                break
        if "assembly" in dumps:
            write("assembly", compiled.dump("assembly"))
        return compiled


class _ForAllThreads:
    """A setting of the whole process that is another one as long as some thread is inside.

    `change` returns what `restore` needs. The first thread to come changes the setting, the last to go restores it.
    """

    def __init__(self, change: Callable[[], int], restore: Callable[[int], None]) -> None:
        self._change, self._restore = change, restore
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 0

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._before = self._change()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._restore(self._before)


_RECURSION_LIMIT = 50_000


def _recurse_deeply() -> int:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    return limit


def _stop_collecting() -> int:
    enabled = gc.isenabled()
    gc.disable()
    return enabled


# The stages recurse a few calls deep per level of an expression; Python's own limit would be met at 200 levels.
_deep_recursion = _ForAllThreads(_recurse_deeply, sys.setrecursionlimit)

# What the stages make stays until the end: the garbage collector would look at it again and again, for nothing.
_no_collection = _ForAllThreads(_stop_collecting, lambda enabled: gc.enable() if enabled else None)


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
