/* Lets kernels.c be loaded into Python: the runtime's functions are in an extension module there, and hidden. */
#include "s2s.h"

void (*check_barrier)(s2s_gang *gang, uint32_t site, uint32_t active); /* set by the test */

void s2s_check_barrier(s2s_gang *gang, uint32_t site, uint32_t active) {
	check_barrier(gang, site, active);
}

/* In a library for Python, waiting kernels only wait. */
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
