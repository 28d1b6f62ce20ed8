"""Lowering of what `--stats` counts: each visit, and each begin and end of a traversal, is reported to the runtime."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from llvmlite import ir

from ..simd import mask as masks
from ..simd.builder import I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import PTR
from ..tree import nodes as tree
from .frame import Frame


def visit(f: Frame, node: tree.BuiltinCall, mask: Mask) -> None:
    """Count a visit of each lane that is here."""
    (number,) = node.args
    assert isinstance(number, tree.Constant) and isinstance(number.value, int)
    _report(f, "s2s_count_visit", number.value, mask)


@contextmanager
def traversal(f: Frame, number: int | None, mask: Mask) -> Iterator[None]:
    """Let what is emitted inside be a traversal, if it has a number."""
    if number is None:
        yield
        return
    _report(f, "s2s_begin_traversal", number, mask)
    yield
    _report(f, "s2s_end_traversal", number, mask)


def _report(
    f: Frame,
    name: Literal["s2s_begin_traversal", "s2s_count_visit", "s2s_end_traversal"],
    number: int,
    mask: Mask,
) -> None:
    b = f.b
    lanes = masks.wide_bits(b, mask)
    function = declare(b.module, name, ir.VoidType(), [PTR, I32, I64])
    b.call(function, [f.gang, const(I32, number), lanes if lanes.type == I64 else b.zext(lanes, I64)])
