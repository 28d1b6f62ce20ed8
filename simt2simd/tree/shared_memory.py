"""Shared memory: where each `__shared__` variable lies, and how much static memory each kernel uses.

Dynamic shared memory, `extern __shared__ float s[];`, begins at one place in all kernels that use it, after the static
memory of all of them: then device functions find it, too, and an access is as fast as one to static memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..diag import Diagnostic, Note
from . import nodes as tree
from .calls import reached_functions
from .nodes import Function, Module, Variable
from .walk import walk

MOST_BYTES = 48 << 10  # of static memory of a block, as nvcc allows
LEAST_ALIGNMENT = 16


@dataclass(frozen=True)
class SharedLayout:
    """`offset` holds in every kernel; `used` are the variables that a kernel reaches, `bytes` what they take in all.

    The launch gives the size of dynamic memory: `bytes` leaves it out.
    """

    offset: Mapping[Variable, int]
    used: Mapping[str, frozenset[Variable]]
    bytes: Mapping[str, int]


def lay_out(module: Module) -> SharedLayout:
    """Lay out static shared memory; what no function names takes no place.

    The variables of the file and those of device functions come first, at offsets that hold in every kernel, then those
    of kernels. Two variables share a place if no kernel reaches both. A variable that
    several functions declare came there by inlining, and is one.
    """
    named = {name: frozenset(_named(function)) for name, function in module.functions.items()}
    everywhere = frozenset[Variable]().union(*named.values())
    reached = reached_functions(module)
    used = {
        kernel.name: frozenset[Variable]().union(*(named[name] for name in {kernel.name} | reached[kernel.name]))
        for kernel in module.kernels
    }
    dynamic = {variable for variable in everywhere if variable.dynamic}
    functions = sorted(module.functions.values(), key=lambda function: function.kind == "kernel")
    declared = [*module.shared, *(variable for function in functions for variable in _declared(function))]
    offset: dict[Variable, int] = {}
    total = dict.fromkeys(used, 0)
    for variable in (variable for variable in dict.fromkeys(declared) if variable in everywhere - dynamic):
        users = [name for name in used if variable in used[name]]
        begin = max((total[name] for name in users), default=0)
        offset[variable] = _aligned(begin, _alignment(variable))
        total |= dict.fromkeys(users, offset[variable] + variable.type.size)
    static = max((total[name] for name in total if used[name] & dynamic), default=0)
    begin = _aligned(static, max(map(_alignment, dynamic), default=1))
    return SharedLayout(offset | dict.fromkeys(dynamic, begin), used, total)


def too_much_shared(module: Module) -> Iterator[Diagnostic]:
    """Yield a fault for each kernel that uses more shared memory than a block has, at its largest variable."""
    layout = lay_out(module)
    for kernel in module.kernels:
        if layout.bytes[kernel.name] <= MOST_BYTES:
            continue
        largest, *others = sorted(layout.used[kernel.name], key=lambda v: (-v.type.size, v.span.line, v.span.column))
        message = f"kernel '{kernel.title}' uses {layout.bytes[kernel.name]} bytes of shared memory"
        notes = [Note(other.span, f"'{other.name}' takes {other.type.size} bytes") for other in others[:3]]
        yield Diagnostic(largest.span, f"{message}: a block has {MOST_BYTES}", tuple(notes))


def _alignment(variable: Variable) -> int:
    return max(LEAST_ALIGNMENT, variable.type.align, variable.align)


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def _declared(function: Function) -> Iterator[Variable]:
    for node in walk(function.body):
        if isinstance(node, tree.Declare) and node.variable.storage == "shared":
            yield node.variable


def _named(function: Function) -> Iterator[Variable]:
    for node in walk(function.body):
        if isinstance(node, tree.VarRef) and node.variable.storage == "shared":
            yield node.variable
