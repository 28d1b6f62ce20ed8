"""Which loops of a wide gang run in a gang of 16 lanes where no more than 16 of its lanes enter them.

**Known as:** lane compaction, dynamic warp formation.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.lattice import Shape
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..tree import nodes as tree
from ..tree.nodes import Loop, OutlinedLoop
from ..tree.walk import walk

WORTH = 4  # operations on lanes in an iteration: fewer are as soon done on four registers


@dataclass(frozen=True)
class CompactedLoop:
    """A loop that `instance`, of 16 lanes, runs where few lanes enter it."""

    loop: OutlinedLoop
    instance: Instance


def choose(shapes: Shapes) -> dict[tuple[Instance, Loop], CompactedLoop]:
    """Return the loops, each in a function instance, for which it is worth a test whether few lanes enter."""
    found: dict[tuple[Instance, Loop], CompactedLoop] = {}
    for inside in shapes.instances.values():
        for node, (loop, instance) in inside.compacted_loops.items():
            results = zip(loop.results, shapes.instances[instance].results, strict=True)
            fits = all(_fits(inside.variable(variable), shape) for variable, shape in results)
            if fits and _operations_on_lanes(inside, node) >= WORTH:
                found[inside.instance, node] = CompactedLoop(loop, instance)
    return found


def _fits(own: Shape, result: Shape) -> bool:
    """Whether a variable of the wide gang can take what the narrow one returns for it."""
    return not own.scalar or (result.uniform and own.uniform)


def _operations_on_lanes(shapes: FunctionShapes, node: Loop) -> int:
    operations = (tree.Unary, tree.Binary, tree.CompoundAssign, tree.BuiltinCall)
    inside = (below for below in walk(node.body) if isinstance(below, operations))
    return sum(1 for below in inside if not shapes.of(below).scalar)
