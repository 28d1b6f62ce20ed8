"""Python values as kernel arguments: NumPy arrays become addresses, numbers become bytes of the parameter's type.

Nothing is converted that could lose something: NumPy's numbers must cast "safely", Python's own `int` and `float`
fit where their value does. Every error names the parameter, its type, and what was given.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from ..abi import pack_params
from ..lang.ctype import BFLOAT16, Array, CType, Pointer, Scalar, Struct, is_integer
from .signature import Parameter, Signature

# Generated code computes offsets into an array of structs in 32 bits, in units of 4 bytes or less.
MAX_ARRAY_BYTES = 8 << 30

WIDE = 16  # bytes of an `__int128`


def pack(kernel: Signature, args: Sequence[object]) -> bytes:
    """Return the kernel's parameters as it reads them: each at its C alignment, one after the other.

    The arrays among `args` must stay alive while the kernel runs. Raises `TypeError` for a wrong count or type,
    `OverflowError` for a number out of range, `ValueError` for an array that is too large, not contiguous, not
    aligned, or read-only where the kernel may write.
    """
    if len(args) != len(kernel.params):
        few = "few" if len(args) < len(kernel.params) else "many"
        expected = ", ".join(f"{param.type} {param.name}".replace("* ", "*") for param in kernel.params) or "none"
        counts = f"{len(args)} given, {len(kernel.params)} expected"
        raise TypeError(f"too {few} arguments to kernel '{kernel.name}': {counts} ({expected})")
    offsets, size = pack_params(param.type for param in kernel.params)
    packed = bytearray(size)
    for offset, param, arg in zip(offsets, kernel.params, args, strict=True):
        data = _pack_one(kernel, param, arg)
        packed[offset : offset + len(data)] = data
    return bytes(packed)


class _Where(NamedTuple):
    """The parameter that a message is about; its text is made only for a message."""

    kernel: Signature
    param: Parameter

    def __str__(self) -> str:
        return f"kernel '{self.kernel.name}', parameter '{self.param.name}' of type '{self.param.type}'"


def _pack_one(kernel: Signature, param: Parameter, arg: object) -> bytes:
    ctype, where = param.type, _Where(kernel, param)
    if isinstance(ctype, Pointer):
        return _address(where, ctype, arg).to_bytes(8, "little")
    if isinstance(ctype, Struct):
        return _struct_bytes(where, ctype, arg)
    assert isinstance(ctype, Scalar)
    return _number(where, ctype, arg)


@cache
def dtype_of(ctype: Scalar | Pointer) -> np.dtype[np.generic]:
    """Return NumPy's type for a C scalar or pointer."""
    if isinstance(ctype, Pointer):
        return np.dtype(np.uint64)
    if ctype == BFLOAT16:  # NumPy has no such type
        return np.dtype(np.uint16)
    if ctype.kind == "int" and ctype.size == WIDE:  # nor has it these
        return np.dtype(f"V{WIDE}")
    kind = {"bool": "b", "float": "f"}.get(ctype.kind) or ("i" if ctype.signed else "u")
    return np.dtype("?" if kind == "b" else f"{kind}{ctype.size}")


# ---------------------------------------------------------------------------------------------- pointers


def _address(where: _Where, ctype: Pointer, arg: object) -> int:
    if arg is None:
        return 0
    if not isinstance(arg, np.ndarray):
        raise TypeError(f"{where}: expected a NumPy array or None, got {_described(arg)}")
    _check_elements(where, ctype.target, arg)
    if not arg.flags.forc:
        raise ValueError(f"{where}: the array is not contiguous; pass numpy.ascontiguousarray(...)")
    if not arg.flags.writeable and not ctype.const:
        raise ValueError(f"{where}: the array is read-only, but the kernel may write through this pointer")
    if arg.nbytes >= MAX_ARRAY_BYTES:
        raise ValueError(f"{where}: the array has {arg.nbytes} bytes; arrays of 8 GiB and more are not supported")
    address: int = arg.ctypes.data
    if address % _element(ctype.target).align:
        raise ValueError(f"{where}: the array is not aligned to {_element(ctype.target).align} bytes")
    return address


