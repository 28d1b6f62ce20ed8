"""What passes do where that depends on the options: each function is called by one row of `STAGES`."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace

from ..analysis.shapes import Instance
from ..diag import CompileError, Diagnostic
from ..mapping import block_merging, gang_width, rare_versions, redundant_axes
from ..options import Traverse
from ..target import Axis
from ..transform.capture_forwarding import capture_forwarding
from ..transform.nested_launches import level_synchronous
from ..transform.nested_launches.launch_consolidation import launch_consolidation
from ..transform.single_thread_blocks import single_thread_blocks
from ..transform.thread_coarsening import thread_coarsening
from ..transform.traversals import lockstep, ropes, static_ropes
from ..transform.traversals.query_order import query_order
from ..transform.traversals.two_forms import two_forms
from ..tree.nodes import Module
from . import results
from .state import PipelineState


def mark(c: PipelineState) -> str:
    """Return a name for a file that is to be linked with others, which is that of no other one; empty without these."""
    if not c.options.relocatable:
        return ""
    options = repr(replace(c.options, disabled=frozenset()))
    text = f"{os.path.abspath(c.source.name)}\0{options}\0{c.source.text}"
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:12]


def consolidated(c: PipelineState) -> Module:
    """A form of recursive launches that was asked for is made of the launches as they are."""
    unasked = not c.options.traverse.is_by_levels
    return launch_consolidation(c.module, c.options.architecture, for_gpus=c.options.for_gpus, unasked=unasked)


def without_captures(c: PipelineState) -> Module:
    """Return the module without pointers in closures; with them if structs are to stay whole."""
    return c.module if "scalar-replacement" in c.options.disabled else capture_forwarding(c.module)


def with_query_orders(c: PipelineState) -> Module:
    """For GPUs, a launch sorts or looks at its threads only if that is asked for."""
    asked = not c.options.for_gpus or c.options.sort_queries or c.options.choose
    return query_order(c.module) if asked else c.module


def by_levels(c: PipelineState) -> Module:
    """Return the module with kernels that take a level of a tree at a time, if that is asked for.

    Where none of those that launch themselves can, the program is refused; for GPUs, where any cannot.
    """
    if not c.options.traverse.is_by_levels:
        return c.module
    module, refused = level_synchronous.level_synchronous(c.module, c.options.traverse, for_gpus=c.options.for_gpus)
    if refused and (c.options.for_gpus or module.functions == c.module.functions):
        asked = f"--traverse={c.options.traverse}"
        help = f"compile without {asked}: then it launches itself, as it is written"
        raise CompileError(
            [
                Diagnostic(each.span, f"kernel '{each.kernel}' cannot run under {asked}: {each.why}", help=help)
                for each in refused
            ]
        )
    return module


def with_static_ropes(c: PipelineState) -> Module:
    if not c.options.traverse.has_static_ropes:
        return c.module
    in_step = c.options.traverse is Traverse.STATIC_ROPES_LOCKSTEP
    return static_ropes.static_ropes(c.module, in_step=in_step, for_gpus=c.options.for_gpus)


def in_lockstep(c: PipelineState) -> Module:
    wanted = c.options.traverse is Traverse.LOCKSTEP and c.options.for_gpus
    return lockstep.lockstep(c.module) if wanted else c.module


def with_two_forms(c: PipelineState) -> Module:
    if not c.options.choose:
        return c.module
    return two_forms(c.module, ropes.ropes, lockstep.lockstep)


def with_lone_threads(c: PipelineState) -> Module:
    """Return the module with blocks as lanes, unless what is counted or debugged is to be the program's kernels."""
    return c.module if c.options.stats or c.options.debug == "full" else single_thread_blocks(c.module)


def with_rows(c: PipelineState) -> Module:
    """Return the module with rows in step, unless debuggers are to see each thread in a lane of its own."""
    fuses = c.options.fmad or c.options.fast_math
    if c.options.debug == "full":
        return c.module
    return thread_coarsening(c.module, fuses=fuses, scalars=gang_width.scalars_at_hand(c.options.target))


def running_axes(c: PipelineState) -> dict[str, int]:
    """Return how many axes of their blocks kernels with idle ones run; where threads are looked at, all of them do."""
    if c.options.debug or c.options.stats:
        return {}
    whole = c[results.WARPS].kernels | c[results.FIBERS]
    return redundant_axes.running_axes(c.module, c[results.STORAGE], whole)


def divisible(c: PipelineState) -> dict[str, frozenset[Axis]]:
    """Return the kernels whose blocks may be divided; none where debuggers or statistics show the blocks."""
    if c.options.debug or c.options.stats:
        return {}
    whole = c[results.STORAGE].synchronising | c[results.WARPS].kernels | c[results.FIBERS]
    return block_merging.divisible(c.module, whole)


def find_rare_versions(c: PipelineState) -> frozenset[Instance]:
    """Return the versions on which LLVM spends no time; none where debuggers look at variables in them."""
    if c.options.debug == "full":
        return frozenset()
    divided = frozenset(version for version, plan in c[results.BARRIER_FISSION].items() if not isinstance(plan, str))
    waiting = frozenset(c[results.FIBERS]) | c[results.STORAGE].synchronising
    return rare_versions.find(c.module, c[results.RUN_VERSIONS], waiting, divided)
