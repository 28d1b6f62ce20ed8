"""Loops in which threads try to take a lock, and whether its owner may have to wait meanwhile.

while (atomicExch(lock, 1)) { }        takes it; the owner may wait after the loop for lanes that are still in it
x++;
atomicExch(lock, 0);
for (bool done = false; !done;)        takes it and gives it back: sooner or later every lane has had it
    if (atomicCAS(lock, 0, 1) == 0) { x++; atomicExch(lock, 0); done = true; }
do { before = now; now = atomicCAS(sum, before, before + x); } while (now != before);        no lock
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import named_variables, written_variables
from ..tree.nodes import Loop, Module, Variable
from ..tree.walk import children, walk


class Locks:
    """What takes locks in a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._numbers = {variable for function in module.functions.values() for variable in _numbers(function.body)}
        self._setting: set[str] = set()  # functions that set what their pointer leads to as their arguments say
        while more := {name for name in module.functions.keys() - self._setting if self._sets(module.functions[name])}:
            self._setting |= more

    def acquires(self, node: tree.Node) -> bool:
        """Whether `node` tries to set a lock: to a value that does not depend on what it finds there."""
        match node:
            case tree.Call():
                given = (arg for arg in node.args if not isinstance(arg.type, Pointer))
                return node.function in self._setting and all(map(self._is_number, given))
            case tree.BuiltinCall() if _may_set_lock(node):
                return self._is_number(node.args[-1]) and not changes_nothing(node)
        return False

    def wait(self) -> bool:
        """Whether threads may wait for a lock whose owner waits, too: for another lock, or for lanes of its gang.

        Loops in which a lane takes a lock and gives it back end by themselves.
        """
        locking = functions_reaching(self._module, self.acquires)
        for function in self._module.functions.values():
            for node in walk(function.body):
                if isinstance(node, Loop) and any(map(self.acquires, walk(node))):
                    inside = [below for below in walk(node.body) if isinstance(below, Loop | tree.Call)]
                    if not self._gives_back(node) or any(self._locks(below, locking) for below in inside):
                        return True
        return False

    def _locks(self, node: Loop | tree.Call, locking: frozenset[str]) -> bool:
        return node.function in locking if isinstance(node, tree.Call) else any(map(self.acquires, walk(node)))

    def _gives_back(self, loop: Loop) -> bool:
        """Whether something else in the loop writes to each lock that is set there."""
        alone = {node.expr for node in walk(loop) if isinstance(node, tree.Evaluate)}
        taken = {node for node in walk(loop) if self.acquires(node) and node not in alone}
        written = [named_variables(node.args[0]) for node in walk(loop) if _is_atomic(node) and node not in taken]
        written += [named_variables(node.place) for node in walk(loop) if isinstance(node, tree.Assign)]
        return all(_is_atomic(lock) and named_variables(lock.args[0]) in written for lock in taken)

    def _sets(self, function: tree.Function) -> bool:
        """Whether a function sets what a pointer leads to, once, to a parameter or a number."""
        given = set(function.params) - written_variables(function.body)
        return any(
            (isinstance(node, tree.Call) and node.function in self._setting)
            or (_may_set_lock(node) and self._is_number(node.args[-1], given))
            for node in _outside_loops(function.body)
        )

    def _is_number(self, node: tree.Expr, given: Iterable[Variable] = ()) -> bool:
        """Whether an expression is a constant, or a variable that holds one, in whatever type; or one of `given`."""
        match node:
            case tree.Convert():
                return self._is_number(node.operand, given)
            case tree.Constant():
                return True
            case tree.Load():
                variable = _punned(node.place)
                return variable is not None and (variable in self._numbers or variable in given)
        return False


def _punned(place: tree.Place) -> Variable | None:
    """Return the variable that is read: `x`, `*(unsigned *)&x`."""
    match place:
        case tree.VarRef():
            return place.variable
        case tree.Deref(pointer=pointer):
            while isinstance(pointer, tree.Convert):
                pointer = pointer.operand
            return _punned(pointer.place) if isinstance(pointer, tree.AddressOf) else None
    return None


def _numbers(body: tree.Block) -> set[Variable]:
    """Return the variables that hold the constant with which they are declared."""
    declared = (node for node in walk(body) if isinstance(node, tree.Declare))
    found = {
        node.variable
        for node in declared
        if node.initial is not None and not isinstance(node.initial, tree.Braces) and _is_constant(node.initial)
    }
    return found - written_variables(body)


def _is_constant(node: tree.Expr) -> bool:
    return constant_value(node) is not None


def _outside_loops(node: tree.Node) -> Iterable[tree.Node]:
    left = [node]
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, Loop):
            left += children(node)


def _may_set_lock(node: tree.Node) -> TypeGuard[tree.BuiltinCall]:
    return isinstance(node, tree.BuiltinCall) and node.builtin.op in ("atomic_cas", "atomic_exch")


def _is_atomic(node: tree.Node) -> TypeGuard[tree.BuiltinCall]:
    return isinstance(node, tree.BuiltinCall) and node.builtin.atomic


def changes_nothing(node: tree.BuiltinCall) -> bool:
    """Whether an atomic function is but a read: `atomicAdd(p, 0)`, `atomicCAS(p, 0, 0)`."""
    values = [constant_value(arg) for arg in node.args[1:]]
    match node.builtin.op:
        case "atomic_add" | "atomic_sub" | "atomic_or" | "atomic_xor":
            return values == [0]
        case "atomic_cas":
            return values[0] is not None and values[0] == values[1]
    return False


def settles(node: tree.BuiltinCall) -> bool:
    """Whether an atomic function changes nothing when it is called again: `atomicMax(p, 0)`, `atomicOr(p, 1)`."""
    again = node.builtin.op in ("atomic_min", "atomic_max", "atomic_and", "atomic_or")
    return changes_nothing(node) or (again and constant_value(node.args[1]) is not None)


def constant_value(node: tree.Expr) -> int | float | bool | None:
    while isinstance(node, tree.Convert):
        node = node.operand
    return node.value if isinstance(node, tree.Constant) else None
