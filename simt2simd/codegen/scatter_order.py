"""A last touch to LLVM's optimised code: what a gather needs is computed before the scatter ahead of it.

    scatter(a, i, x);   j = hash(j) & 63;   y = gather(a, j);       becomes
    j = hash(j) & 63;   scatter(a, i, x);   y = gather(a, j);

Both are sequences of microcode, which a CPU cannot look past: arithmetic between the two is not done meanwhile, but
after the one and before the other. LLVM's scheduler does not know that. An empty piece of assembly that passes
the gather's offsets on, and that is not moved across a scatter, keeps it from undoing the order.
"""

from __future__ import annotations

from llvmlite import ir

from ..options import Options
from ..simd import x86
from .llvm_text import SCATTER, Function, definition, gather, opcode
from .module import OptimisedModule

ARITHMETIC = frozenset(
    """add sub mul and or xor shl lshr ashr fadd fsub fmul icmp fcmp select zext sext trunc bitcast
    getelementptr shufflevector insertelement extractelement""".split()
)


def order(lowered: ir.Module, optimised: OptimisedModule, options: Options) -> OptimisedModule:
    """Return the optimised form of a lowered module with its scatters in order."""
    if options.optimise == 0 or not any(name.startswith(x86.SCATTER) for name in lowered.globals):
        return optimised
    return optimised.rewritten(reorder, options)


def reorder(function: Function) -> str:
    """Return the text of a function in which scatters with only arithmetic between them and a gather are next to it."""
    if SCATTER not in function.text:
        return function.text
    done: list[str] = []
    waiting: list[str] = []  # scatters; nothing but arithmetic has come since
    lines = list(function.lines)
    for number, line in enumerate(lines):
        if SCATTER in line:
            waiting.append(line)
            continue
        if waiting and not _is_arithmetic(line):
            _pin_offsets(lines, number, done)
            done += waiting
            waiting = []
        done.append(lines[number])
    return "\n".join(done)


def _is_arithmetic(line: str) -> bool:
    found = definition(line)
    return found is not None and opcode(found[1]) in ARITHMETIC


def _pin_offsets(lines: list[str], start: int, done: list[str]) -> None:
    """Keep LLVM from computing the offsets of the gathers that follow at `start` later than at the end of `done`."""
    made: set[str] = set()  # by these gathers
    for number in range(start, len(lines)):
        found = definition(lines[number])
        read = gather(found[1]) if found else None
        if found is None or read is None or read.places or read.index in made:
            return
        known = f"%known.{number}"
        done.append(f'  {known} = call <16 x i32> asm sideeffect "", "=v,0"(<16 x i32> {read.index})')
        before, after = lines[number].rsplit(f"<16 x i32> {read.index}, <16 x i1> ", 1)
        lines[number] = f"{before}<16 x i32> {known}, <16 x i1> {after}"
        made.add(found[0])
