"""Static shared memory: where each `__shared__` variable lies, and how much of it each kernel uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from . import nodes as tree
from .calls import reached_functions
from .nodes import Function, Module, Variable
from .walk import walk

MOST_BYTES = 48 << 10  # of a block, as nvcc allows


@dataclass(frozen=True)
class SharedLayout:
    """`offset` holds in every kernel; `used` are the variables that a kernel reaches, `bytes` what they take in all."""

    offset: Mapping[Variable, int]
    used: Mapping[str, frozenset[Variable]]
    bytes: Mapping[str, int]


def lay_out(module: Module) -> SharedLayout:
    """Lay out static shared memory; what no function names takes no place.

    The variables of the file and those of device functions come first, at offsets that hold in every kernel; a kernel's
    own follow the last of them that it reaches.
    """
    named = {name: frozenset(_named(function)) for name, function in module.functions.items()}
    everywhere = frozenset[Variable]().union(*named.values())
    devices = [function for function in module.functions.values() if function.kind != "kernel"]
    common = [*module.shared, *(variable for function in devices for variable in _declared(function))]
    offset = _placed([variable for variable in common if variable in everywhere], 0)
    reached = reached_functions(module)
    used: dict[str, frozenset[Variable]] = {}
    total: dict[str, int] = {}
    for kernel in module.kernels:
        used[kernel.name] = frozenset[Variable]().union(*(named[name] for name in {kernel.name} | reached[kernel.name]))
        own = [variable for variable in _declared(kernel) if variable in used[kernel.name] and variable not in offset]
        end = _end(offset, used[kernel.name].difference(own))
        offset |= _placed(own, end)
        total[kernel.name] = max(end, _end(offset, frozenset(own)))
    return SharedLayout(offset, used, total)


def _placed(variables: list[Variable], end: int) -> dict[Variable, int]:
    """Return an offset for each variable, one after the other from `end` on."""
    offset: dict[Variable, int] = {}
    for variable in variables:
        align = max(16, variable.type.align)
        offset[variable] = -(-end // align) * align
        end = offset[variable] + variable.type.size
    return offset


def _end(offset: Mapping[Variable, int], variables: frozenset[Variable]) -> int:
    return max((offset[variable] + variable.type.size for variable in variables), default=0)


def _declared(function: Function) -> Iterator[Variable]:
    for node in walk(function.body):
        if isinstance(node, tree.Declare) and node.variable.storage == "shared":
            yield node.variable


def _named(function: Function) -> Iterator[Variable]:
    for node in walk(function.body):
        if isinstance(node, tree.VarRef) and node.variable.storage == "shared":
            yield node.variable