def _element(ctype: CType) -> CType:
    """Return what an array of `ctype` holds in the end: the element of an array of arrays."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    return ctype


_NUMBERS = "?biufc"  # kinds of dtypes: what lies in memory as C has it


def _check_elements(where: _Where, target: CType, array: np.ndarray) -> None:
    element = _element(target)
    given = array.dtype
    if isinstance(element, Scalar) and element.name in ("void", "char"):
        return  # bytes of anything
    if isinstance(element, Struct) or (is_integer(element) and element.size == WIDE):
        if given.kind == "V" and given.itemsize == element.size:
            return
        if given.kind in _NUMBERS and array.nbytes % element.size == 0:
            return
        raise TypeError(
            f"{where}: expected an array of a structured dtype of {element.size} bytes "
            "(numpy.dtype([...], align=True)), or of numbers that fill whole structs, "
            f"got {array.nbytes} bytes of {given} ({given.itemsize} bytes each)"
        )
    wanted = dtype_of(element)
    if given != wanted:
        raise TypeError(f"{where}: expected an array of {wanted}, got an array of {given}")


# ------------------------------------------------------------------------------------- structs and numbers


def _struct_bytes(where: _Where, ctype: Struct, arg: object) -> bytes:
    if isinstance(arg, np.void) or (isinstance(arg, np.ndarray) and arg.ndim == 0 and arg.dtype.kind == "V"):
        data = arg.tobytes()
    elif isinstance(arg, (bytes, bytearray, memoryview)):
        data = bytes(arg)
    else:
        raise TypeError(f"{where}: expected a structured NumPy scalar or bytes, got {_described(arg)}")
    if len(data) != ctype.size:
        raise TypeError(f"{where}: expected {ctype.size} bytes, got {len(data)}")
    return data


def _number(where: _Where, ctype: Scalar, arg: object) -> bytes:
    if ctype.kind == "int" and ctype.size == WIDE:
        return _wide_integer(where, ctype, arg)
    wanted = dtype_of(ctype)
    if isinstance(arg, np.generic):
        if not np.can_cast(arg.dtype, wanted, "safe"):
            raise TypeError(f"{where}: numpy.{arg.dtype} does not convert safely; pass numpy.{wanted}(...)")
        data: bytes = arg.astype(wanted).tobytes()
        return data
    if isinstance(arg, (bool, int)) and not isinstance(arg, np.ndarray):
        value: int | float = arg
    elif isinstance(arg, float) and ctype.kind == "float":
        value = arg
    else:
        raise TypeError(f"{where}: expected a number that converts to {wanted}, got {_described(arg)}")
    if ctype.kind == "bool" and value not in (0, 1):
        raise OverflowError(f"{where}: the number is out of range: expected True or False")
    try:
        order = "<" if ctype.kind == "float" else ""  # "f" checks the range only with an explicit byte order
        return struct.pack(order + wanted.char, value)
    except (struct.error, OverflowError):
        raise OverflowError(f"{where}: the number is out of range for {wanted}") from None


def _wide_integer(where: _Where, ctype: Scalar, arg: object) -> bytes:
    """Return the bytes of an integer of 128 bits, which NumPy has not."""
    if not isinstance(arg, int | np.integer):
        raise TypeError(f"{where}: expected an integer, got {_described(arg)}")
    try:
        return int(arg).to_bytes(ctype.size, "little", signed=ctype.signed)
    except OverflowError:
        raise OverflowError(f"{where}: the number is out of range for {ctype}") from None


def _described(arg: object) -> str:
    if isinstance(arg, np.ndarray):
        return f"an array of {arg.dtype}"
    return "None" if arg is None else f"{type(arg).__name__} {arg!r:.40}"
