"""Tree-to-tree: parameters of kernels with arrays in them stay where the launch has put them.

    struct Filter { float weight[64]; int n; };
    __global__ void k(Filter f, ...) { ... f.weight[i] ... }

An array in a struct needs memory, and a variable in memory is there once per thread. What no thread changes can be
there once per launch: the storage of such a parameter becomes "launch". A large parameter that threads change is
copied by loops into a variable of each thread's own:

    __global__ void k(Filter from_launch, ...) { Filter f; f.n = from_launch.n; for (...) f.weight[i] = ...; ... }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..analysis.storage import has_array
from ..lang.ctype import INT, Array, Struct, count_leaves
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import root
from ..tree.nodes import Function, Module, Place, Stmt, Variable
from ..tree.rewrite import copied, renamed
from ..tree.walk import walk

MANY_SCALARS = 256  # of a parameter: each of fewer may travel as a value of its own


def leave_in_place(module: Module) -> Module:
    """Give parameters of kernels the storage "launch" if they hold arrays and are only read, or are large."""
    return _each_kernel(module, lambda kernel, param: _is_large(param) or _is_only_read(kernel, param))


def leave_large_in_place(module: Module) -> Module:
    """Give large parameters of kernels the storage "launch"."""
    return _each_kernel(module, lambda kernel, param: _is_large(param))


def _each_kernel(module: Module, stays: Callable[[Function, Variable], bool]) -> Module:
    changed: dict[str, Function] = {}
    for kernel in module.kernels:
        for param in kernel.params:
            so_far = changed.get(kernel.name, kernel)
            if has_array(param.type) and stays(so_far, param):
                changed[kernel.name] = _with_launch_storage(so_far, param)
    return replace(module, functions={**module.functions, **changed}) if changed else module


def _is_large(param: Variable) -> bool:
    return count_leaves(param.type) > MANY_SCALARS


def _is_only_read(kernel: Function, param: Variable) -> bool:
    """Whether the kernel names a parameter with an array in it only to read parts of it, by their names and indices."""
    nodes = list(walk(kernel.body))
    named = sum(isinstance(node, tree.VarRef) and node.variable is param for node in nodes)
    return named == sum(isinstance(node, tree.Load) and root(node.place) is param for node in nodes)


def _with_launch_storage(kernel: Function, param: Variable) -> Function:
    there = replace(param, storage="launch")
    params = tuple(there if other is param else other for other in kernel.params)
    if _is_only_read(kernel, param):
        return replace(kernel, params=params, body=renamed(kernel.body, {param: there}))
    own, build = replace(param, storage="local", const=False), Build(param.span)
    copy = (build.declare(own), *_copy(build, build.place(own), build.place(there)))
    body = renamed(kernel.body, {param: own})
    return replace(kernel, params=params, body=replace(body, statements=(*copy, *body.statements)))


def _copy(build: Build, to: Place, source: Place) -> Iterator[Stmt]:
    """Copy each scalar inside `source` to its place inside `to`, those of an array in a loop."""
    match to.type:
        case Struct(union=False, fields=fields):
            for part in fields or ():
                yield from _copy(build, build.member(copied(to), part), build.member(copied(source), part))
        case Array(element=element, count=count):
            i = Variable("element", INT, build.span, "local")
            own, there = (build.element(copied(whole), element, build.read(i)) for whole in (to, source))
            yield build.count(i, count, _copy(build, own, there))
        case ctype:
            yield build.assign(to, tree.Load(build.span, ctype, source))
