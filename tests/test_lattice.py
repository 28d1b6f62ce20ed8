"""What the shape analysis says of a result is true of it, if what it says of the operands is true of them.

Each test draws the values of the lanes of a gang, some of which are off, and something that is true of them. It applies
an operator with C's meaning, and asks whether the shape computed for the result is true of the result.

What `exact` rests on is assumed: a signed sum, difference or product, and an affine value shifted to the left, does not
leave its type in a lane that is on, nor in lane 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from simt2simd.analysis import lattice, speculative_stride
from simt2simd.analysis.lattice import MAX_MULTIPLE, VARYING, Kind, Shape
from simt2simd.analysis.operators import Operand, combined
from simt2simd.interp.ops import convert, limits, modulo, quotient, shift_left, shift_right
from simt2simd.lang.ctype import BOOL, CHAR, INT, LONG, SHORT, UCHAR, UINT, ULONG, USHORT, Array, CType, Pointer, Scalar
from simt2simd.tree import nodes as tree

PROPERTY = settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
COMPUTED: tuple[CType, ...] = (INT, UINT, LONG, ULONG)  # the types that C computes integers in
INTEGERS = (BOOL, CHAR, UCHAR, SHORT, USHORT, *COMPUTED)
ADDRESS = Pointer(CHAR)
SCALARS: tuple[CType, ...] = (*INTEGERS, ADDRESS)


def wrapped(value: int, ctype: CType) -> int:
    """The value of `ctype` that is `value` modulo 2^bits."""
    low, high = limits(ctype)
    return low + (value - low) % (high - low + 1)


@dataclass(frozen=True)
class Gang:
    """The values of one expression in the lanes of a gang.

    `base` is the scalar of all lanes if the shape is uniform or affine. `values` holds the values of the
    lanes that are on. `constant`: the number that the expression is in the program.
    """

    ctype: CType
    lanes: int
    base: int
    values: dict[int, int]
    shape: Shape
    constant: int | None = None


def faults(gang: Gang) -> Iterator[str]:
    """Yield what the shape of `gang` claims and what is not so."""
    shape, values = gang.shape, gang.values
    for lane, value in values.items():
        expected = gang.base + shape.stride * lane
        if shape.scalar and wrapped(expected, gang.ctype) != value:
            yield f"lane {lane} is not base + stride * lane"
        elif shape.kind == Kind.AFFINE and shape.exact and expected != value:
            yield f"not exact: wraps before lane {lane}"
    seen = [*values.values(), gang.base] if shape.scalar and values else [*values.values()]
    if shape.limit is not None and not all(0 <= value < shape.limit for value in seen):
        yield "a value is negative or not below the limit"
    if shape.scalar and values and gang.base % shape.multiple:
        yield "the base is no multiple"
    if shape.rise:
        for a, b in combinations(sorted(values), 2):
            if not shape.rise[0] * (b - a) <= values[b] - values[a] <= shape.rise[1] * (b - a):
                yield f"lanes {a} and {b} do not rise so"


def assert_true(gang: Gang) -> None:
    assert next(faults(gang), None) is None, gang


# ------------------------------------------------------------ what is true of a gang


@cache
def edges(ctype: CType) -> list[int]:
    """Numbers at which something begins or ends, in any integer type, and those around."""
    at = [0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 63, *limits(ctype)]
    off = [*range(-20, 21), 24, 32, 48, 64, 256, 4096, -32, -40, -256]
    low, high = limits(ctype)
    return sorted({number for edge in at for by in off if low <= (number := edge + by) <= high}, key=abs)


@cache
def numbers(ctype: CType) -> st.SearchStrategy[int]:
    return st.sampled_from(edges(ctype)) | st.integers(*limits(ctype))


COUNTS = st.integers(0, 70)
STRIDES = st.sampled_from([1, -1, 2, 3, 4, 8, 12, -2, -4, 100, 1 << 20, 1 << 27])
LANES = st.sampled_from([16, 32, 64])


@cache
def masks(lanes: int) -> st.SearchStrategy[list[int]]:
    """The lanes that are on: all, some, none, or those from or up to some lane."""
    every = list(range(lanes))
    some = st.integers(0, (1 << lanes) - 1).map(lambda bits: [lane for lane in every if bits >> lane & 1])
    ends = [[], *(every[:lane] for lane in every), *(every[lane:] for lane in every), *([lane] for lane in every)]
    return st.just(every) | some | st.sampled_from(ends)


KINDS = st.sampled_from(["constant", "block", "uniform", "affine", "affine", "affine", "rising", "rising", "any"])


@st.composite
def gangs(draw: st.DrawFn, ctype: CType, lanes: int, on: list[int], counts: bool = False) -> Gang:
    """The lanes' values, and a shape that is true of them; small numbers if they are `counts` of bits."""
    some = COUNTS if counts else numbers(ctype)
    base = wrapped(draw(some), ctype)
    kind = draw(KINDS)
    match kind:
        case "constant":
            number = base if abs(base) < 1 << 24 else None
            return Gang(ctype, lanes, base, dict.fromkeys(on, base), lattice.constant(base), number)
        case "block" | "uniform":
            values = dict.fromkeys(on, base)
            shape = lattice.BLOCK if kind == "block" else lattice.UNIFORM
        case "affine":
            shape = lattice.affine(draw(STRIDES), exact=False)
            values = {lane: wrapped(base + shape.stride * lane, ctype) for lane in on}
        case "rising":
            steps = draw(st.lists(st.integers(-2, 3), min_size=1, max_size=4))
            values = {lane: wrapped(base + sum(steps[i % len(steps)] for i in range(lane)), ctype) for lane in on}
            shape = VARYING
        case _:
            pattern = draw(st.lists(some, min_size=1, max_size=4))
            values = {lane: pattern[lane % len(pattern)] for lane in on}
            shape = VARYING
    return with_more(draw, Gang(ctype, lanes, base, values, shape))


