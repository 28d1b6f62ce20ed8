"""Small words for building LLVM IR that is the same for one value and for a vector of lanes.

A value here is a scalar (`i32`, `float`: uniform, one for the whole gang) or a vector (`<16 x i32>`: one
element per lane). Everything keeps that shape: constants are splat to it, intrinsics are named for it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from llvmlite import ir
from llvmlite.ir.instructions import StoreInstr

from ..lang.ctype import DOUBLE, FLOAT, LONG_DOUBLE, Scalar
from .value_numbering import NumberingBuilder

I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
F32, F64 = ir.FloatType(), ir.DoubleType()


class Builder(NumberingBuilder):
    """Builds code for a gang: its vectors have `lanes` lanes. `traced`: its record always says where the gang is."""

    def __init__(self, block: ir.Block, lanes: int, *, traced: bool = False) -> None:
        super().__init__(block)
        self.lanes = lanes
        self.traced = traced

    @contextmanager
    def narrow(self, lanes: int) -> Iterator[None]:
        """Build code for some of the lanes inside the `with`."""
        outside, self.lanes = self.lanes, lanes
        yield
        self.lanes = outside


class _VolatileStore(StoreInstr):
    """A store that LLVM neither drops nor moves to where a fault would find another value; llvmlite has none."""

    def descr(self, buf: list[str]) -> None:
        plain: list[str] = []
        super().descr(plain)
        buf.append("".join(plain).replace("store ", "store volatile ", 1))


def store_volatile(b: ir.IRBuilder, value: ir.Value, where: ir.Value) -> None:
    """Store a value that must be in memory when the program faults."""
    made = _VolatileStore(b.block, value, where)
    made.align = None
    b._insert(made)


class CountedLoop:
    """A loop that is being built: its counter, and what else goes from iteration to iteration. See `counted_loop`."""

    def __init__(self, b: ir.IRBuilder, start: ir.Block, number: ir.PhiInstr, step: ir.Value) -> None:
        self.number = number
        self.step = step  # may be set to another one within the loop, anew for each iteration
        self._b, self._start = b, start
        self._carried: list[tuple[ir.PhiInstr, ir.Value]] = []

    def carry(self, first: ir.Value, name: str) -> ir.PhiInstr:
        """A value that each iteration takes from the one before, the first one from outside. Called before all else."""
        phi = self._b.phi(first.type, name)
        phi.add_incoming(first, self._start)
        return phi

    def follow(self, phi: ir.PhiInstr, value: ir.Value) -> None:
        """Set what the next iteration takes for `phi`. Called once in each iteration."""
        self._carried.append((phi, value))

    def close(self, end: ir.Value, head: ir.Block, done: ir.Block, flags: Sequence[str]) -> None:
        b = self._b
        onward = b.add(self.number, self.step, flags=flags)
        for phi, value in ((self.number, onward), *self._carried):
            phi.add_incoming(value, b.block)
        b.cbranch(b.icmp_unsigned("<", onward, end), head, done)


@contextmanager
def counted_loop(
    b: ir.IRBuilder,
    first: ir.Value,
    end: ir.Value,
    step: ir.Value | int,
    label: str,
    name: str,
    *,
    if_any: ir.Value | None = None,
    flags: Sequence[str] = ("nuw", "nsw"),
) -> Iterator[CountedLoop]:
    """What is built inside runs for `name = first; name < end; name += step`, unsigned; what is built next comes after.

    The first iteration is not tested, unless `if_any` says whether there is one. No sum wraps, if `flags` say so.
    """
    head, done = (b.append_basic_block(text) for text in (label, f"{label}.done"))
    start = b.block
    if if_any is None:
        b.branch(head)
    else:
        b.cbranch(if_any, head, done)
    b.position_at_end(head)
    number = b.phi(first.type, name)
    number.add_incoming(first, start)
    loop = CountedLoop(b, start, number, const(first.type, step) if isinstance(step, int) else step)
    yield loop
    loop.close(end, head, done, flags)
    b.position_at_end(done)


def element_type(scalar: Scalar) -> ir.Type:
    """Return the LLVM type of one value of a C type; `bool` is `i1`."""
    if scalar.kind == "bool":
        return I1
    if scalar.kind == "int":
        return ir.IntType(scalar.bits)
    if scalar.bits == 16:  # see `short_floats`
        return I16
    assert scalar in (FLOAT, DOUBLE, LONG_DOUBLE), scalar
    return F32 if scalar == FLOAT else F64


def lanes(value: ir.Value) -> int:
    """Return the number of lanes of `value`; 0 for a scalar."""
    return value.type.count if isinstance(value.type, ir.VectorType) else 0


def element(type_: ir.Type) -> ir.Type:
    """Return the type of one lane."""
    return type_.element if isinstance(type_, ir.VectorType) else type_


def bits_of(type_: ir.Type) -> int:
    """Return the width of one lane, which is an integer."""
    base = element(type_)
    assert isinstance(base, ir.IntType), base
    return base.width


def with_element(type_: ir.Type, new: ir.Type) -> ir.Type:
    """Return `type_` with `new` as the type of each lane: `<16 x float>`, `i32` gives `<16 x i32>`."""
    return ir.VectorType(new, type_.count) if isinstance(type_, ir.VectorType) else new


def const(type_: ir.Type, value: float | int) -> ir.Constant:
    """Return a constant, the same in every lane. Integers wrap to the type's width."""
    base = element(type_)
    if isinstance(base, ir.IntType):
        value = int(value) & ((1 << base.width) - 1)
    elif base == F32:
        value = float(value)
    constant = ir.Constant(base, value)
    return _Splat(constant, type_) if isinstance(type_, ir.VectorType) else constant


