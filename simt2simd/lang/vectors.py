"""CUDA's vector types, `char1` to `double4`, `dim3`, and pairs of short floats: structs that programs need not declare.

Source: CUDA's `vector_types.h`, `cuda_fp16.h` and `cuda_bf16.h`; the table of the alignments in the CUDA C++
Programming Guide, "Vector Types".
"""

from __future__ import annotations

from ..source import NOWHERE
from .ctype import (
    BFLOAT16,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    Field,
    Scalar,
    Struct,
)

_BASES: dict[str, Scalar] = {
    "char": SCHAR, "uchar": UCHAR, "short": SHORT, "ushort": USHORT, "int": INT, "uint": UINT, "long": LONG,
    "ulong": ULONG, "longlong": LONGLONG, "ulonglong": ULONGLONG, "float": FLOAT, "double": DOUBLE,
}  # fmt: skip


def vector(name: str, element: Scalar, count: int, align: int) -> Struct:
    """Return a struct of `count` scalars, with the members x, y, z and w as far as they go."""
    fields = tuple(Field(axis, element, i * element.size) for i, axis in enumerate("xyzw"[:count]))
    size = element.size * count
    return Struct(name, NOWHERE, fields, -(-size // align) * align, align)


def _types() -> dict[str, Struct]:
    types: dict[str, Struct] = {}
    for base, element in _BASES.items():
        for count in (1, 2, 3, 4):
            size = element.size * count
            align = min(size, 16) if count in (2, 4) else element.size
            types[f"{base}{count}"] = vector(f"{base}{count}", element, count, align)
        if element.size == 8:
            for align in (16, 32):
                types[f"{base}4_{align}a"] = vector(f"{base}4_{align}a", element, 4, align)
    types["dim3"] = vector("dim3", UINT, 3, UINT.align)
    return types


VECTOR_TYPES: dict[str, Struct] = _types()
HALF2, BFLOAT162 = vector("__half2", HALF, 2, 4), vector("__nv_bfloat162", BFLOAT16, 2, 4)
HALF_RAW, BFLOAT16_RAW = vector("__half_raw", USHORT, 1, 2), vector("__nv_bfloat16_raw", USHORT, 1, 2)
MAX_ALIGN = Struct("max_align_t", NOWHERE, (Field("longest", LONGLONG, 0), Field("widest", DOUBLE, 16)), 32, 16)
TIMESPEC = Struct("timespec", NOWHERE, (Field("tv_sec", LONG, 0), Field("tv_nsec", LONG, 8)), 16, 8)
DIM3, UINT3 = VECTOR_TYPES["dim3"], VECTOR_TYPES["uint3"]
