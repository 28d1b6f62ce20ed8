"""Which values are the same in all threads that reach a node of a tree by the same calls.

**Known as:** path-invariant values of a traversal.

What a thread computes from its own index or keeps in its own variables differs, and so does what it chose by that. What
it reads from memory that all threads share, at an address that is the same, is the same: a program without races.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..lang.ctype import Scalar
from ..tree import nodes as tree
from ..tree.calls import reached_functions
from ..tree.effects import addressed_variables, is_changeable, is_local, is_volatile, jumps_out, root, write_of
from ..tree.nodes import Function, Module, Variable
from ..tree.same import is_value_of, without_conversions
from ..tree.walk import children, walk
from .storage import pointer_below
from .walks import Pointers

MAX_TRIP_COUNT = 64  # of a loop over children


@dataclass(frozen=True)
class _Value:
    """One value that a variable takes, under conditions; None for what is different, whatever it is computed from."""

    variable: Variable
    value: tree.Expr | None
    conditions: tuple[tree.Expr | None, ...] = ()


class CommonValues:
    """The variables that are the same in all threads. `given` are by definition: those that identify the node."""

    def __init__(self, module: Module, pointers: Pointers, given: frozenset[Variable]) -> None:
        self.module, self.pointers = module, pointers
        self.reached = reached_functions(module)
        values = [value for function in module.functions.values() for value in _values(function, module)]
        launched = {kernel.name for kernel in module.kernels}.union(*(self.reached[k.name] for k in module.kernels))
        unknown = [function for name, function in module.functions.items() if name not in launched]
        self.differing = {param for function in unknown for param in function.params}
        self.differing |= {v for function in module.functions.values() for v in addressed_variables(function.body)}
        self.differing -= given
        while more := {v.variable for v in values if v.variable not in self.differing | given and not self._holds(v)}:
            self.differing |= more

    def _holds(self, value: _Value) -> bool:
        parts = (value.value, *value.conditions)
        return all(part is not None and self.is_common(part) for part in parts)

    def is_common(self, node: tree.Node) -> bool:
        """Whether `node` has one value in all threads."""
        match node:
            case tree.ThreadIndex():
                return node.name in ("blockDim", "gridDim")
            case tree.VarRef(variable=variable):
                return not is_changeable(variable) and variable not in self.differing
            case tree.Load(place=place) if root(place) is None:
                below = pointer_below(place)
                if below is None or is_volatile(place) or self.pointers.may_reach(below):
                    return False
            case tree.AddressOf(place=place) | tree.Decay(place=place):
                named = root(place)
                if named is not None and named.storage not in ("constant", "device"):
                    return False
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return False
            case tree.BuiltinCall() if not node.builtin.pure:
                return False
            case tree.Call(function=name) if not self._is_plain(name):
                return False
        if isinstance(node, tree.Call | tree.BuiltinCall) and any(map(self._reaches_own, node.args)):
            return False
        return all(map(self.is_common, children(node)))

    def _reaches_own(self, arg: tree.Expr) -> bool:
        return not isinstance(arg.type, Scalar) and self.pointers.may_reach(arg)

    def _is_plain(self, name: str) -> bool:
        """Whether a function's result depends on its arguments and shared memory alone."""
        return not any(
            (isinstance(node, tree.ThreadIndex) and node.name in ("threadIdx", "blockIdx"))
            or (isinstance(node, tree.BuiltinCall) and not node.builtin.pure and not node.builtin.counts)
            or (isinstance(node, tree.VarRef) and is_changeable(node.variable))
            for reached in {name, *self.reached[name]}
            for node in walk(self.module.functions[reached].body)
        )


def _values(function: Function, module: Module) -> Iterator[_Value]:
    """Yield the values that the variables of a function take, and those that it gives to others' parameters."""
    yield from _values_in(function.body, (), module)


