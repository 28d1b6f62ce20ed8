"""The shapes of expressions: what is known of their operands makes what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from ..lang.builtins import WARP_SIZE
from ..lang.ctype import VOID, Pointer, Scalar, Struct, has_mixed_union, is_integer, leaf_type, leaves
from ..target import MAX_LANES
from ..tree import nodes as tree
from ..tree.effects import is_barrier, is_text, outermost, root
from ..tree.same import is_global_index, is_row_start, narrow_index, same_value, without_resigning
from . import instances, lattice, speculative_stride
from .divergence import Here
from .fixed_point import Facts
from .instances import Program
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
    join_known,
    known_converted,
    offset_by,
    spans_wrap,
)
from .operators import Operand, combined, operand
from .shapes import FunctionShapes, may_wrap, register_place, variable_address
from .storage import CONSTANT

LOWEST_ADDRESS = 1 << 16  # of what programs can use


class Expressions:
    """Walks the expressions of one instance, in the order in which they run, and notes the shape of each."""

    def __init__(self, program: Program, shapes: FunctionShapes, facts: Facts) -> None:
        self.program = program
        self.storage = program.storage
        self.shapes = shapes
        self.facts = facts
        self.along, self.lanes = shapes.instance.along, shapes.instance.lanes

    def kind(self, node: tree.Expr, here: Here) -> Kind:
        shape = self.known(node, here)
        assert not isinstance(shape, tuple)
        return Kind.BLOCK if shape is None else shape.kind

    def scalar(self, node: tree.Expr, here: Here) -> Shape | None:
        shape = self.known(node, here)
        assert not isinstance(shape, tuple)
        return shape

    def index(self, node: tree.Expr, here: Here) -> Shape | None:
        """The shape of an index, without a conversion to 64 bits, in which an affine shape may be lost."""
        shape = self.scalar(node, here)
        narrow = narrow_index(node)
        return shape if narrow is node or shape is None else self.shapes.of(narrow)

    def known(self, node: tree.Expr, here: Here) -> Known:
        shape = self.compute(node, here)
        if self.program.unknown_is_varying and is_unknown(shape) and node.type != VOID:
            shape = every_part(node.type, VARYING)
        if isinstance(shape, Shape) and shape.likely is not None and not self.program.likely:
            shape = replace(shape, likely=None)
        self.shapes.expressions[node] = shape
        return shape

    def compute(self, node: tree.Expr, here: Here) -> Known:
        match node:
            case tree.Constant():
                return lattice.constant(int(node.value)) if is_integer(node.type) else BLOCK
            case tree.ThreadIndex():
                return self.thread_index(node)
            case tree.Load():
                return self.load(node, here)
            case tree.AddressOf() | tree.Decay():
                return self.address(node.place, here)
            case tree.Unary():
                return speculative_stride.unary(node.op, node.type, self.scalar(node.operand, here))
            case tree.Binary():
                return self.binary(node, here)
            case tree.PointerAdd():
                sign = -1 if node.negative else 1
                pointer = self.scalar(node.pointer, here)
                wraps = may_wrap(node.pointer, narrow_index(node.index))
                return offset_by(pointer, self.index(node.index, here), node.pointer.type, sign, wraps)
            case tree.PointerDiff():
                return lattice.value(self.scalar(node.left, here), self.scalar(node.right, here))
            case tree.Logical():
                left = self.scalar(node.left, here)
                right = self.scalar(node.right, here.under(left.kind, None) if left else here)
                return speculative_stride.logical(left, right)
            case tree.Conditional():
                return self.conditional(node, here)
            case tree.Convert():
                return known_converted(self.known(node.operand, here), node.operand.type, node.type)
            case tree.Assign():
                shape = self.known(node.value, here)
                self.assign(node, shape, here)
                return shape
            case tree.CompoundAssign():
                return self.update(node, node.op, operand(self.scalar(node.value, here), node.value, node.op), here)[1]
            case tree.Increment():
                old, new = self.update(node, "+" if node.delta > 0 else "-", Operand(lattice.constant(1), 1), here)
                return new if node.prefix else old
            case tree.Call():
                args = [self.known(arg, here) for arg in node.args]
                return instances.call(self.program, self.shapes, node, args, here)
            case tree.BuiltinCall():
                return self.builtin(node, here)
            case tree.Comma():
                self.known(node.left, here)
                return self.known(node.right, here)
            case _:
                assert_never(node)

    def thread_index(self, node: tree.ThreadIndex) -> Shape:
        limit = _INDEX_LIMITS[node.name][node.axis]
        if node.name != "threadIdx":
            return replace(BLOCK, limit=limit)
        if not self.along or (self.along == "xy" and node.axis < 2):
            # Of neighbours in a row; the gang's rows are distinguished when it accesses memory.
            return replace(VARYING, limit=limit, likely=1 if node.axis == 0 else 0)
        if "xyz"[node.axis] == self.along:
            return replace(affine(1), multiple=self.lanes, limit=limit)
        return replace(UNIFORM, limit=limit)

    def binary(self, node: tree.Binary, here: Here) -> Shape | None:
        left, right = self.scalar(node.left, here), self.scalar(node.right, here)
        if _keep_their_distance(node, left, right, self.lanes):
            return UNIFORM
        sides = operand(left, node.left, node.op), operand(right, node.right, node.op)
        result = combined(node.op, node.type, *sides, self.lanes)
        if result is None or not self.along:
            return result
        if any(is_global_index(node, "xyz".index(axis)) for axis in self.along):
            # Launches have at most 2^31 threads along the axis, or else run in another version.
            return replace(result, exact=True, limit=NATURAL)
        if self.along == "x" and is_row_start(node) and self.shapes.instance.name not in self.program.ragged:
            return replace(result, multiple=max(self.lanes, result.multiple))
        return result

    def load(self, node: tree.Load, here: Here) -> Known:
        register = register_place(node.place, self.storage)
        if register is not None:
            return self.shapes.read(*register, node.type)
        if isinstance(node.place, tree.Temporary):
            return self.known(node.place.value, here)
        if isinstance(node.place, tree.Member) and (picked := self.pick(node.place, here)) is not None:
            return picked
        address = self.address(node.place, here)
        if address is None:
            return every_part(node.type, VARYING) if isinstance(node.type, Struct) else None
        variable_at = root(node.place)
        if address.kind == Kind.BLOCK and variable_at is not None and self.storage.of(variable_at) == CONSTANT:
            shape = BLOCK
        else:
            shape = UNIFORM if address.uniform else VARYING
        return every_part(node.type, shape)

    def pick(self, place: tree.Member, here: Here) -> Known:
        """The shape of a member of a struct value without a name, `f().x`; None if `place` is something else."""
        base, offset = outermost(place)
        if not isinstance(base, tree.Temporary) or has_mixed_union(base.type):
            return None
        parts = self.known(base.value, here)
        if not isinstance(parts, tuple):
            return tuple(None for _ in leaves(place.type)) if isinstance(place.type, Struct) else None
        by_offset = dict(zip((at for at, _ in leaves(base.type)), parts, strict=True))

        def part(at: int, ctype: Scalar | Pointer) -> Shape | None:
            return converted(by_offset[at], leaf_type(base.type, at, ctype), ctype)

        if isinstance(place.type, Struct):
            return tuple(part(offset + at, leaf) for at, leaf in leaves(place.type))
        assert isinstance(place.type, Scalar | Pointer)
        return part(offset, place.type)

    def address(self, place: tree.Place, here: Here) -> Shape | None:
        """The shape of the address of `place`; the expressions in it are visited."""
        match place:
            case tree.VarRef():
                return variable_address(place.variable, self.storage)
            case tree.Deref():
                return self.scalar(place.pointer, here)
            case tree.Index():
                pointer, index = self.scalar(place.pointer, here), self.index(place.index, here)
                wraps = may_wrap(place.pointer, narrow_index(place.index))
                return offset_by(pointer, index, place.pointer.type, 1, wraps)
            case tree.Member():
                return self.address(place.base, here)
            case tree.Temporary():
                self.known(place.value, here)
                return Shape(Kind.AFFINE, place.type.size)
            case _:
                assert_never(place)

    def conditional(self, node: tree.Conditional, here: Here) -> Known:
        kind = self.kind(node.cond, here)
        arm = here.under(kind, None)
        then, other = self.known(node.then, arm), self.known(node.other, arm)
        if kind >= Kind.AFFINE:
            if isinstance(then, Shape) and isinstance(other, Shape) and _is_extreme(node, then, other):
                return lattice.extreme(node.type, then, other)
            if isinstance(then, Shape) and isinstance(other, Shape) and is_integer(node.type):
                return speculative_stride.chosen(self.shapes.of(node.cond), then, other)
            return join_known(all_varying(then), all_varying(other))
        shape = join_known(then, other)
        if kind == Kind.UNIFORM:
            return tuple(map(_not_block, shape)) if isinstance(shape, tuple) else _not_block(shape)
        return shape

    def assign(self, node: tree.Assign, shape: Known, here: Here) -> None:
        register = register_place(node.place, self.storage)
        if register is None:
            self.address(node.place, here)
        else:
            self.facts.define(*register, node.place.type, shape, node, here)

    def update(
        self, node: tree.CompoundAssign | tree.Increment, op: tree.Arithmetic, value: Operand | None, here: Here
    ) -> tuple[Shape | None, Shape | None]:
        """`place op= value`; returns the shapes of the old and of the new value."""
        place = node.place
        register = register_place(place, self.storage)
        if register is None:
            address = self.address(place, here)
            old = None if address is None else UNIFORM if address.uniform else VARYING
        else:
            assert isinstance(place.type, Scalar | Pointer)
            old = self.shapes.read_scalar(*register, place.type)
        if isinstance(place.type, Pointer):
            wraps = isinstance(node, tree.CompoundAssign) and spans_wrap(node.value.type, place.type.target.size)
            new = offset_by(old, None if value is None else value.shape, place.type, 1 if op == "+" else -1, wraps)
        else:
            compute = node.compute if isinstance(node, tree.CompoundAssign) else place.type
            widened = converted(old, place.type, compute)
            result = combined(op, compute, operand(widened), value, self.lanes)
            new = converted(result, compute, place.type)
        if register is not None:
            self.facts.define(*register, place.type, new, node, here)
        return old, new

    def builtin(self, node: tree.BuiltinCall, here: Here) -> Known:
        if node.builtin.op == "launch":
            for arg in node.args:
                self.known(arg, here)
            return UNIFORM
        shapes = [self.scalar(arg, here) for arg in node.args]
        if node.builtin.op == "make":
            return tuple(shapes)
        if is_barrier(node) and here.control != Kind.BLOCK:
            self.shapes.skipped.add(node)
        if here.control > Kind.UNIFORM or any(shape is not None and not shape.uniform for shape in shapes):
            self.shapes.diverging.add(node)  # it matters for those at which threads wait
        if node.builtin.atomic:
            return VARYING  # each lane finds what the one before it left
        if node.builtin.op in ("vote", "any_lane", "clock", "globaltimer", "grid_id"):  # a gang has one clock
            return UNIFORM
        if node.builtin.of_warp:
            return VARYING if node in self.program.meetings else _of_warp(node, shapes)
        if node.builtin.service:
            return UNIFORM if node.builtin.op == "printf" and is_text(node.args[0]) else VARYING
        if node.builtin.op in ("min", "max"):
            return lattice.extreme(node.type, *shapes)
        if node.builtin.queries_address:
            return lattice.value(BLOCK, *shapes)
        values = [shape for arg, shape in zip(node.args, shapes, strict=True) if not isinstance(arg.type, Pointer)]
        return lattice.value(BLOCK, *values)


def _of_warp(node: tree.BuiltinCall, shapes: Sequence[Shape | None]) -> Known:
    """What a warp function gives: one value for all lanes, if these name the same lanes."""
    builtin = node.builtin
    alike = [shape is None or shape.uniform for shape in shapes]
    named, *operands = alike if builtin.names_lanes else (True, *alike)
    if builtin.op == "warp_shfl_idx":
        whole = len(operands) == 2 or (isinstance(w := node.args[-1], tree.Constant) and w.value == WARP_SIZE)
        return UNIFORM if operands[0] or (whole and operands[1]) else VARYING
    if builtin.op.startswith("warp_shfl_"):
        return UNIFORM if operands[0] else VARYING
    if builtin.op in ("warp_match_any", "warp_match_all") or builtin.of_matrices:
        return VARYING
    return UNIFORM if named else VARYING


# Above the parts of `threadIdx` (of lanes after the end of the block too) and so on, by axis.
_INDEX_LIMITS = {
    "threadIdx": (1024 + MAX_LANES, 1024 + MAX_LANES, 1024 + MAX_LANES),
    "blockDim": (1025, 1025, 65),
    "blockIdx": (NATURAL, 1 << 16, 1 << 16),
    "gridDim": (NATURAL, 1 << 16, 1 << 16),
}


def _not_block(shape: Shape | None) -> Shape | None:
    return replace(shape, kind=Kind.UNIFORM) if shape is not None and shape.kind == Kind.BLOCK else shape


def _keep_their_distance(node: tree.Binary, left: Shape | None, right: Shape | None, lanes: int) -> bool:
    """Whether `node` compares values that differ by the same in all lanes.

    Numbers may wrap around between lanes; pointers into an object do not, as no object is near address 0.
    """
    if left is None or right is None or left.kind != Kind.AFFINE or right.kind != Kind.AFFINE:
        return False
    near = isinstance(node.left.type, Pointer) and abs(left.stride) * lanes <= LOWEST_ADDRESS
    compares = node.op in ("==", "!=") or (node.op in tree.COMPARISONS and near)
    return compares and left.stride == right.stride and left.interleave == right.interleave == 0


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
