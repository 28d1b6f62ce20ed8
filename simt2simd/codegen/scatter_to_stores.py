"""Scatters of which LLVM found out that only a few lanes write become stores.

    if (threadIdx.x % 32 == 0)      scatter(sums, i, sum, mask: the first lane)     becomes
        sums[i] = sum;              sums[i of the first lane] = sum of the first lane

A scatter takes as long for one lane as for sixteen, and LLVM leaves it alone, because it knows no more of it than that
it is an instruction of this CPU's. What the other lanes compute for it goes away too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from llvmlite import ir

from ..options import Options
from ..simd import x86
from .demanded_lanes import narrow
from .llvm import simplify
from .llvm_text import SCATTER, Function, Scatter, scatter, typed
from .module import OptimisedModule

FEW = 4  # so many stores are quicker than a scatter
LANE = re.compile(r"i1 (true|false)")


def use(lowered: ir.Module, optimised: OptimisedModule, options: Options) -> OptimisedModule:
    """Return the optimised form of a lowered module with stores in place of such scatters.

    What only those lanes need that do not write goes away.
    """
    if options.optimise == 0 or not any(name.startswith(x86.SCATTER) for name in lowered.globals):
        return optimised
    stored = optimised.rewritten(rewrite, options)
    if stored is optimised:
        return optimised
    narrowed = stored.rewritten(narrow, options).ref
    simplify(narrowed, options)
    return OptimisedModule(narrowed)


def rewrite(function: Function) -> str:
    """Return the text of a function with stores in place of such scatters."""
    if SCATTER not in function.text:
        return function.text
    done: list[str] = []
    for number, line in enumerate(function.lines):
        found = scatter(line)
        lanes = _known_lanes(found.mask) if found else None
        if found is None or lanes is None or len(lanes) > FEW:
            done.append(line)
            continue
        for lane in lanes:
            done += _store(f"%lane{lane}.{number}", lane, found)
    return "\n".join(done)


def _known_lanes(mask: str) -> list[int] | None:
    """Return the lanes that a mask has on, if it is a constant."""
    if mask == "zeroinitializer":
        return []
    lanes = LANE.findall(mask)
    return [i for i, lane in enumerate(lanes) if lane == "true"] if mask.startswith("<") else None


def _store(name: str, lane: int, found: Scatter) -> Iterator[str]:
    """Yield what writes the value of one lane. The offset is a signed number of units."""
    element = typed(found.values)[0].split(" x ")[1].rstrip(">")
    yield f"  {name}.offset = extractelement {found.index}, i64 {lane}"
    yield f"  {name}.units = sext i32 {name}.offset to i64"
    yield f"  {name}.bytes = mul i64 {name}.units, {found.scale}"
    yield f"  {name}.place = getelementptr i8, ptr {found.base}, i64 {name}.bytes"
    yield f"  {name}.value = extractelement {found.values}, i64 {lane}"
    yield f"  store {element} {name}.value, ptr {name}.place, align 1{found.rest}"
