"""The call sets of each recursive function, and whether the traversal that it makes is guided.

A call set is what one path through a function calls of the function itself, in order (Goldfarb, Jo and Kulkarni 2013,
section 3.2.1). It is found in the reduced control flow: the recursive calls, and what decides which of them are made.

    if (far(n, q)) return;                      if (q->x < n->split) {
    visit(n->left, q);                              near(n->left, q);  near(n->right, q);
    visit(n->right, q);                         } else {
                                                    near(n->right, q); near(n->left, q);
                                                }
    one: (n->left, n->right)                    two: (n->left, n->right), (n->right, n->left)

A path that makes a part of another path's calls, in the same order, is no set of its own: it skips parts of the tree,
as a call that returns at once does. Loops with a constant number of iterations are unrolled.

A traversal is *unguided* if all threads meet the nodes of the tree in one order, of which each may skip parts. It is
*guided* if the thread's own data say which order that is, or which nodes are visited. Two call sets alone do not make
it so, as they do in the paper: what chooses between them may be the node, and a search goes left or right, but in no
other order. Where the analysis does not know whether a value depends on the thread, it assumes so; what it
does not know at all is "unknown". Calls of one path that are written differently lead to different nodes: a tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, assert_never

from ..lang.ctype import Pointer, Scalar
from ..tree import nodes as tree
from ..tree.calls import reached_functions, recursive_functions
from ..tree.effects import (
    addressed_variables,
    is_vote,
    jumps_out,
    named_variables,
    only_reads,
    write_of,
    written_variables,
)
from ..tree.nodes import Function, Module, Variable
from ..tree.same import same_text
from ..tree.show_expr import ExprPrinter
from ..tree.walk import children, map_children, walk
from .path_invariant_values import CommonValues, constant_iterations, counter, number
from .walks import Pointers, calls, handed_on

MOST_SETS = 512

Kind = Literal["unguided", "guided", "unknown"]


@dataclass(frozen=True)
class CallSets:
    """What is known of a recursive function. `sets`: the calls of each call set, as text; empty if they are unknown."""

    function: Function
    kind: Kind
    why: str
    sets: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        if not self.sets:
            return self.kind
        count = f"{len(self.sets)} call set{'s' * (len(self.sets) != 1)}"
        shown = [*(f"({text})" for text in self.texts()[:_SHOWN]), *["..."] * (len(self.sets) > _SHOWN)]
        return f"{self.kind}, {count}: {', '.join(shown)}"

    def texts(self) -> list[str]:
        """Return each call set as text."""
        return list(map(_counted, self.sets))


_SHOWN = 4


def _counted(calls: Sequence[str]) -> str:
    """Return a call set as text; repeated calls in a row once."""
    parts: list[tuple[str, int]] = []
    for call in calls:
        if parts and parts[-1][0] == call:
            parts[-1] = (call, parts[-1][1] + 1)
        else:
            parts.append((call, 1))
    return "; ".join(call if count == 1 else f"{count} times {call}" for call, count in parts)


@dataclass(frozen=True)
class Table:
    """The call sets of a module's recursive functions, found when they are asked for."""

    module: Module

    @cached_property
    def found(self) -> tuple[CallSets, ...]:
        names = recursive_functions(self.module)
        if not names:
            return ()
        reached, pointers = reached_functions(self.module), Pointers(self.module)
        return tuple(
            _of(function, self.module, reached, pointers)
            for name, function in self.module.functions.items()
            if name in names
        )


class _UnknownError(Exception):
    """The call sets are unknown; the text says why."""


def _of(function: Function, module: Module, reached: dict[str, set[str]], pointers: Pointers) -> CallSets:
    name = function.name
    inner = sorted({node.function for node in walk(function.body) if isinstance(node, tree.Call)} - {name})
    by_way = [f"'{other}'" for other in inner if name in reached[other]]
    if by_way:
        return CallSets(function, "unknown", f"it calls itself by way of {' and '.join(by_way)}")
    nodes = _node_params(function)
    if not nodes:
        return CallSets(function, "unknown", "no parameter identifies a node of a tree")
    paths = _Paths(function)
    try:
        sets = paths.sets()
    except _UnknownError as fault:
        return CallSets(function, "unknown", str(fault))
    shown = tuple(tuple(_arguments(paths.known[step], nodes) for step in steps) for steps in sets)
    changed = written_variables(function.body) | addressed_variables(function.body)
    given = frozenset(function.params[i] for i in nodes) - changed
    common = CommonValues(module, pointers, given)
    kind, why = _judge(function, sets, nodes, common, paths)
    return CallSets(function, kind, why, shown)


