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

import llvmlite.binding as llvm

from ..options import Options
from .llvm import rewritten
from .llvm_text import NAME

BYTES = (16, 32)  # of vectors whose signs one instruction moves to a general register
BITS = (8, 32, 64)  # of their elements

_VECTOR = r"<(?P<count>\d+) x i(?P<bits>\d+)>"
_COMPARISON = re.compile(
    rf"  (?P<name>{NAME}) = icmp (?:samesign )?(?P<predicate>s[lg][te]|u[lg][te]) {_VECTOR} "
    rf"(?P<left>{NAME}), (?P<right>zeroinitializer|splat \(i\d+ -?\d+\))(?P<rest>.*)$"
)
_TRUNCATION = re.compile(
    rf"  (?P<name>{NAME}) = trunc (?:n[us]w )*{_VECTOR} (?P<left>{NAME}) to <\d+ x i1>(?P<rest>.*)$"
)


def keep_comparisons(optimised: llvm.ModuleRef, options: Options) -> llvm.ModuleRef:
    """Return an optimised module without masks that LLVM makes of signs in this way."""
    return rewritten(optimised, rewrite) if options.target.mask_registers else optimised


def rewrite(text: str) -> str:
    """Return the text of a module without such masks."""
    lines = text.split("\n")
    return "\n".join(new for number, line in enumerate(lines) for new in _line(line, f"%s2s.signs.{number}"))


def _line(line: str, name: str) -> Iterator[str]:
    compared = _COMPARISON.match(line) if " icmp " in line else None
    cut = _TRUNCATION.match(line) if " trunc " in line else None
    if compared and _is_narrow(compared) and _asks_for_sign(compared):
        vector = f"<{compared['count']} x i{compared['bits']}>"
        yield f'  {name} = call {vector} asm "", "=v,0"({vector} {compared["right"]})'
        predicate, left, rest = (compared[part] for part in ("predicate", "left", "rest"))
        yield f"  {compared['name']} = icmp {predicate} {vector} {left}, {name}{rest}"
    elif cut and _is_narrow(cut):
        vector = f"<{cut['count']} x i{cut['bits']}>"
        yield f"  {name} = and {vector} {cut['left']}, splat (i{cut['bits']} 1)"
        yield f"  {cut['name']} = icmp ne {vector} {name}, zeroinitializer{cut['rest']}"
    else:
        yield line


def _is_narrow(found: re.Match[str]) -> bool:
    count, bits = int(found["count"]), int(found["bits"])
    return bits in BITS and count * bits // 8 in BYTES


def _asks_for_sign(found: re.Match[str]) -> bool:
    """Whether a comparison is one with the smallest positive or the largest negative number."""
    number = 0 if found["right"] == "zeroinitializer" else int(found["right"].split()[-1].rstrip(")"))
    half = 1 << int(found["bits"]) - 1
    signed = found["predicate"].startswith("s")
    return number in ((0, -1) if signed else (half - 1, -half))
