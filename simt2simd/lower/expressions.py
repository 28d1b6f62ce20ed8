"""Lowering of expressions: the typed tree and its shapes to LLVM values.

Every function takes the active mask and evaluates under it. The mask is not empty (`Mask.maybe_empty` is
false), so that a uniform access may run as a scalar one; where a sub-expression runs in fewer lanes
(`&&`, `?:`), it is branched around if it cannot bear an empty mask (`runs_for_nothing`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, assert_never

from llvmlite import ir

from ..access import Verb
from ..analysis.lattice import UNIFORM, VARYING, Shape, converted, reaches_round
from ..analysis.operators import combined, operand
from ..analysis.shapes import Instance, may_wrap, register_place
from ..costs import Form
from ..lang.ctype import (
    BOOL,
    FLOAT,
    INT,
    LONG,
    CType,
    Pointer,
    Scalar,
    Struct,
    has_mixed_union,
    is_float,
    is_short_float,
    leaves,
)
from ..lang.numbers import encoded
from ..report import outcome
from ..simd import integers
from ..simd import mask as masks
from ..simd.address import Address, at, index, member, pointer_to
from ..simd.builder import I32, I64, const, declare, undefined
from ..simd.mask import Mask
from ..simd.values import Value, lane_constants, pointer_constant, reinterpreted, scalar_type, splat, vector
from ..tree import nodes as tree
from ..tree.effects import is_volatile, outermost, root
from ..tree.same import narrow_index, only_repeats
from ..vmath import dispatch
from . import counting, register_arrays, services, spaces, warp
from .atomic import atomic
from .barrier import barrier, read_context, write_context
from .claims import check, check_index, fail_if_any
from .frame import Frame, Parts, coerce, merge, stays, zero
from .operators import binary, convert, nothing, unary
from .signature import arrived, leaving
from .speculate import costs_much, runs_for_nothing

Update = tree.CompoundAssign | tree.Increment


def scalar(f: Frame, node: tree.Expr, mask: Mask) -> Value:
    """Lower an expression of scalar or pointer type."""
    value = expression(f, node, mask)
    assert isinstance(value, Value)
    return value


def expression(f: Frame, node: tree.Expr, mask: Mask) -> Value | Parts:
    """Lower an expression of any type; a struct is a tuple of its scalars."""
    value = _expression(f, node, mask)
    if f.claims is not None:
        check(f, f.claims, node, value, mask)
    if isinstance(value, Value) and value.varying:
        shape = f.shapes.of(node)
        if shape.rise or shape.likely is not None:
            return replace(value, rise=shape.rise, likely=shape.likely)
    return value


def _expression(f: Frame, node: tree.Expr, mask: Mask) -> Value | Parts:
    match node:
        case tree.Constant():
            return constant(node)
        case tree.ThreadIndex():
            return thread_index(f, node)
        case tree.Load():
            return load(f, node, mask)
        case tree.AddressOf() | tree.Decay() | tree.PointerAdd():
            assert isinstance(node.type, Pointer)
            return pointer_to(f.b, target(f, node, mask), node.type)
        case tree.Unary():
            return unary(f, node, scalar(f, node.operand, mask))
        case tree.Binary():
            left, right = scalar(f, node.left, mask), scalar(f, node.right, mask)
            return binary(f, node.op, node.type, left, right, f.shapes.of(node))
        case tree.PointerDiff():
            return pointer_difference(f, node, mask)
        case tree.Logical():
            return logical(f, node, mask)
        case tree.Conditional():
            return conditional(f, node, mask)
        case tree.Convert():
            value = expression(f, node.operand, mask)
            return value if isinstance(value, tuple) else convert(f, value, node.type, f.shapes.of(node))
        case tree.Assign():
            value = expression(f, node.value, mask)
            store(f, node, value, mask)
            return value
        case tree.CompoundAssign():
            return compound_assign(f, node, mask)
        case tree.Increment():
            return increment(f, node, mask)
        case tree.Call():
            return call(f, node, mask)
        case tree.BuiltinCall():
            return builtin_call(f, node, mask)
        case tree.Comma():
            effect(f, node.left, mask)
            return expression(f, node.right, mask)
        case _:
            assert_never(node)


def effect(f: Frame, node: tree.Expr, mask: Mask) -> None:
    """Lower an expression whose value nobody wants."""
    match node:
        case tree.BuiltinCall() if node.builtin.atomic:
            atomic_call(f, node, mask, used=False)
        case tree.Convert(type=Scalar(kind="void")):
            effect(f, node.operand, mask)
        case tree.Comma():
            effect(f, node.left, mask)
            effect(f, node.right, mask)
        case _:
            expression(f, node, mask)


def constant(node: tree.Constant) -> Value:
    if isinstance(node.type, Pointer):
        return Value(node.type, pointer_constant(int(node.value))) if node.value else zero(node.type)
    assert isinstance(node.type, Scalar)
    if node.type.kind == "void":
        return nothing()
    return Value(node.type, number(node))


def number(node: tree.Constant) -> ir.Constant:
    """Return the bits or the value of a number, as values of its type are kept."""
    assert isinstance(node.type, Scalar)
    if is_short_float(node.type):
        return const(scalar_type(node.type), int.from_bytes(encoded(float(node.value), node.type), "little"))
    return const(scalar_type(node.type), node.value)


# --------------------------------------------------------------------------------------- thread indices


def thread_index(f: Frame, node: tree.ThreadIndex) -> Value:
    axis = "xyz"[node.axis]
    assert isinstance(node.type, Scalar)
    match node.name:
        case "blockIdx":
            return Value(node.type, f.fixed(f"block.{axis}", I32))
        case "blockDim":
            return Value(node.type, f.fixed(f"launch.block.{axis}", I32))
        case "gridDim":
            return Value(node.type, f.fixed(f"launch.grid.{axis}", I32))
    if f.shapes.instance.along:
        return Value(node.type, f.fixed(f"thread.{axis}", I32), 1 if axis == f.shapes.instance.along else 0)
    return Value(node.type, _spanning_thread_index(f, node.axis))


def _spanning_thread_index(f: Frame, axis: int) -> ir.Value:
    """Compute threadIdx from the thread's linear index, where a gang may span several rows of the block."""
    b = f.b
    thread = b.add(splat(b, f.fixed("first_thread", I32)), lane_constants(I32, 1, f.lanes))
    width = f.fixed("launch.block.x", I32)
    if axis == 0:
        return integers.remainder_uniform(b, thread, width, False)
    row = integers.divide_uniform(b, thread, width, False)
    height = f.fixed("launch.block.y", I32)
    if axis == 1:
        return integers.remainder_uniform(b, row, height, False)
    return integers.divide_uniform(b, row, height, False)


