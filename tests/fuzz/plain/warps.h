// Warp functions, for plain C++: each is a meeting of the lanes that it names.
#pragma once
#include "threads.h"

// The programs give a mask also where CUDA asks the hardware which lanes are here.
#define HERE(mask) meet(mask, 0).present
#define OLD_BALLOT(mask, vote) __ballot_sync(mask, vote)
#define OLD_ANY(mask, vote) __any_sync(mask, vote)
#define OLD_ALL(mask, vote) __all_sync(mask, vote)
#define OLD_SHUFFLE(mask, value, lane) __shfl_sync(mask, value, lane)

template <class T> static uint64_t as_bits(T value) {
	uint64_t bits = 0;
	memcpy(&bits, &value, sizeof value);
	return bits;
}
template <class T> static T from_bits(uint64_t bits) {
	T value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void __syncwarp(unsigned mask = 0xffffffff) {
	meet(mask, 0);
}

// Shuffles. Source: PTX ISA, `shfl.sync`.
template <class T> static T shuffled(unsigned mask, T value, int from) {
	return from_bits<T>(meet(mask, as_bits(value)).all[from]);
}
template <class T> static T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
	int first = lane_of_thread() / width * width;
	return shuffled(mask, value, first + (lane & (width - 1)));
}
template <class T> static T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
	int own = lane_of_thread(), first = own / width * width, from = own - (int)(by & 31);
	return shuffled(mask, value, from < first ? own : from);
}
template <class T> static T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
	int own = lane_of_thread(), end = own / width * width + width, from = own + (int)(by & 31);
	return shuffled(mask, value, from >= end ? own : from);
}
template <class T> static T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32) {
	int own = lane_of_thread(), end = own / width * width + width, from = own ^ (by & 31);
	return shuffled(mask, value, from >= end ? own : from);
}

// Votes and matches.
static unsigned __ballot_sync(unsigned mask, int vote) {
	Thread &met = meet(mask, vote != 0);
	unsigned ayes = 0;
	for (int lane = 0; lane < WARP; lane++)
		if (met.present >> lane & 1 && met.all[lane])
			ayes |= 1u << lane;
	return ayes;
}
static int __any_sync(unsigned mask, int vote) {
	return __ballot_sync(mask, vote) != 0;
}
static int __all_sync(unsigned mask, int vote) {
	return __ballot_sync(mask, !vote) == 0;
}
static int __uni_sync(unsigned mask, int vote) {
	unsigned ayes = __ballot_sync(mask, vote);
	return ayes == 0 || ayes == threads[running].present;
}
template <class T> static unsigned __match_any_sync(unsigned mask, T value) {
	uint64_t own = as_bits(value);
	Thread &met = meet(mask, own);
	unsigned same = 0;
	for (int lane = 0; lane < WARP; lane++)
		if (met.present >> lane & 1 && met.all[lane] == own)
			same |= 1u << lane;
	return same;
}
template <class T> static unsigned __match_all_sync(unsigned mask, T value, int *same) {
	unsigned alike = __match_any_sync(mask, value);
	*same = alike == threads[running].present;
	return *same ? alike : 0;
}

// Reductions: the values in the order of their lanes.
template <class T, class F> static T reduced(unsigned mask, T value, F &&function) {
	Thread &met = meet(mask, as_bits(value));
	T result = T();
	bool any = false;
	for (int lane = 0; lane < WARP; lane++)
		if (met.present >> lane & 1) {
			T one = from_bits<T>(met.all[lane]);
			result = any ? (T)function(result, one) : one;
			any = true;
		}
	return result;
}
template <class T> static T __reduce_add_sync(unsigned mask, T value) {
	return reduced(mask, value, [](T a, T b) { return (unsigned)a + (unsigned)b; });
}
template <class T> static T __reduce_min_sync(unsigned mask, T value) {
	return reduced(mask, value, [](T a, T b) { return a < b ? a : b; });
}
template <class T> static T __reduce_max_sync(unsigned mask, T value) {
	return reduced(mask, value, [](T a, T b) { return a > b ? a : b; });
}
static unsigned __reduce_and_sync(unsigned mask, unsigned value) {
	return reduced(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
static unsigned __reduce_or_sync(unsigned mask, unsigned value) {
	return reduced(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
static unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
	return reduced(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}