def with_more(draw: st.DrawFn, gang: Gang) -> Gang:
    """Return `gang` with a shape of which more is true, as a rule all that is."""
    shape, values = gang.shape, gang.values
    if isinstance(gang.ctype, Pointer) or draw(st.integers(0, 5)) == 0:
        return gang
    if shape.kind == Kind.AFFINE:
        exact = replace(gang, shape=replace(shape, exact=True))
        shape = shape if any(faults(exact)) else exact.shape
    if shape.scalar:
        most = gang.base & -gang.base if gang.base else MAX_MULTIPLE
        shape = replace(shape, multiple=min(most, MAX_MULTIPLE))
    elif len(values) > 1:
        steps = [(values[b] - values[a], b - a) for a, b in combinations(sorted(values), 2)]
        rise = min(by // over for by, over in steps), max(-(-by // over) for by, over in steps)
        likely = draw(st.none() | st.integers(-4, 4))
        shape = replace(shape, rise=rise if max(map(abs, rise)) <= 8 else None, likely=likely)
    seen = [*values.values(), gang.base] if shape.scalar else [*values.values()]
    if seen and min(seen) >= 0:
        limits = [
            limit for limit in (max(seen) + 1, lattice.NATURAL, 1 << 32, None) if limit is None or limit > max(seen)
        ]
        shape = replace(shape, limit=draw(st.sampled_from(limits)))
    return replace(gang, shape=shape)


# ----------------------------------------------------------------------------------------------------------- operators


def operate(op: tree.BinaryOp, ctype: Scalar, left: int, right: int) -> int:
    """`left op right` computed in `ctype`, on numbers without bounds where C does not say what becomes of overflow."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return quotient(left, right, ctype.bits, ctype.signed)
        case "%":
            return modulo(left, right, ctype.bits, ctype.signed)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return shift_left(left, right, ctype.bits, ctype.signed)
        case ">>":
            return shift_right(left, right, ctype.bits)
        case "<":
            return left < right
        case "==":
            return left == right
    raise AssertionError(op)


OPERATORS: tuple[tree.BinaryOp, ...] = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "==")


@pytest.mark.parametrize("op", OPERATORS)
@PROPERTY
@given(st.data())
def test_operators(op: tree.BinaryOp, data: st.DataObject) -> None:
    ctype, lanes = data.draw(st.sampled_from(COMPUTED)), data.draw(LANES)
    assert isinstance(ctype, Scalar)
    on = data.draw(masks(lanes))
    left = data.draw(gangs(ctype, lanes, on))
    count_type = data.draw(st.sampled_from(COMPUTED)) if op in ("<<", ">>") else ctype
    right = data.draw(gangs(count_type, lanes, on, counts=op in ("<<", ">>")))
    affine_shift = op == "<<" and left.shape.kind == Kind.AFFINE
    to = BOOL if op in tree.COMPARISONS else ctype

    def apply(a: int, b: int) -> int:
        result = operate("*", ctype, a, 1 << b) if affine_shift and 0 <= b < 64 else operate(op, ctype, a, b)
        assume(not ctype.signed or result == wrapped(result, ctype))
        return wrapped(result, to)

    values = {lane: apply(left.values[lane], right.values[lane]) for lane in on}
    shape = combined(op, to, Operand(left.shape, left.constant), Operand(right.shape, right.constant), lanes)
    assert shape is not None
    base = apply(left.base, right.base) if shape.scalar else 0
    assert_true(Gang(to, lanes, base, values, shape))
    a, b = (replace(side.shape, likely=None) for side in (left, right))
    again = combined(op, to, Operand(a, left.constant), Operand(b, right.constant), lanes)
    assert again is not None and again == replace(shape, likely=again.likely), "something relies on what is likely"


@PROPERTY
@given(st.data())
def test_negation(data: st.DataObject) -> None:
    ctype, lanes = data.draw(st.sampled_from(COMPUTED)), data.draw(LANES)
    on = data.draw(masks(lanes))
    assert isinstance(ctype, Scalar)
    operand = data.draw(gangs(ctype, lanes, on))
    op: tree.UnaryOp = data.draw(st.sampled_from(["-", "~"]))

    def apply(a: int) -> int:
        result = -a if op == "-" else ~a
        assume(not ctype.signed or result == wrapped(result, ctype))
        return wrapped(result, ctype)

    shape = speculative_stride.unary(op, ctype, operand.shape)
    assert shape is not None
    base = apply(operand.base) if shape.scalar else 0
    assert_true(Gang(ctype, lanes, base, {lane: apply(value) for lane, value in operand.values.items()}, shape))


@pytest.mark.parametrize("to", SCALARS, ids=str)
@PROPERTY
@given(st.data())
def test_conversions(to: CType, data: st.DataObject) -> None:
    source, lanes = data.draw(st.sampled_from(COMPUTED) | st.sampled_from(SCALARS)), data.draw(LANES)
    on = data.draw(masks(lanes))
    operand = data.draw(gangs(source, lanes, on))
    shape = lattice.converted(operand.shape, source, to)
    operation = convert(source, to) or int
    values = {lane: int(operation(value)) for lane, value in operand.values.items()}
    assert_true(Gang(to, lanes, int(operation(operand.base)), values, shape))


@PROPERTY
@given(st.data())
def test_larger_and_smaller(data: st.DataObject) -> None:
    ctype, lanes = data.draw(st.sampled_from(COMPUTED)), data.draw(LANES)
    on = data.draw(masks(lanes))
    left, right = data.draw(gangs(ctype, lanes, on)), data.draw(gangs(ctype, lanes, on))
    choose: Callable[[int, int], int] = data.draw(st.sampled_from([min, max]))
    shape = lattice.extreme(ctype, left.shape, right.shape)
    assert shape is not None
    values = {lane: choose(left.values[lane], right.values[lane]) for lane in on}
    assert_true(Gang(ctype, lanes, choose(left.base, right.base), values, shape))


@PROPERTY
@given(st.data())
def test_either(data: st.DataObject) -> None:
    """What two assignments give, of which the gang made one."""
    ctype, lanes = data.draw(st.sampled_from(SCALARS)), data.draw(LANES)
    on = data.draw(masks(lanes))
    one, other = data.draw(gangs(ctype, lanes, on)), data.draw(gangs(ctype, lanes, on))
    shape = lattice.join(one.shape, other.shape)
    assert shape is not None and shape == lattice.join(shape, other.shape) == lattice.join(shape, one.shape)
    assert_true(replace(one, shape=shape))
    assert_true(replace(other, shape=shape))
    assert_true(replace(one, shape=lattice.plain(one.shape, lanes)))


@PROPERTY
@given(st.data())
def test_pointer_arithmetic(data: st.DataObject) -> None:
    """The index is followed on one side only of where it wraps: here it does not wrap."""
    lanes = data.draw(LANES)
    on = data.draw(masks(lanes))
    index_type = data.draw(st.sampled_from(COMPUTED))
    pointer, index = data.draw(gangs(ADDRESS, lanes, on)), data.draw(gangs(index_type, lanes, on))
    if index.shape.kind == Kind.AFFINE:
        assume(not any(faults(replace(index, shape=replace(index.shape, exact=True)))))
    target = Array(CHAR, data.draw(st.sampled_from([1, 2, 4, 8, 12, 24])))
    sign = data.draw(st.sampled_from([1, -1]))

    def apply(address: int, count: int) -> int:
        return wrapped(address + sign * count * target.size, ADDRESS)

    shape = lattice.offset_by(pointer.shape, index.shape, Pointer(target), sign)
    assert shape is not None
    values = {lane: apply(pointer.values[lane], index.values[lane]) for lane in on}
    exact = replace(shape, exact=False)  # of no use for addresses
    assert_true(Gang(ADDRESS, lanes, apply(pointer.base, index.base), values, exact))


# ------------------------------------------------------------------------------------------ what is likely


@st.composite
def usual_gangs(draw: st.DrawFn, ctype: CType, lanes: int, on: list[int], strides: st.SearchStrategy[int]) -> Gang:
    """A gang of the many: if its values are likely to have some stride, they have it."""
    base, stride = wrapped(draw(numbers(ctype)), ctype), draw(strides)
    values = {lane: wrapped(base + stride * lane, ctype) for lane in on}
    shapes = [replace(VARYING, likely=stride), lattice.affine(stride, exact=False)]
    return Gang(ctype, lanes, base, values, draw(st.sampled_from([*shapes, lattice.BLOCK] if stride == 0 else shapes)))


def assert_usual(gang: Gang) -> None:
    """What the shape says is likely is so here."""
    stride, (first, *rest) = gang.shape.common_stride, list(gang.values)
    start = gang.values[first]
    assert stride is not None, gang
    assert all(gang.values[lane] == wrapped(start + stride * (lane - first), gang.ctype) for lane in rest), gang


@pytest.mark.parametrize("op", ["&&", "||"])
@PROPERTY
@given(st.data())
def test_logical_operators(op: str, data: st.DataObject) -> None:
    lanes = data.draw(LANES)
    on = data.draw(masks(lanes))
    left, right = data.draw(gangs(BOOL, lanes, on)), data.draw(gangs(BOOL, lanes, on))
    assume(left.shape.kind != Kind.AFFINE and right.shape.kind != Kind.AFFINE)  # there are no such conditions

    def apply(a: int, b: int) -> int:
        return a and b if op == "&&" else a or b

    shape = speculative_stride.logical(left.shape, right.shape)
    assert shape is not None
    values = {lane: apply(left.values[lane], right.values[lane]) for lane in on}
    assert_true(Gang(BOOL, lanes, apply(left.base, right.base), values, shape))
    a, b = (replace(side.shape, likely=None) for side in (left, right))
    again = speculative_stride.logical(a, b)
    assert again is not None and again == replace(shape, likely=again.likely), "something relies on what is likely"
    assert shape.likely is None or left.shape.common_stride == right.shape.common_stride == 0


@pytest.mark.parametrize("op", ["&&", "||"])
@PROPERTY
@given(st.data())
def test_logical_operators_in_usual_gangs(op: str, data: st.DataObject) -> None:
    lanes = data.draw(LANES)
    on = data.draw(masks(lanes).filter(bool))
    left, right = (data.draw(usual_gangs(BOOL, lanes, on, st.just(0))) for _ in range(2))
    shape = speculative_stride.logical(left.shape, right.shape)
    assert shape is not None
    both = {lane: (left.values[lane], right.values[lane]) for lane in on}
    values = {lane: a & b if op == "&&" else a | b for lane, (a, b) in both.items()}
    assert_usual(Gang(BOOL, lanes, 0, values, shape))


@PROPERTY
@given(st.data())
def test_chosen_in_usual_gangs(data: st.DataObject) -> None:
    """The lanes of a usual gang agree; one arm may be uniform if that is the one chosen now and then."""
    ctype, lanes = data.draw(st.sampled_from(COMPUTED)), data.draw(LANES)
    on = data.draw(masks(lanes).filter(bool))
    cond = replace(VARYING, likely=0)
    then, other = (data.draw(usual_gangs(ctype, lanes, on, st.just(0) | STRIDES)) for _ in range(2))
    shape = speculative_stride.chosen(cond, then.shape, other.shape)
    strides = {then.shape.common_stride, other.shape.common_stride} - {0}
    assert shape.kind == Kind.VARYING and (shape.likely is None) == (len(strides) == 2)
    for arm in (then, other):
        if shape.likely is not None and (arm.shape.common_stride or not strides):
            assert_usual(replace(arm, shape=shape))


@PROPERTY
@given(st.data())
def test_chosen(data: st.DataObject) -> None:
    ctype, lanes = data.draw(st.sampled_from(COMPUTED)), data.draw(LANES)
    on = data.draw(masks(lanes))
    cond = data.draw(gangs(BOOL, lanes, on))
    then, other = data.draw(gangs(ctype, lanes, on)), data.draw(gangs(ctype, lanes, on))
    shape = speculative_stride.chosen(cond.shape, then.shape, other.shape)
    values = {lane: (then if cond.values[lane] else other).values[lane] for lane in on}
    assert_true(Gang(ctype, lanes, then.base, values, shape))
    assert replace(shape, likely=None) == VARYING, "something relies on what is likely"
    assert shape.likely is None or cond.shape.common_stride == 0
