"""CUB's primitives give what NumPy and the C++ library give."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from library_kernels import both, run_program

from simt2simd import RawKernel

PROGRAMS = Path(__file__).parent / "libraries"


def test_reductions_and_prefixes_of_blocks() -> None:
    """The last warp of a block of 100 threads lacks lanes."""
    x = np.random.default_rng(1).integers(0, 50, 200).astype(np.float32)
    text = (PROGRAMS / "cub_reduce_scan.cu").read_text()
    args = (x, np.zeros(4, np.float32), np.zeros((2, 100, 2), np.int32), np.zeros((2, 300), np.int32))
    _, out, scan, items = both(text, "cub_reduce_scan", 2, 100, args)
    blocks = x.reshape(2, 100)
    assert out.reshape(2, 2).tolist() == [[one.sum(), one[:70].max()] for one in blocks]
    assert (scan[:, :, 0] == blocks.cumsum(1) - blocks).all()
    assert (scan[:, :, 1] == blocks.sum(1)[:, None]).all()
    each = np.stack([blocks, np.ones_like(blocks), np.tile(np.arange(100), (2, 1))], 2).reshape(2, 300)
    assert (items == each.cumsum(1)).all()


def test_sorts_loads_histograms_and_flags_of_blocks() -> None:
    x = np.random.default_rng(1).integers(-5, 50, 192).astype(np.float32)
    x[3] = -0.0
    text = (PROGRAMS / "cub_sort.cu").read_text()
    args = (x, np.zeros(384, np.float32), np.zeros(192, np.int32), np.zeros(100, np.uint32), np.zeros(192, np.int32))
    _, out, places, histogram, flags = both(text, "cub_sort", 1, 48, args)
    order = np.argsort(x[:190], kind="stable")
    assert (out[:190] == x[order]).all()
    assert (places[:190] == order).all()
    runs = np.full(192, 99)
    runs[:190] = np.abs(x[order])
    assert (histogram == np.bincount(runs, minlength=100)).all()
    assert (flags == np.r_[1, runs[1:] != runs[:-1]]).all()
    assert (out[194:] == np.sort(x[:190])[::-1]).all()


RANKS = """
#include <cub/cub.cuh>
struct Counts { int *counts; __device__ void operator()(int (&of)[BINS]) {
    for (int i = 0; i < BINS; i++) if (threadIdx.x * BINS + i < 1 << BITS) counts[threadIdx.x * BINS + i] = of[i]; } };
