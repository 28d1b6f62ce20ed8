"""A program file that has been compiled: what can be asked of it."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..codegen import llvm
from ..diag import Diagnostic
from ..options import Traverse
from ..report import annotated, assembly, remarks
from ..report import warnings as report_warnings
from ..report.counts import Counts
from ..report.remarks import Remark
from ..transform.nested_launches import level_synchronous
from ..transform.traversals import lane_refill, ropes, stack_loops, static_ropes
from ..tree import show
from ..tree.nodes import Module
from . import results
from .process import deep_recursion, guard
from .stages import STAGES
from .state import PipelineState


@dataclass(frozen=True)
class Compiled(PipelineState):
    """One program file and what the passes made of it."""

    def dump(self, name: str) -> str:
        """Return what `--dump-ir=NAME` prints. Assumes that the pass has run."""
        return guard(name, DUMPS[name], self)

    def functions(self, name: str) -> dict[str, str]:
        """Return the functions of the tree that the pass `name` has made, as CUDA-C by their names."""
        module = self.results[name]
        assert isinstance(module, Module), name
        with deep_recursion:
            return guard("show", show.show_functions, module)

    def warnings(self) -> tuple[Diagnostic, ...]:
        """Return what is valid in the program file, and hardly ever meant."""
        with deep_recursion:
            return guard("warnings", report_warnings.warnings, self[results.TREE], self.source.name)

    def remarks(self) -> list[remarks.Remark]:
        """Return what the compiler made of accesses, branches and calls, worst first."""
        with deep_recursion:
            visits = self[results.CALL_SETS].found
            recursive = _refused(self.options.traverse, self[results.SCALAR_REPLACEMENT])
            alone = (
                lane_refill.refused(self[results.TRAVERSAL_STATISTICS])
                if self.options.traverse is Traverse.REFILL
                else []
            )
            found = guard("remarks", remarks.remarks, self.shapes, self.plans, self.outcomes)
            asked = self.options.traverse
            written = (
                level_synchronous.level_synchronous(self[results.TRAVERSAL_STATISTICS], asked)[1]
                if asked.is_by_levels
                else []
            )
            traversals = remarks.Traversals(visits, stack_loops.find(self[results.SCALAR_REPLACEMENT]), self.module)
            return [
                *found,
                *traversals.remarks(),
                *(remarks.stays_recursive(item.name, item.span, item.why) for item in recursive),
                *(remarks.takes_no_more(item.name, item.span, item.why) for item in alone),
                *(remarks.launches_itself(item.kernel, item.span, item.why) for item in written),
            ]

    def remark_messages(self, found: Sequence[Remark], *, only_missed: bool) -> list[Diagnostic]:
        """Return remarks as messages for people; of what costs only, there is also each kernel in short."""
        if not only_missed:
            return remarks.messages(found)
        with deep_recursion:
            kernels = guard("remarks", remarks.kernels_in_short, self.shapes, self.plans, self.outcomes)
            return remarks.missed_messages(found, kernels)

    def listing(self, counts: Counts | None) -> list[annotated.Function]:
        """Return each line of the program's device code with what became of it, and the counts of a run, if any."""
        with deep_recursion:
            code = assembly.read(self.assembly())
            return guard(
                "listing",
                annotated.functions,
                self[results.TREE],
                self.shapes,
                self.plans,
                self.outcomes,
                code,
                counts,
            )

    def object_code(self) -> bytes:
        """Return the kernels as an ELF object file. Assumes that every pass has run."""
        return guard("codegen", lambda: llvm.emit_object(self[results.SCATTER_ORDER].ref, self.options))

    def assembly(self) -> str:
        """Return the kernels' machine code as text. Assumes that every pass has run."""
        return guard("codegen", lambda: llvm.emit_assembly(self[results.SCATTER_ORDER].ref, self.options))


def _refused(traverse: Traverse, module: Module) -> list[ropes.Recursive]:
    """Return the recursive functions that do not get the form that is asked for."""
    if traverse.has_thread_stacks:
        return ropes.refused(module)
    return static_ropes.refused(module) if traverse.has_static_ropes else []


def _rewritten(c: PipelineState) -> str:
    """Return what each rewrite changed in the text of the tree, as a diff."""
    trees = [(name, show.show(result)) for name, result in c.results.items() if isinstance(result, Module)]
    lines: list[str] = []
    for (old, before), (new, after) in itertools.pairwise(trees):
        lines += difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")
    return "\n".join(lines)


# What --dump-ir prints: what a pass made, what all rewrites changed, and what follows the last pass.
DUMPS: Mapping[str, Callable[[Compiled], str]] = {
    **{row.name: row.show for row in STAGES},
    "after-all": _rewritten,
    "assembly": lambda c: c.assembly(),
}