# ---------------------------------------------------------------------------------------------- places


def address(f: Frame, place: tree.Place, mask: Mask) -> Address:
    """Return the address of a place that is in memory."""
    match place:
        case tree.VarRef():
            return f.address(place.variable)
        case tree.Deref():
            return target(f, place.pointer, mask)
        case tree.Index():
            start, wraps = target(f, place.pointer, mask), _may_wrap(f, place.pointer, place.index)
            count = element_count(f, place.index, wraps, mask)
            _check_index(f, place.pointer, place.index, count, mask)
            return index(f.b, start, count, place.type.size, may_wrap=wraps)
        case tree.Member():
            return member(f.b, address(f, place.base, mask), place.offset, place.base.type.size)
        case tree.Temporary():
            return _spill(f, place, mask)
        case _:
            assert_never(place)


def target(f: Frame, node: tree.Expr, mask: Mask) -> Address:
    """Return where a pointer points. Address arithmetic on the way stays an address, for one cheap access."""
    match node:
        case tree.AddressOf() | tree.Decay():
            return address(f, node.place, mask)
        case tree.PointerAdd(type=Pointer(target=element)):
            start, wraps = target(f, node.pointer, mask), _may_wrap(f, node.pointer, node.index)
            count = element_count(f, node.index, wraps, mask)
            _check_index(f, node.pointer, node.index, count, mask)
            return index(f.b, start, count, element.size, node.negative, wraps)
        case tree.Convert() if isinstance(node.operand.type, Pointer):
            return target(f, node.operand, mask)
        case _:
            return at(f.b, scalar(f, node, mask))