class _Splat(ir.Constant):
    """A vector constant with one value in every lane, in LLVM's short spelling for it."""

    def __init__(self, lane: ir.Constant, type_: ir.VectorType) -> None:
        self.type = type_
        self.lane = lane
        self.constant = [lane] * type_.count

    def _get_reference(self) -> str:
        return f"splat ({self.lane})"


def undefined(type_: ir.Type) -> ir.Value:
    """Return a value that is never read."""
    return _Whole(type_, ir.Undefined)


class _Whole(ir.Constant):
    """A constant that LLVM has one word for, which covers all lanes: `undef` or `zeroinitializer`."""

    def __init__(self, type_: ir.Type, content: object) -> None:
        self.type = type_
        self.constant = content


def float_bits(type_: ir.Type, bits: int) -> ir.Constant:
    """Return the floating constant with these bits, the same in every lane."""
    pack, unpack = ("<I", "<f") if element(type_) == F32 else ("<Q", "<d")
    return const(type_, struct.unpack(unpack, struct.pack(pack, bits))[0])


def constant_of(value: ir.Value) -> int | None:
    """Return the integer that `value` is known to hold in every lane, as an unsigned number, or None."""
    base = element(value.type)
    content = _content(value)
    return content & ((1 << base.width) - 1) if isinstance(base, ir.IntType) and isinstance(content, int) else None


def float_constant_of(value: ir.Value) -> float | None:
    """Return the floating number that `value` is known to hold in every lane, or None."""
    content = _content(value)
    return float(content) if element(value.type) in (F32, F64) and isinstance(content, int | float) else None


def _content(value: ir.Value) -> object:
    """Return what a constant holds, if that is the same in every lane; else None."""
    if not isinstance(value, ir.Constant):
        return None
    content = value.constant
    if isinstance(content, list | tuple):
        items = {item.constant if isinstance(item, ir.Constant) else item for item in content}
        content = items.pop() if len(items) == 1 else ir.Undefined
    return 0 if content is None else content


def all_lanes_on(mask: ir.Value | None) -> bool:
    """True if `mask` is None or the constant with every lane on."""
    return mask is None or constant_of(mask) == 1


