"""Type names that the system's headers declare."""

from __future__ import annotations

from .ctype import (
    BFLOAT16,
    CHAR8,
    CHAR16,
    CHAR32,
    HALF,
    INT,
    INT128,
    LONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    UINT128,
    ULONG,
    USHORT,
    WCHAR,
    CType,
)
from .device_runtime import RUNTIME_TYPES
from .vectors import BFLOAT16_RAW, BFLOAT162, HALF2, HALF_RAW, MAX_ALIGN, TIMESPEC, VECTOR_TYPES

TYPEDEFS: dict[str, CType] = {
    **VECTOR_TYPES, "half": HALF, "__half": HALF, "nv_bfloat16": BFLOAT16, "__nv_bfloat16": BFLOAT16,
    "half2": HALF2, "__half2": HALF2, "nv_bfloat162": BFLOAT162, "__nv_bfloat162": BFLOAT162,
    "__half_raw": HALF_RAW, "__nv_bfloat16_raw": BFLOAT16_RAW,
    "size_t": ULONG, "ptrdiff_t": LONG, "ssize_t": LONG, "intptr_t": LONG, "uintptr_t": ULONG,
    "int8_t": SCHAR, "uint8_t": UCHAR, "int16_t": SHORT, "uint16_t": USHORT, "int32_t": INT, "uint32_t": UINT,
    "int64_t": LONG, "uint64_t": ULONG, "intmax_t": LONG, "uintmax_t": ULONG,
    "__int128_t": INT128, "__uint128_t": UINT128,
    "int_fast8_t": SCHAR, "uint_fast8_t": UCHAR, "int_fast16_t": LONG, "uint_fast16_t": ULONG, "int_fast32_t": LONG,
    "uint_fast32_t": ULONG, "int_fast64_t": LONG, "uint_fast64_t": ULONG,
    "int_least8_t": SCHAR, "uint_least8_t": UCHAR, "int_least16_t": SHORT, "uint_least16_t": USHORT,
    "int_least32_t": INT, "uint_least32_t": UINT, "int_least64_t": LONG, "uint_least64_t": ULONG,
    "uint": UINT, "ushort": USHORT, "ulong": ULONG, "u_char": UCHAR, "u_short": USHORT, "u_int": UINT, "u_long": ULONG,
    "wchar_t": WCHAR, "char8_t": CHAR8, "char16_t": CHAR16, "char32_t": CHAR32, "max_align_t": MAX_ALIGN,
    "timespec": TIMESPEC, "clock_t": LONG, "time_t": LONG, **RUNTIME_TYPES,
}  # fmt: skip
