/* An object file with all that s2s_load_object knows: near and far calls, constants, jump tables, variables. */
#include <math.h>

#include "s2s.h"

int counter = 40;
static int zeros[1000];
static const char *const words[] = {"zero", "one", "two"};
static int (*chosen)(int);

static int twice(int x) {
	return 2 * x;
}

int count(void) {
	chosen = twice;
	zeros[999]++;
	return counter += zeros[999] + chosen(1) - 2;
}

char letter(int word, int place) {
	return words[word][place];
}

double math(int which, double x) {
	switch (which) {
	case 0:
		return sin(x);
	case 1:
		return pow(x, 3);
	case 2:
		return floor(x) + 1;
	case 3:
		return exp(x);
	case 4:
		return x / 2;
	default:
		return -1;
	}
}

const void *runtime_function(void) {
	return (const void *)s2s_barrier_of_lanes;
}

void call_runtime(s2s_gang *gang) {
	s2s_barrier_of_lanes(gang, 0xffff);
}
