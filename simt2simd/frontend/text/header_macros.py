"""The macros that headers define whose text device code does not read: the compiler knows what else they declare.

Source: C11 7.8.1 and x86-64's System V ABI for <inttypes.h>; CUDA Math API for the constants of short floats.
"""

from __future__ import annotations

_CONVERSIONS = "dioux"
_LENGTHS = {"8": "hh", "16": "h", "32": "", "64": "l"}
_FAST_LENGTHS = {"8": "hh", "16": "l", "32": "l", "64": "l"}


def _formats() -> tuple[str, ...]:
    """Return PRId8 to SCNxPTR."""
    rows: list[str] = []
    for word, conversions in (("PRI", _CONVERSIONS + "X"), ("SCN", _CONVERSIONS)):
        for conversion in conversions:
            names = dict(_LENGTHS)
            names |= {f"LEAST{name}": length for name, length in _LENGTHS.items()}
            names |= {f"FAST{name}": length for name, length in _FAST_LENGTHS.items()}
            names |= {"MAX": "l", "PTR": "l"}
            if word == "PRI":  # an argument of `printf` is promoted: these print it whole
                names = {name: length if length == "l" else "" for name, length in names.items()}
            rows += [f'{word}{conversion}{name} "{length}{conversion}"' for name, length in names.items()]
    return tuple(rows)


def _short_constants(suffix: str, function: str, bits: dict[str, int]) -> tuple[str, ...]:
    return tuple(f"CUDART_{name}_{suffix} {function}((unsigned short)0x{value:04X}U)" for name, value in bits.items())


_FP16 = {
    "INF": 0x7C00, "NAN": 0x7FFF, "MIN_DENORM": 0x0001, "MAX_NORMAL": 0x7BFF, "NEG_ZERO": 0x8000, "ZERO": 0x0000,
    "ONE": 0x3C00,
}  # fmt: skip
_BF16 = {
    "INF": 0x7F80, "NAN": 0x7FFF, "MIN_DENORM": 0x0001, "MAX_NORMAL": 0x7F7F, "NEG_ZERO": 0x8000, "ZERO": 0x0000,
    "ONE": 0x3F80,
}  # fmt: skip

# Definitions as `Preprocessor.define` takes them, by the header that has them.
MACROS_OF: dict[str, tuple[str, ...]] = {
    "cuda.h": ("__cuda_cuda_h__ ", "CUDAAPI ", "CUDA_CB "),
    "cuda_fp16.h": (
        "__CUDA_FP16_H__ ",
        "__CUDA_FP16_TYPES_EXIST__ ",
        *_short_constants("FP16", "__ushort_as_half", _FP16),
    ),
    "cuda_bf16.h": (
        "__CUDA_BF16_H__ ",
        "__CUDA_BF16_TYPES_EXIST__ ",
        *_short_constants("BF16", "__ushort_as_bfloat16", _BF16),
    ),
    "inttypes.h": _formats(),
    "cinttypes": _formats(),
}