def _judge(
    function: Function, sets: Sequence[Steps], nodes: Sequence[int], common: CommonValues, paths: _Paths
) -> tuple[Kind, str]:
    """Return whether a traversal is guided, and why."""
    for call in calls(function.body, function.name):
        for i in nodes:
            if not common.is_common(call.args[i]):
                return "guided", f"which node it continues with, {quoted(call.args[i])}, depends on the thread's data"
    if _in_one_order(sets) and not _may_cross(sets, paths, nodes):
        if len(sets) == 1:
            return "unguided", "all threads continue with the same nodes, in this order, or skip some"
        return "unguided", "no two of them make the same calls in another order"
    deciding = [cond for cond in _deciding(function) if not common.is_common(cond)]
    if deciding and is_vote(deciding[0]):
        return "guided", f"{quoted(deciding[0])} decides on the order, by a vote of the gang's lanes"
    if deciding:
        return "guided", f"{quoted(deciding[0])} decides on the order, and depends on the thread's data"
    return "unguided", "what decides on the order is the same for all threads at a node"


def _in_one_order(sets: Sequence[Steps]) -> bool:
    """Whether there is an order of all calls that contains the order of each set."""
    before: dict[Step, set[Step]] = {step: set() for steps in sets for step in steps}
    for steps in sets:
        for i, step in enumerate(steps):
            before[step].update(earlier for earlier in steps[:i] if earlier != step)
    while before:
        first = next((step for step, earlier in before.items() if not earlier), None)
        if first is None:
            return False
        del before[first]
        for earlier in before.values():
            earlier.discard(first)
    return True


def _may_cross(sets: Sequence[Steps], paths: _Paths, nodes: Sequence[int]) -> bool:
    """Whether two sets may visit two nodes in different orders, even if the calls are written differently."""

    def may_meet(a: Step, b: Step) -> bool:
        if a == b:
            return True
        return not any(a in steps and b in steps for steps in sets) and not paths.are_disjoint(a, b, nodes)

    return any(
        may_meet(first, late) and may_meet(second, early)
        for one, other in combinations(sets, 2)
        for first, second in combinations(one, 2)
        for early, late in combinations(other, 2)
    )


def _deciding(function: Function) -> list[tree.Expr]:
    """Return the conditions of which the order of calls may depend: first those that choose between calls.

    After these, those of jumps over calls, other than `return`, which only skips.
    """
    choosing: list[tree.Expr] = []
    skipping: list[tree.Expr] = []
    for node in walk(function.body):
        match node:
            case tree.If(cond=cond, then=then, other=other):
                if _has_calls(function, then, other):
                    choosing.append(cond)
                elif any(not isinstance(jump, tree.Return) for jump in jumps_out(node)):
                    skipping.append(cond)
            case tree.Conditional(cond=cond, then=first, other=second) if _has_calls(function, first, second):
                choosing.append(cond)
            case tree.Logical(left=left, right=right) if _has_calls(function, right):
                choosing.append(left)
            case tree.Switch(value=value) if _has_calls(function, node):
                choosing.append(value)
    return choosing + skipping


def _has_calls(function: Function, *arms: tree.Node) -> bool:
    return any(calls(arm, function.name) for arm in arms)


# ------------------------------------------------------------------------------------------------ nodes


def _node_params(function: Function) -> list[int]:
    """Return which parameters identify the node: those that calls change, and that are no numbers or lead to memory."""
    leading = _leading_to_memory(function)
    return [
        i
        for i, (param, same) in enumerate(zip(function.params, handed_on(function), strict=True))
        if not same and (not isinstance(param.type, Scalar) or (param.type.kind == "int" and param in leading))
    ]


