"""Python values as kernel arguments: what fits is passed on bit for bit, what does not fit is named."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from numpy.typing import DTypeLike

from simt2simd.lang import ctype
from simt2simd.lang.ctype import CType, Pointer
from simt2simd.python.arguments import MAX_ARRAY_BYTES, pack
from simt2simd.python.signature import Signature, signature
from simt2simd.source import NOWHERE
from simt2simd.tree.nodes import Block, Function, Variable


def kernel(*types: CType) -> Signature:
    names = ("a", "b", "c")
    params = tuple(Variable(name, type_, NOWHERE, "param") for name, type_ in zip(names, types, strict=False))
    return signature(Function("k", NOWHERE, "kernel", params, ctype.VOID, Block(NOWHERE, ())), "s2s_kernel_k")


def packed(type_: CType, value: object) -> bytes:
    return pack(kernel(type_), [value])


def point() -> ctype.Struct:
    fields = (ctype.Field("x", ctype.FLOAT, 0), ctype.Field("n", ctype.CHAR, 4))
    return ctype.Struct("Point", NOWHERE, fields, size=8, align=4)


# --------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        (ctype.INT, 5, struct.pack("i", 5)),
        (ctype.INT, np.int32(-5), struct.pack("i", -5)),
        (ctype.INT, np.uint8(200), struct.pack("i", 200)),
        (ctype.INT, True, struct.pack("i", 1)),
        (ctype.UCHAR, 255, b"\xff"),
        (ctype.CHAR, -128, b"\x80"),
        (ctype.SHORT, np.int8(-1), b"\xff\xff"),
        (ctype.LONG, 2**40, struct.pack("q", 2**40)),
        (ctype.LONG, np.longlong(7), struct.pack("q", 7)),
        (ctype.ULONGLONG, 2**64 - 1, b"\xff" * 8),
        (ctype.FLOAT, 2, struct.pack("f", 2.0)),
        (ctype.FLOAT, 0.1, struct.pack("f", 0.1)),
        (ctype.FLOAT, float("inf"), struct.pack("f", float("inf"))),
        (ctype.FLOAT, np.float16(0.5), struct.pack("f", 0.5)),
        (ctype.DOUBLE, np.float32(0.5), struct.pack("d", 0.5)),
        (ctype.DOUBLE, np.int32(3), struct.pack("d", 3.0)),
        (ctype.BOOL, True, b"\x01"),
        (ctype.BOOL, np.False_, b"\x00"),
    ],
)
def test_numbers_that_fit(type_: CType, value: object, expected: bytes) -> None:
    assert packed(type_, value) == expected


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (ctype.INT, np.int64(5)),
        (ctype.INT, np.uint32(5)),
        (ctype.INT, np.float32(5)),
        (ctype.FLOAT, np.float64(5)),
        (ctype.FLOAT, np.int32(5)),
        (ctype.INT, 5.0),
        (ctype.INT, "5"),
        (ctype.INT, None),
        (ctype.FLOAT, 1j),
        (ctype.INT, np.zeros(3, np.int32)),
        (ctype.BOOL, np.int8(1)),
    ],
)
def test_numbers_of_another_type_are_refused(type_: CType, value: object) -> None:
    with pytest.raises(TypeError, match=rf"kernel 'k', parameter 'a' of type '{type_}'"):
        packed(type_, value)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (ctype.INT, 2**31),
        (ctype.UINT, -1),
        (ctype.UCHAR, 256),
        (ctype.FLOAT, 1e300),
        (ctype.DOUBLE, 10**400),
        (ctype.BOOL, 2),
    ],
)
def test_numbers_out_of_range_are_refused(type_: CType, value: object) -> None:
    with pytest.raises(OverflowError, match=r"parameter 'a' of type .* out of range"):
        packed(type_, value)


def test_argument_count() -> None:
    with pytest.raises(TypeError, match=r"too few arguments to kernel 'k': 1 given, 2 expected \(int a, float \*b\)"):
        pack(kernel(ctype.INT, Pointer(ctype.FLOAT)), [1])
    with pytest.raises(TypeError, match=r"too many arguments to kernel 'k': 1 given, 0 expected"):
        pack(kernel(), [1])


def test_arguments_lie_at_their_alignment() -> None:
    assert pack(kernel(ctype.CHAR, ctype.INT, ctype.DOUBLE), [1, 2, 0.5]) == struct.pack("@bid", 1, 2, 0.5)


# ---------------------------------------------------------------------------------------------- arrays


@pytest.mark.parametrize(
    ("target", "dtype"),
    [
        (ctype.FLOAT, np.float32),
        (ctype.DOUBLE, np.float64),
        (ctype.UINT, np.uint32),
        (ctype.LONG, np.int64),
        (ctype.LONGLONG, np.int64),
        (ctype.BOOL, np.bool_),
        (ctype.SCHAR, np.int8),
        (ctype.VOID, np.complex128),
        (ctype.CHAR, np.uint16),
        (Pointer(ctype.INT), np.uint64),
        (ctype.Array(ctype.FLOAT, 4), np.float32),
    ],
)
def test_arrays_are_passed_by_address(target: CType, dtype: DTypeLike) -> None:
    array = np.zeros((4, 4), dtype)
    assert packed(Pointer(target), array) == struct.pack("P", array.ctypes.data)


def test_fortran_ordered_arrays_are_passed_as_they_lie_in_memory() -> None:
    array = np.zeros((4, 5), np.float32, order="F")
    assert packed(Pointer(ctype.FLOAT), array) == struct.pack("P", array.ctypes.data)


def test_none_is_the_null_pointer() -> None:
    assert packed(Pointer(ctype.FLOAT), None) == bytes(8)


@pytest.mark.parametrize(
    ("value", "given"),
    [
        (np.zeros(4, np.float64), "an array of float64"),
        (np.zeros(4, ">f4"), "an array of >f4"),
        ([1.0, 2.0], "list"),
        (np.float32(1), "float32"),
        (12345, "int"),
    ],
)
def test_other_things_than_the_right_array_are_refused(value: object, given: str) -> None:
    with pytest.raises(TypeError, match=rf"parameter 'a' of type 'float \*': expected .*{given}"):
        packed(Pointer(ctype.FLOAT), value)


def test_arrays_that_cannot_be_used_in_place_are_refused() -> None:
    with pytest.raises(ValueError, match="not contiguous"):
        packed(Pointer(ctype.FLOAT), np.zeros((4, 4), np.float32).T[1:])
    with pytest.raises(ValueError, match="not aligned to 4 bytes"):
        packed(Pointer(ctype.FLOAT), np.zeros(9, np.uint8)[1:].view(np.float32))
    huge = np.broadcast_to(np.uint8(0), (MAX_ARRAY_BYTES,))
    with pytest.raises(ValueError):
        packed(Pointer(ctype.UCHAR), huge)


def test_size_limit_is_8_gib() -> None:
    array = np.empty(MAX_ARRAY_BYTES, np.uint8)  # never touched, so it takes no memory
    with pytest.raises(ValueError, match="8 GiB"):
        packed(Pointer(ctype.UCHAR), array)


def test_read_only_arrays_serve_const_pointers_only() -> None:
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    assert packed(Pointer(ctype.FLOAT, const=True), array) == struct.pack("P", array.ctypes.data)
    with pytest.raises(ValueError, match="read-only"):
        packed(Pointer(ctype.FLOAT), array)


# ---------------------------------------------------------------------------------------------- structs

POINT = np.dtype([("x", "f4"), ("n", "i1")], align=True)


def test_struct_arrays_and_values() -> None:
    array = np.zeros(3, POINT)
    array[1] = (0.5, 7)
    assert packed(Pointer(point()), array) == struct.pack("P", array.ctypes.data)
    for plain in (np.zeros(16, np.uint8), np.zeros((2, 2), np.float32), np.zeros(3, np.float64), np.zeros(0, np.int16)):
        assert packed(Pointer(point()), plain) == struct.pack("P", plain.ctypes.data)
    assert packed(point(), array[1]) == array[1].tobytes()
    assert packed(point(), array[1].tobytes()) == array[1].tobytes()


def test_structs_of_another_size_are_refused() -> None:
    unaligned = np.dtype([("x", "f4"), ("n", "i1")])
    with pytest.raises(TypeError, match="structured dtype of 8 bytes"):
        packed(Pointer(point()), np.zeros(3, unaligned))
    with pytest.raises(TypeError, match="structured dtype of 8 bytes"):
        packed(Pointer(point()), np.zeros(3, np.float32))
    with pytest.raises(TypeError, match="structured dtype of 8 bytes"):
        packed(Pointer(point()), np.zeros(3, object))
    with pytest.raises(TypeError, match="expected 8 bytes, got 5"):
        packed(point(), np.zeros(1, unaligned)[0])
    with pytest.raises(TypeError, match="structured NumPy scalar or bytes"):
        packed(point(), (0.5, 7))
