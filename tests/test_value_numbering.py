"""A builder that builds no instruction twice: what it may leave out, and what it must not."""

from __future__ import annotations

import pytest
from llvmlite import ir

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.simd.builder import F32, I8, I32, I64, Builder, frozen
from simt2simd.source import Source

PTR = ir.PointerType()


def function(*params: ir.Type) -> tuple[ir.Function, Builder]:
    made = ir.Function(ir.Module("m"), ir.FunctionType(ir.VoidType(), params), "f")
    return made, Builder(made.append_basic_block("entry"), 16)


def lines(made: ir.Function) -> int:
    return sum(len(block.instructions) for block in made.blocks)


def number(value: ir.Value) -> object:
    assert isinstance(value, ir.Constant)
    return value.constant


def test_an_equal_instruction_of_the_block_is_the_one_that_is_there() -> None:
    made, b = function(I32, I32)
    x, y = made.args
    assert b.add(x, y) is b.add(x, y, name="again")
    assert b.icmp_signed("<", x, y) is b.icmp_signed("<", x, y)
    assert b.zext(x, I64) is b.zext(x, I64)
    assert b.add(x, ir.Constant(I32, 5)) is b.add(x, ir.Constant(I32, 5))
    assert lines(made) == 4


def test_what_differs_is_built() -> None:
    made, b = function(I32, I32, PTR)
    x, y, p = made.args
    different = [
        b.sub(x, y),
        b.sub(y, x),
        b.sub(x, y, flags=("nsw",)),
        b.add(x, y),
        b.icmp_signed("<", x, y),
        b.icmp_unsigned("<", x, y),
        b.icmp_signed("<=", x, y),
        b.zext(x, I64),
        b.sext(x, I64),
        b.gep(p, [x], source_etype=I8),
        b.gep(p, [x], source_etype=I32),
        b.gep(p, [x], source_etype=I32, inbounds=True),
        b.add(x, ir.Constant(I32, 5)),
        b.add(x, ir.Constant(I32, 6)),
    ]
    assert len(set(map(id, different))) == len(different) == lines(made)


def test_zeros_of_both_signs_and_numbers_of_two_types_differ() -> None:
    made, b = function(F32)
    (x,) = made.args
    sums = [b.fadd(x, ir.Constant(F32, number)) for number in (0.0, -0.0)]
    assert sums[0] is not sums[1]
    bits = [b.bitcast(x, I32), b.fptosi(x, I32), b.fptoui(x, I32)]
    assert len(set(map(id, bits))) == 3


def test_a_block_knows_nothing_of_another_one() -> None:
    made, b = function(I32)
    (x,) = made.args
    first = b.mul(x, x)
    b.position_at_end(made.append_basic_block("next"))
    assert b.mul(x, x) is not first


def test_a_block_that_the_builder_returns_to_still_knows_its_values() -> None:
    made, b = function(I32)
    (x,) = made.args
    first, start = b.mul(x, x), b.block
    b.position_at_end(made.append_basic_block("next"))
    with b.goto_block(start):
        assert b.mul(x, x) is first


def test_memory_calls_and_frozen_values_are_never_numbered() -> None:
    made, b = function(PTR, I32)
    p, x = made.args
    assert b.load(p, typ=I32) is not b.load(p, typ=I32)
    assert frozen(b, x) is not frozen(b, x)
    callee = ir.Function(b.module, ir.FunctionType(I32, [I32]), "g")
    assert b.call(callee, [x]) is not b.call(callee, [x])
    b.store(x, p)
    b.store(x, p)
    assert lines(made) == 8


def test_a_register_holds_what_was_stored_last_in_the_block() -> None:
    made, b = function(I32, I32)
    x, y = made.args
    slot = b.alloca(I32)
    slot.type = PTR
    b.keep_in_register(slot)
    unknown = b.load(slot, typ=I32)
    assert b.load(slot, typ=I32) is unknown
    assert not b.is_held(x)
    b.store(x, slot)
    assert b.load(slot, typ=I32) is x and b.is_held(x)
    b.store(y, slot)
    assert b.load(slot, typ=I32) is y
    b.position_at_end(made.append_basic_block("next"))
    assert b.load(slot, typ=I32) not in (x, y, unknown)


@pytest.mark.parametrize(
    ("operation", "left", "right", "result"),
    [
        ("add", 2**31 - 1, 1, -(2**31)),
        ("sub", 0, 5, -5),
        ("mul", 1 << 30, 8, 0),
        ("mul", -3, 7, -21),
        ("and_", -1, 12, 12),
        ("or_", 3, 12, 15),
        ("xor", -1, 1, -2),
    ],
)
def test_operations_on_constants_wrap(operation: str, left: int, right: int, result: int) -> None:
    made, b = function()
    value = getattr(b, operation)(ir.Constant(I32, left), ir.Constant(I32, right))
    assert (number(value), lines(made)) == (result, 0)


def test_constants_are_extended_and_truncated() -> None:
    _, b = function()
    minus = ir.Constant(I32, -2)
    assert number(b.sext(minus, I64)) == -2
    assert number(b.zext(minus, I64)) == 2**32 - 2
    assert number(b.trunc(ir.Constant(I64, 2**32 + 7), I32)) == 7
    assert number(b.trunc(ir.Constant(I64, 200), I8)) == 200 - 256


def test_what_changes_nothing_is_left_out_and_nothing_else() -> None:
    made, b = function(I32)
    (x,) = made.args
    zero, one = ir.Constant(I32, 0), ir.Constant(I32, 1)
    for operation, neutral in (("add", zero), ("sub", zero), ("mul", one), ("or_", zero), ("xor", zero), ("shl", zero)):
        assert getattr(b, operation)(x, neutral) is x
    for operation, neutral in (("add", zero), ("mul", one), ("or_", zero), ("xor", zero)):
        assert getattr(b, operation)(neutral, x) is x
    assert lines(made) == 0
    for operation, left, right in (
        ("sub", zero, x),
        ("shl", zero, x),
        ("shl", one, x),
        ("sub", x, one),
        ("udiv", x, zero),
    ):
        assert getattr(b, operation)(left, right) is not x
    assert lines(made) == 5


def test_a_bit_is_no_number() -> None:
    """The only bit of an `i1` is 1 or -1, as one likes."""
    made, b = function()
    on, off = ir.Constant(ir.IntType(1), 1), ir.Constant(ir.IntType(1), 0)
    b.add(on, on)
    b.zext(on, I32)
    b.xor(on, off)
    assert lines(made) == 3


def test_a_product_that_a_variable_holds_is_not_multiplied_again() -> None:
    text = (
        "__global__ void k(float *p, float a) { float x = p[0] * a; p[1] = 1.0f - x; p[2] = x; p[3] = p[4] * a - x; }"
    )
    dumps: list[str] = []
    compile_device(Source("k.cu", text), Options(), ["llvm"], lambda _, dump: dumps.append(dump))
    body = dumps[0].partition('define internal void @"k"(')[2].partition("}")[0]
    assert (body.count("fmul"), body.count('@"llvm.fma'), body.count("fsub")) == (4, 2, 2), (
        body
    )  # for gangs with all lanes, and others
