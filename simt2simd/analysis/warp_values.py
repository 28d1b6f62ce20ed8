"""Values of a warp: what an integer or an address is in each of the 32 threads of a block's first warp.

int i = threadIdx.x;           0, 1, 2 ... 31
s[i * 17 + k]                  0, 17, 34 ... and k, a counter that runs from 0 to 16
a[blockIdx.x * n + i]          unknown, as `n` comes from elsewhere

Only sums of constants, of what the thread's index alone gives, and of counters are known. What the threads of a block
have in common, such as `blockIdx.x`, is a term with a name: two sums with the same terms can be compared.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..lang.builtins import WARP_SIZE
from ..lang.ctype import Pointer, is_integer
from ..tree import nodes as tree
from ..tree.effects import addressed_variables, writes
from ..tree.nodes import Function, Variable

Term = Variable | tuple[str, int]  # a variable that keeps its value, or a built-in one such as ("blockIdx", 0)
Threads = frozenset[int]  # of a warp, by their numbers
ALL: Threads = frozenset(range(WARP_SIZE))
_MAX_TRIP_COUNT = 256  # of a counter: longer ones count as unknown


@dataclass(frozen=True)
class Values:
    """`lanes`, one for each thread; to all of them `terms` are added, each so many times."""

    lanes: tuple[int, ...]
    terms: Mapping[Term, int] = field(default_factory=dict)

    def plus(self, other: Values, times: int = 1) -> Values:
        terms = {
            term: self.terms.get(term, 0) + times * other.terms.get(term, 0) for term in {**self.terms, **other.terms}
        }
        lanes = tuple(left + times * right for left, right in zip(self.lanes, other.lanes, strict=True))
        return Values(lanes, {term: count for term, count in terms.items() if count})

    def times(self, factor: int) -> Values:
        return constant(0).plus(self, factor)


def constant(value: int) -> Values:
    return Values((value,) * WARP_SIZE)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_BITS: dict[str, Callable[[int, int], int]] = {
    "/": operator.floordiv, "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


@dataclass
class Known:
    """What is known of the variables of a kernel, and of the functions that it calls, where a search is.

    `changes`: how many assignments each variable has. `values`: of those that have none; of pointers the bytes from
    where the variable in `bases` starts. `counters`: the iterations of loops.
    """

    changes: Counter[Variable]
    values: dict[Variable, Values] = field(default_factory=dict)
    bases: dict[Variable, Variable] = field(default_factory=dict)
    counters: dict[Term, range] = field(default_factory=dict)

    def bind(self, variable: Variable, value: tree.Expr) -> None:
        """Note that `variable` gets a value."""
        self.values.pop(variable, None)
        if self.changes[variable]:
            return
        if isinstance(variable.type, Pointer):
            base, known = self.address(value)
            if base is not None:
                self.bases[variable] = base
        else:
            known = self.value(value)
        if known is not None:
            self.values[variable] = known

    def count(self, node: tree.Loop) -> None:
        """Note the counter of a loop that counts from a constant to a constant: `for (int k = 1; k < 17; k++)`."""
        match node.init, node.cond, node.step:
            case (
                (tree.Declare(variable=counter, initial=tree.Constant(value=int(first))),),
                tree.Binary(op="<" | "<=" as op, left=tree.Load(place=tree.VarRef(variable=tested)), right=bound),
                (tree.Increment(place=tree.VarRef(variable=counted), delta=1),),
            ) if counter is tested is counted and self.changes[counter] == 1:
                last = self.value(bound)
                if last is not None and last == constant(last.lanes[0]):
                    numbers = range(first, last.lanes[0] + (op == "<="))
                    if len(numbers) <= _MAX_TRIP_COUNT:
                        self.counters[counter] = numbers
                        self.values[counter] = Values((0,) * WARP_SIZE, {counter: 1})

    # ------------------------------------------------------------------------------------- expressions

    def value(self, node: tree.Expr) -> Values | None:
        """Return the values of an integer, None if they are not known."""
        match node:
            case tree.Constant(value=int(value)):
                return constant(value)
            case tree.ThreadIndex(name="threadIdx", axis=0):
                return Values(tuple(range(WARP_SIZE)))
            case tree.ThreadIndex():
                return Values((0,) * WARP_SIZE, {(node.name, node.axis): 1})
            case tree.Load(place=tree.VarRef(variable=variable)):
                return self.values.get(variable)
            case tree.Convert() if is_integer(node.type) and is_integer(node.operand.type):
                return self.value(node.operand)
            case tree.Binary():
                left, right = self.value(node.left), self.value(node.right)
                return None if left is None or right is None else _combined(node.op, left, right)
        return None

    def address(self, node: tree.Expr | tree.Place) -> tuple[Variable | None, Values | None]:
        """Return in which shared variable a place, or the target of a pointer, is, and at which of its bytes."""
        match node:
            case tree.VarRef():
                return (node.variable, constant(0)) if node.variable.storage == "shared" else (None, None)
            case tree.Index() | tree.PointerAdd():
                base, start = self.address(node.pointer)
                index = self.value(node.index)
                if start is None or index is None or not isinstance(node.pointer.type, Pointer):
                    return base, None
                size = node.pointer.type.target.size
                return base, start.plus(index, -size if isinstance(node, tree.PointerAdd) and node.negative else size)
            case tree.Member():
                base, start = self.address(node.base)
                return base, start and start.plus(constant(node.offset))
            case tree.Deref():
                return self.address(node.pointer)
            case tree.Decay() | tree.AddressOf():
                return self.address(node.place)
            case tree.Convert():
                return self.address(node.operand)
            case tree.Load(place=tree.VarRef(variable=pointer)):
                return self.bases.get(pointer), self.values.get(pointer)
        return None, None

    def split(self, condition: tree.Expr, threads: Threads) -> tuple[Threads | None, Threads | None]:
        """Return which of `threads` find a condition true, and which find it false; None: nothing is known of it.

        Where it does not depend on the thread, or is a bound that is not known, any may be on either side.
        """
        match condition:
            case tree.Convert():
                return self.split(condition.operand, threads)
            case tree.Unary(op="!"):
                true, false = self.split(condition.operand, threads)
                return false, true
            case tree.Logical():
                first = self.split(condition.left, threads)
                either, asked = first if condition.op == "||" else first[::-1]  # `asked`: evaluate the right side
                if either is None or asked is None:
                    return None, None
                second = self.split(condition.right, asked)
                alone, rest = second if condition.op == "||" else second[::-1]
                if alone is None or rest is None:
                    return None, None
                return (either | alone, rest) if condition.op == "||" else (rest, either | alone)
            case tree.Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=" as op):
                left, right = self.value(condition.left), self.value(condition.right)
                if left is not None and right is not None:
                    return _split(op, left.plus(right, -1), threads)
                return (None, None) if op in ("==", "!=") else (threads, threads)
        value = self.value(condition) if is_integer(condition.type) else None
        return (None, None) if value is None else _split("!=", value, threads)

    def elements(self, values: Values, threads: Threads) -> Elements | None:
        """Return which of `threads` access which address in any iteration of a counter; None: unknown, or too many."""
        counters = [(term, times) for term, times in values.terms.items() if term in self.counters]
        if len(counters) > 1:
            return None
        offsets = [times * k for term, times in counters for k in self.counters[term]] if counters else [0]
        found: dict[int, set[int]] = {}
        for thread in threads:
            for offset in offsets:
                found.setdefault(values.lanes[thread] + offset, set()).add(thread)
        return Elements({term: times for term, times in values.terms.items() if term not in self.counters}, found)


@dataclass(frozen=True)
class Elements:
    """Which threads access which address, to which `terms` are to be added."""

    terms: Mapping[Term, int]
    threads: Mapping[int, set[int]]

    def reach_others(self, written: Elements) -> bool:
        """Whether a thread comes here to what only others have `written`."""
        return self.terms == written.terms and any(
            threads - written.threads.get(address, threads) for address, threads in self.threads.items()
        )


def _combined(op: str, left: Values, right: Values) -> Values | None:
    if op in ("+", "-"):
        return left.plus(right, 1 if op == "+" else -1)
    if op == "*":
        for factor, other in ((left, right), (right, left)):
            if factor == constant(factor.lanes[0]):
                return other.times(factor.lanes[0])
    if left.terms or right.terms:
        return None
    pairs = list(zip(left.lanes, right.lanes, strict=True))
    if op in _COMPARE:
        return Values(tuple(int(_COMPARE[op](a, b)) for a, b in pairs))
    if op == "*":
        return Values(tuple(a * b for a, b in pairs))
    if any(a < 0 or b < 0 or (op in ("/", "%") and b == 0) or (op == "<<" and b >= 64) for a, b in pairs):
        return None
    return Values(tuple(_BITS[op](a, b) for a, b in pairs))


def _split(op: str, difference: Values, threads: Threads) -> tuple[Threads | None, Threads | None]:
    """Return for which of `threads` the difference compares with zero so, and for which it does not."""
    if not difference.terms:
        true = frozenset(thread for thread in threads if _COMPARE[op](difference.lanes[thread], 0))
        return true, threads - true
    same = len(set(difference.lanes)) == 1
    return (threads, threads) if same or op not in ("==", "!=") else (None, None)


def known_of(kernel: Function, functions: Iterable[Function]) -> Known:
    """Return what is known at the start of a kernel, which calls `functions`."""
    changes: Counter[Variable] = Counter()
    for function in (kernel, *functions):
        changes.update(write.variable for write in writes(function.body) if write.variable is not None)
        changes.update(dict.fromkeys(addressed_variables(function.body), 2))
    known = Known(changes)
    for param in kernel.params:
        if is_integer(param.type) and not changes[param]:
            known.values[param] = Values((0,) * WARP_SIZE, {param: 1})
    return known