def splat(b: ir.IRBuilder, scalar: ir.Value, count: int, name: str = "") -> ir.Value:
    """Return a vector that holds `scalar` in each of `count` lanes; `scalar` itself for 0."""
    if count == 0:
        return scalar
    vector_type = ir.VectorType(scalar.type, count)
    if isinstance(scalar, ir.Constant):
        return _Splat(scalar, vector_type)
    empty = _Whole(vector_type, None)
    first = b.insert_element(empty, scalar, ir.Constant(I32, 0))
    return b.shuffle_vector(first, empty, _first_lane(count), name=name)


@cache
def _first_lane(count: int) -> ir.Constant:
    """Return where each of `count` lanes comes from, if that is the first one."""
    return const(ir.VectorType(I32, count), 0)


def suffix(type_: ir.Type) -> str:
    """Return how intrinsics spell a type: `f32`, `v16i32`."""
    base = element(type_)
    spelled = {F32: "f32", F64: "f64"}.get(base) or f"i{bits_of(base)}"
    return f"v{type_.count}{spelled}" if isinstance(type_, ir.VectorType) else spelled


def known_function(module: ir.Module, name: str) -> ir.Function | None:
    """Return the function of that name, if the module has it already."""
    known = module.globals.get(name)
    assert known is None or isinstance(known, ir.Function), name
    return known


def declare(
    module: ir.Module, name: str, result: ir.Type, params: Sequence[ir.Type], pure: bool = False
) -> ir.Function:
    """Return the module's declaration of an external function, made once. `pure`: it reads and writes no memory."""
    known = known_function(module, name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(result, params), name)
    if not name.startswith("llvm."):
        function.attributes.add("nounwind")
        if pure:
            function.attributes.add("readnone")
    return function


def intrinsic(b: ir.IRBuilder, name: str, *args: ir.Value, name_result: str = "") -> ir.Value:
    """Call LLVM's overloaded intrinsic `name`, whose result and overload type are those of the first argument."""
    full = f"{name}.{suffix(args[0].type)}"
    function = declare(b.module, full, args[0].type, [arg.type for arg in args])
    return b.call(function, args, name=name_result)


def touch(b: ir.IRBuilder, address: ir.Value) -> None:
    """Write a zero of 8 bytes to `address`, right here, so that a fault comes here."""
    b.asm(ir.FunctionType(ir.VoidType(), [address.type]), "movq $$0, ($0)", "r,~{memory}", [address], True)


def fma(b: ir.IRBuilder, x: ir.Value, y: ir.Value, z: ir.Value, name: str = "") -> ir.Value:
    """x * y + z with one rounding."""
    return intrinsic(b, "llvm.fma", x, y, z, name_result=name)


def bitcast(b: ir.IRBuilder, value: ir.Value, to: ir.Type, name: str = "") -> ir.Value:
    """Reinterpret each lane's bits as `to`, an element type of the same width."""
    return b.bitcast(value, with_element(value.type, to), name=name)


def frozen(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Return `value` with some number in each lane in which it is undefined, the same one wherever it is used."""
    instruction = ir.Instruction(b.block, value.type, "freeze", [value])
    b._insert(instruction)
    return instruction


def slice_lanes(b: ir.IRBuilder, value: ir.Value, first: int, count: int) -> ir.Value:
    """Return lanes `first` to `first + count - 1` as a vector of `count` lanes."""
    indices = ir.Constant(ir.VectorType(I32, count), list(range(first, first + count)))
    return b.shuffle_vector(value, value, indices)


def concat(b: ir.IRBuilder, parts: Sequence[ir.Value]) -> ir.Value:
    """Join vectors of equal length (a power of two of them) into one."""
    while len(parts) > 1:
        count = 2 * lanes(parts[0])
        indices = ir.Constant(ir.VectorType(I32, count), list(range(count)))
        parts = [b.shuffle_vector(left, right, indices) for left, right in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def in_parts(b: ir.IRBuilder, count: int, function: Callable[..., ir.Value], *vectors: ir.Value) -> ir.Value:
    """Apply `function` to runs of `count` lanes of the vectors and join the results."""
    total = lanes(vectors[0])
    if total == count:
        return function(*vectors)
    assert total % count == 0, (total, count)
    return concat(
        b, [function(*(slice_lanes(b, v, first, count) for v in vectors)) for first in range(0, total, count)]
    )
