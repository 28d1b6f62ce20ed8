/* Lets kernels.c be loaded into Python: the runtime's functions are in an extension module there, and hidden. */
#include "s2s.h"

/* In a library for Python, gangs stay whole. */
void s2s_barrier_of_lanes(s2s_gang *gang, uint64_t active) {
	(void)gang, (void)active;
}

void s2s_end_piece(s2s_gang *gang) {
	(void)gang;
}

/* There, waiting kernels only wait. */
void s2s_long_wait(s2s_gang *gang, const char *where, uint32_t rounds, uint64_t active) {
	(void)gang, (void)where, (void)rounds, (void)active;
}

/* Nor do kernels count there. */
void s2s_begin_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	(void)gang, (void)number, (void)lanes;
}

void s2s_count_visit(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	(void)gang, (void)number, (void)lanes;
}

void s2s_end_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	(void)gang, (void)number, (void)lanes;
}

s2s_counter *s2s_counters(const s2s_launch *launch) {
	static s2s_counter counters[2];
	(void)launch;
	return counters;
}

/* Nor launch others. */
void s2s_launch_children(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, const s2s_child *child) {
	(void)gang, (void)lanes, (void)slots, (void)stride, (void)child;
}

void s2s_await_children(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang, (void)lanes, (void)slots, (void)stride, (void)count;
}
