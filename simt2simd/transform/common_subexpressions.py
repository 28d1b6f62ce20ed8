"""Tree-to-tree: in a very large function, an integer term that occurs in many places is computed once.

**Known as:** common subexpression elimination (CSE).

    #define at(i, j, k) (base + (i) + ni * (j) + nij * (k))

    r1 = u[at(i, j, k)] * m[at(i, j, k)];         const int term = base + i + ni * j, term2 = term + nij * k;
    r2 = u[at(i, j, k + 1)] - r1;                 r1 = u[term2] * m[term2];
                                                  r2 = u[term + nij * (k + 1)] - r1;

LLVM finds such terms too, but earlier passes do their work for each of them: most of a stencil of hundreds of
accesses through macros is the arithmetic of its indices. In functions of ordinary size nothing changes.

What must hold: the variables in a term keep the values with which they are declared, their addresses are not taken, and
the arithmetic costs next to nothing where it is not needed. A term is declared before the first statement that
contains it, in the innermost block that has all of its places. Functions with barriers stay as they are: each value
that waits there costs memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..lang.ctype import is_integer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import synchronising_functions
from ..tree.effects import addressed_variables, is_local, names_in, written_variables
from ..tree.names import free_name
from ..tree.nodes import Block, Expr, Function, Module, Node, Variable
from ..tree.rewrite import with_functions
from ..tree.walk import children, count_nodes, map_children, walk

LARGE = 10_000  # nodes of a function: all passes together take about a second for as many


def common_subexpressions(module: Module, large: int = LARGE) -> Module:
    """Return a module that means the same, in which such terms are variables where functions have so many nodes."""
    names = {name for name, function in module.functions.items() if count_nodes(function.body) > large}
    if not names:
        return module
    names -= synchronising_functions(module)
    return with_functions(module, lambda function: _in_function(function) if function.name in names else function)


def _in_function(function: Function) -> Function:
    terms = _Terms(_steady_variables(function))
    terms.block(function.body, None)
    repeated = [number for number, term in enumerate(terms.found) if term.uses > 1 and _is_worth_it(term)]
    if not repeated:
        return function
    rewriter, taken = _Rewriter(terms), names_in(function)
    for number in repeated:
        rewriter.declare(number, taken)
    return replace(function, body=rewriter.block(function.body))


def _steady_variables(function: Function) -> set[Variable]:
    """Return the integers of a thread's own that keep the value that was passed or with which a block declares them."""
    body, steady = function.body, set(function.params)
    for node in walk(body):
        if isinstance(node, Block):
            steady |= {each.variable for each in node.statements if isinstance(each, tree.Declare) and each.initial}
    for node in walk(body):
        if isinstance(node, tree.Switch):  # its sections share what they declare, and threads enter at each of them
            statements = (statement for section in node.sections for statement in section.body.statements)
            steady -= {each.variable for each in statements if isinstance(each, tree.Declare)}
    steady -= written_variables(body) | addressed_variables(body)
    return {each for each in steady if is_integer(each.type) and is_local(each) and not each.volatile}


# ------------------------------------------------------------------------------------------ finding them


@dataclass(frozen=True, eq=False, slots=True)
class _Point:
    """Before statement number `index` of a block. `outer`: where the block itself is."""

    block: Block
    index: int
    outer: _Point | None
    depth: int


@dataclass(slots=True)
class _Term:
    """A term that occurs in one or more places.

    `first`: its first place. `point`: before all of its places. `uses`: how many expressions it is an operand of;
    one that is a term itself counts once, in however many places it occurs. `varies`: it has variables.
    """

    first: Expr
    point: _Point
    varies: bool
    uses: int = 0