def _leading_to_memory(function: Function) -> set[Variable]:
    """Return the variables that addresses in a function, or what it hands to other functions, are computed from."""
    found: set[Variable] = set()
    flows: list[tuple[Variable, set[Variable]]] = []
    for node in walk(function.body):
        match node:
            case tree.Deref(pointer=pointer):
                found |= named_variables(pointer)
            case tree.Index() | tree.PointerAdd():
                found |= named_variables(node)
            case tree.Call(function=name, args=args) if name != function.name:
                found |= {v for arg in args if not _is_float(arg) for v in named_variables(arg)}
            case tree.Declare(variable=variable, initial=initial) if initial is not None:
                flows.append((variable, named_variables(initial)))
        write = write_of(node)
        if write is not None and write.variable is not None and write.value is not None:
            flows.append((write.variable, named_variables(write.value)))
    while more := set[Variable]().union(*(sources for target, sources in flows if target in found)) - found:
        found |= more
    return found


def _is_float(node: tree.Expr) -> bool:
    return isinstance(node.type, Scalar) and node.type.kind == "float"


def _arguments(call: tree.Call, nodes: Sequence[int]) -> str:
    """Return the node that a call visits, as text."""
    return ", ".join(_text(call.args[i]) for i in nodes)


def quoted(node: tree.Expr) -> str:
    text = _text(node)
    return f"'{text}'" if len(text) <= _LONGEST else f"the expression in line {node.span.line}"


_LONGEST = 60


def _text(node: tree.Expr) -> str:
    return ExprPrinter(lambda variable: variable.name).as_type(node, node.type)


# ------------------------------------------------------------------------------------------------ paths

Step = int  # a call, by its number: calls that visit the same nodes have the same one
Steps = tuple[Step, ...]
Exit = Literal["next", "break", "continue", "return"]
Ways = dict[tuple[Steps, Exit], None]  # the paths through a part of a function: an ordered set

_NEXT: Exit = "next"
_ONWARD: Ways = {((), _NEXT): None}


