"""The generators of <curand_kernel.h> give cuRAND's numbers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from library_kernels import both, run_program

from simt2simd import RawKernel, RawModule
from simt2simd.diag import CompileError

pytestmark = pytest.mark.unoptimised

TEXT = """
#include <curand_kernel.h>
template <class State> __device__ void numbers(
    unsigned long long seed, unsigned long long first, unsigned long long offset, unsigned *out) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  State state;
  curand_init(seed, first + i, offset, &state);
  for (int j = 0; j < 4; j++) out[4 * i + j] = curand(&state);
}
#define NUMBERS(name, State) extern "C" __global__ void name( \\
  unsigned long long seed, unsigned long long first, unsigned long long offset, unsigned *out) { \\
    numbers<State>(seed, first, offset, out); }
NUMBERS(xorwow, curandState) NUMBERS(philox, curandStatePhilox4_32_10_t) NUMBERS(mrg, curandStateMRG32k3a_t)
"""
PROGRAMS = Path(__file__).parent / "libraries"
GENERATORS = ("xorwow", "philox", "mrg")


def numbers(kernel: str, seed: int, first: int = 0, offset: int = 0, threads: int = 1) -> np.ndarray[Any, Any]:
    out = np.zeros((threads, 4), np.uint32)
    module().get_function(kernel)((1,), (threads,), (np.uint64(seed), np.uint64(first), np.uint64(offset), out))
    return out


@cache
def module(text: str = TEXT) -> RawModule:
    return RawModule(code=text)


@pytest.mark.parametrize(
    ("seed", "printed"),
    [
        (0, [0.7402, 0.9210, 0.0390, 0.9690, 0.9251, 0.4464, 0.6673, 0.1099, 0.4702, 0.5132]),
        (1234, [0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855]),
    ],
)
def test_xorwow_is_that_of_nvidias_documentation(seed: int, printed: list[float]) -> None:
    """The host library's examples print the first number of each subsequence."""
    found = numbers("xorwow", seed, threads=10)[:, 0] / 2**32
    assert found.round(4).tolist() == printed


def test_philox_is_that_of_its_authors() -> None:
    assert [hex(x) for x in numbers("philox", 0)[0]] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    # The key and the counter are all ones.
    ones = numbers("philox", 2**64 - 1, 2**64 - 1, 0xFFFFFFFFFFFFFFFC)
    expected = philox([0xFFFFFFFF, 0x3FFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF], [0xFFFFFFFF, 0xFFFFFFFF])
    assert ones[0].tolist() == expected


def philox(counter: list[int], key: list[int]) -> list[int]:
    for _ in range(10):
        (high0, low0), (high1, low1) = (
            divmod(a * b, 2**32) for a, b in ((0xD2511F53, counter[0]), (0xCD9E8D57, counter[2]))
        )
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0]
        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
    return counter


def test_the_reference_of_philox_is_right() -> None:
    assert [hex(x) for x in philox([2**32 - 1] * 4, [2**32 - 1] * 2)] == [
        "0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"
    ]  # fmt: skip


def test_mrg32k3a_is_that_of_its_author() -> None:
    """With all words of the state 12345 it begins with 0.127011122046577, 0.318527565396, 0.309186015567."""
    found = numbers("mrg", 0)[0][:3] / 2**32
    assert np.allclose(found, [0.1270111220, 0.3185275653, 0.3091860155], atol=1e-9)


@pytest.mark.parametrize("kernel", GENERATORS)
def test_the_interpreter_gives_the_same_numbers(kernel: str) -> None:
    args = (np.uint64(5), np.uint64(1), np.uint64(6), np.zeros((3, 4), np.uint32))
    assert both(TEXT, kernel, 1, 3, args)[0].tolist() == numbers(kernel, 5, 1, 6, threads=3).tolist()


@pytest.mark.parametrize("kernel", GENERATORS)
def test_an_offset_leaves_numbers_out(kernel: str) -> None:
    begin = np.concatenate([numbers(kernel, 77, 5, offset)[0] for offset in range(0, 40, 4)])
    for offset in (1, 3, 7, 18, 33):
        assert numbers(kernel, 77, 5, offset)[0].tolist() == begin[offset : offset + 4].tolist()


SKIPS = """
#include <curand_kernel.h>
template <class State> __device__ void skips(unsigned *out) {
  int i = threadIdx.x;
  State a, b, c;
  curand_init(99, 7, 0, &a);
  b = c = a;
  if (i < 20) {
    for (int j = 0; j < i * 37; j++) curand(&a);
    skipahead((unsigned long long)i * 37, &b);
  } else {  // in two steps and in one
    skipahead(1ull << i, &a), skipahead((1ull << i) - i, &a);
    skipahead((1ull << (i + 1)) - i, &b);
  }
  out[2 * i] = curand(&a), out[2 * i + 1] = curand(&b);
}
extern "C" __global__ void xorwow(unsigned *out) { skips<curandState>(out); }
extern "C" __global__ void philox(unsigned *out) { skips<curandStatePhilox4_32_10_t>(out); }
extern "C" __global__ void mrg(unsigned *out) { skips<curandStateMRG32k3a>(out); }
"""


@pytest.mark.parametrize("kernel", GENERATORS)
def test_skipping_is_the_same_as_drawing(kernel: str) -> None:
    out = np.zeros((62, 2), np.uint32)
    module(SKIPS).get_function(kernel)((1,), (62,), (out,))
    assert (out[:, 0] == out[:, 1]).all()
    assert len(set(out[:, 0].tolist())) == 62


