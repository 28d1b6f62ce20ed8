"""Launches of child kernels: which there are, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from .calls import functions_reaching
from .nodes import BuiltinCall, Constant, Expr, Module, Node
from .same import without_conversions
from .walk import walk


class Launch(NamedTuple):
    """`kernel<<<grid, block, shared, stream>>>(args)`: the grid and the block are `dim3`s, the stream is a pointer."""

    kernel: str
    grid: Expr
    block: Expr
    shared: Expr
    stream: Expr
    args: tuple[Expr, ...]


def is_launch(node: Node) -> TypeGuard[BuiltinCall]:
    """Whether `node` launches a child kernel."""
    return isinstance(node, BuiltinCall) and node.builtin.op == "launch"


def parts_of(node: BuiltinCall) -> Launch:
    """Return what a launch is made of."""
    grid, block, shared, stream, *args = node.args
    return Launch(node.builtin.kernel, grid, block, shared, stream, tuple(args))


def stream_number(stream: Expr) -> int | None:
    """Return the number of a stream that has one of its own; None for one that the program has made."""
    value = without_conversions(stream)
    return int(value.value) if isinstance(value, Constant) else None


def launches(module: Module) -> Iterator[BuiltinCall]:
    """Yield the launches in a module, those of kernels and those of device functions."""
    for function in module.functions.values():
        for node in walk(function.body):
            if is_launch(node):
                yield node


def awaits_children(node: Node) -> bool:
    """Whether a thread waits there for the children of its block."""
    return isinstance(node, BuiltinCall) and node.builtin.op == "await_children"


def uses_family(node: Node) -> bool:
    """Whether `node` launches, or asks about, children of the block that runs."""
    return isinstance(node, BuiltinCall) and (node.builtin.op == "launch" or node.builtin.of_runtime)


def launching_functions(module: Module) -> frozenset[str]:
    """Return the functions that may launch children, or ask CUDA's runtime for something, directly or through calls."""
    return functions_reaching(module, uses_family)
