"""Lowering of expressions: the typed tree and its shapes to LLVM values.

Every function takes the active mask and evaluates under it. The mask is not empty (`Mask.maybe_empty` is
false), so that a uniform access may run as a scalar one; where a sub-expression runs in fewer lanes
(`&&`, `?:`), it is branched around if it cannot bear an empty mask (`runs_for_nothing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, assert_never

from llvmlite import ir

from ..access import VERBS
from ..analysis.available_loads import Part, whole_object
from ..analysis.lattice import UNIFORM, VARYING, converted, spans_wrap
from ..analysis.operators import combined, operand
from ..analysis.shapes import Instance, may_wrap, register_place
from ..analysis.storage import SHARED
from ..costs import Form
from ..lang.ctype import (
    BOOL,
    FLOAT,
    INT,
    LONG,
    Pointer,
    Scalar,
    Struct,
    has_mixed_union,
    is_float,
    is_short_float,
    leaves,
)
from ..report import outcome
from ..simd import integers
from ..simd import mask as masks
from ..simd.address import Address, at, index, member, pointer_to
from ..simd.builder import I32, I64, const
from ..simd.mask import Mask
from ..simd.values import Value, reinterpreted, vector
from ..target import MAX_LANES
from ..tree import nodes as tree
from ..tree.effects import is_volatile, outermost, root
from ..tree.same import narrow_index
from . import available_loads, children, profile_counters, register_arrays, row_streams, traversal_counters
from .atomic import atomic
from .barrier import read_context, write_context
from .builtin_calls import builtin_call
from .conditional import conditional, logical
from .constants import constant, thread_index
from .frame import Frame, Parts, as_value, coerce, stays
from .gang_split import after, complete, onward
from .load_store import access_form, keep_volatile, load_at, store_at
from .operators import binary, convert, nothing, unary
from .shape_checks import check, check_index
from .signature import arrived, leaving

Update = tree.CompoundAssign | tree.Increment


def scalar(f: Frame, node: tree.Expr, mask: Mask) -> Value:
    """Lower an expression of scalar or pointer type."""
    value = expression(f, node, mask)
    assert isinstance(value, Value)
    return value


def whole(f: Frame, node: tree.Expr, mask: Mask) -> Value | Parts:
    """Lower an expression that is no operand; in parts of the gang that have no lane in it, its value is zero."""
    with complete(f) as continuation:
        value = expression(f, node, mask)
    if continuation.block is None:
        return value
    *elsewhere, end = continuation.sources
    parts = value if isinstance(value, tuple) else (value,)
    merged = tuple(_or_zero(f, part, end, elsewhere) for part in parts)
    return merged if isinstance(value, tuple) else merged[0]


def _or_zero(f: Frame, value: Value, end: ir.Block, elsewhere: list[ir.Block]) -> Value:
    """Return a value if control comes from `end`, and zero from elsewhere."""
    phi = f.b.phi(value.ir.type)
    phi.add_incoming(value.ir, end)
    for block in elsewhere:
        phi.add_incoming(ir.Constant(value.ir.type, None), block)
    return replace(value, ir=phi)


def whole_scalar(f: Frame, node: tree.Expr, mask: Mask) -> Value:
    """Lower an expression of scalar or pointer type that is no operand."""
    value = whole(f, node, mask)
    assert isinstance(value, Value)
    return value


def scalars(f: Frame, nodes: Iterable[tree.Expr], mask: Mask) -> list[Value]:
    """Lower operands in their order, each for the lanes that are here after those before."""
    values: list[Value] = []
    for node in nodes:
        values.append(scalar(f, node, mask))
        mask = onward(f, mask, node)
    return values


def expression(f: Frame, node: tree.Expr, mask: Mask) -> Value | Parts:
    """Lower an expression of any type; a struct is a tuple of its scalars."""
    outside = f.b.debug_metadata
    f.at(node.span)
    value = _expression(f, node, mask)
    f.b.debug_metadata = outside
    if f.claims is not None:
        check(f, f.claims, node, value, after(f, mask, node))
    if isinstance(value, Value) and value.varying:
        shape = f.shapes.of(node)
        likely = None if f.rare else shape.likely
        if shape.rise or likely is not None:
            return replace(value, rise=shape.rise, likely=likely)
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
            left, right = scalars(f, (node.left, node.right), mask)
            return binary(f, node.op, node.type, left, right, f.shapes.of(node))
        case tree.PointerDiff():
            return pointer_difference(f, node, mask)
        case tree.Logical():
            return logical(f, node, mask, lambda part, lanes: whole_scalar(f, part, lanes))
        case tree.Conditional():
            cond = scalar(f, node.cond, mask)
            return conditional(f, node, cond, mask, lambda part, lanes: whole(f, part, lanes))
        case tree.Convert():
            value = expression(f, node.operand, mask)
            return value if isinstance(value, tuple) else convert(f, value, node.type, f.shapes.of(node))
        case tree.Assign():
            value = expression(f, node.value, mask)
            store(f, node, value, onward(f, mask, node.value))
            return value
        case tree.CompoundAssign():
            return compound_assign(f, node, mask)
        case tree.Increment():
            return increment(f, node, mask)
        case tree.Call():
            return call(f, node, mask)
        case tree.BuiltinCall():
            return _builtin_call(f, node, mask)
        case tree.Comma():
            effect(f, node.left, mask)
            return expression(f, node.right, onward(f, mask, node.left))
        case _:
            assert_never(node)


def effect(f: Frame, node: tree.Expr, mask: Mask) -> None:
    """Lower an expression whose value is discarded."""
    match node:
        case tree.BuiltinCall() if node.builtin.atomic:
            atomic_call(f, node, mask, used=False)
        case tree.Convert(type=Scalar(kind="void")):
            effect(f, node.operand, mask)
        case tree.Comma():
            effect(f, node.left, mask)
            effect(f, node.right, onward(f, mask, node.left))
        case _:
            expression(f, node, mask)


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
            count = element_count(f, place.index, wraps, onward(f, mask, place.pointer))
            _check_index(f, place.pointer, place.index, count, mask)
            small = _in_small_variable(place.pointer)
            where = index(f.b, start, count, place.type.size, may_wrap=wraps, small=small)
            return replace(where, row=_row_size(f, place, start)) if where.offsets is not None else where
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
            count = element_count(f, node.index, wraps, onward(f, mask, node.pointer))
            _check_index(f, node.pointer, node.index, count, mask)
            return index(f.b, start, count, element.size, node.negative, wraps, _in_small_variable(node.pointer))
        case tree.Convert() if isinstance(node.operand.type, Pointer):
            return target(f, node.operand, mask)
        case _:
            return at(f.b, scalar(f, node, mask))


def _row_size(f: Frame, place: tree.Index, start: Address) -> int:
    """Return how many bytes an array in shared memory has, of which elements, numbers, are read; else 0."""
    if not isinstance(place.pointer, tree.Decay) or not isinstance(place.type, Scalar) or not start.uniform:
        return 0
    array = place.pointer.place
    variable = root(array)
    if variable is None or variable.dynamic or is_volatile(place) or f.program.storage.of(variable) != SHARED:
        return 0
    return array.type.size if f.may("whole-rows") else 0


def _in_small_variable(pointer: tree.Expr) -> bool:
    """Whether a pointer points into a variable that has less than 2 GB, also with a copy of it for each lane."""
    variable = root(pointer.place) if isinstance(pointer, tree.Decay | tree.AddressOf) else None
    return variable is not None and variable.type.size * MAX_LANES < 1 << 31


def _may_wrap(f: Frame, pointer: tree.Expr, node: tree.Expr) -> bool:
    """Whether the index `node` may wrap within the gang with lanes on both sides of the wrap in the object."""
    narrow = narrow_index(node)
    return not f.shapes.of(narrow).exact and may_wrap(pointer, narrow)


def _check_index(f: Frame, pointer: tree.Expr, node: tree.Expr, count: Value, mask: Mask) -> None:
    """Check under `--verify` what accesses in large objects rely on."""
    narrow = narrow_index(node)
    if f.claims is not None and may_wrap(pointer, narrow):
        check_index(f, f.claims, narrow, count, after(f, mask, pointer, narrow))


def element_count(f: Frame, node: tree.Expr, wraps: bool, mask: Mask) -> Value:
    """Lower an index. Sums and products of signed integers, that one scalar determines, are computed in 64 bits.

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
            left = _in_64_bits(f, node.left, mask)
            right = _in_64_bits(f, node.right, onward(f, mask, node.left))
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
    store_at(f, where, place.type, expression(f, place.value, mask), onward(f, mask, place.value))
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
    if (kept := available_loads.at_hand(f, node)) is not None:
        f.note(node, outcome.READ_BEFORE)
        return kept
    if row_streams.is_one(f, node):
        rows = address(f, place, mask) if f.program.options.warp_stats else None
        with profile_counters.access(f, place.span, row_streams.FORM, mask, rows, node.type):
            read = row_streams.read(f, node, mask, lambda: address(f, place, mask), lambda end: scalar(f, end, mask))
        available_loads.leave(f, node, read)
        return read
    if parts := available_loads.wanted(f, node):
        return _read_for_others(f, node, parts, mask)
    where = address(f, place, mask)
    form = access_form(f, where, ctype, "load")
    f.note(node, form)
    keep_volatile(f, place)
    lanes = onward(f, mask, place)
    with profile_counters.access(f, place.span, form, lanes, where, ctype):
        value = load_at(f, where, ctype, lanes)
    if isinstance(value, Value) and _is_set_by_host(place):
        stays(f.b, value.ir)
    return value