class _Paths:
    """Finds the paths through the reduced control flow of a function. `known`: its calls, one for each step."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.known: list[tree.Call] = []
        self.meanings: list[tree.Call] = []  # the same calls, with values in the place of counters and local variables
        self.counters: dict[Variable, int] = {}
        self.values = fixed_values(function)

    def sets(self) -> list[Steps]:
        """Return the call sets: the calls of all paths that make any. Raises `_UnknownError`."""
        ways = self.block(self.function.body)
        return [steps for steps, _ in _longest({(steps, _NEXT): None for steps, _ in ways if steps})]

    def block(self, block: tree.Block) -> Ways:
        return self.sequence(self.statement(node) for node in block.statements)

    def sequence(self, parts: Iterable[Ways]) -> Ways:
        ways = _ONWARD
        for part in parts:
            ways = _then(ways, part)
        return ways

    def has_calls(self, node: tree.Node) -> bool:
        return bool(calls(node, self.function.name))

    def statement(self, node: tree.Stmt) -> Ways:
        match node:
            case tree.Block():
                return self.block(node)
            case tree.Declare(initial=initial):
                return _ONWARD if initial is None else self.expression(initial)
            case tree.Evaluate(expr=expr):
                return self.expression(expr)
            case tree.If():
                arms = _either(self.block(node.then), self.block(node.other))
                return _then(self.expression(node.cond), arms)
            case tree.Loop():
                return self.loop(node)
            case tree.Switch():
                return self.switch(node)
            case tree.Break():
                return {((), "break"): None}
            case tree.Continue():
                return {((), "continue"): None}
            case tree.Return(value=value):
                before = _ONWARD if value is None else self.expression(value)
                return {(steps, "return"): None for steps, _ in before}
            case _:
                assert_never(node)

    def expression(self, node: tree.Node) -> Ways:
        """The calls of an expression in the order in which they are evaluated."""
        if not self.has_calls(node):
            return _ONWARD
        match node:
            case tree.Logical(left=left, right=right):
                return _then(self.expression(left), _either(self.expression(right), _ONWARD))
            case tree.Conditional(cond=cond, then=then, other=other):
                return _then(self.expression(cond), _either(self.expression(then), self.expression(other)))
            case tree.Assign(place=place, value=value) | tree.CompoundAssign(place=place, value=value):
                return self.sequence(map(self.expression, (value, place)))
            case tree.Call(function=name):
                before = self.sequence(map(self.expression, node.args))
                return _then(before, {((self.step(node),), _NEXT): None}) if name == self.function.name else before
        return self.sequence(map(self.expression, children(node)))

    def step(self, call: tree.Call) -> Step:
        meaning = self.meaning(call)
        step = next((i for i, known in enumerate(self.meanings) if same_text(known, meaning)), len(self.known))
        if step == len(self.known):
            self.known.append(call)
            self.meanings.append(meaning)
        return step

    def meaning(self, node: Any) -> Any:
        """Return `node` with the values of what it names, as far as they are known; for comparisons only."""
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.counters:
                return tree.Constant(node.span, node.type, self.counters[variable])
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.values:
                return self.meaning(self.values[variable])
            case tree.Convert(type=Pointer(), operand=operand) if isinstance(operand.type, Pointer):
                return self.meaning(operand)
        return map_children(node, self.meaning)

    def are_disjoint(self, a: Step, b: Step, nodes: Sequence[int]) -> bool:
        """Whether two calls visit different children: other members, or other elements, of the same thing."""
        return any(_are_disjoint(self.meanings[a].args[i], self.meanings[b].args[i]) for i in nodes)

    def loop(self, node: tree.Loop) -> Ways:
        if not self.has_calls(node):
            return _either(_ONWARD, {((), "return"): None} if jumps_out(node) else {})
        values, variable = constant_iterations(node), counter(node)
        if not node.test_first and isinstance(node.cond, tree.Constant) and not node.cond.value:
            return _after_loop(self.block(node.body))
        if values is None or variable is None:
            raise _UnknownError(f"the loop in line {node.span.line} makes calls, in iterations that cannot be counted")
        ways = _ONWARD
        for value in values:
            self.counters[variable] = value
            ways = _then(ways, _after_iteration(self.block(node.body)))
        self.counters.pop(variable, None)
        return _after_loop(ways)

    def switch(self, node: tree.Switch) -> Ways:
        ways: Ways = {}
        bodies = [self.block(section.body) for section in node.sections]
        for i in range(len(bodies)):
            ways = _either(ways, self.sequence(bodies[i:]))
        if all(label is not None for section in node.sections for label in section.labels):
            ways = _either(ways, _ONWARD)
        ended = {(steps, _NEXT if way == "break" else way): None for steps, way in ways}
        return _then(self.expression(node.value), _longest(ended))


def fixed_values(function: Function) -> dict[Variable, tree.Expr]:
    """Return the values of local variables that are what they are declared as, computed from other such variables."""
    changed = written_variables(function.body) | addressed_variables(function.body)
    return {
        node.variable: node.initial
        for node in walk(function.body)
        if isinstance(node, tree.Declare)
        and node.initial is not None
        and not isinstance(node.initial, tree.Braces)
        and node.variable not in changed
        and not (named_variables(node.initial) & changed)
        and only_reads(node.initial)
    }


def _are_disjoint(a: tree.Expr, b: tree.Expr) -> bool:
    match a, b:
        case tree.Load(place=tree.Member() as left), tree.Load(place=tree.Member() as right):
            return left.offset != right.offset and same_text(left.base, right.base)
        case tree.Load(place=tree.Index() as one), tree.Load(place=tree.Index() as other):
            numbers = number(one.index), number(other.index)
            return None not in numbers and numbers[0] != numbers[1] and same_text(one.pointer, other.pointer)
    return False


def _after_iteration(ways: Ways) -> Ways:
    return _longest({(steps, _NEXT if way == "continue" else way): None for steps, way in ways})


def _after_loop(ways: Ways) -> Ways:
    return _longest({(steps, way if way == "return" else _NEXT): None for steps, way in ways})


def _then(first: Ways, second: Ways) -> Ways:
    """The paths of two parts, one after the other."""
    if second is _ONWARD:
        return first
    ways: Ways = {}
    for steps, way in first:
        if way == _NEXT:
            ways.update({(steps + more, ending): None for more, ending in second})
        else:
            ways[steps, way] = None
    return _longest(ways)


def _either(first: Ways, second: Ways) -> Ways:
    return _longest({**first, **second})


def _longest(ways: Ways) -> Ways:
    """Leave out the paths whose calls are a part of those of another path, which ends in the same way."""
    if len(ways) > MOST_SETS:
        raise _UnknownError(f"there are more than {MOST_SETS} call sets")
    if len(ways) < 2:
        return ways
    return {
        (steps, way): None
        for steps, way in ways
        if not any(way == other_way and len(other) > len(steps) and _is_part(steps, other) for other, other_way in ways)
    }


def _is_part(steps: Steps, others: Steps) -> bool:
    """Whether `others` has the calls of `steps` in their order."""
    left = iter(others)
    return all(step in left for step in steps)