extern "C" __global__ void k(const unsigned *in, int *ranks, int *prefix, int *counts) {
    using Ranks = cub::RANKS;
    __shared__ typename Ranks::TempStorage storage;
    static_assert(Ranks::BINS_TRACKED_PER_THREAD == BINS, "");
    unsigned keys[3];
    int rank[3], before[BINS], place[3];
    for (int i = 0; i < 3; i++) place[i] = PLACE;
    for (int i = 0; i < 3; i++) keys[i] = in[place[i]];
    cub::BFEDigitExtractor<unsigned> extractor(2, BITS);
    Ranks(storage).RankKeys(keys, rank, extractor, before MORE);
    for (int i = 0; i < 3; i++) ranks[place[i]] = rank[i];
    for (int i = 0; i < BINS; i++)
        if (threadIdx.x * BINS + i < 1 << BITS) prefix[threadIdx.x * BINS + i] = before[i];
}"""
STRIPED = "threadIdx.x / 32 * 96 + i * 32 + threadIdx.x % 32"


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    ("ranks", "threads", "bits", "place", "more"),
    [
        ("BlockRadixRank<96, 4, DOWN>", 96, 4, "threadIdx.x * 3 + i", ""),
        ("BlockRadixRank<40, 6, DOWN, true>", 40, 6, "threadIdx.x * 3 + i", ""),
        ("BlockRadixRankMatch<96, 8, DOWN>", 96, 8, STRIPED, ", Counts{counts}"),
        ("BlockRadixRankMatchEarlyCounts<64, 5, DOWN>", 64, 5, STRIPED, ", Counts{counts}"),
    ],
)
def test_ranks_by_a_digit(ranks: str, threads: int, bits: int, place: str, more: str, descending: bool) -> None:
    bins = -(-(1 << bits) // threads)
    text = RANKS.replace("RANKS", ranks).replace("DOWN", "true" if descending else "false").replace("MORE", more)
    text = text.replace("PLACE", place).replace("BINS", str(bins)).replace("BITS", str(bits))
    text = text.replace(f"{bins}_TRACKED", "BINS_TRACKED")
    x = np.random.default_rng(1).integers(0, 1 << bits + 4, 3 * threads).astype(np.uint32)
    args = (x, np.zeros(3 * threads, np.int32), np.zeros(1 << bits, np.int32), np.zeros(1 << bits, np.int32))
    _, found, prefix, counts = both(text, "k", 1, threads, args)
    digits = (x >> 2 & (1 << bits) - 1).astype(np.int64)
    order = np.argsort(-digits if descending else digits, kind="stable")
    assert (found[order] == np.arange(3 * threads)).all()
    number = np.bincount(digits, minlength=1 << bits)
    below = number[::-1].cumsum()[::-1] if descending else number.cumsum()
    assert (prefix == below - number).all()
    assert not more or (counts == number).all()


def test_reductions_and_prefixes_of_warps() -> None:
    text = """
    #include <cub/cub.cuh>
    struct Last { __device__ int operator()(int a, int b) const { return b ? b : a; } };  // not commutative
    extern "C" __global__ void k(const int *in, int *out) {
      __shared__ typename cub::WarpReduce<int>::TempStorage r[4];
      __shared__ typename cub::WarpReduce<int, 8>::TempStorage r8[16];
      __shared__ typename cub::WarpScan<int>::TempStorage s[4];
      int i = threadIdx.x, x = in[i], a, b, *o = out + 8 * i;
      o[0] = cub::WarpReduce<int>(r[i / 32]).Sum(x);
      o[1] = cub::WarpReduce<int, 8>(r8[i / 8]).Reduce(x, Last());
      o[2] = cub::WarpReduce<int>(r[i / 32]).HeadSegmentedSum(x, i % 5 == 0);
      o[3] = cub::WarpReduce<int>(r[i / 32]).TailSegmentedSum(x, i % 5 == 4);
      cub::WarpScan<int>(s[i / 32]).InclusiveSum(x, a, b);
      o[4] = a, o[5] = b;
      cub::WarpScan<int>(s[i / 32]).ExclusiveScan(x, a, 7, Last());
      o[6] = a, o[7] = cub::WarpScan<int>(s[i / 32]).Broadcast(x, 3);
    }"""
    x = np.random.default_rng(1).integers(0, 5, 64).astype(np.int32)
    _, out = both(text, "k", 1, 64, (x, np.zeros((64, 8), np.int32)))
    warps = x.reshape(2, 32)

    def last(values: list[int]) -> int:
        return next((value for value in reversed(values) if value), 0)

    for i in range(64):
        warp, lane = warps[i // 32], i % 32
        if lane == 0:
            assert out[i, 0] == warp.sum()
        if lane % 8 == 0:
            assert out[i, 1] == last(warp[lane : lane + 8].tolist())
        stop = min(32, (i // 5 + 1) * 5 - i + lane)
        if i % 5 == 0:
            assert out[i, 2] == warp[lane:stop].sum()
        assert out[i, 3] == warp[lane:stop].sum()
        assert out[i, 4] == warp[: lane + 1].sum()
        assert out[i, 5] == warp.sum()
        assert out[i, 6] == last([7, *warp[:lane].tolist()])
        assert out[i, 7] == warp[3]


def test_a_prefix_goes_on_from_tile_to_tile() -> None:
    text = """
    #include <cub/cub.cuh>
    struct Running {
      int total;
      __device__ Running(int begin) : total(begin) {}
      __device__ int operator()(int aggregate) { int before = total; total += aggregate; return before; }
    };
    extern "C" __global__ void k(const int *in, int *out, int n) {
      typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS> Scan;
      __shared__ typename Scan::TempStorage temp;
      Running running(100);
      for (int first = 0; first < n; first += 64) {
        int x = first + threadIdx.x < n ? in[first + threadIdx.x] : 0;
        Scan(temp).ExclusiveSum(x, x, running);
        __syncthreads();
        if (first + threadIdx.x < n) out[first + threadIdx.x] = x;
      }
    }"""
    x = np.random.default_rng(1).integers(-9, 9, 150).astype(np.int32)
    _, out = both(text, "k", 1, 64, (x, np.zeros(150, np.int32), np.int32(150)))
    assert (out == x.cumsum() - x + 100).all()


def test_structures_go_through_warps_and_shared_memory() -> None:
    text = """
    #include <cub/cub.cuh>
    extern "C" __global__ void k(const double *in, double *out) {
      typedef cub::KeyValuePair<int, double> Pair;
      typedef cub::BlockReduce<Pair, 96> Reduce;
      __shared__ typename Reduce::TempStorage temp;
      Pair best = Reduce(temp).Reduce(Pair(threadIdx.x, in[threadIdx.x]), cub::ArgMax());
      if (threadIdx.x == 0) out[0] = best.key, out[1] = best.value;
    }"""
    x = np.random.default_rng(1).integers(0, 9, 96).astype(float)
    out = np.zeros(2)
    RawKernel(text, "k")((1,), (96,), (x, out))
    assert out.tolist() == [x.argmax(), x.max()]


def test_blocks_of_two_dimensions_and_of_few_threads_and_warps_of_16(tmp_path: Path) -> None:
    """Storage is named, the block's own, or dynamic."""
    printed = run_program(tmp_path, (PROGRAMS / "cub_shapes.cu").read_text())
    assert printed.split("\n") == ["256 768 1 256", "120 376 632 888", "128", "190", "0 8001", "no error", ""]


