"""The state of the fixed-point iteration over one function instance.

**Known as:** fixed-point iteration of a data-flow analysis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..lang.ctype import CType, Pointer, Scalar, is_integer, leaf_type, leaves
from ..tree import nodes as tree
from ..tree.nodes import Variable
from .divergence import Here
from .lattice import VARYING, Kind, Known, Shape, converted, join
from .shapes import FunctionShapes


@dataclass
class Facts:
    """Notes facts in `shapes`, and whether the walk has gone on without one of them.

    A register variable has one shape for its whole life. An assignment under divergence keeps it scalar only if no
    waiting lane still needs the old value (see `liveness`).
    """

    shapes: FunctionShapes
    likely: bool  # whether it matters what holds in nearly all gangs
    changed: bool = False

    def begin_walk(self) -> None:
        """Forget whatever the next walk finds anew."""
        self.changed = False
        shapes = self.shapes
        for found in (shapes.expressions, shapes.calls, shapes.lane_loops, shapes.compacted_loops):
            found.clear()
        for nodes in (shapes.skipped, shapes.diverging, shapes.blended, shapes.blended_outside, shapes.together):
            nodes.clear()
        shapes.asked.clear()

    # ---------------------------------------------------------------------------------- variables

    def define(
        self, variable: Variable, offset: int, ctype: CType, shape: Known, node: tree.Node | None, here: Here
    ) -> None:
        """Note that the part of `variable` at `offset` takes a value of this shape by `node`."""
        if isinstance(shape, tuple):
            for (at, leaf), part in zip(leaves(ctype), shape, strict=True):
                self.define_scalar(variable, offset + at, leaf, part, node, here)
        else:
            self.define_scalar(variable, offset, ctype, shape, node, here)

    def define_scalar(
        self, variable: Variable, offset: int, ctype: CType, shape: Shape | None, node: tree.Node | None, here: Here
    ) -> None:
        wanted = here.is_wanted(variable)
        if wanted and node is not None:
            self.shapes.blended.add(node)
            if here.is_wanted_outside(variable):
                self.shapes.blended_outside.add(node)
        if shape is None:
            return
        assert isinstance(ctype, Scalar | Pointer)
        kept = leaf_type(variable.type, offset, ctype)
        if kept != ctype:
            shape = converted(shape, ctype, kept)
        if wanted:
            likely = shape.common_stride if here.mostly_together else None
            shape = replace(VARYING, interleave=shape.interleave, likely=likely)
        if shape.kind == Kind.BLOCK and here.control != Kind.BLOCK:
            shape = replace(shape, kind=Kind.UNIFORM)
        known = self.shapes.variables.get((variable, offset))
        joined = join(known, shape)
        assert joined is not None
        if joined.likely is not None and not (self.likely and is_integer(kept)):  # not used, or of no use
            joined = replace(joined, likely=None)
        if joined != known:
            self.shapes.variables[variable, offset] = joined
            self.changed = self.changed or (variable, offset) in self.shapes.asked

    # ------------------------------------------------------------------------------------ control

    def raised(self, node: tree.Loop | tree.Switch | None) -> Kind:
        """How control differs in a loop or switch, because of the jumps in it; None: in the function."""
        return self.shapes.raised.get(node, Kind.BLOCK)

    def raise_control(self, node: tree.Loop | tree.Switch | None, kind: Kind) -> None:
        if kind > self.raised(node):
            self.shapes.raised[node] = kind
            self.changed = True

    def mark_divergent(self, node: tree.Loop) -> None:
        if node not in self.shapes.divergent_loops:
            self.shapes.divergent_loops.add(node)
            self.changed = True
