"""Which recursive functions are walks that a loop over a stack can run (`lower/traversal_stack`).

A walk does its work at a node before it visits the children, and nothing after that:

    void visit(nodes, n, q) {                       stack = {}
        if (far(nodes, n, q)) return;               for (;;) {
        q->count++;                                     if (!far(nodes, n, q)) {
        if (nodes[n].left >= 0)                             q->count++;
            visit(nodes, nodes[n].left, q);                 if (nodes[n].right >= 0) push nodes[n].right
        if (nodes[n].right >= 0)                            if (nodes[n].left >= 0) { n = nodes[n].left; continue; }
            visit(nodes, nodes[n].right, q);            }
    }                                                   if (empty) break;
                                                        pop n
                                                    }

The tree stays as it is, a recursive function that is marked as `looped`: the shapes of its calls are those of its
iterations. What is pushed, and with which lanes, is the business of the lowering. Calls may appear in a loop, as over
the children of a node of an octree, whose other statements only compute for themselves. It pushes them all before it
makes the first. The stack of a loop over a stack, as the program has it, has room for that; a recursive function needs
no room, so its loops must have few iterations, by constants.

The loop finds out what all the calls of a node are before it makes the first of them. That changes nothing as long as
the walk does not write what this reads. So a walk writes only to objects of the thread that nothing but the pointers
handed to it lead to, as `*q` above, and what the calls depend on is read through other pointers. Or it writes anywhere,
and what the calls depend on is held in variables of the function itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..lang.ctype import VOID, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.calls import reached_functions, recursive_functions
from ..tree.effects import (
    addressed_variables,
    declared_variables,
    is_effect,
    is_local,
    is_volatile,
    may_wait,
    only_reads,
    root,
    write_of,
    written_variables,
)
from ..tree.nodes import Function, Loop, Module, Variable
from ..tree.same import is_value_of
from ..tree.walk import children, walk
from . import storage
from .counted_loops import max_trip_count


def mark(module: Module) -> Module:
    """Mark the functions that are walks as `looped`."""
    names = recursive_functions(module)
    if not names:
        return module
    pointers = Pointers(module)
    functions = {
        name: replace(function, looped=True) if name in names and pointers.is_walk(function) else function
        for name, function in module.functions.items()
    }
    return replace(module, functions=functions)


MOST_CALLS = 64  # of a loop in a recursive function


def _are_few(node: tree.Node, name: str, most: int) -> bool:
    """Whether the loops in a step make few calls."""
    if isinstance(node, Loop) and calls(node, name):
        count = max_trip_count(node)
        return count is not None and count <= most and _are_few(node.body, name, most // max(1, count))
    return all(_are_few(below, name, most) for below in children(node))


def handed_on(function: Function) -> list[bool]:
    """Return for each parameter of a recursive function whether all its calls of itself pass its value on."""
    changed = written_variables(function.body) | addressed_variables(function.body)

    return [
        param not in changed and all(is_value_of(call.args[i], param) for call in calls(function.body, function.name))
        for i, param in enumerate(function.params)
    ]


def calls(node: tree.Node, name: str) -> list[tree.Call]:
    """Return the calls of a function in `node`."""
    return [below for below in walk(node) if isinstance(below, tree.Call) and below.function == name]


# ------------------------------------------------------------------------------------------ the parts of a walk


@dataclass(frozen=True)
class Parts:
    """The statements of a walk, or of an arm of it: first the `work`, then what visits the children.

    That is a `fork`, an `if` whose arms are such statements again, or `steps`: calls, under conditions or in loops or
    not, and declarations of what these need.
    """

    work: tuple[tree.Stmt, ...]
    fork: tree.If | None = None
    steps: tuple[tree.Stmt, ...] = ()


def parts(
    statements: Sequence[tree.Stmt],
    name: str,
    may_wait: Callable[[tree.Node], bool] = only_reads,
    *,
    loops: bool = False,
) -> Parts | None:
    """Divide the statements of the walk `name`, or of an arm of it; None if they are in no such order.

    `may_wait` says which expressions may be evaluated in steps. `loops`: a step may be a loop of calls.
    """
    first = next((i for i, node in enumerate(statements) if calls(node, name)), len(statements))
    work, rest = tuple(statements[:first]), list(statements[first:])
    if rest and isinstance(rest[-1], tree.Return):
        rest.pop()
    match rest:
        case [tree.Block(statements=below)]:
            inner = parts(below, name, may_wait, loops=loops)
            return None if inner is None else replace(inner, work=work + inner.work)
        case [tree.If() as fork] if not calls(fork.cond, name):  # its condition is found before any call is made
            arms = tuple(parts(arm.statements, name, may_wait, loops=loops) for arm in (fork.then, fork.other))
            return Parts(work, fork) if None not in arms else None
        case _ if all(is_step(node, name, may_wait, loops=loops) for node in rest):
            return Parts(work, steps=tuple(rest))
    return None


def is_step(node: tree.Stmt, name: str, may_wait: Callable[[tree.Node], bool], *, loops: bool = False) -> bool:
    """Whether a statement may be a step, given which expressions may be evaluated in one."""

    def is_one(below: tree.Stmt) -> bool:
        return is_step(below, name, may_wait, loops=loops)

    match node:
        case tree.Evaluate(expr=tree.Call(function=called, args=args)):
            return called == name and all(map(may_wait, args))
        case tree.Declare(variable=variable, initial=initial):
            plain = isinstance(variable.type, Scalar | Pointer) and variable.storage == "local"
            return plain and initial is not None and may_wait(initial)
        case tree.If():
            return may_wait(node.cond) and is_one(node.then) and is_one(node.other)
        case tree.Block():
            return all(map(is_one, node.statements))
        case Loop() if loops:
            return bool(calls(node, name)) and _only_calls(node, name, declared_variables(node))
    return False


def _only_calls(node: tree.Node, name: str, own: set[Variable]) -> bool:
    """Whether a part of a loop does nothing but call `name` as a statement, and write to its `own` variables.

    What other functions do that it calls is not looked at.
    """
    match node:
        case tree.Evaluate(expr=tree.Call(function=called, args=args)) if called == name:
            return all(_only_calls(arg, name, own) for arg in args)
        case tree.Call(function=called) if called == name:
            return False
        case tree.Return() | tree.Switch():
            return False
        case tree.Declare(variable=variable) if variable.storage != "local":
            return False
        case tree.Assign() | tree.CompoundAssign() | tree.Increment():
            if not isinstance(node.place, tree.VarRef) or node.place.variable not in own:
                return False
        case tree.Call():
            pass
        case _ if is_effect(node) or (isinstance(node, tree.Place) and is_volatile(node)):
            return False
    return all(_only_calls(below, name, own) for below in children(node))


def _steps(statements: Sequence[tree.Stmt], name: str) -> Iterator[tree.Stmt]:
    """All steps of a walk."""
    found = parts(statements, name, loops=True)
    assert found is not None
    yield from found.steps
    if found.fork is not None:
        yield from _steps(found.fork.then.statements, name)
        yield from _steps(found.fork.other.statements, name)


def _waits(node: tree.Node) -> bool:
    """Whether `node` is a loop that may wait for other threads."""
    return isinstance(node, Loop) and any(map(may_wait, walk(node)))


# ------------------------------------------------------------------------------------------- what writes where


class Pointers:
    """What the pointer variables of a module may lead to.

    `reaching` those that may lead to a variable of a function, one of the `targets`; `own` those that lead to nothing
    but variables of functions, and to one whose address is never kept anywhere: no other pointer can lead there.
    """

    def __init__(self, module: Module, targets: Callable[[Variable], bool] = is_local) -> None:
        self.module = module
        self.targets = targets
        self.reached = reached_functions(module)
        self.storage = storage.decide(module)
        flows = list(self._flows())
        self.reaching: set[Variable] = set()
        self.own = {target for target, _ in flows}
        while wrong := {target for target, value in flows if target in self.own and not self.is_own(value)}:
            self.own -= wrong
        while more := {target for target, value in flows if target not in self.reaching and self.may_reach(value)}:
            self.reaching |= more

    def _flows(self) -> Iterator[tuple[Variable, tree.Expr]]:
        """Each value that a pointer variable takes."""
        for function in self.module.functions.values():
            for node in walk(function.body):
                match node:
                    case tree.Declare(variable=variable, initial=value) if isinstance(variable.type, Pointer):
                        if value is not None and not isinstance(value, tree.Braces):
                            yield variable, value
                    case tree.Assign(place=tree.VarRef(variable=variable), value=value):
                        if isinstance(variable.type, Pointer):
                            yield variable, value
                    case tree.Call():
                        params = self.module.functions[node.function].params
                        for param, value in zip(params, node.args, strict=True):
                            if isinstance(param.type, Pointer):
                                yield param, value

    def is_own(self, node: tree.Expr) -> bool:
        match node:
            case tree.AddressOf(place=place) | tree.Decay(place=place):
                variable = root(place)
                if variable is not None:
                    return is_local(variable) and variable not in self.storage.escaped
                below = storage.pointer_below(place)
                return below is not None and self.is_own(below)
            case tree.PointerAdd(pointer=pointer):
                return self.is_own(pointer)
            case tree.Convert(operand=operand):
                return self.is_own(operand)
            case tree.Conditional():
                return self.is_own(node.then) and self.is_own(node.other)
            case tree.Load(place=tree.VarRef(variable=variable)):
                return variable in self.own
        return False

    def may_reach(self, node: tree.Expr) -> bool:
        match node:
            case tree.AddressOf(place=place) | tree.Decay(place=place):
                variable = root(place)
                if variable is not None:
                    return self.targets(variable)
                below = storage.pointer_below(place)
                return below is None or self.may_reach(below)
            case tree.PointerAdd(pointer=pointer):
                return self.may_reach(pointer)
            case tree.Convert(operand=operand) if isinstance(operand.type, Pointer):
                return self.may_reach(operand)
            case tree.Conditional():
                return self.may_reach(node.then) or self.may_reach(node.other)
            case tree.Load(place=tree.VarRef(variable=variable)):
                return variable in self.reaching
            case tree.Constant() | tree.Load():
                return False  # an address that was kept: that of no variable that is its thread's own
        return True

    # ---------------------------------------------------------------------------------------- the walk

    def is_walk(self, function: Function) -> bool:
        """Whether a loop over a stack can run a function that calls itself."""
        name = function.name
        inner = {call.function for call in walk(function.body) if isinstance(call, tree.Call)} - {name}
        if (
            function.kind != "device"
            or function.result != VOID
            or not calls(function.body, name)
            or any(name in self.reached[called] for called in inner)
            or name in self.storage.synchronising
            or parts(function.body.statements, name, loops=True) is None
        ):
            return False
        if not function.has_room and not _are_few(function.body, name, MOST_CALLS):
            return False
        work = {name, *inner}.union(*(self.reached[called] for called in inner))
        work_nodes = [node for called in work for node in walk(self.module.functions[called].body)]
        nodes = [node for step in _steps(function.body.statements, name) for node in walk(step)]
        asked = {node.function for node in nodes if isinstance(node, tree.Call)} - {name}
        if all(map(self.keeps_to_itself, work_nodes)):
            are_same = not any(map(self.may_be_written, nodes)) and all(map(self.only_computes, asked))
        else:
            are_same = not asked and all(map(self.is_decided, nodes)) and not any(map(_waits, work_nodes))
        kept = handed_on(function)
        return are_same and not any(
            isinstance(arg.type, Pointer) and self.may_reach(arg)
            for node in nodes
            if isinstance(node, tree.Call) and node.function == name
            for arg, same in zip(node.args, kept, strict=True)
            if not same
        )

    def keeps_to_itself(self, node: tree.Node) -> bool:
        """Whether `node` changes nothing but objects of the thread's own."""
        match node:
            case tree.Assign(place=place) | tree.CompoundAssign(place=place) | tree.Increment(place=place):
                variable = root(place)
                if variable is not None:
                    return is_local(variable)
                below = storage.pointer_below(place)
                return below is not None and self.is_own(below)
            case tree.BuiltinCall() if node.builtin.counts:
                return True
            case tree.BuiltinCall(args=args) if not node.builtin.pure:
                results = [arg for arg in args if isinstance(arg.type, Pointer)]
                return bool(results) and all(map(self.is_own, results))
            case _:
                return isinstance(node, tree.Call) or not is_effect(node)  # what is called is looked at by itself

    def only_computes(self, name: str) -> bool:
        """Whether a function only has a result, which a walk cannot change by what it writes."""
        bodies = [self.module.functions[called].body for called in (name, *self.reached[name])]
        nodes = [node for body in bodies for node in walk(body)]
        return not any(
            self.may_be_written(node)
            or (isinstance(node, tree.BuiltinCall) and not node.builtin.pure)
            or (isinstance(node, tree.Place) and is_volatile(node))
            or ((write := write_of(node)) is not None and (write.variable is None or not is_local(write.variable)))
            for node in nodes
        )

    def is_decided(self, node: tree.Node) -> bool:
        """Whether `node`, a part of a step, reads at most variables that only the function itself can change."""
        match node:
            case tree.VarRef(variable=variable):
                return is_local(variable) and variable not in self.storage.addressed
            case tree.Load(place=place):
                return root(place) is not None
        return True

    def may_be_written(self, node: tree.Node) -> bool:
        """Whether `node`, a part of a step, reads what a walk may write: an object that it was handed a pointer to.

        Its own variables it has anew at every node.
        """
        match node:
            case tree.Load(place=place) if root(place) is None:
                below = storage.pointer_below(place)
                return below is None or self.may_reach(below)
        return False