DISTRIBUTIONS = """
#include <curand_kernel.h>
template <class State> __device__ void draw(double *out, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x, total = gridDim.x * blockDim.x;
  State s;
  curand_init(3, i, 0, &s);
  for (int j = 0; j < n; j++) {
    double *p = out + (j * total + i) * 8;
    p[0] = curand_uniform(&s), p[1] = curand_uniform_double(&s);
    p[2] = curand_normal(&s), p[3] = curand_normal_double(&s);
    p[4] = logf(curand_log_normal(&s, 1, 0.5f)), p[5] = curand_poisson(&s, 5.0);
    p[6] = curand_poisson(&s, 200.0), p[7] = curand_poisson(&s, 5000.0);
  }
}
extern "C" __global__ void xorwow(double *out, int n) { draw<curandState>(out, n); }
extern "C" __global__ void philox(double *out, int n) { draw<curandStatePhilox4_32_10_t>(out, n); }
extern "C" __global__ void mrg(double *out, int n) { draw<curandStateMRG32k3a>(out, n); }
"""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", GENERATORS)
def test_distributions_have_their_means_and_deviations(kernel: str) -> None:
    out = np.zeros((65536, 8))
    module(DISTRIBUTIONS).get_function(kernel)((16,), (256,), (out, np.int32(16)))
    assert np.allclose(out.mean(0), [0.5, 0.5, 0, 0, 1, 5, 200, 5000], rtol=3e-3, atol=0.015)
    assert np.allclose(out.std(0), [12**-0.5, 12**-0.5, 1, 1, 0.5, 5**0.5, 200**0.5, 5000**0.5], rtol=0.015)


@pytest.mark.slow
def test_arrays_of_the_host_library(tmp_path: Path) -> None:
    """The first numbers are those of NVIDIA's documentation; then come means and deviations, and an unknown kind."""
    lines = run_program(tmp_path, (PROGRAMS / "curand_host.cu").read_text()).split("\n")
    assert lines[0].split() == "0.1455 0.8202 0.5504 0.2948 0.9147 0.8690 0.3219 0.7829 0.0113 0.2855".split()
    assert lines[1:] == ["0.5 2.0 9 4.0"] * 3 + ["103", ""]


# One unit of the last digit that is printed, relative to the number where digits count from its first.
LAST_DIGITS = [(1e-4, 0)] * 4 + [(0, 1e-2)] * 2 + [(1e-10, 0)] * 3 + [(0, 1e-7)] * 2


@pytest.mark.slow
def test_all_draws_are_those_of_a_gpu(tmp_path: Path) -> None:
    """A GPU printed the file: integers and bits are the same, normal numbers to within the last digit printed."""
    expected = (PROGRAMS / "curand_sequences.h200.txt").read_text().splitlines()[1:]
    printed = run_program(tmp_path, (PROGRAMS / "curand_sequences.cu").read_text()).splitlines()
    assert [line for line in printed if "close" not in line] == [line for line in expected if "close" not in line]
    close, ours = ([line.split() for line in lines if "close" in line] for lines in (expected, printed))
    absolute, relative = np.array(LAST_DIGITS).T * 1.01
    theirs = np.array([line[1:] for line in close], float)
    assert theirs.shape == (148, 11)
    assert (np.abs(np.array([line[1:] for line in ours], float) - theirs) <= absolute + relative * np.abs(theirs)).all()


@pytest.mark.slow
def test_arrays_of_the_host_library_have_the_order_of_a_gpu(tmp_path: Path) -> None:
    expected = (PROGRAMS / "curand_orders.h200.txt").read_text().splitlines()[1:]
    printed = run_program(tmp_path, (PROGRAMS / "curand_orders.cu").read_text()).splitlines()
    assert printed[len(expected) :] == ["in parts the same: 1", "refused: 104 104 105"]
    for theirs, ours in zip(expected, printed[: len(expected)], strict=True):
        name, _, numbers = theirs.partition(":")
        if "normal" in name:
            close = 1e-14 if "normals" in name else 3e-6
            assert ours.startswith(name)
            found = np.array(ours.partition(":")[2].split(), float)
            assert np.allclose(found, np.array(numbers.split(), float), rtol=0, atol=close)
        else:
            assert ours == theirs


def test_states_have_nvidias_sizes_and_move_between_kernels(tmp_path: Path) -> None:
    text = """
    #include <cstdio>
    #include <curand_kernel.h>
    template <class S> __global__ void setup(S *s) { curand_init(1234, threadIdx.x, 0, s + threadIdx.x); }
    template <class S> __global__ void draw(S *s, float *out) {
      S own = s[threadIdx.x];
      out[threadIdx.x] = curand_uniform(&own), s[threadIdx.x] = own;
    }
    template <class S> void run(float *out) {
      S *s;
      cudaMalloc(&s, 32 * sizeof(S));
      setup<<<1, 32>>>(s), draw<<<1, 32>>>(s, out), draw<<<1, 32>>>(s, out), cudaDeviceSynchronize();
      printf("%d %.4f\\n", (int)sizeof(S), out[0]);
    }
    int main() {
      float *out;
      cudaMallocManaged(&out, 32 * sizeof(float));
      run<curandState_t>(out), run<curandStatePhilox4_32_10_t>(out), run<curandStateMRG32k3a>(out);
    }"""
    printed = run_program(tmp_path, text).split()
    assert printed[::2] == ["48", "64", "48"]
    found = [numbers(kernel, 1234)[0][1] / 2**32 for kernel in GENERATORS]
    assert np.allclose(found, [float(x) for x in printed[1::2]], atol=1e-4)


def test_other_generators_are_refused_by_name() -> None:
    text = "#include <curand_kernel.h>\n__global__ void k(curandStateSobol32_t *s, unsigned *v) { *v = curand(s); }"
    with pytest.raises(CompileError, match=r"'curandStateSobol32_t' is not supported yet(.|\n)*MRG32k3a"):
        RawKernel(text, "k").compile()
