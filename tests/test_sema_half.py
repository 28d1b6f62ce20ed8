"""The room for short floats: `__half`, `__nv_bfloat16` and their pairs."""

from __future__ import annotations

from front import refusal, syntax, whole

from simt2simd.frontend.sema.context import Sema
from simt2simd.lang.ctype import CType, Struct

TEXT = """
#include <cuda_fp16.h>
__device__ __half2 pair; __device__ __half one; __device__ __half_raw bits; __device__ int n;
"""


def type_of(s: Sema, text: str) -> CType:
    return s.expr.value(syntax(s, text)).type


def test_an_operator_on_pairs_gives_a_pair() -> None:
    s = whole(TEXT)
    found = s.expr.value(syntax(s, "pair + pair"))
    assert found.type == type_of(s, "pair")
    assert "+" in refusal(s, lambda: s.expr.value(syntax(s, "pair + n")))


def test_operators_on_short_floats_round_to_them() -> None:
    s = whole(TEXT)
    assert [str(type_of(s, text)) for text in ("one * one", "-one", "one < one")] == ["__half", "__half", "bool"]


def test_bits_and_short_floats_convert_into_each_other() -> None:
    s = whole(TEXT)
    half, raw = type_of(s, "one"), type_of(s, "bits")
    assert isinstance(raw, Struct)
    assert s.half.has_bits(half, raw)
    assert s.half.has_bits(raw, half)
    assert not s.half.has_bits(half, type_of(s, "n"))
    assert s.expr.conversions.implicit(s.expr.value(syntax(s, "bits")), half, "here").type == half


def test_two_halves_make_a_pair() -> None:
    s = whole(TEXT)
    assert type_of(s, "__half2(one, one)") == type_of(s, "pair")
    assert type_of(s, "__halves2half2(one, one)") == type_of(s, "pair")
