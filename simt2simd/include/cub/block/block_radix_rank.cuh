/* CUB: where each item of a block comes to lie when the items are sorted by one digit of their keys. */
#ifndef S2S_CUB_BLOCK_RADIX_RANK_CUH
#define S2S_CUB_BLOCK_RADIX_RANK_CUH

#include "block_scan.cuh"
#include "radix_rank_sort_operations.cuh"

namespace cub {

enum RadixRankAlgorithm {
	RADIX_RANK_BASIC,
	RADIX_RANK_MEMOIZE,
	RADIX_RANK_MATCH,
	RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
	RADIX_RANK_MATCH_EARLY_COUNTS_ATOMIC_OR
};

enum WarpMatchAlgorithm { WARP_MATCH_ANY, WARP_MATCH_ATOMIC_OR };

template <int BINS> struct BlockRadixRankEmptyCallback {
	__device__ __forceinline__ void operator()(int (&)[BINS]) {
	}
};

namespace details {

/* Each of COLUMNS counts the items of each digit, in the order in which the digits are sorted; the prefixes of all
 * counters are the ranks of the first items. The items of a column are counted in their order. */
template <int THREADS, int COLUMNS, int RADIX_BITS, bool DESCENDING, class Scan> class DigitCounters {
	static constexpr int digits = 1 << RADIX_BITS, counters = digits * COLUMNS;
	static constexpr int each = (counters + THREADS - 1) / THREADS;

  public:
	static constexpr int bins = digits > THREADS ? (digits + THREADS - 1) / THREADS : 1;

	struct Storage {
		unsigned short count[counters + COLUMNS];
		typename Scan::TempStorage scan;
	};

	__device__ __forceinline__ DigitCounters(Storage &storage, int thread) : _storage(storage), _thread(thread) {
		for (int i = thread; i < counters + COLUMNS; i += THREADS)
			storage.count[i] = 0;
		__syncthreads();
	}
	__device__ __forceinline__ unsigned short &of(unsigned digit, int column) {
		return _storage.count[place(digit) * COLUMNS + column];
	}
	/* Counters become prefixes; the last row has the number of all items. */
	__device__ __forceinline__ void add_up() {
		__syncthreads();
		int first = _thread * each, sum = 0, before;
		for (int i = first; i < first + each && i < counters; i++)
			sum += _storage.count[i];
		int all;
		Scan(_storage.scan).ExclusiveSum(sum, before, all);
		for (int i = first; i < first + each && i < counters; i++) {
			int count = _storage.count[i];
			_storage.count[i] = before;
			before += count;
		}
		if (_thread == 0)
			_storage.count[counters] = all;
		__syncthreads();
	}
	/* How many items precede those of this thread's bins, and how many each has. */
	__device__ __forceinline__ void of_bins(int (&prefix)[bins], int (&counts)[bins]) {
		for (int i = 0; i < bins; i++) {
			int digit = _thread * bins + i;
			if (digit < digits) {
				prefix[i] = _storage.count[place(digit) * COLUMNS];
				counts[i] = _storage.count[place(digit) * COLUMNS + COLUMNS] - prefix[i];
			}
		}
	}

  private:
	__device__ __forceinline__ static unsigned place(unsigned digit) {
		return DESCENDING ? digits - 1 - digit : digit;
	}
	Storage &_storage;
	int _thread;
};

} /* namespace details */

/* Thread t has the items t * ITEMS, t * ITEMS + 1, ...; equal digits keep their order. */
template <int BLOCK_DIM_X, int RADIX_BITS, bool IS_DESCENDING, bool MEMOIZE_OUTER_SCAN = false,
	BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, int SMEM_CONFIG = 0, int BLOCK_DIM_Y = 1,
	int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0>
class BlockRadixRank {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
	typedef BlockScan<int, BLOCK_DIM_X, INNER_SCAN_ALGORITHM, BLOCK_DIM_Y, BLOCK_DIM_Z> Scan;
	typedef details::DigitCounters<threads, threads, RADIX_BITS, IS_DESCENDING, Scan> Counters;

  public:
	static constexpr int BINS_TRACKED_PER_THREAD = Counters::bins;

	struct TempStorage {
		typename Counters::Storage counters;
	};
	__device__ __forceinline__ BlockRadixRank() : _storage(details::own_storage<TempStorage>()) {
	}
	__device__ __forceinline__ BlockRadixRank(TempStorage &storage) : _storage(storage) {
	}

