"""Shared arrays whose first elements stay in registers while one gang alone uses them.

    for (s = n / 2; s > 0; s /= 2) {        as soon as only threads of the first gang have something to do:
        if (t < s) a[t] += a[t + s];            held = the first elements of a
        __syncthreads();                        for (; s > 0; s /= 2) if (t < s) held[t] += held[t + s];
    }                                           a = held

In memory, every step of such a loop waits for a store to become readable under a mask or at another place, some twenty
cycles; in registers, it is a permutation. There are two registers: threads write the first, at their own places, and
read in both. A read elsewhere (the index decides, when it runs) puts the first back and goes to memory. Only sixteen
threads take part, `THREADS`; of a wide gang, LLVM drops the rest. Which arrays: see the module of this name in
`mapping`.
"""

from __future__ import annotations

from dataclasses import replace

from llvmlite import ir

from ..lang.ctype import Array, Scalar
from ..mapping.register_arrays import array_of
from ..simd import mask as masks
from ..simd.address import index
from ..simd.builder import I32, concat, const, slice_lanes, undefined
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.strided import load_vector, store_vector
from ..simd.values import I32_LANES, Value, move, splat, vector, vector_type
from ..target import LANES
from ..tree import nodes as tree
from ..tree.nodes import Variable
from .frame import Frame


class State(dict[Variable, tuple[ir.Value, ...]]):
    """The registers that hold arrays at present."""


LIKELY = (1, 1000)  # weights: an index out of the registers is an exception


# --------------------------------------------------------------------------------------------- what they hold


def take(f: Frame, arrays: tuple[Variable, ...]) -> None:
    """Read the arrays' first elements into registers. From here on their elements are there (`read`, `write`)."""
    for array in arrays:
        type_, element = _register(array)
        registers = [f.allocate(type_, f"{array.name}.held") for _ in range(2)]
        for i, register in enumerate(registers):
            there, where = _part(f, array, i)
            value = load_vector(f.b, where, type_, element.size, there) if there is not None else const(type_, 0)
            f.b.store(value, register)
        f.state(State)[array] = tuple(registers)


def give_back(f: Frame, arrays: tuple[Variable, ...]) -> None:
    """Write the registers back. From here on the arrays are in memory again."""
    for array in arrays:
        _flush(f, array)
        del f.state(State)[array]


def _register(array: Variable) -> tuple[ir.VectorType, Scalar]:
    """Return the type of a register for the array, and that of its elements."""
    assert isinstance(array.type, Array) and isinstance(array.type.element, Scalar)
    return vector_type(array.type.element, LANES), array.type.element


def _part(f: Frame, array: Variable, i: int) -> tuple[Mask | None, ir.Value]:
    """Return which elements of register `i` the array has, None for none of them, and where they are in memory."""
    assert isinstance(array.type, Array)
    where = move(f.b, f.address(array).start, array.type.element.size * LANES * i)
    elements = 2 * LANES if array.dynamic else array.type.count  # after dynamic memory lies nothing else
    count = elements - LANES * i
    if count >= LANES:
        return Mask(masks.all_lanes(LANES)), where
    some = ir.Constant(masks.lane_bits(LANES), [int(lane < count) for lane in range(LANES)])
    return Mask(some) if count > 0 else None, where


def _flush(f: Frame, array: Variable) -> None:
    type_, element = _register(array)
    there, where = _part(f, array, 0)
    if there is not None:
        store_vector(f.b, where, f.b.load(f.state(State)[array][0], typ=type_), element.size, there)


def held(f: Frame, place: tree.Place) -> Variable | None:
    """Return the array to which a place belongs, if it is in registers."""
    array = array_of(place) if f.state(State) else None
    return array if array in f.state(State) else None


def read(f: Frame, array: Variable, where: Value, mask: Mask) -> Value:
    """Read the elements at the places `where`, each lane its own."""
    b = f.b
    type_, element = _register(array)
    places = vector(b, where)
    outside = b.and_(b.icmp_unsigned(">=", places, splat(b, ir.Constant(I32, 2 * LANES))), mask.lanes)
    elsewhere, here, done = f.block("held.elsewhere"), f.block("held.here"), f.block("held.done")
    b.cbranch(masks.any_on(b, Mask(outside, maybe_empty=True)), elsewhere, here).set_weights(LIKELY)
    b.position_at_end(elsewhere)
    _flush(f, array)
    address = index(b, f.address(array), where, element.size)
    seldom = replace(address, likely=None, rise=None, row=0)  # one gather: the shorter this is, the less it disturbs
    from_memory = vector(b, f.memory.load(seldom, element, mask))
    b.branch(done)
    elsewhere = b.block
    b.position_at_end(here)
    registers = [b.load(register, typ=type_) for register in f.state(State)[array]]
    words = [b.bitcast(register, I32_LANES) if type_ != I32_LANES else register for register in registers]
    picked = instructions(f.program.options.target).permute(b, words, slice_lanes(b, places, 0, LANES))
    picked = b.bitcast(picked, type_) if type_ != I32_LANES else picked
    from_registers = concat(b, [picked] + [undefined(type_)] * (f.lanes // LANES - 1))
    b.branch(done)
    b.position_at_end(done)
    value = b.phi(from_memory.type, array.name)
    value.add_incoming(from_memory, elsewhere)
    value.add_incoming(from_registers, here)
    return Value(element, value)


def write(f: Frame, array: Variable, value: Value, mask: Mask) -> None:
    """Write the lanes that are on, each to the place of its own thread."""
    register = f.state(State)[array][0]
    new, written = (slice_lanes(f.b, whole, 0, LANES) for whole in (vector(f.b, value), mask.lanes))
    f.b.store(f.b.select(written, new, f.b.load(register, typ=new.type)), register)
