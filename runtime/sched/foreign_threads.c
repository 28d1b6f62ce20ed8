/* Whether threads of the program that are not ours could make progress while all of ours wait.
 *
 * A thread that sleeps on a futex without a time limit continues only if another thread wakes it. If all other threads
 * sleep like this at one time, and all of ours wait for a write, none will ever continue. Pools of threads without
 * work, such as those of NumPy's libraries, sleep like this.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

long s2s_thread_id(void) {
	return syscall(SYS_gettid);
}

/* Read a file of a thread, as text. */
static bool read_of(const char *thread, const char *name, char *text, size_t room) {
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%.16s/%s", thread, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = file >= 0 ? read(file, text, room - 1) : -1;
	if (file >= 0)
		close(file);
	text[bytes > 0 ? bytes : 0] = '\0';
	return bytes > 0;
}

/* Whether a thread waits for a futex, for as long as it takes: its system call, and the arguments. */
static bool sleeps(const char *thread) {
	char text[256];
	long number;
	unsigned long word, operation, value, limit;
	if (!read_of(thread, "syscall", text, sizeof text) ||
		sscanf(text, "%ld %lx %lx %lx %lx", &number, &word, &operation, &value, &limit) != 5 || number != SYS_futex)
		return false;
	unsigned long command = operation & (unsigned long)FUTEX_CMD_MASK;
	return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && limit == 0;
}

/* How often a thread has stopped and gone on; UINT64_MAX if that cannot be read. */
static uint64_t switches(const char *thread) {
	char text[4096];
	const char *line = read_of(thread, "status", text, sizeof text) ? strstr(text, "\nvoluntary_ctxt_switches:") : NULL;
	return line ? strtoull(line + strlen("\nvoluntary_ctxt_switches:"), NULL, 10) : UINT64_MAX;
}

static bool is_ours(long thread) {
	for (uint32_t i = 0; i < s2s_pool_size(); i++)
		if (atomic_load(&s2s_pool_hthread(i)->thread_id) == thread)
			return true;
	for (uint32_t i = 0; i < s2s_count_beside(); i++) {
		const hthread *other = s2s_hthread_beside(i);
		if (atomic_load(&other->taking) && atomic_load(&other->thread_id) == thread)
			return true;
	}
	return thread == s2s_timeout_thread();
}

/* Add up how often the threads that are not ours have gone on; false if one of them does not sleep. */
static bool all_sleep(uint64_t *sum) {
	DIR *threads = opendir("/proc/self/task");
	bool all = threads != NULL;
	*sum = 0;
	for (struct dirent *entry; all && (entry = readdir(threads));) {
		if (*entry->d_name == '.' || is_ours(strtol(entry->d_name, NULL, 10)))
			continue;
		uint64_t count = switches(entry->d_name);
		all = count != UINT64_MAX && sleeps(entry->d_name);
		*sum += count + 1; /* a thread that is new counts, too */
	}
	if (threads)
		closedir(threads);
	return all;
}

/* Threads that sleep now and then have not gone on in between: there is a moment at which all of them slept. */
bool s2s_others_may_write(void) {
	uint64_t before, now;
	return !all_sleep(&before) || !all_sleep(&now) || before != now;
}
