/* Cooperative groups: copies that a group makes together. They are done when `wait` returns. */
#ifndef S2S_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define S2S_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group, class To, class From>
__device__ inline void memcpy_async(const Group &group, To *to, const From *from, size_t bytes) {
	char *out = reinterpret_cast<char *>(to);
	const char *in = reinterpret_cast<const char *>(from);
	bool by_words = ((reinterpret_cast<size_t>(out) | reinterpret_cast<size_t>(in) | bytes) & 3) == 0;
	unsigned rank = group.thread_rank(), size = group.size();
	if (by_words) {
		for (size_t i = rank; i < bytes / 4; i += size)
			reinterpret_cast<unsigned *>(out)[i] = reinterpret_cast<const unsigned *>(in)[i];
	} else {
		for (size_t i = rank; i < bytes; i += size)
			out[i] = in[i];
	}
}

template <class Group, class To, class From, class ToLayout, class FromLayout>
__device__ inline void memcpy_async(
	const Group &group, To *to, const ToLayout &room, const From *from, const FromLayout &count) {
	size_t items = size_t(count) < size_t(room) ? size_t(count) : size_t(room);
	cooperative_groups::memcpy_async(group, to, from, items * sizeof(To));
}

template <class Group> __device__ inline void wait(const Group &group) {
	group.sync();
}

template <unsigned Stages, class Group> __device__ inline void wait_prior(const Group &group) {
	group.sync();
}

} /* namespace cooperative_groups */

#endif