def _read_for_others(f: Frame, node: tree.Load, parts: frozenset[Part], mask: Mask) -> Value:
    """Read a place in memory, of whose object reads after it want these parts."""
    whole, offset = whole_object(node.place)
    where = address(f, whole, mask)
    own = where if whole is node.place else member(f.b, where, offset, whole.type.size)
    form, lanes = access_form(f, own, node.type, "load"), onward(f, mask, whole)
    f.note(node, form)
    with profile_counters.access(f, node.place.span, form, lanes, own, node.type):
        value = available_loads.read(f, node, where, parts, lanes)
    if _is_set_by_host(node.place):
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
        form = access_form(f, where, place.type, "store")
        f.note(node, form)
        lanes = onward(f, mask, place)
        with profile_counters.access(f, place.span, form, lanes, where, place.type, profile_counters.STORES):
            store_at(f, where, place.type, value, lanes)
        keep_volatile(f, place)


# ------------------------------------------------------------------------------------------------ updates


def pointer_difference(f: Frame, node: tree.PointerDiff, mask: Mask) -> Value:
    b = f.b
    left, right = scalars(f, (node.left, node.right), mask)
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
    """Lower `place op= value`; `value` may be lowered already."""
    value = scalar(f, node.value, mask) if value is None else value
    place = node.place
    mask = onward(f, mask, node.value)
    where, old = _read_place(f, node, mask)
    mask = onward(f, mask, place)
    if isinstance(place.type, Pointer):
        size = place.type.target.size
        wraps = not f.shapes.of(node.value).exact and spans_wrap(node.value.type, size)
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
    """Lower `++` or `--`; return the new value if it is in front, else the old one."""
    place = node.place
    where, old = _read_place(f, node, mask)
    mask = onward(f, mask, place)
    if isinstance(place.type, Pointer):
        one = Value(INT, const(I32, node.delta))
        new = pointer_to(f.b, index(f.b, at(f.b, old), one, place.type.target.size), place.type)
    elif place.type == BOOL:
        new = Value(BOOL, const(old.ir.type, 1))
    elif isinstance(place.type, Scalar) and is_short_float(place.type):
        wide = integers.convert(f.b, old.ir, place.type, FLOAT, f.program.options.target)
        total = f.b.fadd(wide, const(wide.type, node.delta))
        new = Value(old.type, integers.convert(f.b, total, FLOAT, place.type, f.program.options.target))
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
    loaded, stored = (access_form(f, where, place.type, verb) for verb in VERBS)
    good = loaded.good.replace("load", "update") if stored.good else ""
    f.note(node, Form(f"{loaded.text} and {stored.text}", loaded.cost_ns + stored.cost_ns, good, stored.kind))
    keep_volatile(f, place)
    assert isinstance(place.type, Scalar | Pointer)
    lanes = onward(f, mask, place)
    with profile_counters.access(f, place.span, loaded, lanes, where, place.type):
        return where, f.memory.load(where, place.type, lanes)


