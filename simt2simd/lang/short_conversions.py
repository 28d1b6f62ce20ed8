"""The conversions of `__half` and `__nv_bfloat16` that round otherwise than a cast does, and their bits as integers.

Source: CUDA Math API, "Half Precision Conversion and Data Movement" and its like for bfloat16.
"""

from __future__ import annotations

from collections.abc import Iterator

_INTEGERS = ("int", "uint", "short", "ushort", "ll", "ull")
_TYPES = {"ll": "longlong", "ull": "ulonglong", "char": "schar"}  # what is not called as in the functions' names


def short_conversions() -> str:
    """Return the rows for `lang/builtins`."""
    return "\n".join([*_rows("half"), *_rows("bfloat16")])


def _rows(short: str) -> Iterator[str]:
    for mode in ("rz", "rd", "ru"):
        for source in ("float", *_INTEGERS):
            yield f"__{source}2{short}_{mode} to_short_{mode} {short}({_TYPES.get(source, source)})"
    for mode in ("rn", "rz", "rd", "ru"):
        for target in _INTEGERS:
            yield f"__{short}2{target}_{mode} to_int_{mode} {_TYPES.get(target, target)}({short})"
    for target in ("char", "uchar"):
        yield f"__{short}2{target}_rz to_int_rz {_TYPES.get(target, target)}({short})"
    for bits in ("short", "ushort"):
        yield f"__{short}_as_{bits} bitcast {bits}({short})"
        yield f"__{bits}_as_{short} bitcast {short}({bits})"
