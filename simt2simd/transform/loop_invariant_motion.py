"""Tree-to-tree: what is costly and the same in all iterations of a loop with barriers is computed before the loop.

**Known as:** loop-invariant code motion (LICM).

    for (k = 0; k < n; k++) {              unsigned hoisted = (threadIdx.x + 1) % blockDim.x;
        s[threadIdx.x] = v;                for (k = 0; k < n; k++) {
        __syncthreads();                       s[threadIdx.x] = v;
        v = s[(threadIdx.x + 1)                __syncthreads();
              % blockDim.x];                   v = s[hoisted];
        ...                                    ...

LLVM does so for the loops that it sees. But a kernel that is divided at its barriers (`barrier-fission`) has a loop
over gangs within the loop of the program, and each gang would have to compute the value anew. Divisions and calls of
built-ins are worth it; nothing of what moves can fail or has effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import addressed_variables, declared_variables, is_barrier, is_local, written_variables
from ..tree.nodes import Module, Variable
from ..tree.walk import children, map_blocks, map_children, map_statements, walk


def loop_invariant_motion(module: Module) -> Module:
    """Move costly expressions out of the loops with barriers of every kernel."""
    functions = dict(module.functions)
    for kernel in module.kernels:
        if any(map(is_barrier, walk(kernel.body))):
            pointed_to = addressed_variables(kernel.body)
            functions[kernel.name] = replace(kernel, body=_block(kernel.body, pointed_to))
    return replace(module, functions=functions)


def _block(block: tree.Block, pointed_to: set[Variable]) -> tree.Block:
    """`pointed_to` are the variables that may change without being named."""
    return map_statements(block, lambda node: _statement(node, pointed_to))


def _statement(node: tree.Stmt, pointed_to: set[Variable]) -> Iterator[tree.Stmt]:
    if isinstance(node, tree.Loop) and any(map(is_barrier, walk(node))):
        moved = _Moved(declared_variables(node) | written_variables(node) | pointed_to)
        cond = None if node.cond is None else moved.out_of(node.cond)
        step = tuple(map(moved.out_of, node.step))
        node = replace(node, cond=cond, step=step, body=moved.out_of(node.body))
        yield from moved.declarations.values()
    yield map_blocks(node, lambda block: _block(block, pointed_to))


@dataclass
class _Moved:
    """The expressions that move out of one loop, by what they compute."""

    changed: set[Variable]
    declarations: dict[tuple[Any, ...], tree.Declare] = field(default_factory=dict)

    def out_of(self, node: Any) -> Any:
        """Return `node` with variables for its largest expressions that may move and are worth it."""
        if isinstance(node, tree.Binary | tree.BuiltinCall | tree.Convert | tree.Unary) and _is_costly(node):
            known = self.meaning(node)
            if known is not None:
                return self.variable(node, known)
        return map_children(node, self.out_of)

    def variable(self, node: tree.Expr, known: tuple[Any, ...]) -> tree.Load:
        if known not in self.declarations:
            made = Variable("hoisted", node.type, node.span, "local", const=True)
            self.declarations[known] = tree.Declare(node.span, made, node)
        return Build(node.span).read(self.declarations[known].variable)

    def meaning(self, node: tree.Node) -> tuple[Any, ...] | None:
        """Return what an expression computes, equal for equal values; None if it depends on the loop or on memory."""
        own: tuple[Any, ...]
        match node:
            case tree.Constant():
                return ("constant", node.type, repr(node.value))
            case tree.ThreadIndex():
                return (node.name, node.axis)
            case tree.Load(place=tree.VarRef(variable=variable)):
                fixed = is_local(variable) and variable not in self.changed
                return ("variable", variable) if fixed else None
            case tree.Unary() | tree.Binary():
                own = (node.op, node.type)
            case tree.Convert():
                own = ("convert", node.type)
            case tree.BuiltinCall() if node.builtin.pure:
                own = (node.builtin.name, node.type)
            case _:
                return None
        parts = [self.meaning(child) for child in children(node)]
        if None in parts or isinstance(getattr(node, "type", None), Pointer):
            return None
        return (*own, *parts)


_COSTLY = frozenset(
    "exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh pow cbrt".split()
)


def _is_costly(node: tree.Expr) -> bool:
    return any(
        (isinstance(below, tree.BuiltinCall) and below.builtin.op in _COSTLY)
        or (isinstance(below, tree.Binary) and below.op in "/%" and not _is_power_of_two(below.right))
        for below in walk(node)
    )


def _is_power_of_two(node: tree.Expr) -> bool:
    while isinstance(node, tree.Convert):
        node = node.operand
    return isinstance(node, tree.Constant) and isinstance(node.value, int) and node.value & (node.value - 1) == 0
