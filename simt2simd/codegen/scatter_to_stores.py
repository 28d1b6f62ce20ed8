"""Scatters of which LLVM found out that only a few lanes write become stores.

    if (threadIdx.x % 32 == 0)      scatter(sums, i, sum, mask: the first lane)     becomes
        sums[i] = sum;              sums[i of the first lane] = sum of the first lane

A scatter takes as long for one lane as for sixteen, and LLVM leaves it alone, because it knows no more of it than that
it is an instruction of this CPU's. What the other lanes compute for it goes away too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import llvmlite.binding as llvm
from llvmlite import ir

from ..options import Options
from ..simd import x86
from . import demanded_lanes
from .llvm import rewritten, simplify
from .llvm_text import ATTRIBUTES, arguments, typed, without_attributes

FEW = 4  # so many stores are quicker than a scatter
CALL = re.compile(rf"  (?:tail )?call void @{re.escape(x86.SCATTER)}[a-z]\.512\(")
POINTER = re.compile(rf"ptr {ATTRIBUTES}(?=[%@]|getelementptr|inttoptr)")  # before an argument's value
LANE = re.compile(r"i1 (true|false)")


def use(lowered: ir.Module, optimised: llvm.ModuleRef, options: Options) -> llvm.ModuleRef:
    """Return the optimised form of a lowered module with stores in place of such scatters."""
    if options.optimise == 0 or not any(name.startswith(x86.SCATTER) for name in lowered.globals):
        return optimised
    again = rewritten(optimised, _narrowed)
    if again is not optimised:
        simplify(again, options)
    return again


def _narrowed(text: str) -> str:
    """Return the text of a module with stores in place of such scatters, and without what only they need."""
    stored = rewrite(text)
    return text if stored == text else demanded_lanes.narrow(stored)


def rewrite(text: str) -> str:
    """Return the text of a module with stores in place of such scatters."""
    if f"call void @{x86.SCATTER}" not in text:
        return text
    done: list[str] = []
    for number, line in enumerate(text.split("\n")):
        call = CALL.match(line)
        lanes = None
        if call is not None:
            given, rest = arguments(line, call.end())
            lanes = _known_lanes(given[1])
        if lanes is None or len(lanes) > FEW:
            done.append(line)
            continue
        for lane in lanes:
            done += _store(f"%lane{lane}.{number}", lane, given, without_attributes(rest))
    return "\n".join(done)


def _known_lanes(mask: str) -> list[int] | None:
    """Return the lanes that a mask, with its type, has on, if it is a constant."""
    _, value = typed(mask)
    if value == "zeroinitializer":
        return []
    lanes = LANE.findall(value)
    return [i for i, lane in enumerate(lanes) if lane == "true"] if value.startswith("<") else None


def _store(name: str, lane: int, given: list[str], rest: str) -> Iterator[str]:
    """Yield what writes the value of one lane. The offset is a signed number of units."""
    base, _, offsets, values, scale = given
    base = POINTER.sub("ptr ", base, count=1)
    element = typed(values)[0].split(" x ")[1].rstrip(">")
    yield f"  {name}.offset = extractelement {offsets}, i64 {lane}"
    yield f"  {name}.units = sext i32 {name}.offset to i64"
    yield f"  {name}.bytes = mul i64 {name}.units, {scale.split()[1]}"
    yield f"  {name}.place = getelementptr i8, {base}, i64 {name}.bytes"
    yield f"  {name}.value = extractelement {values}, i64 {lane}"
    yield f"  store {element} {name}.value, ptr {name}.place, align 1{rest}"
