"""Masks that are the signs of bytes are made by a comparison that LLVM keeps as one.

    mask = bytes < 0        becomes     mask = bytes < zeros, where an empty piece of assembly hands on the zeros
    mask = bytes & 1        becomes     mask = (bytes & 1) != 0

AVX-512 has an instruction that makes a mask of signs, `vpmovb2m`. Where a `kmov` reads such a mask, LLVM 22 puts
`vpmovmskb` in place of both. It does so too if the next instruction that reads the mask also writes its register, a
shift say, or a gather, which clears it: that one then finds what was in the register before. The same goes for
integers of 32 and 64 bits in vectors of up to 32 bytes; for the signs of larger vectors there is only the mask.

Source: github.com/llvm/llvm-project/issues/198197.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..options import Options
from .llvm_text import SPLAT, Function, Instruction, definition, instruction
from .module import OptimisedModule

# Vectors whose signs one instruction moves to a general register.
_VECTORS = "<(?:16|32) x i8>|<[48] x i32>|<[24] x i64>"
_MASK = re.compile(rf" = (?:icmp|trunc) [a-z ]*(?:{_VECTORS}) %")  # in the lines that may be such masks


def keep_comparisons(optimised: OptimisedModule, options: Options) -> OptimisedModule:
    """Return an optimised module without masks that LLVM makes of signs in this way."""
    return optimised.rewritten(rewrite, options) if options.target.mask_registers else optimised


def rewrite(function: Function) -> str:
    """Return the text of a function without such masks."""
    if _MASK.search(function.text) is None:
        return function.text
    return "\n".join(
        new
        for number, line in enumerate(function.lines)
        for new in (_kept(line, f"%s2s.signs.{number}") if _MASK.search(line) else (line,))
    )


def _kept(line: str, mask: str) -> Iterator[str]:
    """Yield what takes the place of a line with a mask; `mask` begins the names of what is new."""
    found = definition(line)
    made = instruction(found[1]) if found else None
    if found is None or made is None:
        yield line
        return
    name, (vector, left) = found[0], made.typed
    bits = int(vector.rpartition("i")[2].rstrip(">"))
    if made.opcode == "trunc" and made.operands[0].endswith(" x i1>"):
        yield f"  {mask} = and {vector} {left.partition(' to ')[0]}, splat (i{bits} 1)"
        yield f"  {name} = icmp ne {vector} {mask}, zeroinitializer{made.rest}"
    elif made.opcode == "icmp" and _asks_for_sign(made, bits):
        yield f'  {mask} = call {vector} asm "", "=v,0"({vector} {made.operands[1]})'
        yield f"  {name} = icmp {_predicate(made)} {vector} {left}, {mask}{made.rest}"
    else:
        yield line


def _predicate(made: Instruction) -> str:
    """Return the predicate of a comparison, which a flag may come before."""
    return made.words.rpartition(" ")[2]


def _asks_for_sign(made: Instruction, bits: int) -> bool:
    """Whether a comparison is one with the smallest positive or the largest negative number."""
    predicate, right = _predicate(made), made.operands[1]
    constant = SPLAT.match(right)
    if predicate in ("eq", "ne") or (constant is None and right != "zeroinitializer"):
        return False
    number = int(constant[1]) if constant else 0
    half = 1 << bits - 1
    return number in ((0, -1) if predicate.startswith("s") else (half - 1, -half))
