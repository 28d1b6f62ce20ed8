"""The shapes within one function instance: a walk of its body that keeps account of which lanes wait where.

A register variable has one shape for its whole life. An assignment under divergence keeps it scalar only if
no waiting lane still needs the old value (see `liveness`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol, assert_never

from ..lang.ctype import VOID, CType, Pointer, Struct, is_integer, leaves
from ..target import LANES, MAX_LANES
from ..tree import nodes as tree
from ..tree.effects import is_barrier, outermost, root
from ..tree.nodes import Variable
from ..tree.same import is_global_index, narrow_index, same_value, without_resigning
from . import lattice, likely_stride
from .lattice import (
    BLOCK,
    NATURAL,
    UNIFORM,
    VARYING,
    Kind,
    Known,
    Shape,
    affine,
    all_varying,
    converted,
    every_part,
    is_signed,
    is_unknown,
    join,
    join_known,
    known_converted,
    offset_by,
)
from .liveness import Live, Liveness
from .operators import Operand, combined, operand
from .shapes import FunctionShapes, Instance, register_place, variable_address
from .storage import CONSTANT, REGISTER, Storage


class Program(Protocol):
    """What the walk of one function asks of the others."""

    storage: Storage
    unknown_is_varying: bool
    likely: bool  # whether it matters what holds in nearly all gangs

    def live_in(self, name: str) -> Liveness: ...
    def outlined(self, node: tree.Loop) -> tree.OutlinedLoop | None: ...
    def instance(
        self, caller: Instance, name: str, args: list[Known], divergent: bool, constants: list[int | None]
    ) -> Instance: ...
    def get(self, instance: Instance) -> FunctionShapes: ...


class FunctionAnalysis:
    """One instance: walks the body in order, again and again until the variables' shapes stand still."""

    def __init__(self, program: Program, shapes: FunctionShapes) -> None:
        self.program = program
        self.storage = program.storage
        self.shapes = shapes
        self.live = program.live_in(shapes.function.name)
        self.along, self.lanes = shapes.instance.along, shapes.instance.lanes
        self.is_kernel = shapes.function.kind == "kernel"
        self.changed = False
        self.waiting: list[Live | None] = []  # per enclosing divergence: what waiting lanes may read; None: anything
        self.seldom = 0  # how many of those are for conditions about which the lanes of few gangs disagree
        self.control = Kind.BLOCK
        self.loops: list[_LoopContext] = []
        self.left = False  # some lanes may have returned already

    def run(self) -> None:
        for param, shape in zip(self.shapes.function.params, self.shapes.args, strict=True):
            if self.storage.of(param) == REGISTER:
                self.define(param, 0, param.type, shape, None)
        while True:
            self.changed = False
            self.left = False
            self.control = Kind.VARYING if self.shapes.instance.divergent else Kind.BLOCK
            self.control = max(self.control, self.shapes.raised.get(None, Kind.BLOCK))
            for found in (self.shapes.expressions, self.shapes.calls, self.shapes.checked, self.shapes.blended):
                found.clear()
            self.shapes.lane_loops.clear()
            self.shapes.narrow_loops.clear()
            self.shapes.together.clear()
            self.statement(self.shapes.function.body)
            if not self.changed:
                break

    # ---------------------------------------------------------------------------------- variables

    def define(self, variable: Variable, offset: int, ctype: CType, shape: Known, node: tree.Node | None) -> None:
        """The part of `variable` at `offset` takes a value of this shape, under the present divergence."""
        if isinstance(shape, tuple):
            for (at, leaf), part in zip(leaves(ctype), shape, strict=True):
                self.define_scalar(variable, offset + at, part, node, is_integer(leaf))
        else:
            self.define_scalar(variable, offset, shape, node, is_integer(ctype))

    def define_scalar(
        self, variable: Variable, offset: int, shape: Shape | None, node: tree.Node | None, integer: bool
    ) -> None:
        wanted = any(live is None or variable in live for live in self.waiting)
        if wanted and node is not None:
            self.shapes.blended.add(node)
        if shape is None:
            return
        if wanted:
            likely_stride = shape.common_stride if self.seldom == len(self.waiting) else None
            shape = replace(VARYING, interleave=shape.interleave, likely=likely_stride)
        if shape.kind == Kind.BLOCK and self.control != Kind.BLOCK:
            shape = replace(shape, kind=Kind.UNIFORM)
        known = self.shapes.variables.get((variable, offset))
        joined = join(known, shape)
        assert joined is not None
        if not integer or not self.program.likely:  # of no use, or not used
            joined = replace(joined, likely=None)
        if joined != known:
            self.shapes.variables[variable, offset] = joined
            self.changed = True

    # --------------------------------------------------------------------------------- divergence

    @contextmanager
    def under(self, kind: Kind, live: Live | None) -> Iterator[None]:
        """Have control depend on a condition of this kind inside the `with`; the lanes that wait may read `live`."""
        control = self.control
        self.control = max(control, kind)
        if kind >= Kind.AFFINE:
            self.waiting.append(live)
        yield
        if kind >= Kind.AFFINE:
            self.waiting.pop()
        self.control = control

    # --------------------------------------------------------------------------------- statements

    def statement(self, node: tree.Stmt) -> None:
        match node:
            case tree.Block():
                for below in node.statements:
                    self.statement(below)
            case tree.Declare():
                self.declare(node)
            case tree.Evaluate():
                self.expression(node.expr)
            case tree.If():
                kind = self.kind(node.cond)
                seldom = kind >= Kind.AFFINE and self.shapes.of(node.cond).common_stride == 0
                self.seldom += seldom
                with self.under(kind, self.live.otherwise[node]):
                    self.statement(node.then)
                with self.under(kind, self.live.after[node]):
                    self.statement(node.other)
                self.seldom -= seldom
            case tree.Loop():
                self.loop(node)
            case tree.Switch():
                self.switch(node)
            case tree.Break():
                self.leave(node, self.loops[-1])
            case tree.Continue():
                self.next_round(node)
            case tree.Return():
                self.give_back(node)
            case _:
                assert_never(node)

    def declare(self, node: tree.Declare) -> None:
        variable = node.variable
        in_register = self.storage.of(variable) == REGISTER
        if isinstance(node.initial, tree.Braces):
            parts = {offset: self.expression(value) for offset, _, value in node.initial.items}
            if in_register:
                for offset, leaf in leaves(variable.type):
                    self.define(variable, offset, leaf, parts.get(offset, BLOCK), node)
        elif node.initial is not None:
            shape = self.expression(node.initial)
            if in_register:
                self.define(variable, 0, variable.type, shape, node)

    def loop(self, node: tree.Loop) -> None:
        for below in node.init:
            self.statement(below)
        control = self.control
        context = _LoopContext(node, control, len(self.waiting))
        self.loops.append(context)
        self.control = max(control, self.shapes.raised.get(node, Kind.BLOCK))
        if node in self.shapes.divergent_loops:
            self.waiting.append(self.live.after[node])
            context.depth += 1
        if node.cond is not None and node.test_first:
            self.loop_test(context, node.cond)
        self.statement(node.body)
        del self.waiting[context.depth :]  # the lanes that said `continue` are back
        for step in node.step:
            self.expression(step)
        if node.cond is not None and not node.test_first:
            self.loop_test(context, node.cond)
        del self.waiting[context.outside :]
        self.loops.pop()
        self.control = control
        self.run_alone(node)
        if self.lanes > LANES and self.waiting:
            self.run_narrow(node)

    def run_alone(self, node: tree.Loop) -> None:
        """If the loop may run lane by lane, see to it that there is code for one lane: all its variables uniform."""
        alone = self.program.outlined(node) if node in self.shapes.divergent_loops else None
        if alone is None or not alone.alone:
            return
        known = [shape for variable in alone.captured if (shape := self.shapes.variables.get((variable, 0)))]
        if any(shape.interleave for shape in known):
            return
        args: list[Known] = [UNIFORM] * len(alone.captured)
        instance = self.program.instance(self.shapes.instance, alone.function, args, False, [None] * len(args))
        self.shapes.lane_loops[node] = (alone, instance)
        self.program.get(instance)

    def run_narrow(self, node: tree.Loop) -> None:
        """If the loop may run in a narrower gang, see to it that there is code for one."""
        outlined = self.program.outlined(node)
        if outlined is None:
            return
        known = [self.shapes.variables.get((variable, 0)) or VARYING for variable in outlined.captured]
        if any(shape.interleave for shape in known):
            return
        args: list[Known] = [UNIFORM if shape.uniform else VARYING for shape in known]
        narrow = replace(self.shapes.instance, lanes=LANES)
        instance = self.program.instance(narrow, outlined.function, args, False, [None] * len(args))
        self.shapes.narrow_loops[node] = (outlined, instance)
        self.program.get(instance)

    def loop_test(self, context: _LoopContext, cond: tree.Expr) -> None:
        kind = self.kind(cond)
        if kind >= Kind.AFFINE:
            self.mark_divergent(context)
        self.raise_control(context.node, kind)

    def leave(self, node: tree.Break, context: _LoopContext) -> None:
        """A `break`: divergent if not all lanes that are in the loop or switch take it together."""
        self.raise_inside(context)
        if len(self.waiting) == context.depth and not context.scattered:
            self.shapes.together.add(node)
        elif isinstance(context.node, tree.Loop):
            self.mark_divergent(context)
        else:
            self.wait_at_end(context, self.live.after[context.node])

    def next_round(self, node: tree.Continue) -> None:
        """A `continue`: until the end of the body, lanes may wait at the loop's next round."""
        context = next(loop for loop in reversed(self.loops) if isinstance(loop.node, tree.Loop))
        assert isinstance(context.node, tree.Loop)
        self.raise_inside(context)
        if len(self.waiting) == context.depth and not context.scattered:
            self.shapes.together.add(node)
        else:
            self.wait_at_end(context, self.live.again[context.node])

    def wait_at_end(self, context: _LoopContext, live: Live) -> None:
        """Note that some lanes wait from here to the end of the body; the contexts inside are one deeper."""
        self.waiting.insert(context.depth, live)
        context.scattered = True
        for inner in self.loops[self.loops.index(context) + 1 :]:
            inner.depth += 1
            inner.outside += 1

    def mark_divergent(self, context: _LoopContext) -> None:
        assert isinstance(context.node, tree.Loop)
        if context.node not in self.shapes.divergent_loops:
            self.shapes.divergent_loops.add(context.node)
            self.changed = True

    def raise_inside(self, context: _LoopContext) -> None:
        """A jump under a condition that differs among the threads makes the control differ all over the loop."""
        if self.control > context.control:
            self.raise_control(context.node, self.control)

    def raise_control(self, node: tree.Loop | tree.Switch | None, kind: Kind) -> None:
        if kind > self.shapes.raised.get(node, Kind.BLOCK):
            self.shapes.raised[node] = kind
            self.changed = True

    def switch(self, node: tree.Switch) -> None:
        kind = self.kind(node.value)
        control = self.control
        outside = len(self.waiting)
        context = _LoopContext(node, control, outside)
        self.control = max(control, kind, self.shapes.raised.get(node, Kind.BLOCK))
        if kind >= Kind.AFFINE:
            self.waiting.append(self.live.sections[node])
            context.scattered = True
            context.depth += 1
        self.loops.append(context)
        for section in node.sections:
            self.statement(section.body)
        self.loops.pop()
        del self.waiting[context.outside :]
        self.control = control

    def give_back(self, node: tree.Return) -> None:
        shape = None if node.value is None else self.expression(node.value)
        together = not self.waiting and not self.left
        if not together:
            shape = all_varying(shape)
            self.left = True
        else:
            self.shapes.together.add(node)
        self.shapes.result = join_known(self.shapes.result, shape)
        if not self.is_kernel and self.control > Kind.BLOCK:
            self.raise_control(None, self.control)

    # -------------------------------------------------------------------------------- expressions

    def kind(self, node: tree.Expr) -> Kind:
        shape = self.expression(node)
        assert not isinstance(shape, tuple)
        return Kind.BLOCK if shape is None else shape.kind

    def scalar(self, node: tree.Expr) -> Shape | None:
        shape = self.expression(node)
        assert not isinstance(shape, tuple)
        return shape

    def index(self, node: tree.Expr) -> Shape | None:
        """The shape of an index, without a conversion to 64 bits, in which an affine shape may be lost."""
        shape = self.scalar(node)
        narrow = narrow_index(node)
        return shape if narrow is node or shape is None else self.shapes.of(narrow)

    def expression(self, node: tree.Expr) -> Known:
        shape = self.compute(node)
        if self.program.unknown_is_varying and is_unknown(shape) and node.type != VOID:
            shape = every_part(node.type, VARYING)
        if isinstance(shape, Shape) and shape.likely is not None and not self.program.likely:
            shape = replace(shape, likely=None)
        self.shapes.expressions[node] = shape
        return shape

    def compute(self, node: tree.Expr) -> Known:
        match node:
            case tree.Constant():
                return lattice.constant(int(node.value)) if is_integer(node.type) else BLOCK
            case tree.ThreadIndex():
                return self.thread_index(node)
            case tree.Load():
                return self.load(node)
            case tree.AddressOf() | tree.Decay():
                return self.address(node.place)
            case tree.Unary():
                return likely_stride.unary(node.op, node.type, self.scalar(node.operand))
            case tree.Binary():
                return self.binary(node)
            case tree.PointerAdd():
                sign = -1 if node.negative else 1
                pointer = self.scalar(node.pointer)
                return offset_by(pointer, self.index(node.index), node.pointer.type, sign)
            case tree.PointerDiff():
                return lattice.value(self.scalar(node.left), self.scalar(node.right))
            case tree.Logical():
                left = self.scalar(node.left)
                with self.under(left.kind if left else Kind.BLOCK, None):
                    right = self.scalar(node.right)
                return likely_stride.logical(left, right)
            case tree.Conditional():
                return self.conditional(node)
            case tree.Convert():
                return known_converted(self.expression(node.operand), node.operand.type, node.type)
            case tree.Assign():
                shape = self.expression(node.value)
                self.assign(node, shape)
                return shape
            case tree.CompoundAssign():
                return self.update(node, node.op, operand(self.scalar(node.value), node.value))[1]
            case tree.Increment():
                old, new = self.update(node, "+" if node.delta > 0 else "-", Operand(lattice.constant(1), 1))
                return new if node.prefix else old
            case tree.Call():
                return self.call(node)
            case tree.BuiltinCall():
                return self.builtin(node)
            case tree.Comma():
                self.expression(node.left)
                return self.expression(node.right)
            case _:
                assert_never(node)

    def thread_index(self, node: tree.ThreadIndex) -> Shape:
        limit = _INDEX_LIMITS[node.name][node.axis]
        if node.name != "threadIdx":
            return replace(BLOCK, limit=limit)
        if not self.along:
            return replace(VARYING, limit=limit)
        if "xyz"[node.axis] == self.along:
            return replace(affine(1), multiple=self.lanes, limit=limit)
        return replace(UNIFORM, limit=limit)

    def binary(self, node: tree.Binary) -> Shape | None:
        left, right = self.scalar(node.left), self.scalar(node.right)
        sides = operand(left, node.left), operand(right, node.right)
        result = combined(node.op, node.type, *sides, self.lanes)
        if result is None or not self.along:
            return result
        if is_global_index(node, "xyz".index(self.along)):
            # Launches have at most 2^31 threads along the axis, or else run in another version.
            return replace(result, exact=True, limit=NATURAL)
        if self.along == "x" and node.op == "*" and _is_row_start(node):
            return replace(result, multiple=max(self.lanes, result.multiple))
        return result

    def load(self, node: tree.Load) -> Known:
        register = register_place(node.place, self.storage)
        if register is not None:
            variable, offset = register
            if isinstance(node.type, Struct):
                return tuple(self.shapes.variables.get((variable, offset + at)) for at, _ in leaves(node.type))
            return self.shapes.variables.get((variable, offset))
        if isinstance(node.place, tree.Temporary):
            return self.expression(node.place.value)
        if isinstance(node.place, tree.Member) and (picked := self.pick(node.place)) is not None:
            return picked
        address = self.address(node.place)
        if address is None:
            return every_part(node.type, VARYING) if isinstance(node.type, Struct) else None
        variable_at = root(node.place)
        if address.kind == Kind.BLOCK and variable_at is not None and self.storage.of(variable_at) == CONSTANT:
            shape = BLOCK
        else:
            shape = UNIFORM if address.uniform else VARYING
        return every_part(node.type, shape)

    def pick(self, place: tree.Member) -> Known:
        """The shape of a member of a struct value without a name, `f().x`; None if `place` is something else."""
        base, offset = outermost(place)
        if not isinstance(base, tree.Temporary):
            return None
        parts = self.expression(base.value)
        if not isinstance(parts, tuple):
            return tuple(None for _ in leaves(place.type)) if isinstance(place.type, Struct) else None
        by_offset = dict(zip((at for at, _ in leaves(base.type)), parts, strict=True))
        if isinstance(place.type, Struct):
            return tuple(by_offset[offset + at] for at, _ in leaves(place.type))
        return by_offset[offset]

    def address(self, place: tree.Place) -> Shape | None:
        """The shape of the address of `place`; the expressions in it are visited."""
        match place:
            case tree.VarRef():
                return variable_address(place.variable, self.storage)
            case tree.Deref():
                return self.scalar(place.pointer)
            case tree.Index():
                pointer, index = self.scalar(place.pointer), self.index(place.index)
                return offset_by(pointer, index, place.pointer.type, 1)
            case tree.Member():
                return self.address(place.base)
            case tree.Temporary():
                self.expression(place.value)
                return Shape(Kind.AFFINE, place.type.size)
            case _:
                assert_never(place)

    def conditional(self, node: tree.Conditional) -> Known:
        kind = self.kind(node.cond)
        with self.under(kind, None):
            then, other = self.expression(node.then), self.expression(node.other)
        if kind >= Kind.AFFINE:
            if isinstance(then, Shape) and isinstance(other, Shape) and _is_extreme(node, then, other):
                return lattice.extreme(node.type, then, other)
            if isinstance(then, Shape) and isinstance(other, Shape) and is_integer(node.type):
                return likely_stride.chosen(self.shapes.of(node.cond), then, other)
            return join_known(all_varying(then), all_varying(other))
        shape = join_known(then, other)
        if kind == Kind.UNIFORM:
            return tuple(map(_not_block, shape)) if isinstance(shape, tuple) else _not_block(shape)
        return shape

    def assign(self, node: tree.Assign, shape: Known) -> None:
        register = register_place(node.place, self.storage)
        if register is None:
            self.address(node.place)
        else:
            self.define(*register, node.place.type, shape, node)

    def update(
        self, node: tree.CompoundAssign | tree.Increment, op: tree.Arithmetic, value: Operand | None
    ) -> tuple[Shape | None, Shape | None]:
        """`place op= value`; returns the shapes of the old and of the new value."""
        place = node.place
        register = register_place(place, self.storage)
        if register is None:
            address = self.address(place)
            old = None if address is None else UNIFORM if address.uniform else VARYING
        else:
            old = self.shapes.variables.get(register)
        if isinstance(place.type, Pointer):
            new = offset_by(old, None if value is None else value.shape, place.type, 1 if op == "+" else -1)
        else:
            compute = node.compute if isinstance(node, tree.CompoundAssign) else place.type
            widened = converted(old, place.type, compute)
            result = combined(op, compute, operand(widened), value, self.lanes)
            new = converted(result, compute, place.type)
        if register is not None:
            self.define(*register, place.type, new, node)
        return old, new

    def call(self, node: tree.Call) -> Known:
        args = [self.expression(arg) for arg in node.args]
        divergent = self.control != Kind.BLOCK
        if any(is_unknown(arg) for arg in args) and not self.program.unknown_is_varying:
            return None
        constants = [self.constant_argument(arg) for arg in node.args]
        instance = self.program.instance(self.shapes.instance, node.function, args, divergent, constants)
        self.shapes.calls[node] = instance
        return self.program.get(instance).result

    def constant_argument(self, node: tree.Expr) -> int | None:
        """The value of an argument that is a number, or a parameter whose value is known."""
        if isinstance(node, tree.Constant) and is_integer(node.type):
            return int(node.value)
        if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef):
            known = zip(self.shapes.function.params, self.shapes.instance.constants, strict=False)
            return next((value for param, value in known if param is node.place.variable), None)
        return None

    def builtin(self, node: tree.BuiltinCall) -> Known:
        shapes = [self.scalar(arg) for arg in node.args]
        if is_barrier(node) and self.control != Kind.BLOCK:
            self.shapes.checked.add(node)
        if node.builtin.atomic:
            return VARYING  # each lane finds what the one before it left
        if node.builtin.op in ("min", "max"):
            return lattice.extreme(node.type, *shapes)
        values = [shape for arg, shape in zip(node.args, shapes, strict=True) if not isinstance(arg.type, Pointer)]
        return lattice.value(BLOCK, *values)


