/* Cooperative groups, for device code: groups of threads as objects, on top of the warp functions. */
#ifndef S2S_COOPERATIVE_GROUPS_H
#define S2S_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

namespace cooperative_groups {

namespace details {

__device__ inline unsigned linear_thread() {
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ inline unsigned threads_of_block() {
	return blockDim.x * blockDim.y * blockDim.z;
}

__device__ inline unsigned linear_block() {
	return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

__device__ inline unsigned lane() {
	return linear_thread() & 31;
}

__device__ inline unsigned lanes_below() {
	return (1u << lane()) - 1;
}

/* The lanes of this thread's warp that the block has. */
__device__ inline unsigned lanes_of_block() {
	unsigned left = threads_of_block() - (linear_thread() & ~31u);
	return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

/* The place of the bit with this number, counted from 0. */
__device__ inline unsigned nth_lane(unsigned mask, unsigned number) {
	return __fns(mask, 0, number + 1);
}

template <class T> struct words {
	static constexpr int count = (sizeof(T) + 3) / 4;
	union {
		T value;
		unsigned word[count];
	};
	__device__ words() {
	}
};

template <class T> struct is_shuffled {
	static constexpr bool value = false;
};
template <> struct is_shuffled<int> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<unsigned> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<long> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<unsigned long> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<long long> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<unsigned long long> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<float> {
	static constexpr bool value = true;
};
template <> struct is_shuffled<double> {
	static constexpr bool value = true;
};

/* The value of another lane of the warp, of any type. */
template <class T> __device__ inline T from_lane(unsigned mask, T value, unsigned lane) {
	if constexpr (is_shuffled<T>::value) {
		return __shfl_sync(mask, value, lane);
	} else {
		words<T> own;
		own.value = value;
#pragma unroll
		for (int i = 0; i < words<T>::count; i++)
			own.word[i] = __shfl_sync(mask, own.word[i], lane);
		return own.value;
	}
}

} /* namespace details */

/* What all groups have in common: some kind of group, of which only the size and the rank are known. */
class thread_group {
  public:
	enum kind { block_kind, warp_kind };
	__device__ thread_group(kind of, unsigned mask) : _mask(mask), _kind(of) {
	}
	__device__ void sync() const {
		if (_kind == block_kind)
			__syncthreads();
		else
			__syncwarp(_mask);
	}
	__device__ unsigned size() const {
		return _kind == block_kind ? details::threads_of_block() : __popc(_mask);
	}
	__device__ unsigned num_threads() const {
		return size();
	}
	__device__ unsigned thread_rank() const {
		return _kind == block_kind ? details::linear_thread() : __popc(_mask & details::lanes_below());
	}
	__device__ bool is_valid() const {
		return true;
	}
	__device__ kind get_type() const {
		return _kind;
	}

	unsigned _mask; /* of a group within a warp: its lanes */

  protected:
	kind _kind;
};

class thread_block : public thread_group {
  public:
	__device__ thread_block() : thread_group(block_kind, 0) {
	}
	struct arrival_token {};
	__device__ static void sync() {
		__syncthreads();
	}
	/* An arriving thread waits where it waits for the others. */
	__device__ arrival_token barrier_arrive() const {
		return arrival_token();
	}
	__device__ void barrier_wait(arrival_token &&) const {
		__syncthreads();
	}
	__device__ static unsigned thread_rank() {
		return details::linear_thread();
	}
	__device__ static dim3 group_index() {
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	__device__ static dim3 thread_index() {
		return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
	}
	__device__ static dim3 group_dim() {
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	__device__ static dim3 dim_threads() {
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	__device__ static unsigned size() {
		return details::threads_of_block();
	}
	__device__ static unsigned num_threads() {
		return details::threads_of_block();
	}
};

__device__ inline thread_block this_thread_block() {
	return thread_block();
}

/* All threads of a grid; it can wait only in launches by cudaLaunchCooperativeKernel. */
class grid_group {
  public:
	__device__ bool is_valid() const {
		return true;
	}
	struct arrival_token {};
	__device__ void sync() const {
		__s2s_grid_barrier();
	}
	__device__ arrival_token barrier_arrive() const {
		return arrival_token();
	}
	__device__ void barrier_wait(arrival_token &&) const {
		__s2s_grid_barrier();
	}
	__device__ unsigned long long size() const {
		return num_blocks() * details::threads_of_block();
	}
	__device__ unsigned long long num_threads() const {
		return size();
	}
	__device__ unsigned long long thread_rank() const {
		return block_rank() * details::threads_of_block() + details::linear_thread();
	}
	__device__ unsigned long long num_blocks() const {
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	__device__ unsigned long long block_rank() const {
		return details::linear_block();
	}
	__device__ dim3 dim_threads() const {
		return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
	}
	__device__ dim3 thread_index() const {
		return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
			blockIdx.z * blockDim.z + threadIdx.z);
	}
	__device__ dim3 block_index() const {
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	__device__ dim3 dim_blocks() const {
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	__device__ dim3 group_dim() const {
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
};

__device__ inline grid_group this_grid() {
	return grid_group();
}

class coalesced_group : public thread_group {
  public:
	__device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
		: thread_group(warp_kind, mask), _meta_rank(meta_rank), _meta_size(meta_size) {
	}
	__device__ void sync() const {
		__syncwarp(_mask);
	}
	__device__ unsigned size() const {
		return __popc(_mask);
	}
	__device__ unsigned num_threads() const {
		return __popc(_mask);
	}
	__device__ unsigned thread_rank() const {
		return __popc(_mask & details::lanes_below());
	}
	__device__ unsigned meta_group_size() const {
		return _meta_size;
	}
	__device__ unsigned meta_group_rank() const {
		return _meta_rank;
	}

	template <class T> __device__ T shfl(T value, int rank) const {
		return details::from_lane(_mask, value, size() == 32 ? rank : details::nth_lane(_mask, rank));
	}
	template <class T> __device__ T shfl_up(T value, unsigned by) const {
		unsigned rank = thread_rank();
		return details::from_lane(_mask, value, rank < by ? details::lane() : details::nth_lane(_mask, rank - by));
	}
	template <class T> __device__ T shfl_down(T value, unsigned by) const {
		unsigned rank = thread_rank();
		return details::from_lane(
			_mask, value, rank + by >= size() ? details::lane() : details::nth_lane(_mask, rank + by));
	}
	__device__ int any(int predicate) const {
		return __any_sync(_mask, predicate);
	}
	__device__ int all(int predicate) const {
		return __all_sync(_mask, predicate);
	}
	__device__ unsigned ballot(int predicate) const {
		return packed(__ballot_sync(_mask, predicate));
	}
	template <class T> __device__ unsigned match_any(T value) const {
		return packed(__match_any_sync(_mask, value));
	}
	template <class T> __device__ unsigned match_all(T value, int &same) const {
		return packed(__match_all_sync(_mask, value, &same));
	}
	__device__ unsigned lanes() const {
		return _mask;
	}

  private:
	/* The bits of the group's lanes side by side. */
	__device__ unsigned packed(unsigned bits) const {
		if (_mask == 0xffffffffu)
			return bits;
		unsigned found = 0, rank = 0;
		for (unsigned rest = _mask; rest != 0; rest &= rest - 1)
			found |= (bits >> (__ffs(rest) - 1) & 1) << rank++;
		return found;
	}
	unsigned _meta_rank, _meta_size;
};

__device__ inline coalesced_group coalesced_threads() {
	return coalesced_group(__activemask());
}

template <unsigned Size, class Parent = void> class thread_block_tile;

namespace details {

/* The group that tiles are parts of: its size, and the place of this thread in it. */
template <class Parent> struct divided {
	__device__ static unsigned size() {
		return threads_of_block();
	}
	__device__ static unsigned rank() {
		return linear_thread();
	}
};
template <unsigned Size, class Parent> struct divided<thread_block_tile<Size, Parent>> {
	__device__ static unsigned size() {
		return Size;
	}
	__device__ static unsigned rank() {
		return linear_thread() & (Size - 1);
	}
};

} /* namespace details */

template <unsigned Size, class Parent> class thread_block_tile : public thread_group {
	static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
		"a tile has a power of two of threads, up to 1024");

  public:
	__device__ thread_block_tile() : thread_group(warp_kind, lanes()) {
	}
	template <class Other>
	__device__ thread_block_tile(const thread_block_tile<Size, Other> &) : thread_group(warp_kind, lanes()) {
	}
	__device__ void sync() const {
		__syncwarp(lanes());
	}
	__device__ static constexpr unsigned size() {
		return Size;
	}
	__device__ static constexpr unsigned num_threads() {
		return Size;
	}
	__device__ static unsigned thread_rank() {
		return details::linear_thread() & (Size - 1);
	}
	__device__ static unsigned meta_group_size() {
		return (details::divided<Parent>::size() + Size - 1) / Size;
	}
	__device__ static unsigned meta_group_rank() {
		return details::divided<Parent>::rank() / Size;
	}

	template <class T> __device__ T shfl(T value, int rank) const {
		if constexpr (details::is_shuffled<T>::value)
			return __shfl_sync(lanes(), value, rank, Size);
		else
			return details::from_lane(lanes(), value, first() + (rank & (Size - 1)));
	}
	template <class T> __device__ T shfl_up(T value, unsigned by) const {
		if constexpr (details::is_shuffled<T>::value)
			return __shfl_up_sync(lanes(), value, by, Size);
		else
			return details::from_lane(lanes(), value, details::lane() - (thread_rank() < by ? 0 : by));
	}
	template <class T> __device__ T shfl_down(T value, unsigned by) const {
		if constexpr (details::is_shuffled<T>::value)
			return __shfl_down_sync(lanes(), value, by, Size);
		else
			return details::from_lane(lanes(), value, details::lane() + (thread_rank() + by < Size ? by : 0));
	}
	template <class T> __device__ T shfl_xor(T value, unsigned by) const {
		if constexpr (details::is_shuffled<T>::value)
			return __shfl_xor_sync(lanes(), value, by, Size);
		else
			return details::from_lane(lanes(), value, details::lane() ^ by);
	}
	__device__ int any(int predicate) const {
		return __any_sync(lanes(), predicate);
	}
	__device__ int all(int predicate) const {
		return __all_sync(lanes(), predicate);
	}
	__device__ unsigned ballot(int predicate) const {
		return packed(__ballot_sync(lanes(), predicate));
	}
	template <class T> __device__ unsigned match_any(T value) const {
		return packed(__match_any_sync(lanes(), value));
	}
	template <class T> __device__ unsigned match_all(T value, int &same) const {
		return packed(__match_all_sync(lanes(), value, &same));
	}
	__device__ static unsigned lanes() {
		if constexpr (Size == 32)
			return 0xffffffffu;
		else
			return ((1u << Size) - 1) << first();
	}

  private:
	__device__ static unsigned first() {
		return details::lane() & ~(Size - 1);
	}
	__device__ static unsigned packed(unsigned bits) {
		if constexpr (Size == 32)
			return bits;
		else
			return bits >> first() & ((1u << Size) - 1);
	}
};

namespace details {

/* Tiles of several warps. The warps of one meet at a barrier with a number: 0 for the tile of 1024 threads, 1 and 2 for
 * those of 512, and so on. */
template <unsigned Size, class Parent> class wide_tile {
  public:
	__device__ void sync() const {
		meet(0);
	}
	__device__ static constexpr unsigned size() {
		return Size;
	}
	__device__ static constexpr unsigned num_threads() {
		return Size;
	}
	__device__ static unsigned thread_rank() {
		return linear_thread() & (Size - 1);
	}
	__device__ static unsigned meta_group_size() {
		return (divided<Parent>::size() + Size - 1) / Size;
	}
	__device__ static unsigned meta_group_rank() {
		return divided<Parent>::rank() / Size;
	}
	__device__ bool is_valid() const {
		return true;
	}
	__device__ int any(int predicate) const {
		return meet(predicate != 0) != 0;
	}
	__device__ int all(int predicate) const {
		return meet(predicate == 0) == 0;
	}
	template <class T> __device__ T shfl(T value, int rank) const {
		__shared__ T sent[1024 / Size];
		if (thread_rank() == (static_cast<unsigned>(rank) & (Size - 1)))
			sent[number()] = value;
		sync();
		T found = sent[number()];
		sync();
		return found;
	}
	/* What the values of all threads make together. */
	template <class T, class F> __device__ T reduced(T value, F &&function) const {
		__shared__ T sent[32];
		unsigned here = lanes_of_block(), warp = linear_thread() / 32, first = warp & ~(Size / 32 - 1);
		for (unsigned by = 1; by < 32; by *= 2) {
			T other = from_lane(0xffffffffu, value, lane() + by < 32 ? lane() + by : lane());
			if (lane() + by < 32 && here >> (lane() + by) & 1)
				value = function(value, other);
		}
		if (lane() == 0)
			sent[warp] = value;
		sync();
		value = sent[first];
		for (unsigned i = first + 1; i < first + warps(); i++)
			value = function(value, sent[i]);
		sync();
		return value;
	}
	/* What the values of the threads until this one make, or before it: T() if there are none. */
	template <bool Exclusive, class T, class F> __device__ T scanned(T value, F &&function) const {
		__shared__ T sent[32];
		unsigned warp = linear_thread() / 32, first = warp & ~(Size / 32 - 1);
		for (unsigned by = 1; by < 32; by *= 2) {
			T other = from_lane(0xffffffffu, value, lane() >= by ? lane() - by : lane());
			if (lane() >= by)
				value = function(other, value);
		}
		if (lane() == 31)
			sent[warp] = value;
		sync();
		T before = T();
		if (warp > first) {
			before = sent[first];
			for (unsigned i = first + 1; i < warp; i++)
				before = function(before, sent[i]);
		}
		sync();
		if constexpr (Exclusive) {
			value = from_lane(0xffffffffu, value, lane() > 0 ? lane() - 1 : 0);
			return lane() == 0 ? before : warp > first ? (T)function(before, value) : value;
		} else {
			return warp > first ? (T)function(before, value) : value;
		}
	}

  private:
	/* The place of the tile in the block. */
	__device__ static unsigned number() {
		return linear_thread() / Size;
	}
	/* How many warps it has. The block's last one may have fewer than others. */
	__device__ static unsigned warps() {
		unsigned left = threads_of_block() - number() * Size;
		return ((left < Size ? left : Size) + 31) / 32;
	}
	__device__ static unsigned meet(unsigned vote) {
		constexpr unsigned of_tiles = 4, of_warps = 2;
		return __s2s_barrier(1024 / Size - 1 + number(), warps() * 32, of_tiles | of_warps, vote);
	}
};

} /* namespace details */

#define S2S_WIDE_TILE(SIZE)                                                                                            \
	template <class Parent> class thread_block_tile<SIZE, Parent> : public details::wide_tile<SIZE, Parent> {          \
	  public:                                                                                                          \
		__device__ thread_block_tile() {                                                                               \
		}                                                                                                              \
		template <class Other> __device__ thread_block_tile(const thread_block_tile<SIZE, Other> &) {                  \
		}                                                                                                              \
	};
S2S_WIDE_TILE(64)
S2S_WIDE_TILE(128)
S2S_WIDE_TILE(256)
S2S_WIDE_TILE(512)
S2S_WIDE_TILE(1024)
#undef S2S_WIDE_TILE

/* Memory that CUDA wants for large tiles. Here they have their own. */
template <unsigned Threads = 1024> struct block_tile_memory {
	char nothing;
};
template <unsigned Threads> __device__ inline thread_block this_thread_block(block_tile_memory<Threads> &) {
	return thread_block();
}

template <unsigned Size, class Group> __device__ inline thread_block_tile<Size, Group> tiled_partition(const Group &) {
	return thread_block_tile<Size, Group>();
}

/* Tiles of a size that is known only as the program runs, a power of two up to 32: threads whose ranks follow. */
__device__ inline thread_group tiled_partition(const thread_group &group, unsigned size) {
	bool is_block = group.get_type() == thread_group::block_kind;
	unsigned rest = is_block ? details::lanes_of_block() : group._mask;
	unsigned rank = __popc(rest & details::lanes_below()), mask = 0;
	for (unsigned first = rank & ~(size - 1), place = 0; rest != 0 && place < first + size; place++, rest &= rest - 1)
		if (place >= first)
			mask |= rest & -rest;
	return thread_group(thread_group::warp_kind, mask);
}

__device__ inline coalesced_group tiled_partition(const coalesced_group &group, unsigned size) {
	unsigned mask = cooperative_groups::tiled_partition(static_cast<const thread_group &>(group), size)._mask;
	return coalesced_group(mask, group.thread_rank() / size, (group.size() + size - 1) / size);
}

namespace details {

template <class Group> __device__ inline unsigned lanes_of(const Group &group) {
	return group.lanes() & lanes_of_block();
}

} /* namespace details */

/* The threads of a group with the same label. */
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group &group, Label label) {
	unsigned all = details::lanes_of(group), own = __match_any_sync(all, label) & all;
	unsigned leaders = __ballot_sync(all, (own & details::lanes_below()) == 0) & all;
	unsigned before = leaders & ((own & -own) - 1);
	return coalesced_group(own, __popc(before), __popc(leaders));
}

template <class Group> __device__ inline coalesced_group binary_partition(const Group &group, bool predicate) {
	unsigned all = details::lanes_of(group), yes = __ballot_sync(all, predicate) & all;
	if (yes == 0 || yes == all)
		return coalesced_group(all, 0, 1);
	return coalesced_group(predicate ? yes : all & ~yes, predicate, 2);
}

template <class Group> __device__ inline void sync(const Group &group) {
	group.sync();
}

template <class Group> __device__ inline unsigned thread_rank(const Group &group) {
	return group.thread_rank();
}

template <class Group> __device__ inline unsigned group_size(const Group &group) {
	return group.size();
}

/* One thread of the group runs a function; with `_broadcast` all get its result. */
template <class Group, class F, class... Args>
__device__ inline void invoke_one(const Group &group, F &&function, Args &&...args) {
	if (group.thread_rank() == 0)
		function(args...);
}

template <class Group, class F, class... Args>
__device__ inline auto invoke_one_broadcast(const Group &group, F &&function, Args &&...args) {
	decltype(function(args...)) result = {};
	if (group.thread_rank() == 0)
		result = function(args...);
	return group.shfl(result, 0);
}

} /* namespace cooperative_groups */

#endif
