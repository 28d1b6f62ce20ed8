"""What cannot be emitted is an error: all that kernels reach has the form that was asked for, or nothing is written.

`--traverse=lockstep` is refused where a kernel still reaches a function that calls itself: the times of such a program
would be those of another form. `recursive`, `none` and `auto` ask for no form in particular.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ..diag import CompileError, Diagnostic
from ..options import Traverse
from ..source import Span
from ..transform.nested_launches.levels.pattern import launches_itself
from ..transform.traversals import lane_refill, lockstep, ropes, static_ropes
from ..transform.traversals.ropes import Recursive
from ..tree.calls import reached_functions, recursive_functions
from ..tree.companions import FollowsRopes, RunsInOrder, with_role
from ..tree.nodes import Function, Module
from . import results
from .compiled import Compiled

# For which functions a form cannot be had, and why.
_REFUSED: Mapping[Traverse, Callable[[Module], list[Recursive]]] = MappingProxyType(
    {
        Traverse.LOCKSTEP: lockstep.refused,
        Traverse.ROPES: ropes.refused,
        Traverse.STATIC_ROPES: static_ropes.refused,
        Traverse.STATIC_ROPES_LOCKSTEP: static_ropes.refused,
        Traverse.REFILL: lambda module: [*ropes.refused(module), *lane_refill.refused(module)],
    }
)


def require_printed(traverse: Traverse, source: Span) -> None:
    """Refuse a form that `--emit cuda` does not know."""
    if traverse.asks_for_a_form and not traverse.is_by_levels and traverse not in _REFUSED:
        raise CompileError(
            [
                Diagnostic(
                    source,
                    f"--emit cuda cannot write the form of --traverse={traverse}",
                    help="the nearest is --traverse=ropes: a loop over a stack for each thread",
                )
            ]
        )


def require_form(
    compiled: Compiled, left: Mapping[str, str], launches: Mapping[str, str], fixed: Collection[str]
) -> None:
    """Raise `CompileError` unless all that kernels reach has the form that was asked for.

    `left`: the functions that a rewrite has changed and whose text stays as it was, and why; `launches`: the kernels
    whose launches stay as they were; `fixed`: the functions whose text no form can replace.
    """
    asked = compiled.options.traverse
    faults = [*_unsorted(compiled)] if compiled.options.sort_queries else []
    if asked.asks_for_a_form:
        faults += _left(compiled, left)
        faults += _recursions(compiled, fixed) if not asked.is_by_levels else []
        if not faults and not _has_form(compiled):
            faults = [_nothing_to_change(compiled)]
    functions = compiled[results.TREE].functions
    if not faults:
        faults = [_fault(compiled, functions[name], why, fixed) for name, why in launches.items()]
    if faults:
        raise CompileError(faults)


def _unsorted(compiled: Compiled) -> Iterator[Diagnostic]:
    """Yield the kernels with traversals whose launches cannot sort threads."""
    module = compiled[results.QUERY_ORDER]
    assert isinstance(module, Module)
    recursive, reached = recursive_functions(module), reached_functions(module)
    kernels = [kernel for kernel in module.launched if reached[kernel.name] & recursive]
    help = "compile without --sort-queries: then threads run in the order of the launch"
    if not kernels:
        span = next((kernel.span for kernel in module.kernels), Span(compiled.source, 1, 0))
        why = "--sort-queries has nothing to do: no kernel reaches a function that calls itself"
        yield Diagnostic(span, why, help=help)
    for kernel in kernels:
        if module.companion(kernel.name, RunsInOrder) is None:
            why = "is not known before the launch"
            if compiled.options.traverse is Traverse.REFILL:
                why = "is of no use with --traverse=refill, whose threads take one query after the other"
            what = f"kernel '{kernel.title}' cannot be emitted under --sort-queries: what its threads search for {why}"
            yield Diagnostic(kernel.span, what, help=help)


def _left(compiled: Compiled, left: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield what has got the form, and cannot be written into the program's text."""
    module = compiled[results.TREE]
    below = reached_functions(module)
    reached = set().union(*({kernel.name} | below[kernel.name] for kernel in module.kernels))
    help = f"compile without {_asked(compiled)}: then it stays as it is written"
    called = {name for name in left if module.functions[name].kind != "kernel"}
    for name, why in left.items():
        if name in reached and (name in called or not below[name] & called):  # else it stays because of what it calls
            yield replace(_fault(compiled, module.functions[name], why, left), help=help)


