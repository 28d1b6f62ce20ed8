/* How much memory the machine has. */
#include "base/base.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t physical_bytes;
static pthread_once_t physical_once = PTHREAD_ONCE_INIT;

size_t s2s_read_size(const char *path, const char *label) {
	FILE *file = fopen(path, "r");
	char line[256];
	size_t value, found = SIZE_MAX;
	while (file && found == SIZE_MAX && fgets(line, sizeof line, file))
		if (strncmp(line, label, strlen(label)) == 0 && sscanf(line + strlen(label), "%zu", &value) == 1)
			found = *label ? value << 10 : value;
	if (file)
		fclose(file);
	return found;
}

/* The machine's memory, or what a container has of it. */
static void find_physical_bytes(void) {
	static const char *const limits[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	physical_bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		size_t limit = s2s_read_size(limits[i], "");
		physical_bytes = limit < physical_bytes ? limit : physical_bytes;
	}
}

size_t s2s_memory_bytes(void) {
	pthread_once(&physical_once, find_physical_bytes);
	return physical_bytes;
}
