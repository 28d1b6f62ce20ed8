"""What all threads of a grid find alike: it need not be in the items, and the thread that launches can compute it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from ....lang.ctype import UINT, Pointer, Scalar
from ....lang.vectors import DIM3
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, root, written_variables
from ....tree.nodes import Function, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_children, walk

Axes = tuple[tree.Expr, tree.Expr, tree.Expr]


class CommonValues:
    """The values that are the same for all threads of each launch of a kernel."""

    def __init__(self, kernel: Function) -> None:
        changed = written_variables(kernel.body) | addressed_variables(kernel.body)
        self.params = frozenset(kernel.params) - changed
        self.initial: dict[Variable, tree.Expr] = {
            node.variable: node.initial
            for node in walk(kernel.body)
            if isinstance(node, tree.Declare)
            and isinstance(node.initial, tree.Expr)
            and node.variable.storage == "local"
            and node.variable not in changed
        }

    def of(self, node: tree.Expr) -> tree.Expr | None:
        """Return an expression that gives the value of `node` anywhere in the kernel; None if threads differ in it."""
        match node:
            case tree.Constant() | tree.ThreadIndex(name="gridDim" | "blockDim"):
                return copied(node)
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.initial:
                if not isinstance(variable.type, Scalar | Pointer):
                    return None
                return self.of(self.initial[variable])
            case tree.Load(place=place) if self._is_parameter(place):
                return copied(node)
            case tree.AddressOf(place=place) | tree.Decay(place=place):
                leads_to = root(place)
                only_names = all(isinstance(below, tree.VarRef | tree.Member) for below in walk(place))
                is_global = leads_to is not None and leads_to.storage in ("device", "constant")
                return copied(node) if is_global and only_names else None
            case tree.Convert() | tree.Unary() | tree.Binary() | tree.PointerAdd() | tree.PointerDiff():
                return self._of_parts(node)
            case tree.Logical() | tree.Conditional():
                return self._of_parts(node)
            case tree.BuiltinCall(builtin=builtin) if builtin.pure and not builtin.of_warp:
                return self._of_parts(node)
        return None

    def all_of(self, nodes: Iterable[tree.Expr]) -> tuple[tree.Expr, ...] | None:
        found = [self.of(node) for node in nodes]
        return None if any(value is None for value in found) else cast("tuple[tree.Expr, ...]", tuple(found))

    def axes(self, size: tree.Expr) -> Axes | None:
        """Return the three counts of a grid or a block; None if they cannot be separated."""
        match size:
            case tree.BuiltinCall(builtin=builtin, args=(x, y, z)) if builtin.op == "make":
                return x, y, z
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.initial:
                within = self.axes(self.initial[variable])
                common = None if within is None else self.all_of(within)
                if common is not None:
                    return cast("Axes", common)
        match size:
            case tree.Load(place=place) if all(isinstance(below, tree.VarRef | tree.Member) for below in walk(place)):
                build = Build(size.span)
                parts = (build.member(copied(place), part) for part in DIM3.fields or ())
                return cast("Axes", tuple(tree.Load(size.span, UINT, part) for part in parts))
        return None

    def _of_parts(self, node: tree.Expr) -> tree.Expr | None:
        differs = False

        def part(child: tree.Expr) -> tree.Expr:
            nonlocal differs
            found = self.of(child)
            differs = differs or found is None
            return child if found is None else found

        new = map_children(node, part)
        return None if differs else new

    def _is_parameter(self, place: tree.Place) -> bool:
        if not all(isinstance(below, tree.VarRef | tree.Member) for below in walk(place)):
            return False
        variable = root(place)
        return variable is not None and (variable in self.params or variable.storage in ("constant", "launch"))


def is_one(node: tree.Expr) -> bool:
    return (isinstance(node, tree.Constant) and node.value == 1) or (
        isinstance(node, tree.Convert) and is_one(node.operand)
    )
