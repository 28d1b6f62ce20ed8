/* What the files of this folder and of those after it call of later folders: hooks, which do nothing in a program
 * without these folders. */
#define _GNU_SOURCE
#include "internal.h"

static void nothing(void) {}

static void call_nobody(uint32_t count) {
	(void)count;
}

static bool no_task(void) {
	return false;
}

s2s_hook_table s2s_hooks = {nothing, nothing, nothing, call_nobody, no_task, nothing, nothing};

_Atomic uint32_t s2s_stream_activity;
