"""Lowering of declarations: a variable gets its first value in the lanes that reach it."""

from __future__ import annotations

from ..analysis.storage import REGISTER, SHARED
from ..lang.ctype import CType, Pointer, Scalar, count_leaves, has_mixed_union, leaves
from ..simd.address import member
from ..simd.mask import Mask
from ..simd.values import Value
from ..tree import nodes as tree
from . import braced_initialisers
from .expressions import expression
from .frame import Frame, Parts, zero
from .gang_split import complete, onward
from .load_store import store_at

MANY_SCALARS = 128  # of a variable: loops initialise more of them


def declare(f: Frame, node: tree.Declare, mask: Mask) -> None:
    """Give the variable its value. A variable without one, and a shared array, need no code."""
    variable, initial = node.variable, node.initial
    if variable.storage == SHARED or initial is None:
        return
    with complete(f):
        _give(f, node, initial, mask)


def _give(f: Frame, node: tree.Declare, initial: tree.Expr | tree.Braces, mask: Mask) -> None:
    variable = node.variable
    if not isinstance(initial, tree.Braces):
        _initialise(f, node, 0, variable.type, expression(f, initial, mask), onward(f, mask, initial))
    elif not _in_register(f, variable) and count_leaves(variable.type) > MANY_SCALARS:
        braced_initialisers.initialise(f, f.address(variable), variable.type, initial, mask)
    else:
        _initialise_parts(f, node, initial, mask)


def _initialise_parts(f: Frame, node: tree.Declare, initial: tree.Braces, mask: Mask) -> None:
    """Give the scalars that a braced list names their values, in its order, and all others zero.

    The zeros come last, where LLVM finds the stores of numbers side by side; but first if they may overlap with values.
    """
    given = {offset + at for offset, ctype, _ in initial.items for at, _ in leaves(ctype)}
    zeros = [(offset, leaf) for offset, leaf in leaves(node.variable.type) if offset not in given]
    overlap = has_mixed_union(node.variable.type)
    if overlap:
        _make_zero(f, node, zeros, mask)
    for offset, ctype, expr in initial.items:
        value = expression(f, expr, mask)
        mask = onward(f, mask, expr)
        _initialise(f, node, offset, ctype, value, mask)
    if not overlap:
        _make_zero(f, node, zeros, mask)


def _make_zero(f: Frame, node: tree.Declare, places: list[tuple[int, Scalar | Pointer]], mask: Mask) -> None:
    for offset, leaf in places:
        _initialise(f, node, offset, leaf, zero(leaf), mask)


def _initialise(f: Frame, node: tree.Declare, offset: int, ctype: CType, value: Value | Parts, mask: Mask) -> None:
    """Give the part of the variable at `offset` its first value."""
    variable = node.variable
    if _in_register(f, variable):
        f.write(variable, offset, ctype, value, mask, node in f.shapes.blended)
    else:
        store_at(f, member(f.b, f.address(variable), offset), ctype, value, mask)


def _in_register(f: Frame, variable: tree.Variable) -> bool:
    return f.program.storage.of(variable) == REGISTER
