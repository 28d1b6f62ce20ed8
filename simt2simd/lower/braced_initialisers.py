"""Large variables with a braced list, `int x[3000] = {1, 2, 3};`: loops over their elements, not a store for each.

First the whole variable becomes zero, then come the values that are given, in their order. Many numbers side by side
are copied from a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from llvmlite import ir

from ..lang.ctype import BOOL, LONG, Array, CType, Scalar, Struct, is_short_float, leaves
from ..simd.address import Address, index, member
from ..simd.builder import I8, I64, const
from ..simd.mask import Mask
from ..simd.values import Value, constant_data, move, scalar_type
from ..tree import nodes as tree
from .constants import number as number_of
from .expressions import expression
from .frame import Frame, zero
from .gang_split import onward
from .load_store import store_at

MANY_ELEMENTS = 16  # of an array: a loop makes them zero
MANY_NUMBERS = 16  # side by side, of one type: a loop copies them

Item = tuple[int, CType, tree.Expr]  # as in `tree.Braces`


def initialise(f: Frame, where: Address, ctype: CType, initial: tree.Braces, mask: Mask) -> None:
    """Give the object of type `ctype` at `where` the values of a braced list."""
    _make_zero(f, where, ctype, mask)
    for run in _runs(initial.items):
        if len(run) >= MANY_NUMBERS:
            _copy_numbers(f, where, run, mask)
        else:
            for offset, _, value in run:
                found = expression(f, value, mask)
                mask = onward(f, mask, value)
                store_at(f, member(f.b, where, offset), value.type, found, mask)


def _make_zero(f: Frame, where: Address, ctype: CType, mask: Mask) -> None:
    match ctype:
        case Array(element=element, count=count) if count >= MANY_ELEMENTS:
            _for_each(f, count, lambda i: _make_zero(f, index(f.b, where, i, element.size), element, mask))
        case Array(element=element, count=count):
            for i in range(count):
                _make_zero(f, member(f.b, where, i * element.size), element, mask)
        case Struct(union=True):
            for at, word in leaves(ctype):
                f.memory.store(member(f.b, where, at), zero(word), mask)
        case Struct(fields=fields):
            for part in fields or ():
                _make_zero(f, member(f.b, where, part.offset), part.type, mask)
        case _:
            f.memory.store(where, zero(ctype), mask)


def _runs(items: tuple[Item, ...]) -> Iterator[list[Item]]:
    """Yield the items in order: numbers of one type that lie side by side together, others alone."""
    run: list[Item] = []
    for item in items:
        if run and not _follows(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _follows(before: Item, item: Item) -> bool:
    (first, ctype, value), (second, other, next_value) = before, item
    numbers = isinstance(value, tree.Constant) and isinstance(next_value, tree.Constant) and isinstance(ctype, Scalar)
    return numbers and ctype == other and second == first + ctype.size


def _copy_numbers(f: Frame, where: Address, run: list[Item], mask: Mask) -> None:
    """Emit `for each number of the run: element = table[number]`."""
    b, (offset, ctype, _) = f.b, run[0]
    assert isinstance(ctype, Scalar)
    held = I8 if ctype == BOOL else scalar_type(ctype)
    constants = [value for _, _, value in run if isinstance(value, tree.Constant)]
    numbers = [number_of(value) if is_short_float(ctype) else const(held, value.value) for value in constants]
    table = constant_data(f.program.llvm, "initial", ir.Constant(ir.ArrayType(held, len(numbers)), numbers))
    start = member(b, where, offset)

    def one(i: Value) -> None:
        number: ir.Value = b.load(move(b, table, b.mul(i.ir, const(I64, ctype.size))), typ=held, align=ctype.size)
        number = b.icmp_unsigned("!=", number, const(I8, 0)) if ctype == BOOL else number
        f.memory.store(index(b, start, i, ctype.size), Value(ctype, number), mask)

    _for_each(f, len(numbers), one)


def _for_each(f: Frame, count: int, body: Callable[[Value], None]) -> None:
    """Emit a loop that runs `body` with the numbers below `count`."""
    b = f.b
    start, loop, done = b.block, f.block("element"), f.block("elements.done")
    b.branch(loop)
    b.position_at_end(loop)
    number = b.phi(I64, "number")
    number.add_incoming(const(I64, 0), start)
    body(Value(LONG, number))
    following = b.add(number, const(I64, 1))
    number.add_incoming(following, b.block)
    b.cbranch(b.icmp_unsigned("<", following, const(I64, count)), loop, done)
    b.position_at_end(done)