def _recursions(compiled: Compiled, fixed: Collection[str]) -> Iterator[Diagnostic]:
    """Yield the functions that still call themselves, and that kernels reach."""
    before, after = _before(compiled), _formed(compiled)
    reached, recursive = reached_functions(after), recursive_functions(after)
    asked = compiled.options.traverse
    reasons: dict[str, Recursive] = {}
    for refused in _REFUSED[asked](before):
        reasons.setdefault(refused.name, refused)
    for kernel in after.launched:
        if asked is Traverse.REFILL and kernel.name in reasons:
            yield _fault(compiled, kernel, reasons[kernel.name].why, fixed, reasons[kernel.name].span)
            continue
        for name in sorted(reached[kernel.name] & recursive):
            follows = after.companion(kernel.name, FollowsRopes)
            if follows is not None and follows.role.traversal == name:
                continue
            found = reasons.get(name)
            why = found.why if found else f"'{kernel.title}' reaches it as it is written"
            if name in after.functions and not after.functions[name].helps:
                yield _fault(compiled, after.functions[name], why, fixed, found.span if found else None)


def _before(compiled: Compiled) -> Module:
    """Return the program before traversals got their form."""
    module = compiled[results.LEVEL_SYNCHRONOUS]
    assert isinstance(module, Module)
    return module


def _formed(compiled: Compiled) -> Module:
    """Return the program once traversals have their form."""
    names = list(compiled.results)
    made = (compiled.results[name] for name in reversed(names[: names.index(results.MERGE_CALLS.name)]))
    return next(result for result in made if isinstance(result, Module))


def _has_form(compiled: Compiled) -> bool:
    """Whether a function that kernels reach has the form."""
    before, after = _before(compiled), _formed(compiled)
    if compiled.options.traverse.is_by_levels:
        return any(map(launches_itself, compiled[results.TREE].kernels))
    if compiled.options.traverse.has_static_ropes:
        return bool(with_role(after.companions, FollowsRopes))
    recursive, reached = recursive_functions(before), reached_functions(before)
    return any(reached[kernel.name] & recursive for kernel in before.launched)


def _fault(
    compiled: Compiled, function: Function, why: str, fixed: Collection[str], span: Span | None = None
) -> Diagnostic:
    what = "kernel " * (function.kind == "kernel")
    return Diagnostic(
        span or function.span,
        f"{what}'{function.title}' cannot be emitted under {_asked(compiled)}: {why}",
        help=_nearest(compiled, function.name, fixed),
    )


def _asked(compiled: Compiled) -> str:
    traverse = compiled.options.traverse
    return (
        f"--traverse={traverse}" if traverse.asks_for_a_form or not compiled.options.sort_queries else "--sort-queries"
    )


def _nearest(compiled: Compiled, name: str, fixed: Collection[str]) -> str:
    """Return what to compile with instead."""
    asked = compiled.options.traverse
    before = _before(compiled)
    if asked is not Traverse.ROPES and not asked.is_by_levels and name in before.functions:
        recursive = recursive_functions(before)
        wanted = {name} if name in recursive else reached_functions(before)[name] & recursive
        if wanted and not wanted & {*fixed, *(each.name for each in ropes.refused(before))}:
            return "compile with --traverse=ropes: then it is a loop over a stack of each thread's own"
    return f"compile without {_asked(compiled)}: then it stays as it is written"


def _nothing_to_change(compiled: Compiled) -> Diagnostic:
    asked = compiled.options.traverse
    kernels: Iterable[Function] = compiled[results.TREE].kernels
    span = next((kernel.span for kernel in kernels), Span(compiled.source, 1, 0))
    what = "launches itself" if asked.is_by_levels else "reaches a function that calls itself"
    return Diagnostic(
        span,
        f"--traverse={asked} has nothing to do: no kernel {what}",
        help=f"compile without --traverse={asked}: then the program stays as it is written",
    )
