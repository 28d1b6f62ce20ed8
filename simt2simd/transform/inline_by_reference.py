"""Tree-to-tree: where a call gets the address of a thread's own variable, the function's body takes the call's place.

**Known as:** inlining, so that address-taken variables can be promoted (mem2reg).

    __device__ float dot(const V *a, const V *b)      float d = p.x * q.x + p.y * q.y;
    { return a->x * b->x + a->y * b->y; }
    float d = dot(&p, &q);

A variable whose address is never taken lives in registers; so references, methods and functors cost nothing. The
pointer becomes the place itself, also in the result: `*at(&v, i) = x` is `v.data[i] = x`. A pointer variable that
always leads to the same variable (a local reference) becomes that place too. Branches that constant arguments decide
are gone: `m[1][2] = x` is `m.value[1].z = x`, though `operator[]` has a `switch`.

What runs first stays first. A body that is more than an expression precedes the statement of its call; what that
statement evaluates before the call is kept in variables, unless the body cannot change it. Where a call is not always
made, or once in every iteration, the statement is written with `if`s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.addresses import own_variable
from ..tree.calls import functions_reaching, reached_functions
from ..tree.effects import addressed_variables, declared_variables, is_barrier
from ..tree.nodes import Expr, Function, Module, Node
from ..tree.walk import walk
from .by_reference.bodies import is_short, places_of, writes_in
from .by_reference.constant_arguments import is_known
from .by_reference.inliner import MAX_NODES, MAX_NODES_FOR_ARRAYS, Inliner


def inline_by_reference(module: Module) -> Module:
    """Put functions in place of their calls with addresses of a thread's own variables, and places for the pointers.

    Functions that recurse, that are `__noinline__` or that declare shared variables stay calls, and so do large ones.
    Functions without calls are left out.
    """
    return _inlined(module, module.functions)


def follow_pointers(module: Module) -> Module:
    """Do the same to the functions that keep an address of a variable of the thread in a pointer; return the module."""
    names = [name for name, function in module.functions.items() if any(map(_keeps_address, walk(function.body)))]
    return _inlined(module, names) if names else module


def _inlined(module: Module, names: Iterable[str]) -> Module:
    reached = reached_functions(module)
    bodies = {name: function for name, function in module.functions.items() if _may_go(function, reached[name])}
    short = frozenset(name for name, function in bodies.items() if is_short(function))
    steps = _steps_of_kernels(module, bodies)
    functions = dict(module.functions)
    put_in: set[str] = set()
    for name in names:
        body = functions[name].body
        if any(_is_candidate(node, bodies, short | steps) for node in walk(body)):
            inliner = Inliner(bodies, short, steps, addressed_variables(body), writes_in(body))
            functions[name] = replace(functions[name], body=inliner.block(body))
            put_in |= inliner.put_in
    return replace(module, functions=_without_uncalled(functions, put_in))


def _may_go(function: Function, reached: set[str]) -> bool:
    """Whether calls of a function may become its body."""
    if function.kind != "device" or function.inline == "never" or function.name in reached:
        return False
    return all(variable.storage == "local" for variable in declared_variables(function.body))


def _steps_of_kernels(module: Module, bodies: Mapping[str, Function]) -> frozenset[str]:
    """Return the functions with loops over the threads' own elements, as kernels have: small ones, or called once.

    Those with barriers are put in place by `inline_barriers`, which knows them by name.
    """
    waiting = functions_reaching(module, is_barrier)
    calls = Counter(
        node.function
        for function in module.functions.values()
        for node in walk(function.body)
        if isinstance(node, tree.Call)
    )
    found = set()
    for name in bodies.keys() - waiting:
        nodes = list(walk(bodies[name].body))
        if len(nodes) <= (MAX_NODES if calls[name] == 1 else MAX_NODES_FOR_ARRAYS):
            kinds = {type(node) for node in nodes}
            if tree.ThreadIndex in kinds and tree.Loop in kinds:
                found.add(name)
    return frozenset(found)


def _is_candidate(node: Node, bodies: Mapping[str, Function], in_any_case: frozenset[str]) -> bool:
    match node:
        case tree.Call(function=name, args=args):
            own_or_known = any(own_variable(arg) is not None or is_known(arg) for arg in args)
            return name in in_any_case or (name in bodies and own_or_known)
    return _keeps_address(node)


def _keeps_address(node: Node) -> bool:
    """Whether a pointer gets an address of a variable of the thread."""
    match node:
        case tree.Declare(variable=variable, initial=initial) if isinstance(variable.type, Pointer):
            return initial is not None and bool(places_of(cast("Expr", initial)))
        case tree.Assign(place=tree.VarRef(), value=value):
            return own_variable(value) is not None
    return False


def _without_uncalled(functions: Mapping[str, Function], put_in: set[str]) -> dict[str, Function]:
    """Return the functions without those that were put in place of all their calls, and what only these have called."""
    left, candidates = dict(functions), set(put_in)
    while candidates:
        called = {node.function for f in left.values() for node in walk(f.body) if isinstance(node, tree.Call)}
        gone = [name for name in left if name in candidates and name not in called]
        candidates = {node.function for name in gone for node in walk(left[name].body) if isinstance(node, tree.Call)}
        left = {name: function for name, function in left.items() if name not in gone}
    return left
