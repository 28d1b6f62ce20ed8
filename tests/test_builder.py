"""Loops that are built by `counted_loop` run as the serial ones that they replace."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import llvmlite.binding as llvm
from hypothesis import given
from hypothesis import strategies as st
from llvmlite import ir

from simt2simd.simd.builder import I32, I64, Builder, counted_loop

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def compiled(build: Callable[[Builder, ir.Value, ir.Value, ir.Value], ir.Value]) -> Callable[[int, int, int], int]:
    """Return what `build` computes of three numbers of 32 bits."""
    module = ir.Module("loops")
    function = ir.Function(module, ir.FunctionType(I64, [I32, I32, I32]), "loops")
    b = Builder(function.append_basic_block("entry"), 16)
    b.ret(build(b, *function.args))
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32)(
        engine.get_function_address("loops")
    )
    return lambda *args: (engine, int(call(*args)))[1]


def digest(b: Builder, place: ir.Value, number: ir.Value) -> None:
    """place = place * 31 + number: distinguishes numbers and their order."""
    before = b.load(place, typ=I64)
    b.store(b.add(b.mul(before, ir.Constant(I64, 31)), b.zext(number, I64)), place)


def expected(numbers: list[int]) -> int:
    value = 0
    for number in numbers:
        value = (value * 31 + number) % (1 << 64)
    return value - (1 << 64) if value >= 1 << 63 else value


def nested(b: Builder, rows: ir.Value, width: ir.Value, step: ir.Value) -> ir.Value:
    place = b.alloca(I64)
    b.store(ir.Constant(I64, 0), place)
    some = b.icmp_unsigned("!=", rows, ir.Constant(I32, 0))
    with (
        counted_loop(b, ir.Constant(I32, 0), rows, 1, "row", "y", if_any=some) as outer,
        counted_loop(b, ir.Constant(I32, 5), width, step, "column", "x") as inner,
    ):
        digest(b, place, outer.number)
        digest(b, place, inner.number)
    return b.load(place, typ=I64)


def carrying(b: Builder, first: ir.Value, end: ir.Value, seed: ir.Value) -> ir.Value:
    """Steps of 1, 2, 3 ..., and a second value that goes along."""
    place = b.alloca(I64)
    b.store(ir.Constant(I64, 0), place)
    some = b.icmp_unsigned("<", first, end)
    with counted_loop(b, first, end, 1, "round", "i", if_any=some) as loop:
        stride, other = loop.carry(ir.Constant(I32, 1), "stride"), loop.carry(seed, "other")
        digest(b, place, loop.number)
        digest(b, place, other)
        loop.step = stride
        loop.follow(stride, b.add(stride, ir.Constant(I32, 1)))
        loop.follow(other, b.xor(other, loop.number))
    return b.load(place, typ=I64)


NESTED, CARRYING = compiled(nested), compiled(carrying)


@given(st.integers(0, 9), st.integers(0, 60), st.integers(1, 20))
def test_nested_loops(rows: int, width: int, step: int) -> None:
    columns = [5, *range(5 + step, width, step)]  # the first iteration is not tested
    assert NESTED(rows, width, step) == expected([n for y in range(rows) for x in columns for n in (y, x)])


@given(st.integers(0, 50), st.integers(0, 99), st.integers(0, 2**32 - 1))
def test_what_goes_from_iteration_to_iteration(first: int, end: int, seed: int) -> None:
    numbers, stride = [], 1
    while first < end:
        numbers += [first, seed]
        seed, first, stride = seed ^ first, first + stride, stride + 1
    assert CARRYING(numbers[0] if numbers else first, end, numbers[1] if numbers else seed) == expected(numbers)
