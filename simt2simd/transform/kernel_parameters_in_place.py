"""Tree-to-tree: structs that are parameters of kernels stay where the launch has put them, if no thread changes them.

**Known as:** by-value parameters left in place (LLVM: byval, readonly).

    struct Filter { float weight[64]; int n; };
    __device__ float f(Filter g, int i) { ... g.weight[i] ... }
    __global__ void k(Filter f, ...) { ... f.weight[i] ... f(f, i) ... g(&f) ... }

An array in a struct needs memory, and so does what pointers lead to; a variable in memory is there once per thread.
What never changes can be there once per launch: the storage of such a parameter becomes "launch". Device functions
that get such an object by value, and do not change it either, get its address:

    __device__ float f(const Filter *g, int i) { ... (*g).weight[i] ... }

A large parameter that threads change is copied by loops into a variable of each thread's own:

    __global__ void k(Filter from_launch, ...) { Filter f; f.n = from_launch.n; for (...) f.weight[i] = ...; ... }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..analysis.mod_ref import written_variables
from ..analysis.storage import REGISTER, Storage, decide, has_array
from ..lang.ctype import INT, Array, Pointer, Struct, count_leaves
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import root
from ..tree.nodes import Function, Module, Place, Stmt, Variable
from ..tree.rewrite import copied, renamed
from ..tree.walk import map_children, walk

MANY_SCALARS = 256  # of a parameter: each of fewer may travel as a value of its own


def kernel_parameters_in_place(module: Module) -> Module:
    """Give parameters of kernels the storage "launch" if they need memory and are never written, or are large."""
    storage, written = decide(module), written_variables(module)
    left = _each_kernel(module, lambda param: _needs_memory(storage, param) and param not in written, written)
    return _by_address(left, storage, written)


def leave_large_in_place(module: Module) -> Module:
    """Give large parameters of kernels the storage "launch"."""
    return _each_kernel(module, lambda param: False, written_variables(module))


def _needs_memory(storage: Storage, param: Variable) -> bool:
    return not param.volatile and isinstance(param.type, Struct) and storage.of(param) != REGISTER


def _each_kernel(module: Module, stays: Callable[[Variable], bool], written: frozenset[Variable]) -> Module:
    changed: dict[str, Function] = {}
    for kernel in module.kernels:
        for param in kernel.params:
            if stays(param) or _is_large(param):
                so_far = changed.get(kernel.name, kernel)
                changed[kernel.name] = _with_launch_storage(so_far, param, copies=param in written)
    return replace(module, functions={**module.functions, **changed}) if changed else module


def _is_large(param: Variable) -> bool:
    return has_array(param.type) and count_leaves(param.type) > MANY_SCALARS


def _with_launch_storage(kernel: Function, param: Variable, *, copies: bool) -> Function:
    there = replace(param, storage="launch")
    params = tuple(there if other is param else other for other in kernel.params)
    if not copies:
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


# ----------------------------------------------------------------------------------- parameters of functions


def _by_address(module: Module, storage: Storage, written: frozenset[Variable]) -> Module:
    """Have device functions get the address of what they get by value, if that is never changed anywhere."""
    params = {
        param: replace(param, type=Pointer(param.type, const=True))
        for function in module.functions.values()
        for param in function.params
        if function.kind == "device" and param not in written and _needs_memory(storage, param)
    }
    while unfit := {param for param, arg in _passed(module) if param in params and not _stays(arg, params)}:
        params = {param: there for param, there in params.items() if param not in unfit}
    if not params:
        return module
    functions = {name: _with_addresses(module, function, params) for name, function in module.functions.items()}
    return replace(module, functions=functions)


def _passed(module: Module) -> Iterator[tuple[Variable, tree.Expr]]:
    """Yield the parameters of functions with what calls give for them."""
    for function in module.functions.values():
        for node in walk(function.body):
            if isinstance(node, tree.Call):
                yield from zip(module.functions[node.function].params, node.args, strict=True)


def _stays(arg: tree.Expr, params: dict[Variable, Variable]) -> bool:
    """Whether an argument is what lies in memory that is not written while kernels run, or one of `params`."""
    if not isinstance(arg, tree.Load):
        return False
    variable = root(arg.place)
    return variable is not None and (variable.storage in ("launch", "constant") or variable in params)


def _with_addresses(module: Module, function: Function, params: dict[Variable, Variable]) -> Function:
    def change(node: tree.Node) -> tree.Node:
        new = map_children(node, change)
        if isinstance(new, tree.VarRef) and new.variable in params:
            build = Build(new.span)
            return tree.Deref(new.span, new.type, build.read(params[new.variable]))
        if isinstance(new, tree.Call):
            pairs = zip(module.functions[new.function].params, new.args, strict=True)
            args = tuple(_address(arg, params[param]) if param in params else arg for param, arg in pairs)
            return replace(new, args=args)
        return new

    own = tuple(params.get(param, param) for param in function.params)
    body = change(function.body)
    assert isinstance(body, tree.Block)
    return replace(function, params=own, body=body)


def _address(arg: tree.Expr, param: Variable) -> tree.Expr:
    assert isinstance(arg, tree.Load)
    return tree.AddressOf(arg.span, param.type, arg.place)
