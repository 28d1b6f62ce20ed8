"""A recursive function that is entered by a single lane continues in scalar code.

Where the lanes of a gang diverge, as in a search of a tree for unrelated things, most calls are for one
lane. Its version of the function is nothing new: an instance whose arguments are all uniform, to which a pointer into
interleaved private memory is that of the lane (`shape`).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..analysis.lattice import Shape
from ..lang.ctype import BOOL, Pointer, Scalar
from ..simd.builder import I1, I32, I64
from ..simd.values import PTR, Value, lane_of
from .frame import Frame
from .signature import leaf_shapes


def branch_off(f: Frame, bits: ir.Value, args: Sequence[ir.Value]) -> None:
    """Call the version for one lane and return, if one lane is on.

    Assumes that `f` is at the start of a function that was called with the mask `bits`, which is not empty, and
    with `args`, or at the start of an iteration that does the work of such a call (`traversal_stack`).
    """
    instance = f.program.plans.single_lane.get(f.shapes.instance)
    if instance is None:
        return
    b = f.b
    one, several = f.block("one.lane"), f.block("several.lanes")
    rest = b.and_(bits, b.sub(bits, ir.Constant(bits.type, 1)))
    b.cbranch(b.icmp_unsigned("==", rest, ir.Constant(bits.type, 0)), one, several)
    b.position_at_end(one)
    lane = b.cttz(b.zext(bits, I64), ir.Constant(I1, 1))
    lane = b.trunc(lane, I32, name="lane")
    own = [_of_lane(b, arg, *known, lane) for arg, known in zip(args, leaf_shapes(f.shapes), strict=True)]
    b.call(f.program.function(instance), [f.gang, bits, *own])
    b.branch(f.leave)
    b.position_at_end(several)


def _of_lane(b: ir.IRBuilder, arg: ir.Value, ctype: Scalar | Pointer, shape: Shape, lane: ir.Value) -> ir.Value:
    """Return one lane's value of an argument."""
    if shape.scalar:
        return lane_of(b, Value(ctype, arg, shape.stride), lane)
    if ctype == BOOL:
        return b.trunc(b.lshr(b.zext(arg, I64), b.zext(lane, I64)), I1)
    element = b.extract_element(arg, lane)
    return b.inttoptr(element, PTR) if isinstance(ctype, Pointer) else element