	template <class Bits, int ITEMS, class Extractor>
	__device__ __forceinline__ void RankKeys(Bits (&keys)[ITEMS], int (&ranks)[ITEMS], Extractor extractor) {
		int prefix[BINS_TRACKED_PER_THREAD];
		RankKeys(keys, ranks, extractor, prefix);
	}
	template <class Bits, int ITEMS, class Extractor>
	__device__ __forceinline__ void RankKeys(Bits (&keys)[ITEMS], int (&ranks)[ITEMS], Extractor extractor,
		int (&exclusive_digit_prefix)[BINS_TRACKED_PER_THREAD]) {
		int thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z), counts[BINS_TRACKED_PER_THREAD];
		Counters counters(_storage.counters, thread);
		for (int i = 0; i < ITEMS; i++)
			ranks[i] = counters.of(extractor.Digit(keys[i]), thread)++;
		counters.add_up();
		for (int i = 0; i < ITEMS; i++)
			ranks[i] += counters.of(extractor.Digit(keys[i]), thread);
		counters.of_bins(exclusive_digit_prefix, counts);
	}

  private:
	TempStorage &_storage;
};

/* Lane l of a warp has its items l, l + 32, l + 64, ... */
template <int BLOCK_DIM_X, int RADIX_BITS, bool IS_DESCENDING,
	BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1,
	int LEGACY_PTX_ARCH = 0>
class BlockRadixRankMatch {
	static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z, warps = (threads + 31) / 32;
	typedef BlockScan<int, BLOCK_DIM_X, INNER_SCAN_ALGORITHM, BLOCK_DIM_Y, BLOCK_DIM_Z> Scan;
	typedef details::DigitCounters<threads, warps, RADIX_BITS, IS_DESCENDING, Scan> Counters;

  public:
	static constexpr int BINS_TRACKED_PER_THREAD = Counters::bins;

	struct TempStorage {
		typename Counters::Storage counters;
	};
	__device__ __forceinline__ BlockRadixRankMatch(TempStorage &storage) : _storage(storage) {
	}

	template <class Bits, int ITEMS, class Extractor>
	__device__ __forceinline__ void RankKeys(Bits (&keys)[ITEMS], int (&ranks)[ITEMS], Extractor extractor) {
		int prefix[BINS_TRACKED_PER_THREAD];
		RankKeys(keys, ranks, extractor, prefix);
	}
	template <class Bits, int ITEMS, class Extractor>
	__device__ __forceinline__ void RankKeys(Bits (&keys)[ITEMS], int (&ranks)[ITEMS], Extractor extractor,
		int (&exclusive_digit_prefix)[BINS_TRACKED_PER_THREAD]) {
		RankKeys(
			keys, ranks, extractor, exclusive_digit_prefix, BlockRadixRankEmptyCallback<BINS_TRACKED_PER_THREAD>());
	}
	/* `callback` takes the numbers of items of this thread's bins. */
	template <class Bits, int ITEMS, class Extractor, class Callback>
	__device__ __forceinline__ void RankKeys(Bits (&keys)[ITEMS], int (&ranks)[ITEMS], Extractor extractor,
		int (&exclusive_digit_prefix)[BINS_TRACKED_PER_THREAD], Callback callback) {
		int thread = RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z), warp = thread / 32;
		int counts[BINS_TRACKED_PER_THREAD];
		unsigned here = threads % 32 == 0 || warp < threads / 32 ? 0xffffffffu : (1u << threads % 32) - 1;
		Counters counters(_storage.counters, thread);
		for (int i = 0; i < ITEMS; i++) {
			unsigned digit = extractor.Digit(keys[i]), same = __match_any_sync(here, digit);
			unsigned before = same & ((1u << thread % 32) - 1);
			int count = counters.of(digit, warp);
			ranks[i] = count + __popc(before);
			__syncwarp(here);
			if (before == 0)
				counters.of(digit, warp) = count + __popc(same);
			__syncwarp(here);
		}
		counters.add_up();
		for (int i = 0; i < ITEMS; i++)
			ranks[i] += counters.of(extractor.Digit(keys[i]), warp);
		counters.of_bins(exclusive_digit_prefix, counts);
		callback(counts);
	}

  private:
	TempStorage &_storage;
};

template <int BLOCK_DIM_X, int RADIX_BITS, bool IS_DESCENDING,
	BlockScanAlgorithm INNER_SCAN_ALGORITHM = BLOCK_SCAN_WARP_SCANS,
	WarpMatchAlgorithm MATCH_ALGORITHM = WARP_MATCH_ANY, int NUM_PARTS = 1>
class BlockRadixRankMatchEarlyCounts
	: public BlockRadixRankMatch<BLOCK_DIM_X, RADIX_BITS, IS_DESCENDING, INNER_SCAN_ALGORITHM> {
	typedef BlockRadixRankMatch<BLOCK_DIM_X, RADIX_BITS, IS_DESCENDING, INNER_SCAN_ALGORITHM> Base;

  public:
	typedef typename Base::TempStorage TempStorage;
	__device__ __forceinline__ BlockRadixRankMatchEarlyCounts(TempStorage &storage) : Base(storage) {
	}
};

} /* namespace cub */

#endif