def _may_wrap(f: Frame, pointer: tree.Expr, node: tree.Expr) -> bool:
    """Whether the index `node` may wrap within the gang with lanes on both sides of the wrap in the object."""
    narrow = narrow_index(node)
    return not f.shapes.of(narrow).exact and may_wrap(pointer, narrow)


def _check_index(f: Frame, pointer: tree.Expr, node: tree.Expr, count: Value, mask: Mask) -> None:
    """Check under `--verify` what accesses in large objects rely on."""
    narrow = narrow_index(node)
    if f.claims is not None and may_wrap(pointer, narrow):
        check_index(f, f.claims, narrow, count, mask)


def element_count(f: Frame, node: tree.Expr, wraps: bool, mask: Mask) -> Value:
    """Lower an index. Sums and products of signed integers, of which one scalar tells all, are computed in 64 bits.

    So `a[i - 1]`, `a[i]` and `a[i + 1]` are one address and three displacements. Signed overflow in an index is
    undefined, as in C++. An index that `wraps` stays a number of 32 bits.
    """
    node = narrow_index(node)
    if node.type == INT and not wraps and f.shapes.of(node).scalar and f.may("index-64"):
        return _in_64_bits(f, node, mask)
    return scalar(f, node, mask)


def _in_64_bits(f: Frame, node: tree.Expr, mask: Mask) -> Value:
    match node:
        case tree.Constant():
            return Value(LONG, const(I64, node.value))
        case tree.Binary(op="+" | "-" | "*", type=ctype) if ctype == INT:
            left, right = _in_64_bits(f, node.left, mask), _in_64_bits(f, node.right, mask)
            operate = {"+": f.b.add, "-": f.b.sub, "*": f.b.mul}[node.op]
            return Value(LONG, operate(left.ir, right.ir, flags=("nsw",)), f.shapes.of(node).stride)
        case _:
            value = scalar(f, node, mask)
            return Value(LONG, f.b.sext(value.ir, I64), value.stride)


def _spill(f: Frame, place: tree.Temporary, mask: Mask) -> Address:
    """Give a struct value an address: `f().array[i]`."""
    home = f.allocate(ir.ArrayType(ir.IntType(8), place.type.size * f.lanes), "temporary")
    home.align = 64
    where = Address(home, place.type.size)
    store_at(f, where, place.type, expression(f, place.value, mask), mask)
    return where


def load(f: Frame, node: tree.Load, mask: Mask) -> Value | Parts:
    """Read a place, wherever it is: in registers, in a value without a name, or in memory."""
    place, ctype = node.place, node.type
    register = register_place(place, f.program.storage)
    if register is not None:
        return f.read(*register, ctype)
    if isinstance(place, tree.Temporary):
        return expression(f, place.value, mask)
    picked = _pick(f, place, mask) if isinstance(place, tree.Member) else None
    if picked is not None:
        return picked
    if (array := register_arrays.held(f, place)) is not None:
        return _read_held(f, array, place, mask)
    where = address(f, place, mask)
    f.note(node, access_form(f, where, ctype, "load"))
    keep_volatile(f, place)
    value = load_at(f, where, ctype, mask)
    if isinstance(value, Value) and _is_set_by_host(place):
        stays(f.b, value.ir)
    return value


def _is_set_by_host(place: tree.Place) -> bool:
    """Whether a place is in a `__constant__` variable: host code writes it, but not while a kernel runs."""
    variable = root(place)
    return variable is not None and variable.storage == "constant" and bool(variable.space)


def _read_held(f: Frame, array: tree.Variable, place: tree.Place, mask: Mask) -> Value:
    """Read an element of an array that is in registers."""
    assert isinstance(place, tree.Index)
    return register_arrays.read(f, array, scalar(f, narrow_index(place.index), mask), mask)


def keep_volatile(f: Frame, place: tree.Place) -> None:
    """Stand before a read and behind a write: if `place` is volatile, LLVM neither moves, merges nor drops it."""
    if is_volatile(place):
        f.b.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], True)


