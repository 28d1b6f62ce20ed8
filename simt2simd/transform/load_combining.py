"""Tree-to-tree: bytes that are read one by one and put together become one read of a word.

**Known as:** load combining, load widening.

    for (int n = 0; n < 8; n++)                      s |= *(const packed unsigned long *)(p + 8 * i);
        s |= (uint64_t)p[8 * i + n] << (8 * n);

The word lies anywhere, so its type is `packed`. The same bytes are read as before, no others.

What must hold: all bytes are read in any case, by reads that do nothing else, from one place and those right after it;
each goes to bits of its own, in the order in which they lie in memory. An index of 32 unsigned bits may wrap around
between two bytes, unless it is a multiple of the word's size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import reduce

from ..analysis.stack.accesses import moved_by
from ..lang.ctype import BOOL, INT, UCHAR, UINT, ULONG, USHORT, CType, Pointer, Scalar, is_integer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import addressed_variables, is_effect, is_local, is_volatile, named_variables, root
from ..tree.nodes import Expr, Function, Module, Stmt, Variable
from ..tree.rewrite import copied, with_functions
from ..tree.same import is_value_of, same_value
from ..tree.walk import map_children, walk

WORDS = {ctype.size: replace(ctype, packed=True) for ctype in (USHORT, UINT, ULONG)}
DISJOINT = ("|", "+", "^")  # alike for numbers that have no bits in common


def load_combining(module: Module) -> Module:
    """Return a module that means the same, which reads words."""
    return with_functions(module, _in_function)


def _in_function(function: Function) -> Function:
    if not any(map(_is_byte, walk(function.body))):
        return function
    body = _rewritten(function.body, addressed_variables(function.body))
    assert isinstance(body, tree.Block)
    return function if body is function.body else replace(function, body=body)


def _is_byte(node: tree.Node) -> bool:
    """Whether `node` reads a byte through a pointer, or of an array that lies in memory as it is written."""
    if not isinstance(node, tree.Load) or node.type != UCHAR or not isinstance(node.place, tree.Index | tree.Deref):
        return False
    variable = root(node.place)
    return not is_volatile(node.place) and (variable is None or variable.storage in ("shared", "device"))


def _rewritten(node: tree.Node, pinned: Collection[Variable]) -> tree.Node:
    if isinstance(node, tree.Loop) and (statement := _of_loop(node, pinned)) is not None:
        return statement
    if isinstance(node, tree.Binary) and node.op in DISJOINT and (word := _word(node)) is not None:
        return word
    return map_children(node, lambda child: _rewritten(child, pinned))


# ---------------------------------------------------------------------------------------------------- loops


def _of_loop(loop: tree.Loop, pinned: Collection[Variable]) -> Stmt | None:
    """Return the statement that does the same as a loop over the bytes of a word."""
    counted, write = _trip_count(loop), _only_statement(loop.body)
    if counted is None or write is None or not isinstance(write.place, tree.VarRef) or write.op not in DISJOINT:
        return None
    (counter, count), to, value = counted, write.place.variable, write.value
    own = is_local(to) and not to.volatile and to not in pinned and counter not in pinned and to is not counter
    whole = is_integer(write.compute) and value.type == write.compute and is_integer(to.type) and to.type != BOOL
    if not own or not whole or to in named_variables(value) or any(map(is_effect, walk(value))):
        return None
    terms = [_at(value, counter, n) for n in range(count)]
    total = reduce(lambda sum_, term: Build(loop.span).binary(sum_, "|", term), terms)
    word = _word(total) if isinstance(total, tree.Binary) else None
    return None if word is None else tree.Evaluate(loop.span, replace(write, value=word))


def _trip_count(loop: tree.Loop) -> tuple[Variable, int] | None:
    """Return the counter of a loop with as many iterations as a word has bytes, and how many that is."""
    match loop:
        case tree.Loop(
            init=(tree.Declare(variable=counter, initial=tree.Constant(value=0)),),
            cond=tree.Binary(op="<", left=left, right=tree.Constant(value=int(count))),
            step=(step,),
            test_first=True,
        ) if is_value_of(left, counter) and moved_by(step) == (counter, 1):
            if count in WORDS and counter.type in (INT, UINT) and not counter.volatile:
                return counter, count
    return None


def _only_statement(block: tree.Block) -> tree.CompoundAssign | None:
    match block.statements:
        case (tree.Evaluate(expr=tree.CompoundAssign() as write),):
            return write
    return None


def _at(value: Expr, counter: Variable, number: int) -> Expr:
    """Return `value` in the iteration in which the counter is `number`, with sums and products of constants folded."""

    def change(node: tree.Node) -> tree.Node:
        if is_value_of(node, counter):
            assert isinstance(node, tree.Load)
            return Build(node.span).number(node.type, number)
        return _folded(map_children(node, change))

    return copied(_expr(change(value)))


def _expr(node: tree.Node) -> Expr:
    assert isinstance(node, tree.Expr)
    return node


def _folded(node: tree.Node) -> tree.Node:
    """Return small sums, products and conversions of numbers as numbers."""
    match node:
        case tree.Binary(
            op="+" | "*" | "<<" as op, left=tree.Constant(value=int(a)), right=tree.Constant(value=int(b))
        ):
            number = a + b if op == "+" else a * b if op == "*" else a << min(b, 64)
        case tree.Convert(operand=tree.Constant(value=int(number))):
            pass
        case _:
            return node
    small = 0 <= number < 1 << 16 and isinstance(node.type, Scalar) and is_integer(node.type) and node.type.size >= 4
    return tree.Constant(node.span, node.type, number) if small else node


# -------------------------------------------------------------------------------------------------- words


@dataclass(frozen=True)
class _Byte:
    """A byte in memory that becomes the bits from `shift` on. `start` is its index less `offset`, None for none."""

    pointer: Expr
    start: Expr | None
    offset: int
    shift: int

    def is_behind(self, other: _Byte) -> bool:
        """Whether it lies as far offset `other` in memory as its bits are above that one's."""
        if (self.start is None) != (other.start is None) or not same_value(self.pointer, other.pointer):
            return False
        if self.start is not None and other.start is not None and not same_value(self.start, other.start):
            return False
        return 8 * (self.offset - other.offset) == self.shift - other.shift