@dataclass
class _LoopContext:
    """A loop or switch that is being walked.

    `outside` and `depth` are the lengths of `waiting` outside it and at the top of its body. `scattered`: some of
    its lanes wait at its end already, so that those still here cannot jump all together.
    """

    node: tree.Loop | tree.Switch
    control: Kind
    outside: int
    depth: int = -1
    scattered: bool = False

    def __post_init__(self) -> None:
        self.depth = self.outside


# Above the parts of `threadIdx` (of lanes behind the end of the block too) and so on, by axis.
_INDEX_LIMITS = {
    "threadIdx": (1024 + MAX_LANES, 1024 + MAX_LANES, 1024 + MAX_LANES),
    "blockDim": (1025, 1025, 65),
    "blockIdx": (NATURAL, 1 << 16, 1 << 16),
    "gridDim": (NATURAL, 1 << 16, 1 << 16),
}


def _not_block(shape: Shape | None) -> Shape | None:
    return replace(shape, kind=Kind.UNIFORM) if shape is not None and shape.kind == Kind.BLOCK else shape


def _is_row_start(product: tree.Binary) -> bool:
    """`threadIdx.y * blockDim.x`: where gangs do not span rows, 0 or a multiple of their lanes."""
    names = {(factor.name, factor.axis) for factor in map(_index_in, (product.left, product.right)) if factor}
    return ("blockDim", 0) in names and bool(names & {("threadIdx", 1), ("threadIdx", 2)})


