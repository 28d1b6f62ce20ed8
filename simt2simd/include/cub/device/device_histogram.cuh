/* CUB: histograms of arrays. */
#ifndef S2S_CUB_DEVICE_HISTOGRAM_CUH
#define S2S_CUB_DEVICE_HISTOGRAM_CUH

#include "../../parallel/launch.h"
#include "../iterator/iterators.cuh"

namespace cub {

namespace details {

/* Bins of the same width: the integers of a range, or its real numbers. Outside, there is no bin. */
template <class Level> struct EvenBins {
	Level lower, upper;
	int bins;
	template <class Sample> __device__ int operator()(Sample sample) const {
		Level level = (Level)sample;
		if (!(level >= lower && level < upper))
			return -1;
		if constexpr (std::is_integral<Level>::value)
			return (int)((unsigned long long)(level - lower) * bins / (unsigned long long)(upper - lower));
		else
			return (int)((level - lower) * (bins / (upper - lower)));
	}
};

/* Bin b holds what is from levels[b] on and below levels[b + 1]. */
template <class Level> struct RangeBins {
	const Level *levels;
	int bins;
	template <class Sample> __device__ int operator()(Sample sample) const {
		Level level = (Level)sample;
		if (!(level >= levels[0] && level < levels[bins]))
			return -1;
		int low = 0, high = bins;
		while (high - low > 1) {
			int middle = (low + high) / 2;
			if (level < levels[middle])
				high = middle;
			else
				low = middle;
		}
		return low;
	}
};

/* The samples are in rows, `channels` values each, of which one counts here; each chunk has its own counters. */
template <class In, class Counter, class Bins> struct HistogramOfChunk {
	In in;
	Counter *counters;
	Bins bins;
	int channels, channel;
	size_t row_samples, row_stride; /* in values */
	s2s_parallel::Chunks chunks;
	__device__ void operator()(size_t chunk) const {
		Counter *own = counters + chunk * bins.bins;
		for (int i = 0; i < bins.bins; i++)
			own[i] = 0;
		for (size_t i = chunks.begin(chunk), end = chunks.end(chunk); i < end; i++) {
			int bin = bins(in[i / row_samples * row_stride + i % row_samples * channels + channel]);
			if (bin >= 0 && bin < bins.bins)
				own[bin]++;
		}
	}
};

template <class Counter> struct SumOfCounters {
	const Counter *counters;
	Counter *histogram;
	unsigned number;
	int bins;
	__device__ void operator()(size_t bin) const {
		Counter sum = 0;
		for (unsigned i = 0; i < number; i++)
			sum += counters[i * (size_t)bins + bin];
		histogram[bin] = sum;
	}
};

} /* namespace details */

struct DeviceHistogram {
	template <class In, class Counter, class Level, class N>
	static cudaError_t HistogramEven(void *storage, size_t &bytes, In in, Counter *histogram, int levels, Level lower,
		Level upper, N samples, cudaStream_t stream = 0, bool = false) {
		return HistogramEven(storage, bytes, in, histogram, levels, lower, upper, (size_t)samples, (size_t)1,
			(size_t)samples * sizeof(*in), stream);
	}
	template <class In, class Counter, class Level, class N, class Rows, class Stride>
	static cudaError_t HistogramEven(void *storage, size_t &bytes, In in, Counter *histogram, int levels, Level lower,
		Level upper, N row_samples, Rows rows, Stride row_bytes, cudaStream_t stream = 0, bool = false) {
		Counter *histograms[1] = {histogram};
		int all_levels[1] = {levels};
		Level lowers[1] = {lower}, uppers[1] = {upper};
		return MultiHistogramEven<1, 1>(
			storage, bytes, in, histograms, all_levels, lowers, uppers, row_samples, rows, row_bytes, stream);
	}
	template <class In, class Counter, class Level, class N>
	static cudaError_t HistogramRange(void *storage, size_t &bytes, In in, Counter *histogram, int levels,
		const Level *bounds, N samples, cudaStream_t stream = 0, bool = false) {
		Counter *histograms[1] = {histogram};
		int all_levels[1] = {levels};
		const Level *all_bounds[1] = {bounds};
		return MultiHistogramRange<1, 1>(storage, bytes, in, histograms, all_levels, all_bounds, (size_t)samples,
			(size_t)1, (size_t)samples * sizeof(*in), stream);
	}
	template <int CHANNELS, int ACTIVE, class In, class Counter, class Level, class N>
	static cudaError_t MultiHistogramEven(void *storage, size_t &bytes, In in, Counter *histograms[ACTIVE],
		const int levels[ACTIVE], const Level lower[ACTIVE], const Level upper[ACTIVE], N pixels,
		cudaStream_t stream = 0, bool = false) {
		return MultiHistogramEven<CHANNELS, ACTIVE>(storage, bytes, in, histograms, levels, lower, upper,
			(size_t)pixels, (size_t)1, (size_t)pixels * CHANNELS * sizeof(*in), stream);
	}
	template <int CHANNELS, int ACTIVE, class In, class Counter, class Level, class N, class Rows, class Stride>
	static cudaError_t MultiHistogramEven(void *storage, size_t &bytes, In in, Counter *histograms[ACTIVE],
		const int levels[ACTIVE], const Level lower[ACTIVE], const Level upper[ACTIVE], N row_pixels, Rows rows,
		Stride row_bytes, cudaStream_t stream = 0, bool = false) {
		details::EvenBins<Level> bins[ACTIVE];
		for (int i = 0; i < ACTIVE; i++)
			bins[i] = details::EvenBins<Level>{lower[i], upper[i], levels[i] - 1};
		return count<CHANNELS, ACTIVE>(storage, bytes, in, histograms, bins, row_pixels, rows, row_bytes, stream);
	}
	template <int CHANNELS, int ACTIVE, class In, class Counter, class Level, class N, class Rows, class Stride>
	static cudaError_t MultiHistogramRange(void *storage, size_t &bytes, In in, Counter *histograms[ACTIVE],
		const int levels[ACTIVE], const Level *const bounds[ACTIVE], N row_pixels, Rows rows, Stride row_bytes,
		cudaStream_t stream = 0, bool = false) {
		details::RangeBins<Level> bins[ACTIVE];
		for (int i = 0; i < ACTIVE; i++)
			bins[i] = details::RangeBins<Level>{bounds[i], levels[i] - 1};
		return count<CHANNELS, ACTIVE>(storage, bytes, in, histograms, bins, row_pixels, rows, row_bytes, stream);
	}