def _values_in(node: tree.Node, conditions: tuple[tree.Expr | None, ...], module: Module) -> Iterator[_Value]:
    inner = conditions
    match node:
        case tree.Declare(variable=variable, initial=initial):
            if isinstance(initial, tree.Braces):
                yield from (_Value(variable, value) for _, _, value in initial.items)
            elif initial is not None:
                yield _Value(variable, initial)
        case tree.Call():
            params = module.functions[node.function].params
            yield from (_Value(param, arg) for param, arg in zip(params, node.args, strict=True))
        case tree.If(cond=cond) | tree.Conditional(cond=cond):
            inner = (*conditions, cond)
        case tree.Logical(left=left):
            inner = (*conditions, left)
        case tree.Switch(value=value):
            inner = (*conditions, value, *[None] * _ends_early(node))
        case tree.Loop() if constant_iterations(node) is not None:  # its counter is a number in each iteration
            within = (*conditions, *[None] * any(map(_leaves, walk(node.body))))
            yield from _values_in(node.body, within, module)
            return
        case tree.Loop():
            inner = (*conditions, None)
    write = write_of(node)
    if write is not None and write.variable is not None and is_local(write.variable):
        whole = isinstance(node, tree.Assign) and isinstance(node.place, tree.VarRef)
        yield _Value(write.variable, write.value if whole else None, conditions)
    for child in children(node):
        yield from _values_in(child, inner, module)


# ------------------------------------------------------------------------------------------------ loops


def counter(loop: tree.Loop) -> Variable | None:
    """Return the variable of a loop `for (T i = number; ...; i op number)` that nothing else changes."""
    match loop.init:
        case (tree.Declare(variable=variable, initial=initial),) if isinstance(initial, tree.Expr):
            start = number(initial)
        case _:
            return None
    within = (loop.body, *((loop.cond,) if loop.cond is not None else ()))
    changed = {write.variable for part in within for node in walk(part) if (write := write_of(node)) is not None}
    steps = len(loop.step) == 1 and _step(loop.step[0], variable) is not None
    addressed = any(variable in addressed_variables(part) for part in within)
    return variable if start is not None and steps and variable not in changed and not addressed else None


def constant_iterations(loop: tree.Loop) -> range | None:
    """Return the values of a loop's counter if no iteration ends the loop; None if their number is not constant."""
    variable = counter(loop)
    if variable is None or not loop.test_first:
        return None
    (first,) = loop.init
    assert isinstance(first, tree.Declare) and isinstance(first.initial, tree.Expr)
    start, step = number(first.initial), _step(loop.step[0], variable)
    end = _end(loop.cond, variable)
    if start is None or not step or end is None:
        return None
    bound, comparison = end
    found = {
        "<": range(start, bound, step) if step > 0 else None,
        "<=": range(start, bound + 1, step) if step > 0 else None,
        ">": range(start, bound, step) if step < 0 else None,
        ">=": range(start, bound - 1, step) if step < 0 else None,
        "!=": range(start, bound, step) if (bound - start) * step >= 0 and (bound - start) % step == 0 else None,
    }.get(comparison)
    return found if found is not None and len(found) <= MAX_TRIP_COUNT else None


def _ends_early(node: tree.Switch) -> bool:
    """Whether some threads may skip a part of a section."""
    ifs = (below for below in walk(node) if isinstance(below, tree.If))
    return any(isinstance(jump, tree.Break) for below in ifs for jump in jumps_out(below))


def _leaves(node: tree.Node) -> bool:
    return isinstance(node, tree.Break | tree.Continue | tree.Return)


def _step(node: tree.Expr, variable: Variable) -> int | None:
    match node:
        case tree.Increment(place=tree.VarRef(variable=changed), delta=delta) if changed is variable:
            return delta
        case tree.CompoundAssign(place=tree.VarRef(variable=changed), op="+" | "-" as op, value=value) if (
            changed is variable
        ):
            by = number(value)
            return by if by is None or op == "+" else -by
    return None


def _end(cond: tree.Expr | None, variable: Variable) -> tuple[int, str] | None:
    """Return the number that a loop's test compares the counter with, and how."""
    if not isinstance(cond, tree.Binary):
        return None
    bound = number(cond.right)
    names = is_value_of(without_conversions(cond.left), variable)
    return (bound, cond.op) if bound is not None and names else None


def number(node: tree.Expr) -> int | None:
    """Return the value of a constant integer."""
    match node:
        case tree.Constant(value=int(value)):
            return int(value)
        case tree.Convert(operand=operand, type=Scalar(kind="int")):
            return number(operand)
        case tree.Load(place=tree.VarRef(variable=Variable(storage="constant", initial=bytes(data), type=ctype))):
            if isinstance(ctype, Scalar) and ctype.kind == "int":
                return int.from_bytes(data, "little", signed=ctype.signed)
    return None
