"""Shapes without their claims: every value varies, every branch and loop diverges.

**Known as:** the top of the lattice.

`--verify` compiles code that relies on nothing, and checks each claim while that code runs.
"""

from __future__ import annotations

from dataclasses import replace

from ..tree import nodes as tree
from ..tree.walk import walk
from .lattice import VARYING, Known
from .shapes import FunctionShapes, Shapes


def conservative_shapes(shapes: Shapes) -> Shapes:
    """Return `shapes` without their claims."""
    return replace(shapes, instances={key: _forget(inside) for key, inside in shapes.instances.items()})


def _forget(inside: FunctionShapes) -> FunctionShapes:
    nodes = list(walk(inside.function.body))
    assignments = [node for node in nodes if isinstance(node, tree.Declare | tree.Assignment)]
    return replace(
        inside,
        args=tuple(_varying(known) for known in inside.args),
        result=_varying(inside.result),
        variables={key: replace(VARYING, interleave=shape.interleave) for key, shape in inside.variables.items()},
        expressions={node: _varying(known) for node, known in inside.expressions.items()},
        blended=set(assignments),
        blended_outside=set(assignments),
        together=set(),
        divergent_loops={node for node in nodes if isinstance(node, tree.Loop)},
    )


def _varying(known: Known) -> Known:
    if isinstance(known, tuple):
        return tuple(VARYING for _ in known)
    return None if known is None else replace(VARYING, interleave=known.interleave)
