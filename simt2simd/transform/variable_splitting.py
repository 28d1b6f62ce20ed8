"""Tree-to-tree: a variable that gets another value for good is another variable from there on.

**Known as:** web construction, renaming as by static single assignment (SSA).

    __global__ void k(const float *in, float *out) {        __global__ void k(const float *in, float *out) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;           int i = blockIdx.x * blockDim.x + threadIdx.x;
        in += i;                                                 const float *in2 = in + i;
        out += i;                                                float *out2 = out + i;
        *out = *in * 2;                                          *out2 = *in2 * 2;
    }                                                       }

A variable has one shape. `in` is the same for all threads before it is moved, and advances from thread to thread
after; as one variable it does neither, and `*in` is a gather.

What must hold: the assignment is a statement of the block that declares the variable, so nothing reads the variable
after it that may have come another way; its address is not taken. Shapes are asked for of pointers and integers only,
and only sums, products and shifts of an old value can have a better shape than it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from ..lang.ctype import INT, Pointer, Scalar, is_integer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import addressed_variables, is_local, named_variables, names_in, written_variables
from ..tree.names import free_name
from ..tree.nodes import Expr, Function, Module, Stmt, Variable
from ..tree.rewrite import renamed, with_functions
from ..tree.walk import children, map_blocks, walk

KEEP_SHAPES = ("+", "-", "*", "<<")

_Write = tree.Assign | tree.CompoundAssign | tree.Increment


def variable_splitting(module: Module) -> Module:
    """Return a module that means the same, in which such variables are several."""
    return with_functions(module, _in_function)


def _in_function(function: Function) -> Function:
    if function.looped:
        return function
    rewriter = _Blocks(frozenset(addressed_variables(function.body)), names_in(function))
    body = rewriter.block(function.body, function.params)
    return function if body is function.body else replace(function, body=body)


@dataclass(frozen=True)
class _Blocks:
    """Rewrites the blocks of a function. `names` are taken."""

    pinned: Collection[Variable]  # their addresses are taken
    names: set[str]

    def block(self, block: tree.Block, declared: Iterable[Variable] = ()) -> tree.Block:
        """Return a block that declares its own variables and these."""
        own, now = set(declared), dict[Variable, Variable]()
        done: list[Stmt] = []
        for statement in block.statements:
            if isinstance(statement, tree.Declare):
                own.add(statement.variable)
            renewed = self._renewed(statement, own, now)
            if renewed is None:
                done.append(renamed(self._inside(statement), now))
                continue
            variable, value = renewed
            initial, new = renamed(value, now), self._new(variable)
            now[variable] = new
            done.append(Build(statement.span).declare(new, initial))
        same = len(done) == len(block.statements) and all(a is b for a, b in zip(done, block.statements, strict=True))
        return block if same else replace(block, statements=tuple(done))

    def _inside(self, statement: Stmt) -> Stmt:
        """Return a statement with other blocks in it. The sections of a `switch` share what they declare."""
        if isinstance(statement, tree.Block):
            return self.block(statement)
        if isinstance(statement, tree.Switch):
            return statement
        new = map_blocks(statement, self.block)
        same = all(a is b for a, b in zip(children(new), children(statement), strict=True))
        return statement if same else new

    def _renewed(
        self, statement: Stmt, own: Collection[Variable], now: dict[Variable, Variable]
    ) -> tuple[Variable, Expr] | None:
        """Return the variable that `statement` gives another value, and that value."""
        if not isinstance(statement, tree.Evaluate) or not isinstance(statement.expr, _Write):
            return None
        write = statement.expr
        if not isinstance(write.place, tree.VarRef) or not self._may_be_several(write.place.variable, own):
            return None
        variable = write.place.variable
        value = _value(write, variable)
        return None if value is None else (variable, value)

    def _may_be_several(self, variable: Variable, own: Collection[Variable]) -> bool:
        ctype = variable.type
        fits = isinstance(ctype, Pointer) or (isinstance(ctype, Scalar) and is_integer(ctype) and ctype.size >= 4)
        return fits and variable in own and is_local(variable) and not variable.volatile and variable not in self.pinned

    def _new(self, variable: Variable) -> Variable:
        name = free_name(variable.name, self.names)
        self.names.add(name)
        return replace(variable, name=name, storage="local", const=False, restrict=False)


def _value(write: _Write, variable: Variable) -> Expr | None:
    """Return what a variable gets, or None if it is of no better shape than the old value."""
    build = Build(write.span)
    match write:
        case tree.Assign(value=value):
            reads_itself = variable in named_variables(value)
            sums = isinstance(value, tree.Binary | tree.PointerAdd | tree.Convert)
            return value if not reads_itself or (sums and _keeps_shapes(value)) else None
        case tree.CompoundAssign(op=op, value=value, compute=compute):
            if op not in KEEP_SHAPES or variable in written_variables(value):
                return None
            if isinstance(compute, Pointer):
                return tree.PointerAdd(write.span, write.type, build.read(variable), value, op == "-")
            if not is_integer(compute):
                return None
            old = build.convert(compute, build.read(variable))
            return build.convert(write.type, build.binary(old, op, value))
        case tree.Increment(delta=delta):
            if isinstance(write.type, Pointer):
                return tree.PointerAdd(write.span, write.type, build.read(variable), build.number(INT, 1), delta < 0)
            return build.binary(build.read(variable), "+" if delta > 0 else "-", build.number(write.type, 1))


def _keeps_shapes(value: Expr) -> bool:
    return all(node.op in KEEP_SHAPES for node in walk(value) if isinstance(node, tree.Binary))
