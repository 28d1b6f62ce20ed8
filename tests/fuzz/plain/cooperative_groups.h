// Cooperative groups, for plain C++: a group is a set of lanes in the order of their numbers.
#pragma once
#include "warps.h"

#define COALESCED(mask) cooperative_groups::coalesced_threads(mask)

namespace cooperative_groups {

struct thread_block {
	static void sync() {
		__syncthreads();
	}
	static unsigned size() {
		return thread_count;
	}
	static unsigned thread_rank() {
		return running;
	}
};

static thread_block this_thread_block() {
	return {};
}

// `places`: the lane of each rank. A tile of the block's last warp may have places without a thread.
struct lanes_group {
	int places[WARP];
	unsigned count, own, mask, meta_rank, meta_count;

	unsigned size() const {
		return count;
	}
	unsigned num_threads() const {
		return count;
	}
	unsigned thread_rank() const {
		return own;
	}
	unsigned meta_group_rank() const {
		return meta_rank;
	}
	unsigned meta_group_size() const {
		return meta_count;
	}
	void sync() const {
		meet(mask, 0);
	}
	template <class T> T shfl(T value, unsigned rank) const {
		return shuffled(mask, value, places[rank]);
	}
	template <class T> T shfl_up(T value, unsigned by) const {
		return shuffled(mask, value, places[own < by ? own : own - by]);
	}
	template <class T> T shfl_down(T value, unsigned by) const {
		return shuffled(mask, value, places[own + by < count ? own + by : own]);
	}
	template <class T> T shfl_xor(T value, unsigned by) const {
		return shuffled(mask, value, places[own ^ by]);
	}
	unsigned by_rank(unsigned lanes) const {
		unsigned ranks = 0;
		for (unsigned rank = 0; rank < count; rank++)
			ranks |= (lanes >> places[rank] & 1) << rank;
		return ranks;
	}
	int any(int vote) const {
		return __any_sync(mask, vote);
	}
	int all(int vote) const {
		return __all_sync(mask, vote);
	}
	unsigned ballot(int vote) const {
		return by_rank(__ballot_sync(mask, vote));
	}
	template <class T> unsigned match_any(T value) const {
		return by_rank(__match_any_sync(mask, value));
	}
	template <class T> unsigned match_all(T value, int &same) const {
		return by_rank(__match_all_sync(mask, value, &same));
	}
};

struct coalesced_group : lanes_group {};
template <unsigned Size> struct thread_block_tile : lanes_group {};

static coalesced_group group_of(unsigned lanes, unsigned meta_rank, unsigned meta_count) {
	coalesced_group group = {};
	for (int lane = 0; lane < WARP; lane++)
		if (lanes >> lane & 1) {
			if (lane == lane_of_thread())
				group.own = group.count;
			group.places[group.count++] = lane;
		}
	group.mask = lanes, group.meta_rank = meta_rank, group.meta_count = meta_count;
	return group;
}

static coalesced_group coalesced_threads(unsigned mask) {
	return group_of(meet(mask, 0).present, 0, 1);
}

template <unsigned Size> static thread_block_tile<Size> tiled_partition(const thread_block &) {
	thread_block_tile<Size> tile = {};
	unsigned first = lane_of_thread() / Size * Size;
	for (unsigned rank = 0; rank < Size; rank++) {
		tile.places[rank] = first + rank;
		if (running / WARP * WARP + (int)(first + rank) < thread_count)
			tile.mask |= 1u << (first + rank);
	}
	tile.count = Size, tile.own = running % Size;
	tile.meta_rank = running / Size, tile.meta_count = (thread_count + Size - 1) / Size;
	return tile;
}

template <class Group> static coalesced_group labeled_partition(const Group &group, int label) {
	unsigned same = __match_any_sync(group.mask, label);
	unsigned leaders = __ballot_sync(group.mask, __builtin_ctz(same) == lane_of_thread());
	unsigned before = leaders & ((1u << __builtin_ctz(same)) - 1);
	return group_of(same, __builtin_popcount(before), __builtin_popcount(leaders));
}
template <class Group> static coalesced_group binary_partition(const Group &group, bool yes) {
	unsigned same = __match_any_sync(group.mask, (int)yes);
	return threads[running].present == same ? group_of(same, 0, 1) : group_of(same, yes, 2);
}

#define S2S_OPERATION(NAME, RESULT)                                                                                    \
	template <class T = void> struct NAME {                                                                            \
		T operator()(T a, T b) const {                                                                                 \
			return RESULT;                                                                                             \
		}                                                                                                              \
	};
S2S_OPERATION(plus, a + b)
S2S_OPERATION(less, a < b ? a : b)
S2S_OPERATION(greater, a > b ? a : b)
S2S_OPERATION(bit_and, a &b)
S2S_OPERATION(bit_or, a | b)
S2S_OPERATION(bit_xor, a ^ b)

template <class Group, class T, class F> static T reduce(const Group &group, T value, F &&function) {
	return reduced(group.mask, value, function);
}
template <class Group, class T, class F> static T inclusive_scan(const Group &group, T value, F &&function) {
	Thread &met = meet(group.mask, as_bits(value));
	T result = from_bits<T>(met.all[group.places[0]]);
	for (unsigned rank = 1; rank <= group.own; rank++)
		result = function(result, from_bits<T>(met.all[group.places[rank]]));
	return result;
}
template <class Group, class T, class F> static T exclusive_scan(const Group &group, T value, F &&function) {
	Thread &met = meet(group.mask, as_bits(value));
	T result = T();
	for (unsigned rank = 0; rank < group.own; rank++) {
		T one = from_bits<T>(met.all[group.places[rank]]);
		result = rank == 0 ? one : (T)function(result, one);
	}
	return result;
}

} // namespace cooperative_groups
