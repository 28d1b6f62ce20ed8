"""Which thread a thread is, as expressions; and threads that do another one's work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from . import nodes as tree
from .build import Build
from .effects import declared_variables, is_local
from .nodes import Function, Variable
from .rewrite import copied
from .walk import map_children, walk

N = TypeVar("N", bound=tree.Node)

Places = dict[tuple[str, int], Variable]  # what replaces `threadIdx` and `blockIdx`, by name and axis


def thread_number(build: Build) -> tree.Expr:
    """The number of a thread in its launch: block by block, and in a block as gangs are counted."""
    return _sum(
        build,
        _product(build, number_in_block(build, "blockIdx", "gridDim"), threads_of_block(build)),
        number_in_block(build),
    )


def thread_axes(node: tree.Node) -> set[int]:
    """Return the axes of `threadIdx` that `node` itself asks for, in no function that it calls."""
    indices = (below for below in walk(node) if isinstance(below, tree.ThreadIndex))
    return {index.axis for index in indices if index.name == "threadIdx"}


def number_in_block(build: Build, place: str = "threadIdx", size: str = "blockDim") -> tree.Expr:
    """`(place.z * size.y + place.y) * size.x + place.x`"""
    x, y, z = (thread_index(build, place, axis) for axis in range(3))
    rows = _sum(build, _product(build, z, thread_index(build, size, 1)), y)
    return _sum(build, _product(build, rows, thread_index(build, size, 0)), x)


def threads_of_block(build: Build) -> tree.Expr:
    x, y, z = (thread_index(build, "blockDim", axis) for axis in range(3))
    return _product(build, _product(build, x, y), z)


def thread_index(build: Build, name: str, axis: int) -> tree.Expr:
    assert name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    return build.thread_index(axis, name)  # type: ignore[arg-type]


def _sum(build: Build, left: tree.Expr, right: tree.Expr) -> tree.Expr:
    return build.binary(left, "+", right)


def _product(build: Build, left: tree.Expr, right: tree.Expr) -> tree.Expr:
    return build.binary(left, "*", right)


def companion(kernel: Function, name: str, first: Sequence[tree.Stmt], places: Places, *params: Variable) -> Function:
    """Return a kernel that does what threads elsewhere do in `kernel`: at `places`, which `first` declares.

    It has the parameters of `kernel`, and `params` after them.
    """
    new = {param: replace(param) for param in kernel.params}
    new |= {variable: replace(variable) for variable in declared_variables(kernel.body) if is_local(variable)}
    body = moved(copied(kernel.body, new), places)
    return replace(
        kernel,
        name=name,
        params=(*(new[param] for param in kernel.params), *params),
        body=replace(body, statements=(*first, *body.statements)),
        helps=kernel.name,
    )


def moved(node: N, places: Places) -> N:
    """Return `node` with variables in place of the indices below it."""

    def moved(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.ThreadIndex) and (node.name, node.axis) in places:
            return Build(node.span).read(places[node.name, node.axis])
        return map_children(node, moved)

    return map_children(node, moved)
