"""The instructions of a family of CPUs do what `Instructions` says; a target is asked only for those that it has."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vector_jit import Case, Compiled

from simt2simd.lang.ctype import BOOL, INT, LONG
from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.simd.instructions import instructions
from simt2simd.source import Source
from simt2simd.target import AVX512, LANES

CPU = instructions(AVX512)
CASES = {
    "compress": Case([INT, BOOL], [INT], lambda b, _, x, on: [CPU.compress(b, x, on)]),
    "expand": Case([INT, BOOL], [INT], lambda b, _, x, on: [CPU.expand(b, x, on)]),
    "permute": Case([INT, INT], [INT], lambda b, _, x, at: [CPU.permute(b, [x], at)]),
    "permute2": Case([INT, INT, INT], [INT], lambda b, _, x, y, at: [CPU.permute(b, [x, y], at)]),
    "conflicts": Case([INT], [INT], lambda b, _, x: [CPU.conflicts(b, x)]),
}
WORDS = st.lists(st.integers(-(2**31), 2**31 - 1), min_size=LANES, max_size=LANES)
FEW = st.lists(st.integers(0, 5), min_size=LANES, max_size=LANES)
LANES_ON = st.lists(st.booleans(), min_size=LANES, max_size=LANES)
PLACES = st.lists(st.integers(0, 2 * LANES - 1), min_size=LANES, max_size=LANES)


@pytest.fixture(scope="module")
def jit() -> Compiled:
    return Compiled(CASES, Options(target=AVX512))


@pytest.mark.avx512
@given(WORDS, LANES_ON)
@settings(deadline=None)
def test_compressed_lanes_expand_to_where_they_were(jit: Compiled, values: list[int], on: list[bool]) -> None:
    active = [value for value, is_on in zip(values, on, strict=True) if is_on]
    packed = jit("compress", np.array(values, np.int32), np.array(on))
    assert packed.tolist() == active + [0] * (LANES - len(active))
    back = jit("expand", packed, np.array(on))
    assert back.tolist() == [value if is_on else 0 for value, is_on in zip(values, on, strict=True)]


@pytest.mark.avx512
@given(WORDS, WORDS, PLACES)
@settings(deadline=None)
def test_permutations_count_through_both_registers(
    jit: Compiled, first: list[int], second: list[int], places: list[int]
) -> None:
    both, at = [*first, *second], np.array(places, np.int32)
    x, y = np.array(first, np.int32), np.array(second, np.int32)
    assert jit("permute2", x, y, at).tolist() == [both[place] for place in places]
    assert jit("permute", x, at % LANES).tolist() == [first[place % LANES] for place in places]


@pytest.mark.avx512
@given(FEW)
@settings(deadline=None)
def test_conflicts_are_earlier_lanes_with_the_same_value(jit: Compiled, values: list[int]) -> None:
    found = jit("conflicts", np.array(values, np.int32)).tolist()
    assert found == [sum(1 << j for j in range(i) if values[j] == values[i]) for i in range(LANES)]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@settings(deadline=None)
def test_bits_are_deposited_where_the_pattern_has_ones(number: int, pattern: int) -> None:
    jit = _deposit()
    wanted, left = 0, number
    for place in range(64):
        if pattern >> place & 1:
            wanted, left = wanted | (left & 1) << place, left >> 1
    halves = [np.array([value], np.uint64).view(np.int64) for value in (number, pattern)]
    assert jit("deposit", *halves).view(np.uint64)[0] == wanted


_COMPILED: list[Compiled] = []


def _deposit() -> Compiled:
    if not _COMPILED:
        case = Case([LONG, LONG], [LONG], lambda b, _, bits, pattern: [CPU.deposit(b, bits, pattern)])
        _COMPILED.append(Compiled({"deposit": case}, uniform=True))
    return _COMPILED[0]


# ------------------------------------------------------------------------------------------- capabilities

NAMES = {
    "gathers": ("mask.gather.dp", "mask.scatter.dp"),
    "compresses": ("mask.compress", "mask.expand"),
    "permutes": ("permvar", "vpermi2var"),
    "conflicts": ("avx512.conflict",),
    "mask_registers": ("pdep", "~{k0}"),
    "float_parts": ("scalef", "getexp", "getmant", "mask.reduce", "mask.range", "rcp14", "rsqrt14"),
}
HERE = Path(__file__).parent
PROGRAMS = [
    *(f"golden/{name}.cu" for name in ("likely", "memory", "columns", "atomic", "histogram", "arithmetic", "fission")),
    *(f"differential/{name}.cu" for name in ("control/squeezed", "floats/divergent_math", "barriers/skipped")),
]


@functools.cache
def _text(path: str, options: Options) -> str:
    return str(compile_device(Source.read(HERE / path), options, until="llvm")[results.LLVM])


@pytest.mark.parametrize("capability", NAMES)
def test_a_target_is_asked_only_for_what_it_has(capability: str) -> None:
    poor = replace(AVX512, **{capability: False})  # type: ignore[arg-type]
    rich_text = "".join(_text(path, Options()) for path in PROGRAMS)
    poor_text = "".join(_text(path, Options(target=poor)) for path in PROGRAMS)
    for name in NAMES[capability]:
        assert name not in poor_text
    assert any(name in rich_text for name in NAMES[capability])


def test_ends_of_near_addresses_do_not_go_through_memory() -> None:
    """LLVM puts a vector on the stack to take a lane from it whose number is not constant."""
    text = """
    __global__ void k(const float *in, float *out, int first, int last) {
        int i = threadIdx.x, west = i - 1 < first ? first : i - 1;
        if (i >= first && i <= last) out[i] = in[west];
    }
    """
    llvm = str(compile_device(Source("near.cu", text), Options(target=AVX512), until="llvm")[results.LLVM])
    lanes = re.findall(r"extractelement <16 x i32> \S+, i32 (\S+)", llvm)
    assert lanes and all(map(str.isdigit, lanes))
