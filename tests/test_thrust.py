"""Thrust's algorithms give what the C++ library gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from library_kernels import both, run_program

from simt2simd import RawKernel

pytestmark = pytest.mark.unoptimised

PROGRAMS = Path(__file__).parent / "libraries"


@pytest.mark.slow
def test_algorithms_of_the_device_and_of_the_host(tmp_path: Path) -> None:
    """Each is compared with the C++ library's; what differs is printed."""
    printed = run_program(tmp_path, (PROGRAMS / "thrust.cu").read_text())
    assert printed.split("\n") == ["0 done", "1 done", "1000 done", "50003 done", ""]


@pytest.mark.slow
def test_what_programs_make_of_iterators_functors_and_random_numbers(tmp_path: Path) -> None:
    printed = run_program(tmp_path, (PROGRAMS / "thrust_more.cu").read_text())
    assert printed.split("\n") == ["0 10 2 ", "0 10 2 0", "done", ""]


@pytest.mark.slow
def test_sorted_ranges_as_sets(tmp_path: Path) -> None:
    """Also mergers with values, and what is gathered, scattered and replaced under a condition."""
    assert run_program(tmp_path, (PROGRAMS / "thrust_sets.cu").read_text()) == "done\n"


def test_algorithms_that_give_events_and_futures(tmp_path: Path) -> None:
    assert run_program(tmp_path, (PROGRAMS / "thrust_async.cu").read_text()) == "done\n"


def test_vectors_of_the_device_have_memory_of_their_allocators(tmp_path: Path) -> None:
    """An allocator of the program, with raw pointers and a state; one derived from that of Thrust."""
    printed = run_program(tmp_path, (PROGRAMS / "thrust_allocators.cu").read_text())
    assert printed.split("\n") == ["34 19 160 4 2 7 0", "16 16", "0", "1019 4 0 1.5", "4 0 1", ""]


def test_algorithms_within_a_kernel() -> None:
    """Each thread has its own row."""
    text = """
    #include <thrust/copy.h>
    #include <thrust/execution_policy.h>
    #include <thrust/extrema.h>
    #include <thrust/iterator/counting_iterator.h>
    #include <thrust/scan.h>
    #include <thrust/sort.h>
    struct Positive { __device__ bool operator()(int x) const { return x > 0; } };
    extern "C" __global__ void k(int *rows, int *out, int n) {
      int i = threadIdx.x, *row = rows + i * n, *o = out + i * 2 * n;
      o[0] = thrust::max_element(thrust::seq, row, row + n) - row;
      o[1] = thrust::copy_if(thrust::device, row, row + n, o + n, Positive()) - (o + n);
      thrust::sort(thrust::seq, row, row + n);
      thrust::inclusive_scan(thrust::seq, row, row + n, o + 2);
    }"""
    given = np.random.default_rng(1).integers(-50, 50, (20, 9)).astype(np.int32)
    rows, out = both(text, "k", 1, 20, (given.copy(), np.zeros((20, 18), np.int32), np.int32(9)))
    assert (rows == np.sort(given, 1)).all()
    for before, row, found in zip(given, rows, out, strict=True):
        positive = before[before > 0]
        assert found[0] == before.argmax()
        assert found[1] == len(positive)
        assert (found[2:9] == row.cumsum()[:7]).all()
        assert (found[11 : 9 + len(positive)] == positive[2:]).all()


# What Thrust's generators give: numbers 0 and 1 of the default seed, then of seed 1234, and that after 1000 more.
DRAWN = {
    "minstd_rand0": (16807, 282475249, 20739838, 682106452, 470982582),
    "minstd_rand": (48271, 182605794, 59566414, 1997250508, 284060387),
    "ranlux24_base": (15039276, 16323925, 8953016, 2634590, 9561374),
    "ranlux24": (15039276, 16323925, 8953016, 2634590, 8144945),
    "ranlux48_base": (281473885556995, 281474042438754, 864989702, 705350957, 95659138088559),
    "ranlux48": (281473885556995, 281474042438754, 864989702, 705350957, 48454265848005),
    "taus88": (45438212, 1409544450, 166554903, 3524096137, 93564521),
}


def test_generators_have_the_numbers_of_thrust() -> None:
    draws = "".join(
        f"""{{
      thrust::{name} first, other(1234);
      if (i == {k}) {{
        for (int j = 0; j < 2; j++) out[5 * i + j] = first(), out[5 * i + 2 + j] = other();
        other.discard(1002);
        out[5 * i + 4] = other();
      }}
    }}"""
        for k, name in enumerate(DRAWN)
    )
    text = f"""
    #include <thrust/random.h>
    __global__ void k(unsigned long long *out) {{ int i = threadIdx.x; {draws} }}"""
    out = np.zeros(5 * len(DRAWN), np.uint64)
    RawKernel(text, "k")((1,), (len(DRAWN),), (out,))
    assert dict(zip(DRAWN, map(tuple, out.reshape(-1, 5).tolist()), strict=True)) == DRAWN
