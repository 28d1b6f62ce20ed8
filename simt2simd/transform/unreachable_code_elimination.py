"""Tree-to-tree: what no thread can reach is not there.

**Known as:** unreachable-code elimination; LLVM: `simplifycfg`.

    template <int SIZE, bool POW2> __global__ void k(int *a) {       __global__ void k_64_false(int *a) {
        if (POW2) a[threadIdx.x] = 1;                                    a[threadIdx.x] = 2;
        else a[threadIdx.x] = 2;
        if (threadIdx.x < 256 && SIZE >= 512) a[0] = 3;              }
    }

The instances of a template differ in the conditions that their arguments decide. Each later pass would look at all
arms of all instances, and hand them to LLVM in several versions.

What must hold: of a condition that is left out, nothing is an effect or a volatile access. A variable that a section of
a `switch` declares may be used in later sections, so there nothing is left out after a jump.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import replace

from ..tree.constant_switch import chosen_statements, spliced
from ..tree.effects import only_reads
from ..tree.nodes import (
    Block,
    Break,
    Constant,
    Continue,
    Expr,
    Function,
    If,
    Logical,
    Module,
    Return,
    Section,
    Stmt,
    Switch,
)
from ..tree.rewrite import with_functions
from ..tree.walk import map_blocks, walk


def unreachable_code_elimination(module: Module) -> Module:
    """Return a module that means the same, without statements that no thread can reach."""
    return with_functions(module, _in_function)


def _in_function(function: Function) -> Function:
    if not any(isinstance(node, If | Switch | Return | Break | Continue) for node in walk(function.body)):
        return function
    body = _block(function.body)
    return function if body is function.body else replace(function, body=body)


def _block(block: Block) -> Block:
    return _with(block, tuple(_reached(block.statements)))


def _reached(statements: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Yield what is left of the statements of a block, up to the first jump."""
    for statement in statements:
        for left in _left(statement):
            yield left
            if _jumps(left):
                return


def _with(block: Block, statements: tuple[Stmt, ...]) -> Block:
    same = len(statements) == len(block.statements) and all(map(operator.is_, statements, block.statements))
    return block if same else replace(block, statements=statements)


def _left(statement: Stmt) -> tuple[Stmt, ...]:
    """Return what is left of a statement."""
    match statement:
        case If():
            return _if(statement)
        case Switch(value=Constant() as value) if (chosen := chosen_statements(statement, value)) is not None:
            return tuple(spliced(_block(chosen)))
        case Switch():
            sections = tuple(map(_section, statement.sections))
            same = all(map(operator.is_, sections, statement.sections))
            return (statement if same else replace(statement, sections=sections),)
        case _:
            return (map_blocks(statement, _block),)


def _section(section: Section) -> Section:
    left = itertools.chain.from_iterable(map(_left, section.body.statements))
    body = _with(section.body, tuple(left))
    return section if body is section.body else replace(section, body=body)


def _if(statement: If) -> tuple[Stmt, ...]:
    cond = _condition(statement.cond)
    if isinstance(cond, Constant):
        return _block(statement.then if cond.value else statement.other).statements
    then, other = _block(statement.then), _block(statement.other)
    if cond is statement.cond and then is statement.then and other is statement.other:
        return (statement,)
    return (replace(statement, cond=cond, then=then, other=other),)


def _condition(cond: Expr) -> Expr:
    """Return a condition without the operands that decide nothing; a constant, if it is known."""
    if not isinstance(cond, Logical):
        return cond
    left, right = _condition(cond.left), _condition(cond.right)
    decides = cond.op == "||"  # the value that makes the other operand idle
    if isinstance(left, Constant):
        return left if left.value == decides else right
    if isinstance(right, Constant):
        if right.value != decides:
            return left
        if only_reads(left):
            return right
    return cond if left is cond.left and right is cond.right else replace(cond, left=left, right=right)


def _jumps(statement: Stmt) -> bool:
    """Whether nothing runs after a statement in its block."""
    if isinstance(statement, Block):
        return bool(statement.statements) and _jumps(statement.statements[-1])
    return isinstance(statement, Return | Break | Continue)
