"""The last lanes of a divergent loop finish one by one, in scalar code (see `outline`).

The loop's head hands over when no more lanes are left than were chosen (`mapping/scalar_tail`).
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

from ..lang.ctype import BOOL, Pointer
from ..mapping.scalar_tail import ScalarTail
from ..simd import builder
from ..simd import mask as masks
from ..simd.builder import I1, I8, I32, I64, Builder
from ..simd.mask import Mask
from ..simd.values import PTR, Value, lane_of
from ..tree import nodes as tree
from .frame import Frame


def few(f: Frame, mask: Mask, lanes: int) -> ir.Value:
    """Whether at most so many lanes are on."""
    count = f.b.ctpop(masks.bits(f.b, mask))
    return f.b.icmp_unsigned("<=", count, ir.Constant(count.type, lanes), name="few.lanes")


def run_lanes(f: Frame, plan: ScalarTail, mask: Mask) -> None:
    """Emit `for each lane that is on, lowest first: results[lane] = function(captured[lane])`."""
    b = f.b
    loop = plan.loop
    function = f.program.function(plan.instance)
    held = {variable: _Held.of(f, variable) for variable in loop.captured}
    start, body, done = b.block, f.block("lane"), f.block("lanes.done")
    todo = masks.wide_bits(b, mask)
    b.branch(body)
    b.position_at_end(body)
    left = b.phi(todo.type, "lanes.left")
    left.add_incoming(todo, start)
    number = b.cttz(left, ir.Constant(I1, 1), name="lane")
    bit = b.trunc(b.shl(ir.Constant(todo.type, 1), number), masks.travelling(f.lanes))
    lane = b.trunc(number, I32)
    returned = b.call(function, [f.gang, bit, *(held[variable].lane(b, lane) for variable in loop.captured)])
    for i, variable in enumerate(loop.results):
        held[variable].put(b, lane, returned if len(loop.results) == 1 else b.extract_value(returned, i))
    rest = b.and_(left, b.sub(left, ir.Constant(todo.type, 1)))
    left.add_incoming(rest, body)
    b.cbranch(b.icmp_unsigned("!=", rest, ir.Constant(todo.type, 0)), body, done)
    b.position_at_end(done)
    for variable in loop.results:
        value = Value(held[variable].value.type, held[variable].all(b))
        f.write(variable, 0, variable.type, value, mask, False)


@dataclass(frozen=True)
class _Held:
    """A variable of the gang, to be split into lanes. Varying values lie in memory meanwhile, one element per lane."""

    value: Value
    elements: ir.AllocaInstr | None

    @staticmethod
    def of(f: Frame, variable: tree.Variable) -> _Held:
        value = f.read(variable, 0, variable.type)
        assert isinstance(value, Value)
        if not value.varying:
            return _Held(value, None)
        lanes = f.b.zext(value.ir, ir.VectorType(I8, f.lanes)) if value.type == BOOL else value.ir
        elements = f.allocate(lanes.type, f"{variable.name}.lanes")
        f.b.store(lanes, elements)
        return _Held(value, elements)

    def lane(self, b: ir.IRBuilder, lane: ir.Value) -> ir.Value:
        """Return the scalar of one lane."""
        if self.elements is None:
            return lane_of(b, self.value, lane)
        element = builder.element(self.elements.allocated_type)
        found = b.load(b.gep(self.elements, [lane], source_etype=element), typ=element)
        if self.value.type == BOOL:
            return b.trunc(found, I1)
        return b.inttoptr(found, PTR) if isinstance(self.value.type, Pointer) else found

    def put(self, b: ir.IRBuilder, lane: ir.Value, scalar: ir.Value) -> None:
        assert self.elements is not None
        if isinstance(self.value.type, Pointer):
            scalar = b.ptrtoint(scalar, I64)
        elif self.value.type == BOOL:
            scalar = b.zext(scalar, I8)
        b.store(scalar, b.gep(self.elements, [lane], source_etype=scalar.type))

    def all(self, b: Builder) -> ir.Value:
        assert self.elements is not None
        lanes = b.load(self.elements, typ=self.elements.allocated_type)
        return b.trunc(lanes, masks.lane_bits(b.lanes)) if self.value.type == BOOL else lanes