def _index_in(node: tree.Expr) -> tree.ThreadIndex | None:
    """The built-in index that `node` is, perhaps converted to another integer type."""
    while isinstance(node, tree.Convert) and is_integer(node.type):
        node = node.operand
    return node if isinstance(node, tree.ThreadIndex) else None


def _is_natural(shape: Shape) -> bool:
    """Whether a number is the same in all signed and unsigned types of 32 bits and more."""
    return shape.limit is not None and shape.limit <= NATURAL


def _is_extreme(node: tree.Conditional, then: Shape, other: Shape) -> bool:
    """`a < b ? b : a`: the larger of two integers, or the smaller."""
    cond = node.cond
    if not isinstance(cond, tree.Binary) or cond.op not in ("<", "<=", ">", ">=") or not is_integer(node.type):
        return False
    if not is_signed(cond.left.type) and (then.limit is None or other.limit is None):
        return False  # negative numbers would count as large
    if is_signed(cond.left.type) and not is_signed(node.type) and not (_is_natural(then) and _is_natural(other)):
        return False  # large numbers would count as negative
    a, b = without_resigning(cond.left), without_resigning(cond.right)
    c, d = without_resigning(node.then), without_resigning(node.other)
    same = same_value
    return (same(a, c) and same(b, d)) or (same(a, d) and same(b, c))