  private:
	template <int CHANNELS, int ACTIVE, class In, class Counter, class Bins>
	static cudaError_t count(void *storage, size_t &bytes, In in, Counter **histograms, Bins *bins, size_t row_pixels,
		size_t rows, size_t row_bytes, cudaStream_t stream) {
		s2s_parallel::Chunks chunks = s2s_parallel::divided(row_pixels * rows, 16384, 64);
		int most = 0;
		for (int i = 0; i < ACTIVE; i++)
			most = bins[i].bins > most ? bins[i].bins : most;
		s2s_parallel::Arena arena(storage);
		Counter *counters = arena.take<Counter>((size_t)most * chunks.number);
		cudaError_t answer;
		if (arena.only_asks(bytes, answer))
			return answer;
		for (int i = 0; i < ACTIVE; i++) {
			typedef details::HistogramOfChunk<In, Counter, Bins> Body;
			s2s_parallel::chunks_of(chunks.number,
				Body{in, counters, bins[i], CHANNELS, i, row_pixels, row_bytes / sizeof(*in), chunks}, stream);
			answer = s2s_parallel::each(bins[i].bins,
				details::SumOfCounters<Counter>{counters, histograms[i], chunks.number, bins[i].bins}, stream);
		}
		return answer;
	}
};

} /* namespace cub */

#endif