def _word(node: tree.Binary) -> Expr | None:
    """Return the value of `node` as one read; None if that is not what it is."""
    if not is_integer(node.type) or not isinstance(node.type, Scalar):
        return None
    terms = list(_terms(node, 0, node.type.bits))
    found = [term for term in terms if term is not None]
    if len(found) != len(terms) or len(found) not in WORDS:
        return None
    first, *others = sorted(found, key=lambda byte: byte.shift)
    if [byte.shift for byte in (first, *others)] != [8 * i for i in range(len(found))]:
        return None
    if not all(byte.is_behind(first) for byte in others) or not _stays_in_one_piece(first, len(found)):
        return None
    return Build(node.span).convert(node.type, _read(Build(node.span), first, WORDS[len(found)]))


def _terms(node: Expr, shift: int, width: int) -> Iterator[_Byte | None]:
    """Yield the bytes of which a number is made that goes to the bits from `shift` on, of `width` in all.

    None for anything else. A number may not reach the sign of its type, unless that is the sign of the whole.
    """
    match node:
        case tree.Binary(op="|" | "+" | "^") if is_integer(node.type):
            yield from _terms(node.left, shift, width)
            yield from _terms(node.right, shift, width)
        case tree.Convert(operand=operand) if _is_number(node.type) and _is_number(operand.type):
            for term in _terms(operand, shift, width):
                yield term if term is None or _fits(term, shift, operand.type, node.type, width) else None
        case tree.Binary(op="<<", left=left, right=tree.Constant(value=int(by))) if 0 <= by < 64:
            for term in _terms(left, shift + by, width):
                fits = term is not None and term.shift - shift + 8 <= 8 * node.type.size and term.shift + 8 <= width
                yield term if fits else None
        case tree.Load() if _is_byte(node):
            yield _byte(node, shift)
        case _:
            yield None


def _is_number(ctype: CType) -> bool:
    """Whether it is an integer whose bits are a number; to `bool`, all bytes but one are alike."""
    return is_integer(ctype) and ctype != BOOL


def _fits(term: _Byte, shift: int, before: object, after: object, width: int) -> bool:
    """Whether a byte's bits are the same after a conversion."""
    assert isinstance(before, Scalar) and isinstance(after, Scalar)
    top = term.shift - shift + 8
    if top > min(before.bits, after.bits):
        return False
    return top < before.bits or not before.signed or after.bits <= before.bits


def _byte(load: tree.Load, shift: int) -> _Byte:
    place = load.place
    if isinstance(place, tree.Index):
        return _Byte(place.pointer, *_split(place.index), shift)
    assert isinstance(place, tree.Deref)
    match place.pointer:
        case tree.PointerAdd(pointer=pointer, index=index, negative=False):
            return _Byte(pointer, *_split(index), shift)
    return _Byte(place.pointer, None, 0, shift)


def _split(index: Expr) -> tuple[Expr | None, int]:
    """Return an index as a sum of something and a number."""
    match index:
        case tree.Constant(value=int(number)):
            return None, number
        case tree.Binary(op="+", left=below, right=tree.Constant(value=int(number))):
            return below, number
        case tree.Binary(op="+", left=tree.Constant(value=int(number)), right=below):
            return below, number
    return index, 0


def _stays_in_one_piece(first: _Byte, size: int) -> bool:
    """Whether the index does not wrap around from one byte to the next: if it is signed, that may not happen."""
    start = first.start
    if start is None or start.type != UINT:
        return True
    match start:
        case tree.Binary(op="*", right=tree.Constant(value=int(factor))):
            multiple = factor
        case tree.Binary(op="*", left=tree.Constant(value=int(factor))):
            multiple = factor
        case tree.Binary(op="<<", right=tree.Constant(value=int(by))) if 0 <= by < 32:
            multiple = 1 << by
        case _:
            return False
    return multiple % size == 0 and first.offset % size == 0


def _read(build: Build, first: _Byte, word: Scalar) -> Expr:
    """Return what a word's bytes hold."""
    pointer = copied(first.pointer)
    ctype = pointer.type
    assert isinstance(ctype, Pointer)
    if first.start is not None:
        index: Expr = copied(first.start)
        if first.offset:
            index = build.binary(index, "+", build.number(index.type, first.offset))
        pointer = tree.PointerAdd(build.span, ctype, pointer, index)
    elif first.offset:
        pointer = tree.PointerAdd(build.span, ctype, pointer, build.number(INT, first.offset))
    where = tree.Convert(build.span, replace(ctype, target=word), pointer, explicit=True)
    return tree.Load(build.span, word, tree.Deref(build.span, word, where))