def access_form(f: Frame, where: Address, ctype: CType, verb: Verb) -> Form:
    """Return what an access becomes, for the remarks; a struct is accessed by its scalars or by words."""
    size = ctype.size if isinstance(ctype, Struct) and not (verb == "store" and ctype.lends_padding) else 0
    pieces = [(offset, leaf.size) for offset, leaf in leaves(ctype)]
    word = f.memory.words_of(where, size, ctype.align, (piece for _, piece in pieces), verb) if size else None
    if word is not None:
        pieces = [(offset, word.size) for offset in sorted({offset // word.size * word.size for offset, _ in pieces})]
    forms = [f.memory.form(member(f.b, where, offset, size), piece, verb) for offset, piece in pieces]
    worst = max(forms, key=lambda form: form.cost_ns, default=Form("nothing", 0.0))
    text = worst.text if len(forms) < 2 else f"{len(forms)} times {worst.text}"
    good = worst.good if all(form.good for form in forms) else ""
    return Form(text, sum(form.cost_ns for form in forms), good)


def _pick(f: Frame, place: tree.Member, mask: Mask) -> Value | Parts | None:
    """Return a member of a struct value without a name, `f().x`; None if `place` is something else."""
    base, offset = outermost(place)
    if not isinstance(base, tree.Temporary) or has_mixed_union(base.type):
        return None
    parts = expression(f, base.value, mask)
    assert isinstance(parts, tuple)
    by_offset = {at_: part for (at_, _), part in zip(leaves(base.type), parts, strict=True)}
    picked = tuple(reinterpreted(f.b, by_offset[offset + at_], leaf) for at_, leaf in leaves(place.type))
    return picked if isinstance(place.type, Struct) else picked[0]


def load_at(f: Frame, where: Address, ctype: CType, mask: Mask) -> Value | Parts:
    if isinstance(ctype, Struct):
        return f.memory.unless_wrapped(where, lambda way: _load_struct(f, way, ctype, mask))
    assert isinstance(ctype, Scalar | Pointer)
    return f.memory.load(where, ctype, mask)


def _load_struct(f: Frame, where: Address, ctype: Struct, mask: Mask) -> Parts:
    scalars = list(leaves(ctype))
    record = f.memory.load_record(where, ctype.size, ctype.align, scalars, mask)
    if record is not None:
        return record
    return tuple(f.memory.load(member(f.b, where, offset, ctype.size), leaf, mask) for offset, leaf in scalars)


def store(f: Frame, node: tree.Assign, value: Value | Parts, mask: Mask) -> None:
    place = node.place
    register = register_place(place, f.program.storage)
    if register is not None:
        f.write(*register, place.type, value, mask, node in f.shapes.blended)
    elif (array := register_arrays.held(f, place)) is not None:
        assert isinstance(value, Value)
        register_arrays.write(f, array, value, mask)
    else:
        where = address(f, place, mask)
        f.note(node, access_form(f, where, place.type, "store"))
        store_at(f, where, place.type, value, mask)
        keep_volatile(f, place)


def store_at(f: Frame, where: Address, ctype: CType, value: Value | Parts, mask: Mask) -> None:
    if isinstance(value, tuple):
        f.memory.unless_wrapped(where, lambda way: _store_struct(f, way, ctype, value, mask))
    else:
        f.memory.store(where, value, mask)


def _store_struct(f: Frame, where: Address, ctype: CType, value: Parts, mask: Mask) -> Parts:
    """Write a struct; there are no values to return."""
    parts = [(offset, part) for (offset, _), part in zip(leaves(ctype), value, strict=True)]
    whole = isinstance(ctype, Struct) and not ctype.lends_padding
    if not whole or not f.memory.store_record(where, ctype.size, ctype.align, parts, mask):
        for offset, part in parts:
            f.memory.store(member(f.b, where, offset, ctype.size), part, mask)
    return ()


# ------------------------------------------------------------------------------------------------ updates


def pointer_difference(f: Frame, node: tree.PointerDiff, mask: Mask) -> Value:
    b = f.b
    left, right = scalar(f, node.left, mask), scalar(f, node.right, mask)
    assert isinstance(node.left.type, Pointer) and isinstance(node.type, Scalar)
    size = node.left.type.target.size
    if left.uniform and right.uniform:
        bytes_ = b.sub(b.ptrtoint(left.ir, I64), b.ptrtoint(right.ir, I64))
        return Value(node.type, b.sdiv(bytes_, ir.Constant(I64, size), flags=("exact",)))
    bytes_ = b.sub(vector(b, left), vector(b, right))
    if size & (size - 1) == 0:
        return Value(node.type, b.ashr(bytes_, const(bytes_.type, size.bit_length() - 1)))
    return Value(node.type, integers.divide_uniform(b, bytes_, ir.Constant(I64, size), True))


def compound_assign(f: Frame, node: tree.CompoundAssign, mask: Mask, value: Value | None = None) -> Value:
    """Lower `place op= value`; `value` may be at hand already."""
    value = scalar(f, node.value, mask) if value is None else value
    place = node.place
    where, old = _read_place(f, node, mask)
    if isinstance(place.type, Pointer):
        size = place.type.target.size
        wraps = not f.shapes.of(node.value).exact and reaches_round(node.value.type, size)
        where_to = index(f.b, at(f.b, old), value, size, node.op == "-", wraps)
        new = pointer_to(f.b, where_to, place.type)
    else:
        register = register_place(place, f.program.storage)
        before = VARYING if old.varying else UNIFORM
        if register is not None:
            assert isinstance(place.type, Scalar)
            before = f.shapes.read_scalar(*register, place.type) or VARYING
        widened = converted(before, place.type, node.compute)
        by = operand(f.shapes.of(node.value), node.value)
        shape = combined(node.op, node.compute, operand(widened), by, f.lanes)
        wide = convert(f, old, node.compute, widened)
        new = convert(f, binary(f, node.op, node.compute, wide, value, shape or VARYING), place.type, f.shapes.of(node))
    _put(f, node, where, new, mask)
    return new


def increment(f: Frame, node: tree.Increment, mask: Mask) -> Value:
    """Lower `++` or `--`; return the new value if it stands in front, else the old one."""
    place = node.place
    where, old = _read_place(f, node, mask)
    if isinstance(place.type, Pointer):
        one = Value(INT, const(I32, node.delta))
        new = pointer_to(f.b, index(f.b, at(f.b, old), one, place.type.target.size), place.type)
    elif place.type == BOOL:
        new = Value(BOOL, const(old.ir.type, 1))
    elif isinstance(place.type, Scalar) and is_short_float(place.type):
        wide = integers.convert(f.b, old.ir, place.type, FLOAT)
        total = f.b.fadd(wide, const(wide.type, node.delta))
        new = Value(old.type, integers.convert(f.b, total, FLOAT, place.type))
    elif is_float(place.type):
        new = Value(old.type, f.b.fadd(old.ir, const(old.ir.type, node.delta)))
    else:
        new = Value(old.type, f.b.add(old.ir, const(old.ir.type, node.delta)), old.stride)
    _put(f, node, where, new, mask)
    return new if node.prefix else old


def _read_place(f: Frame, node: Update, mask: Mask) -> tuple[Address | None, Value]:
    """Return a place's address, None for a register, and the scalar there: the place is evaluated once."""
    place = node.place
    register = register_place(place, f.program.storage)
    if register is not None:
        old = f.read(*register, place.type)
        assert isinstance(old, Value)
        return None, old
    if (array := register_arrays.held(f, place)) is not None:
        return None, _read_held(f, array, place, mask)
    where = address(f, place, mask)
    loaded, stored = f.memory.form(where, place.type.size, "load"), f.memory.form(where, place.type.size, "store")
    good = loaded.good.replace("load", "update") if stored.good else ""
    f.note(node, Form(f"{loaded.text} and {stored.text}", loaded.cost_ns + stored.cost_ns, good))
    keep_volatile(f, place)
    assert isinstance(place.type, Scalar | Pointer)
    return where, f.memory.load(where, place.type, mask)


def _put(f: Frame, node: Update, where: Address | None, value: Value, mask: Mask) -> None:
    """Store to the place of `node`, whose address is known already; `where` is None for one in a register."""
    if where is not None:
        f.memory.store(where, value, mask)
        keep_volatile(f, node.place)
        return
    if (array := register_arrays.held(f, node.place)) is not None:
        register_arrays.write(f, array, value, mask)
        return
    register = register_place(node.place, f.program.storage)
    assert register is not None
    f.write(*register, node.place.type, value, mask, node in f.shapes.blended)


# ------------------------------------------------------------------------------- conditional evaluation


def logical(f: Frame, node: tree.Logical, mask: Mask) -> Value:
    """Lower `&&` or `||`: the right side runs only for lanes that the left one leaves undecided, or for nothing."""
    left = scalar(f, node.left, mask)
    return _uniform_logical(f, node, left, mask) if left.uniform else _varying_logical(f, node, left, mask)


def _uniform_logical(f: Frame, node: tree.Logical, left: Value, mask: Mask) -> Value:
    """Decide for all lanes at once whether the right side runs: a scalar branch, unless it is cheap."""
    b, is_and, shape = f.b, node.op == "&&", f.shapes.of(node)
    if runs_for_nothing(f, node.right) and not costs_much(f, node.right):
        right = scalar(f, node.right, mask)
        both = (left.ir, right.ir) if right.uniform else (vector(b, left), vector(b, right))
        return Value(BOOL, b.and_(*both) if is_and else b.or_(*both))
    f.note(node, outcome.UNIFORM_BRANCH)
    start, more, done = b.block, f.block("more"), f.block("decided")
    b.cbranch(left.ir, *((more, done) if is_and else (done, more)))
    known = coerce(b, Value(BOOL, const(left.ir.type, 0 if is_and else 1)), shape)
    b.position_at_end(more)
    right = coerce(b, scalar(f, node.right, mask), shape)
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return merge(b, [(known, start), (right, end)], shape)


def _varying_logical(f: Frame, node: tree.Logical, left: Value, mask: Mask) -> Value:
    """Run the right side for the undecided lanes, behind a branch unless it may run for nothing."""
    b, is_and = f.b, node.op == "&&"
    combine = b.and_ if is_and else b.or_
    lanes = vector(b, left)
    undecided = masks.both(b, mask, lanes if is_and else b.not_(lanes))
    if runs_for_nothing(f, node.right):
        return Value(BOOL, combine(lanes, vector(b, scalar(f, node.right, undecided))))
    f.note(node, outcome.DIVERGENT_ARMS)
    start, more, done = b.block, f.block("more"), f.block("decided")
    b.cbranch(masks.any_on(b, undecided), more, done)
    b.position_at_end(more)
    combined = combine(lanes, vector(b, scalar(f, node.right, undecided.nonempty())))
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return merge(b, [(Value(BOOL, lanes), start), (Value(BOOL, combined), end)], f.shapes.of(node))


def conditional(f: Frame, node: tree.Conditional, mask: Mask) -> Value | Parts:
    b = f.b
    cond = scalar(f, node.cond, mask)
    shapes = f.shapes.parts(node) if isinstance(node.type, Struct) else (f.shapes.of(node),)
    if cond.uniform:
        return _uniform_conditional(f, node, cond, shapes, mask)
    branches = any(not runs_for_nothing(f, a) and not only_repeats(a, node.cond) for a in (node.then, node.other))
    f.note(node, outcome.DIVERGENT_ARMS if branches else outcome.SELECT)
    lanes = vector(b, cond)
    then = _arm(f, node, node.then, mask, masks.both(b, mask, lanes), shapes)
    other = _arm(f, node, node.other, mask, masks.without(b, mask, lanes), shapes)
    chosen = tuple(Value(t.type, b.select(lanes, vector(b, t), vector(b, o))) for t, o in zip(then, other, strict=True))
    return _like(node.type, chosen)


def _uniform_conditional(
    f: Frame, node: tree.Conditional, cond: Value, shapes: tuple[Shape, ...], mask: Mask
) -> Value | Parts:
    b = f.b
    cheap = all(runs_for_nothing(f, arm) and not costs_much(f, arm) for arm in (node.then, node.other))
    f.note(node, outcome.SCALAR_SELECT if cheap else outcome.UNIFORM_BRANCH)
    if cheap:
        then, other = (_coerced(f, expression(f, arm, mask), shapes) for arm in (node.then, node.other))
        chosen = tuple(
            Value(t.type, b.select(cond.ir, t.ir, o.ir), t.stride, t.interleave)
            for t, o in zip(then, other, strict=True)
        )
        return _like(node.type, chosen)
    blocks = f.block("cond.then"), f.block("cond.else")
    done = f.block("cond.done")
    b.cbranch(cond.ir, *blocks)
    ways: list[tuple[Parts, ir.Block]] = []
    for block, arm in zip(blocks, (node.then, node.other), strict=True):
        b.position_at_end(block)
        ways.append((_coerced(f, expression(f, arm, mask), shapes), b.block))
        b.branch(done)
    b.position_at_end(done)
    merged = tuple(merge(b, [(parts[i], block) for parts, block in ways], shape) for i, shape in enumerate(shapes))
    return _like(node.type, merged)


def _arm(
    f: Frame, whole: tree.Conditional, node: tree.Expr, outside: Mask, mask: Mask, shapes: tuple[Shape, ...]
) -> Parts:
    """Evaluate one arm of a conditional whose lanes disagree; in other lanes its value is arbitrary."""
    b = f.b
    if only_repeats(node, whole.cond):  # under the mask of the first time, so that LLVM finds the loads equal
        return _coerced(f, expression(f, node, outside), shapes)
    if runs_for_nothing(f, node):
        return _coerced(f, expression(f, node, mask), shapes)
    start, run, done = b.block, f.block("arm"), f.block("arm.done")
    b.cbranch(masks.any_on(b, mask), run, done)
    b.position_at_end(run)
    values = _coerced(f, expression(f, node, mask.nonempty()), shapes)
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return tuple(
        merge(b, [(value, end), (Value(value.type, undefined(value.ir.type)), start)], shape)
        for value, shape in zip(values, shapes, strict=True)
    )


def _coerced(f: Frame, value: Value | Parts, shapes: tuple[Shape, ...]) -> Parts:
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(coerce(f.b, part, shape) for part, shape in zip(parts, shapes, strict=True))


def _like(ctype: CType, parts: Parts) -> Value | Parts:
    return parts if isinstance(ctype, Struct) else parts[0]


# ------------------------------------------------------------------------------------------------ calls


def call(f: Frame, node: tree.Call, mask: Mask) -> Value | Parts:
    """Call the instance that the analysis has chosen for this call."""
    b = f.b
    instance = f.shapes.calls[node]
    values = _arguments(f, node, instance, mask)
    function = f.program.function(instance)
    shapes = f.results_of(instance)
    # LLVM 22 crashes on tail recursion that accumulates a vector by min or max.
    keeps_call: Literal["notail", False] = "notail" if any(not shape.scalar for shape in shapes) else False
    synchronises = node.function in f.program.storage.synchronising
    if synchronises:
        write_context(f)
    with counting.traversal(f, node.begins, mask):
        result = b.call(function, [f.gang, masks.bits(b, mask), *values], tail=keeps_call)
    if synchronises:
        read_context(f)
    if not shapes:
        return nothing()
    types = [leaf for _, leaf in leaves(node.type)]
    results = [result] if len(types) == 1 else [b.extract_value(result, i) for i in range(len(types))]
    parts = tuple(arrived(b, value, leaf, shape) for leaf, value, shape in zip(types, results, shapes, strict=True))
    return _like(node.type, parts)


def _arguments(f: Frame, node: tree.Call, instance: Instance, mask: Mask) -> list[ir.Value]:
    """Return the scalars that a call passes on, as they travel."""
    values: list[ir.Value] = []
    for arg, known in zip(node.args, f.program.shapes.instances[instance].args, strict=True):
        value = expression(f, arg, mask)
        shapes = known if isinstance(known, tuple) else (known,)
        parts = value if isinstance(value, tuple) else (value,)
        for part, shape in zip(parts, shapes, strict=True):
            assert shape is not None
            values.append(leaving(f.b, coerce(f.b, part, shape).ir))
    return values


def builtin_call(f: Frame, node: tree.BuiltinCall, mask: Mask) -> Value | Parts:
    """Lower a call of a function that CUDA has."""
    match node.builtin.op:
        case "make":
            return tuple(scalar(f, arg, mask) for arg in node.args)
        case "barrier":
            barrier(f, node, mask)
            return nothing()
        case "fence":
            f.b.fence("seq_cst")
            return nothing()
        case "trap":
            fail_if_any(f, mask, f"{node.span}: __trap()")
            return nothing()
        case "stack_overflow":
            fail_if_any(f, mask, f"{node.span}: the traversal is too deep for its stack; --traverse=recursive has none")
            return nothing()
        case "unreachable":
            return nothing()
        case _ if node.builtin.queries_address:
            return spaces.query(f, node.builtin, scalar(f, node.args[0], mask))
        case "prefetch":
            _prefetch(f, target(f, node.args[0], mask))
            return nothing()
        case "vote":
            return _vote(f, scalar(f, node.args[0], mask), mask)
        case "visit":
            counting.visit(f, node, mask)
            return nothing()
        case "clock":
            return services.clock(f, node)
        case "globaltimer":
            return services.globaltimer(f)
        case "nothing":
            for arg in node.args:
                effect(f, arg, mask)
            return nothing()
        case "any_lane":
            return _any_lane(f, scalar(f, node.args[0], mask), mask)
    if node.builtin.of_warp:
        return warp.warp_function(f, node, [scalar(f, arg, mask) for arg in node.args], mask)
    if node.builtin.service:
        return services.service(f, node, [scalar(f, arg, mask) for arg in node.args], mask)
    return atomic_call(f, node, mask, used=True) if node.builtin.atomic else _function_call(f, node, mask)


def _any_lane(f: Frame, value: Value, mask: Mask) -> Value:
    return Value(BOOL, masks.any_on(f.b, masks.both(f.b, mask, vector(f.b, value))))


def _vote(f: Frame, value: Value, mask: Mask) -> Value:
    """Return what more than half of the lanes say."""
    if value.uniform:
        return value
    b = f.b
    ayes = masks.wide_bits(b, masks.both(b, mask, vector(b, value)))
    voters = masks.wide_bits(b, mask)
    twice = b.shl(b.ctpop(ayes), ir.Constant(ayes.type, 1))
    return Value(BOOL, b.icmp_unsigned(">", twice, b.ctpop(voters), name="vote"))


def _prefetch(f: Frame, where: Address) -> None:
    """Fetch the cache line of the first lane before it is needed. Nothing is fetched where the lanes' lie anywhere."""
    if where.base is None or where.offsets is not None:
        return
    read, keep, data = (const(I32, number) for number in (0, 3, 1))
    function = declare(f.b.module, "llvm.prefetch.p0", ir.VoidType(), [where.base.type, I32, I32, I32])
    f.b.call(function, [where.base, read, keep, data])


def _function_call(f: Frame, node: tree.BuiltinCall, mask: Mask) -> Value:
    """Call a function of numbers (`vmath`); pointers among its arguments say where further results go."""
    b, builtin = f.b, node.builtin
    inputs: list[Value] = []
    outputs: list[tuple[Address, CType]] = []
    for arg in node.args:
        value = scalar(f, arg, mask)
        if isinstance(value.type, Pointer):
            outputs.append((at(b, value), value.type.target))
        else:
            inputs.append(value)
    varying = any(not value.uniform for value in inputs)
    args = [vector(b, value) if varying else value.ir for value in inputs]
    types = tuple(value.type for value in inputs if isinstance(value.type, Scalar))
    lanes = mask.lanes if varying and not mask.all_on else None
    results = dispatch.builtin(b, builtin.op, types, builtin.result, args, lanes, f.program.options)
    for (where, ctype), result in zip(outputs, results[len(results) - len(outputs) :], strict=True):
        assert isinstance(ctype, Scalar)
        f.memory.store(where, Value(ctype, result), mask)
    if isinstance(builtin.result, Scalar) and builtin.result.kind == "void":
        return nothing()
    assert isinstance(builtin.result, Scalar)
    return Value(builtin.result, results[0])


def atomic_call(f: Frame, node: tree.BuiltinCall, mask: Mask, used: bool) -> Value:
    where = target(f, node.args[0], mask)
    values = tuple(scalar(f, arg, mask) for arg in node.args[1:])
    return atomic(f, node, where, values, mask, used)
