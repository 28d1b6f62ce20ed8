"""Tree-to-tree, for GPUs: a kernel with a traversal in two forms, of which a launch chooses one.

**Known as:** multiversioning with a run-time choice.

Threads of a warp that search for the same go through a tree together: then lockstep is the better form, else ropes.
Which is the case depends on the data. So a kernel `k` whose threads' coordinates are known (`query_order`) runs by
ropes, and if it is unguided, gets two kernels more:

    __global__ void k(...) {                __global__ void k_far(..., const int *s2s_near) {
        visit(nodes, 0, &q);        ->          if (*s2s_near != 0) return;
    }                                           visit(nodes, 0, &q);             // by ropes
                                            }
                                            __global__ void k_near(..., const int *s2s_near) {
                                                if (*s2s_near == 0) return;
                                                visit_near(nodes, 0, &q);        // in lockstep
                                            }

A launch looks at a sample of its threads, writes `s2s_near`, and launches both: the host need not wait. The look runs
nothing of the traversal, so it has no side effects, and both forms have the same results.

Guided traversals, in which the lanes of a warp vote (`#pragma s2s any_order`), run by ropes without a look. A lane has
a bound of its own, which shrinks as it finds something: fewer lanes continue together than in an unguided traversal,
and a vote sends some the longer way first. With the same sorted queries in 7 dimensions a step of 16 lanes has 3.2
(vp), 3.3 (nn) and 4.6 (knn) of them at work, and 5.0 in an unguided one (pc). An H200 runs the first two 1.2 times as
quickly by ropes as in lockstep, knn 0.76 times, pc 0.41 times; in 2 dimensions all guided ones are 2.9 to 5.1 times as
quick by ropes. On shuffled queries they are so on all inputs.

After Goldfarb, Jo and Kulkarni 2013, section 4.4, who run the traversals of the sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...lang.ctype import BOOL, INT, Pointer
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.calls import reached_functions, recursive_functions
from ...tree.companions import AnyCompanion, Companion, ForFarQueries, ForNearQueries, RunsInOrder, with_role
from ...tree.effects import declared_variables, is_vote
from ...tree.names import free_name
from ...tree.nodes import Function, Module, Variable
from ...tree.rewrite import copied
from ...tree.walk import map_children, walk

Rewrite = Callable[[Module], Module]


def two_forms(module: Module, far: Rewrite, near: Rewrite) -> Module:
    """Return a module in which kernels have the form `far`, and those that can have `near`, too, beside it."""
    base, other = far(module), near(module)
    orders = {each.of: each.kernel for each in with_role(module.companions, RunsInOrder)}
    kernels = [kernel for kernel in module.launched if kernel.name in orders and not _votes(module, kernel)]
    names = [kernel.name for kernel in kernels if _is_done(module, base, kernel) and _is_done(module, other, kernel)]
    names += [orders[name] for name in names]
    functions, stacks = dict(base.functions), dict(base.warp_stacks)
    companions: list[AnyCompanion] = []
    new = _renamed(module, other, names)
    for function in new.values():
        functions[function.name] = function
    for name in names:
        one = _guarded(base.functions[name], free_name(f"{name}_far", functions), near=False)
        two = _guarded(new[name], new[name].name, near=True)
        functions |= {one.name: one, two.name: two}
        companions += [Companion(one.name, name, ForFarQueries()), Companion(two.name, name, ForNearQueries())]
        if name in other.warp_stacks:
            stacks[two.name] = other.warp_stacks[name]
    left = [kernel for kernel in module.launched if not _is_done(module, base, kernel)]
    for kernel in left:  # for which there is the other form only
        if _is_done(module, other, kernel):
            changed = {kernel.name, *reached_functions(other)[kernel.name]}
            functions |= {name: other.functions[name] for name in changed}
            stacks |= {name: size for name, size in other.warp_stacks.items() if name == kernel.name}
    companions = [*base.companions, *companions]
    return replace(base, functions=functions, companions=tuple(companions), warp_stacks=stacks)


def _votes(module: Module, kernel: Function) -> bool:
    """Whether lanes vote in a traversal of a kernel on which child they visit first."""
    walks = reached_functions(module)[kernel.name] & recursive_functions(module)
    return any(is_vote(node) for name in walks for node in walk(module.functions[name].body))


def _is_done(module: Module, made: Module, kernel: Function) -> bool:
    """Whether a kernel that reached recursive functions reaches none any more."""
    reached = reached_functions(module)[kernel.name] & recursive_functions(module)
    return bool(reached) and not reached_functions(made)[kernel.name] & recursive_functions(made)


def _renamed(module: Module, made: Module, kernels: list[str]) -> dict[str, Function]:
    """Return what a rewrite has changed of kernels and what they reach, under other names."""
    reached = reached_functions(made)
    whole = set(kernels).union(*(reached[name] for name in kernels))
    changed = {name for name in whole if made.functions[name] is not module.functions.get(name)}
    changed |= {name for name in whole if reached[name] & changed} | set(kernels)
    taken = {*module.functions, *made.functions}
    names = {name: free_name(f"{name}_near", taken) for name in sorted(changed)}

    def called(node: tree.Node) -> tree.Node:
        node = map_children(node, called)
        if isinstance(node, tree.Call) and node.function in names:
            return replace(node, function=names[node.function])
        return node

    return {
        name: _renewed(
            replace(
                made.functions[name],
                name=new,
                body=map_children(made.functions[name].body, called),
                helps=made.functions[name].helps or name,
            )
        )
        for name, new in names.items()
    }


def _guarded(kernel: Function, name: str, *, near: bool) -> Function:
    """Return a kernel that does nothing unless its form is chosen."""
    build = Build(kernel.span)
    chosen = Variable("s2s_near", Pointer(INT, const=True), kernel.span, "param")
    flag = tree.Load(kernel.span, INT, tree.Deref(kernel.span, INT, build.read(chosen)))
    cond = tree.Binary(kernel.span, BOOL, "==" if near else "!=", flag, build.number(INT, 0))
    leave = build.when(cond, [tree.Return(kernel.span, None)])
    body = replace(kernel.body, statements=(leave, *kernel.body.statements))
    made = replace(kernel, name=name, params=(*kernel.params, chosen), body=body, helps=kernel.helps or kernel.name)
    return _renewed(made)


def _renewed(function: Function) -> Function:
    """Return a function of new nodes, with variables of its own, those in shared memory included."""
    new = {variable: replace(variable) for variable in (*function.params, *declared_variables(function.body))}
    params = tuple(new[param] for param in function.params)
    return replace(function, params=params, body=copied(function.body, new))