@dataclass
class _Terms:
    """The terms of a function by their numbers: equal ones have one number, operands smaller ones than the whole."""

    steady: set[Variable]
    found: list[_Term] = field(default_factory=list)
    numbers: dict[Node, int] = field(default_factory=dict)
    known: dict[Hashable, int] = field(default_factory=dict)

    def block(self, block: Block, outer: _Point | None) -> None:
        depth = 0 if outer is None else outer.depth + 1
        for index, statement in enumerate(block.statements):
            self.node(statement, _Point(block, index, outer, depth))

    def node(self, node: Node, here: _Point) -> int | None:
        """Find the terms in a node after this point; return its own number if it is one."""
        if isinstance(node, Block):
            self.block(node, here)
            return None
        operands = [self.node(child, here) for child in children(node)]
        meaning = self.meaning(node, operands)
        if meaning is not None and (number := self.known.get(meaning)) is not None:
            term = self.found[number]
            term.point = _before_both(term.point, here)
        else:
            numbers = [operand for operand in operands if operand is not None]
            for operand in numbers:
                self.found[operand].uses += 1
            if meaning is None:
                return None
            assert isinstance(node, Expr)
            number = self.known[meaning] = len(self.found)
            varies = not isinstance(node, tree.Constant) and (not numbers or any(self.found[n].varies for n in numbers))
            self.found.append(_Term(node, here, varies))
        self.numbers[node] = number
        return number

    def meaning(self, node: Node, operands: Sequence[int | None]) -> Hashable | None:
        """Return what a node computes of its operands, equal for equal values; None if it is no term."""
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)):
                return variable if variable in self.steady else None
            case tree.Constant():
                return ("constant", node.type, node.value) if is_integer(node.type) else None
            case tree.ThreadIndex():
                return (node.name, node.axis)
            case tree.Binary(op="+" | "-" | "*" | "&" | "|" | "^" | "<<" | ">>") | tree.Unary(op="-" | "~"):
                return None if None in operands else (node.op, *operands)
            case tree.Convert():
                return None if None in operands or not is_integer(node.type) else ("convert", node.type, *operands)
            case _:
                return None


def _before_both(one: _Point, other: _Point) -> _Point:
    """Return the last point that threads pass on their way to both."""
    while one.block is not other.block:
        if one.depth < other.depth:
            one, other = other, one
        assert one.outer is not None, "all blocks of a function lie in its body"
        one = one.outer
    return one if one.index <= other.index else other


def _is_worth_it(term: _Term) -> bool:
    """Whether a variable costs less than its term, and holds what is not known already."""
    node = term.first
    if isinstance(node, tree.Convert):
        node = node.operand
    return term.varies and not isinstance(node, tree.Load | tree.ThreadIndex)


# -------------------------------------------------------------------------------------------- naming them


@dataclass
class _Rewriter:
    """Puts variables in the place of terms. `before`: those that are declared before a statement, inner terms first."""

    terms: _Terms
    variables: dict[int, Variable] = field(default_factory=dict)
    before: dict[tuple[Block, int], list[int]] = field(default_factory=lambda: defaultdict(list))

    def declare(self, number: int, taken: set[str]) -> None:
        """Give a term a variable with a name of its own."""
        term = self.terms.found[number]
        name = free_name(f"term{len(self.variables) + 1}", taken)
        taken.add(name)
        self.variables[number] = Variable(name, term.first.type, term.first.span, "local", const=True)
        self.before[term.point.block, term.point.index].append(number)

    def block(self, block: Block) -> Block:
        statements: list[tree.Stmt] = []
        for index, statement in enumerate(block.statements):
            for number in self.before.get((block, index), ()):
                first = self.terms.found[number].first
                made = map_children(first, self.inside)
                statements.append(Build(first.span).declare(self.variables[number], made))
            statements.append(self.inside(statement))
        return replace(block, statements=tuple(statements))

    def inside(self, node: Any) -> Any:
        if isinstance(node, Block):
            return self.block(node)
        number = self.terms.numbers.get(node)
        if number is not None and number in self.variables:
            return Build(node.span).read(self.variables[number])
        return map_children(node, self.inside)
