"""Thrust's algorithms give what the C++ library gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from library_kernels import both, run_program

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