def test_operators_of_libcuxx(tmp_path: Path) -> None:
    printed = run_program(tmp_path, (PROGRAMS / "cuda_functional.cu").read_text())
    assert printed.split("\n") == ["63 5 64", "6", ""]


def test_names_that_newer_toolkits_lack() -> None:
    """Programs for CUDA 12 and before have them; nvcc 13 does not."""
    text = """
    #include <cub/cub.cuh>
    #include <thrust/functional.h>
    struct Half : public thrust::unary_function<int, int> {
      __device__ int operator()(int x) const { return x / 2; }
    };
    struct Product : public thrust::binary_function<int, int, int> {
      __device__ result_type operator()(first_argument_type x, int y) const { return x * y; }
    };
    extern "C" __global__ void k(const int *in, int *out) {
      typedef cub::BlockReduce<int, 64> Reduce;
      __shared__ typename Reduce::TempStorage temp[4];
      __shared__ typename cub::BlockDiscontinuity<int, 64>::TempStorage flags;
      int i = threadIdx.x;
      cub::CountingInputIterator<int> counting(3);
      cub::ConstantInputIterator<int> constant(7);
      cub::TransformInputIterator<int, Half, const int *> half(in, Half());
      int sum = Reduce(temp[0]).Reduce(in[i], cub::Sum()), most = Reduce(temp[1]).Reduce(in[i], cub::Max());
      int least = Reduce(temp[2]).Reduce(in[i], cub::Min());
      int halves = Reduce(temp[3]).Sum(half[i] + Product()(counting[i], constant[i]));
      int mine[1] = {in[i]}, head[1];
      cub::BlockDiscontinuity<int, 64>(flags).FlagHeads(head, mine, cub::Inequality());
      out[4 + i] = head[0] + 2 * cub::Equality()(in[i], 5);
      if (i == 0) out[0] = sum, out[1] = most, out[2] = least, out[3] = halves;
    }"""
    x = np.random.default_rng(1).integers(2, 9, 64).astype(np.int32)
    _, out = both(text, "k", 1, 64, (x, np.zeros(68, np.int32)))
    assert out[:3].tolist() == [x.sum(), x.max(), x.min()]
    assert out[3] == (x // 2 + 7 * np.arange(3, 67)).sum()
    assert (out[4:] == np.r_[1, x[1:] != x[:-1]] + 2 * (x == 5)).all()


@pytest.mark.slow
def test_algorithms_of_the_device(tmp_path: Path) -> None:
    """Each is compared with the C++ library's; what differs is printed."""
    printed = run_program(tmp_path, (PROGRAMS / "cub_device.cu").read_text())
    assert printed.split("\n") == ["0 done", "1 done", "1000 done", "100003 done", ""]


def test_prefixes_of_all_lengths(tmp_path: Path) -> None:
    """Also with an operator that does not commute."""
    assert run_program(tmp_path, (PROGRAMS / "cub_scans.cu").read_text()) == "done\n"


@pytest.mark.slow
def test_warps_load_sort_and_store_and_functions_run_for_each_element(tmp_path: Path) -> None:
    assert run_program(tmp_path, (PROGRAMS / "cub_more.cu").read_text()) == "done\n"


def test_the_headers_of_cub_bring_thrusts_iterators_and_the_librarys_clocks(tmp_path: Path) -> None:
    text = """#include <cub/cub.cuh>
    int main() {
      thrust::constant_iterator<int, int> ones(1);
      thrust::counting_iterator<int, thrust::use_default, thrust::use_default, int> numbers(4);
      auto begin = std::chrono::steady_clock::now();
      std::cout << ones[3] + numbers[2] << " " << (std::chrono::steady_clock::now() >= begin) << std::endl;
    }"""
    assert run_program(tmp_path, text) == "7 1\n"
