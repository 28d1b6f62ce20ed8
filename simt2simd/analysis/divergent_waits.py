"""Where lanes of a gang may wait without the others: at barriers and in loops that not all of them reach.

**Known as:** divergent barriers, warp splitting.

There the runtime may split the gang (runtime/exec/gang_split.c): both run on by themselves, each with its own lanes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from .shapes import Instance, Shapes
from .spin_waits import Waits


@dataclass(frozen=True)
class DivergentWaits:
    """`functions`: the instances in which gangs may be split, in their own text or in what they call.

    `kept`: these, and all that share barriers with them: at each of them, some lanes of a gang may be elsewhere.
    """

    functions: frozenset[Instance]
    kept: frozenset[Instance]


def find(module: tree.Module, shapes: Shapes, waits: Waits) -> DivergentWaits:
    """Return where gangs may be split. Of the kernels that call a function with barriers, all know of that, or none."""
    waiting = functions_reaching(module, lambda node: waits_for_threads(node, waits))

    def with_waits(instance: Instance, found: set[Instance]) -> set[Instance]:
        if instance.name in waiting and instance not in found:
            found.add(instance)
            for called in shapes.instances[instance].calls.values():
                with_waits(called, found)
        return found

    groups = [with_waits(version.instance, set()) for kernel in module.kernels for version in shapes.versions(kernel)]
    functions = {instance for instance in frozenset().union(*groups) if _parts(shapes, instance, waits)}
    while more := {one for one in frozenset().union(*groups) - functions if _calls(shapes, one) & functions}:
        functions |= more
    kept = set(functions)
    while joined := [group for group in groups if group & kept and not group <= kept]:
        kept.update(*joined)
    return DivergentWaits(frozenset(functions), frozenset(kept))


def waits_for_threads(node: tree.Node, waits: Waits) -> bool:
    """Whether threads that reach `node` may wait there for others."""
    if isinstance(node, tree.BuiltinCall):
        return node in waits.meetings or _is_barrier(node)
    return node in waits.loops


def _is_barrier(node: tree.BuiltinCall) -> bool:
    return node.builtin.synchronises or node.builtin.op == "grid_barrier"


def _parts(shapes: Shapes, instance: Instance, waits: Waits) -> bool:
    """Whether gangs may be split in an instance's own text."""
    return any(waits_for_threads(node, waits) for node in shapes.instances[instance].diverging)


def _calls(shapes: Shapes, instance: Instance) -> set[Instance]:
    return set(shapes.instances[instance].calls.values())
