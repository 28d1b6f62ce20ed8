/* CUB: parts of arrays, by flags, by a predicate or by runs of equal elements. */
#ifndef S2S_CUB_DEVICE_SELECT_CUH
#define S2S_CUB_DEVICE_SELECT_CUH

#include "../../parallel/select.h"
#include "../iterator/iterators.cuh"

namespace cub {

namespace details {

template <class In> struct LongRun {
	In in;
	size_t count;
	__device__ bool operator()(size_t i) const {
		return i + 1 < count && in[i] == in[i + 1] && (i == 0 || !(in[i - 1] == in[i]));
	}
};

template <class In, class Offsets, class Lengths> struct NoteRun {
	In in;
	Offsets offsets;
	Lengths lengths;
	size_t count;
	__device__ void operator()(size_t i, size_t at) const {
		size_t end = i + 1;
		while (end < count && in[end - 1] == in[end])
			end++;
		offsets[at] = i;
		lengths[at] = end - i;
	}
};

} /* namespace details */

namespace details {

template <class N, class Chosen, class Take, class Leave, class Total>
cudaError_t selected(
	void *storage, size_t &bytes, N count, Chosen chosen, Take take, Leave leave, Total total, cudaStream_t stream) {
	s2s_parallel::Arena arena(storage);
	size_t *counts = arena.take<size_t>(s2s_parallel::counts_of_select(count));
	cudaError_t answer;
	if (arena.only_asks(bytes, answer))
		return answer;
	return s2s_parallel::select(count, chosen, take, leave, total, counts, stream);
}

} /* namespace details */

struct DeviceSelect {
	template <class In, class Flags, class Out, class Total, class N>
	static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out, Total total, N count,
		cudaStream_t stream = 0, bool = false) {
		s2s_parallel::CopyTo<In, Out> take = {in, out};
		return details::selected(storage, bytes, count, s2s_parallel::ChosenByFlag<Flags>{flags}, take,
			s2s_parallel::LeaveAlone(), total, stream);
	}
	template <class In, class Out, class Total, class N, class Predicate>
	static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Total total, N count, Predicate predicate,
		cudaStream_t stream = 0, bool = false) {
		s2s_parallel::CopyTo<In, Out> take = {in, out};
		return details::selected(storage, bytes, count, s2s_parallel::ChosenBy<In, Predicate>{in, predicate}, take,
			s2s_parallel::LeaveAlone(), total, stream);
	}
	template <class In, class Out, class Total, class N>
	static cudaError_t Unique(
		void *storage, size_t &bytes, In in, Out out, Total total, N count, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::CopyTo<In, Out> take = {in, out};
		return details::selected(storage, bytes, count, s2s_parallel::FirstOfRun<In, Equality>{in, Equality()}, take,
			s2s_parallel::LeaveAlone(), total, stream);
	}
	template <class Keys, class Values, class OutKeys, class OutValues, class Total, class N>
	static cudaError_t UniqueByKey(void *storage, size_t &bytes, Keys keys, Values values, OutKeys out_keys,
		OutValues out_values, Total total, N count, cudaStream_t stream = 0, bool = false) {
		typedef s2s_parallel::CopyTo<Keys, OutKeys> CopyKeys;
		typedef s2s_parallel::CopyTo<Values, OutValues> CopyValues;
		typedef s2s_parallel::BothOf<CopyKeys, CopyValues> Take;
		return details::selected(storage, bytes, count, s2s_parallel::FirstOfRun<Keys, Equality>{keys, Equality()},
			Take{CopyKeys{keys, out_keys}, CopyValues{values, out_values}}, s2s_parallel::LeaveAlone(), total, stream);
	}
};

/* What is not chosen is written from the end backwards. */
struct DevicePartition {
	template <class In, class Flags, class Out, class Total, class N>
	static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out, Total total, N count,
		cudaStream_t stream = 0, bool = false) {
		s2s_parallel::CopyTo<In, Out> take = {in, out};
		return details::selected(storage, bytes, count, s2s_parallel::ChosenByFlag<Flags>{flags}, take,
			s2s_parallel::CopyToEnd<In, Out>{in, out, (size_t)count}, total, stream);
	}
	template <class In, class Out, class Total, class N, class Predicate>
	static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Total total, N count, Predicate predicate,
		cudaStream_t stream = 0, bool = false) {
		s2s_parallel::CopyTo<In, Out> take = {in, out};
		return details::selected(storage, bytes, count, s2s_parallel::ChosenBy<In, Predicate>{in, predicate}, take,
			s2s_parallel::CopyToEnd<In, Out>{in, out, (size_t)count}, total, stream);
	}
};

struct DeviceRunLengthEncode {
	template <class In, class Unique, class Lengths, class Total, class N>
	static cudaError_t Encode(void *storage, size_t &bytes, In in, Unique unique, Lengths lengths, Total total, N count,
		cudaStream_t stream = 0, bool = false) {
		s2s_parallel::Arena arena(storage);
		size_t *counts = arena.take<size_t>(s2s_parallel::counts_of_select(count));
		size_t *begins = arena.take<size_t>(count);
		cudaError_t answer;
		if (arena.only_asks(bytes, answer))
			return answer;
		typedef s2s_parallel::CopyTo<In, Unique> Copy;
		typedef s2s_parallel::BothOf<Copy, s2s_parallel::NoteBegin> Take;
		s2s_parallel::FirstOfRun<In, Equality> first = {in, Equality()};
		s2s_parallel::select(count, first, Take{Copy{in, unique}, s2s_parallel::NoteBegin{begins}},
			s2s_parallel::LeaveAlone(), total, counts, stream);
		typedef s2s_parallel::LengthOfRun<Total, Lengths> Body;
		return s2s_parallel::each(count, Body{begins, total, lengths, (size_t)count}, stream);
	}

	/* Runs of two and more. */
	template <class In, class Offsets, class Lengths, class Total, class N>
	static cudaError_t NonTrivialRuns(void *storage, size_t &bytes, In in, Offsets offsets, Lengths lengths,
		Total total, N count, cudaStream_t stream = 0, bool = false) {
		s2s_parallel::Arena arena(storage);
		size_t *counts = arena.take<size_t>(s2s_parallel::counts_of_select(count));
		cudaError_t answer;
		if (arena.only_asks(bytes, answer))
			return answer;
		details::LongRun<In> chosen = {in, (size_t)count};
		details::NoteRun<In, Offsets, Lengths> take = {in, offsets, lengths, (size_t)count};
		return s2s_parallel::select(count, chosen, take, s2s_parallel::LeaveAlone(), total, counts, stream);
	}
};

} /* namespace cub */

#endif
