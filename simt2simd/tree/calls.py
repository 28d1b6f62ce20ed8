"""The call graph: which functions of a module call which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from weakref import WeakKeyDictionary

from .effects import is_barrier, may_wait
from .nodes import Block, Call, Loop, Module, Node
from .walk import walk


def functions_reaching(module: Module, wanted: Callable[[Node], bool]) -> frozenset[str]:
    """Return the functions with a node that is `wanted` in them or in a function that they reach by calls."""
    found = {name for name, function in module.functions.items() if any(map(wanted, walk(function.body)))}
    if not found:
        return frozenset()
    callers: dict[str, list[str]] = {}
    for name, function in module.functions.items():
        for called in _called_in(function.body):
            callers.setdefault(called, []).append(name)
    todo = list(found)
    while todo:
        more = set(callers.get(todo.pop(), ())) - found
        found |= more
        todo += more
    return frozenset(found)


def expanded_nodes(module: Module, most: int) -> dict[str, int]:
    """Return how many nodes each function has with the bodies of what it calls in place of the calls, at most `most`.

    A function is not inlined into itself.
    """
    counts: dict[str, int] = {}

    def count(name: str) -> int:
        if name not in counts:
            counts[name] = 1
            below = (
                count(node.function) if isinstance(node, Call) else 1 for node in walk(module.functions[name].body)
            )
            counts[name] = min(most, sum(below))
        return counts[name]

    for name in module.functions:
        count(name)
    return counts


def synchronising_functions(module: Module) -> frozenset[str]:
    """Return the functions that may reach a barrier, directly or through calls."""
    return functions_reaching(module, is_barrier)


def waiting_loops(module: Module) -> frozenset[Loop]:
    """Return the loops in which a thread may wait for what another one writes."""
    seeing = functions_reaching(module, may_wait)

    def may_see(node: Node) -> bool:
        return may_wait(node) or (isinstance(node, Call) and node.function in seeing)

    return frozenset(
        loop
        for name in seeing
        for loop in walk(module.functions[name].body)
        if isinstance(loop, Loop) and any(map(may_see, walk(loop)))
    )


def recursive_functions(module: Module) -> frozenset[str]:
    """Return the functions that may call themselves, directly or through others."""
    return frozenset(name for name, found in reached_functions(module).items() if name in found)


def reached_functions(module: Module) -> dict[str, set[str]]:
    """Return, for each function, those of the module that it may call, directly or through others."""
    calls = {name: _called_in(function.body) for name, function in module.functions.items()}
    return closure({name: called & calls.keys() for name, called in calls.items()})


def _called_in(body: Block) -> frozenset[str]:
    """Return the functions that a body calls; many passes ask for those of the same body."""
    if body not in _CALLED:
        _CALLED[body] = frozenset(node.function for node in walk(body) if isinstance(node, Call))
    return _CALLED[body]


_CALLED: WeakKeyDictionary[Block, frozenset[str]] = WeakKeyDictionary()


def closure(calls: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """Return, for each caller, all that it reaches: what it calls, what that calls, and so on."""
    reached: dict[str, set[str]] = {}
    for name, direct in calls.items():
        found, todo = set(direct), list(direct)
        while todo:
            callee = todo.pop()
            if callee in reached:  # with all that it reaches
                found |= reached[callee]
            else:
                more = set(calls[callee]) - found
                found |= more
                todo += more
        reached[name] = found
    return reached