def _put(f: Frame, node: Update, where: Address | None, value: Value, mask: Mask) -> None:
    """Store to the place of `node`, whose address is known already; `where` is None for one in a register."""
    if where is not None:
        form = access_form(f, where, node.place.type, "store")
        with profile_counters.access(f, node.place.span, form, mask, where, node.place.type, profile_counters.STORES):
            f.memory.store(where, value, mask)
        keep_volatile(f, node.place)
        return
    if (array := register_arrays.held(f, node.place)) is not None:
        register_arrays.write(f, array, value, mask)
        return
    register = register_place(node.place, f.program.storage)
    assert register is not None
    f.write(*register, node.place.type, value, mask, node in f.shapes.blended)


# ------------------------------------------------------------------------------------------------ calls


def call(f: Frame, node: tree.Call, mask: Mask) -> Value | Parts:
    """Call the instance that the analysis has chosen for this call."""
    b = f.b
    if f.stacked is not None and node.function == f.shapes.function.name:
        f.stacked(node, mask)
        return nothing()
    instance = f.shapes.calls[node]
    values = _arguments(f, node, instance, mask)
    mask = onward(f, mask, *node.args)
    function = f.program.function(instance)
    shapes = f.results_of(instance)
    # LLVM 22 crashes on tail recursion that accumulates a vector by min or max.
    keeps_call: Literal["notail", False] = "notail" if any(not shape.scalar for shape in shapes) else False
    synchronises = node.function in f.program.storage.synchronising
    if synchronises:
        write_context(f)
    with traversal_counters.traversal(f, node.begins, mask):
        result = b.call(function, [f.gang, masks.bits(b, mask), *values], tail=keeps_call)
    if synchronises:
        read_context(f)
    if not shapes:  # a class without members has no parts
        return () if isinstance(node.type, Struct) else nothing()
    types = [leaf for _, leaf in leaves(node.type)]
    results = [result] if len(types) == 1 else [b.extract_value(result, i) for i in range(len(types))]
    parts = tuple(arrived(b, value, leaf, shape) for leaf, value, shape in zip(types, results, shapes, strict=True))
    return as_value(node.type, parts)


