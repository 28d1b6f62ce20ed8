"""Arithmetic that rounds in one direction: toward zero, up or down."""

from __future__ import annotations

from typing import Final, get_args

from llvmlite import ir

from ..simd.builder import const
from ..simd.instructions import Arithmetic, Direction, instructions
from ..target import Target

_BY_NAME: dict[str, tuple[Arithmetic | None, Direction]] = {
    f"{name}_{direction}": (None if name == "rcp" else name, direction)
    for name in (*get_args(Arithmetic), "rcp")
    for direction in get_args(Direction)
}
DIRECTED: Final = frozenset(_BY_NAME)


def directed_operation(b: ir.IRBuilder, op: str, args: list[ir.Value], target: Target) -> ir.Value:
    """Emit an operation of `DIRECTED`, such as `add_rz`, on floats or doubles."""
    name, direction = _BY_NAME[op]
    if name is None:
        name, args = "div", [const(args[0].type, 1.0), *args]
    return instructions(target).rounded(b, name, direction, args, target)