def _arguments(f: Frame, node: tree.Call, instance: Instance, mask: Mask) -> list[ir.Value]:
    """Return the scalars that a call passes on, as they travel."""
    values: list[ir.Value] = []
    for arg, known in zip(node.args, f.program.shapes.instances[instance].args, strict=True):
        value = expression(f, arg, mask)
        mask = onward(f, mask, arg)
        shapes = known if isinstance(known, tuple) else (known,)
        parts = value if isinstance(value, tuple) else (value,)
        for part, shape in zip(parts, shapes, strict=True):
            assert shape is not None
            values.append(leaving(f.b, coerce(f.b, part, shape).ir))
    return values


def _builtin_call(f: Frame, node: tree.BuiltinCall, mask: Mask) -> Value | Parts:
    """Lower a call of a function that CUDA has."""
    if node.builtin.atomic:
        return atomic_call(f, node, mask, used=True)
    if node.builtin.op == "nothing":
        for arg in node.args:
            effect(f, arg, mask)
            mask = onward(f, mask, arg)
        return nothing()
    if node.builtin.op == "launch":
        return children.launch(f, node, _wholes(f, node.args, mask), onward(f, mask, *node.args))
    return builtin_call(f, node, scalars(f, node.args, mask), onward(f, mask, *node.args))


def _wholes(f: Frame, nodes: Iterable[tree.Expr], mask: Mask) -> list[Value | Parts]:
    """Lower operands of any type in their order, each for the lanes that are here after those before."""
    values: list[Value | Parts] = []
    for node in nodes:
        values.append(expression(f, node, mask))
        mask = onward(f, mask, node)
    return values


def atomic_call(f: Frame, node: tree.BuiltinCall, mask: Mask, used: bool) -> Value:
    where = target(f, node.args[0], mask)
    values = tuple(scalars(f, node.args[1:], onward(f, mask, node.args[0])))
    return atomic(f, node, where, values, onward(f, mask, *node.args), used)
