/* Device code that a program loads while it runs: images, as module.h describes them. */
#define _GNU_SOURCE
#include "cudart/module.h"
#include "cudart/called.h"
#include "exec/object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY(name) {"s2s_" #name, (uintptr_t)s2s_##name},
static const s2s_symbol CALLED[] = {S2S_CALLED(ENTRY)};
#undef ENTRY

static const char HEAD[] = "simt2simd module 1\n";

struct s2s_module {
	s2s_object *object;
	char *lines; /* those about kernels and variables */
};

/* The numbers in the line after the head. */
static bool read_sizes(const char *image, size_t *all, size_t *object) {
	return image && strncmp(image, HEAD, sizeof HEAD - 1) == 0 &&
		   sscanf(image + sizeof HEAD - 1, "bytes %zu %zu\n", all, object) == 2 && *object < *all;
}

size_t s2s_image_bytes(const void *image) {
	size_t all, object;
	return read_sizes(image, &all, &object) ? all : 0;
}

/* The line "KIND NAME ..." from after the name on; null if there is none. */
static const char *line_of(const s2s_module *module, const char *kind, const char *name) {
	size_t of_kind = strlen(kind), of_name = strlen(name);
	for (const char *line = module->lines; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, kind, of_kind) == 0 && line[of_kind] == ' ' &&
			strncmp(line + of_kind + 1, name, of_name) == 0 && line[of_kind + 1 + of_name] == ' ')
			return line + of_kind + of_name + 2;
	}
	return NULL;
}

enum { MOST_NAME = 1000 };

/* The address of the symbol that a line begins with. */
static uintptr_t address_of(const s2s_module *module, const char *line) {
	char symbol[MOST_NAME];
	size_t length = strcspn(line, " \n");
	if (length >= sizeof symbol)
		return 0;
	memcpy(symbol, line, length);
	symbol[length] = 0;
	return s2s_object_symbol(module->object, symbol);
}

/* Call `visit` for each variable, until it returns false. */
static bool for_variables(const s2s_module *module, bool (*visit)(const void *address, size_t bytes)) {
	bool done = true;
	for (const char *line = module->lines; line && done; line = strchr(line, '\n')) {
		char symbol[MOST_NAME];
		size_t bytes;
		line += *line == '\n';
		if (sscanf(line, "variable %*s %999s %zu", symbol, &bytes) == 2 && bytes > 0)
			done = visit((const void *)s2s_object_symbol(module->object, symbol), bytes);
	}
	return done;
}

static bool forget_variable(const void *address, size_t bytes) {
	(void)bytes;
	s2s_remove_variable(address);
	return true;
}

s2s_module *s2s_load_module(const void *image, char *why) {
	size_t all, object;
	if (!read_sizes(image, &all, &object)) {
		snprintf(why, S2S_WHY_BYTES, "this is no module that simt2simd has compiled");
		return NULL;
	}
	snprintf(why, S2S_WHY_BYTES, "no memory");
	s2s_module *made = calloc(1, sizeof *made);
	char *file = malloc(object); /* aligned, as the image need not be */
	if (made && file) {
		memcpy(file, (const char *)image + all - object, object);
		made->lines = strndup(image, all - object);
		made->object = s2s_load_object(file, object, CALLED, sizeof CALLED / sizeof *CALLED, why);
	}
	free(file);
	if (made && made->object && made->lines && for_variables(made, s2s_add_variable))
		return made;
	if (made)
		s2s_unload_module(made);
	return NULL;
}

void s2s_unload_module(s2s_module *module) {
	if (module->object && module->lines)
		for_variables(module, forget_variable);
	s2s_unload_object(module->object);
	free(module->lines);
	free(module);
}

/* `f` of "_Z1fPfi", a function outside of namespaces; else the name itself. */
static void plain_name(const char *name, char *plain) {
	snprintf(plain, MOST_NAME, "%s", name);
	if (strncmp(name, "_Z", 2) != 0 || !isdigit((unsigned char)name[2]))
		return;
	char *begin;
	unsigned long length = strtoul(name + 2, &begin, 10);
	if (length < MOST_NAME && length <= strlen(begin))
		snprintf(plain, MOST_NAME, "%.*s", (int)length, begin);
}

const s2s_kernel *s2s_module_kernel(const s2s_module *module, const char *name) {
	char plain[MOST_NAME];
	plain_name(name, plain);
	const char *line = line_of(module, "kernel", name);
	if (!line)
		line = line_of(module, "kernel", plain);
	return line ? (const s2s_kernel *)address_of(module, line) : NULL;
}

void *s2s_module_variable(const s2s_module *module, const char *name, size_t *bytes) {
	const char *line = line_of(module, "variable", name);
	if (!line || sscanf(line, "%*s %zu", bytes) != 1)
		return NULL;
	return (void *)address_of(module, line);
}

/* A kernel may have several names, whose lines follow each other. */
static const s2s_kernel *visit_kernels(const s2s_module *module, size_t wanted, size_t *count) {
	const s2s_kernel *last = NULL;
	*count = 0;
	for (const char *line = module->lines; line; line = strchr(line, '\n')) {
		char symbol[MOST_NAME];
		line += *line == '\n';
		if (sscanf(line, "kernel %*s %999s", symbol) != 1)
			continue;
		const s2s_kernel *kernel = (const s2s_kernel *)s2s_object_symbol(module->object, symbol);
		if (kernel != last && (*count)++ == wanted)
			return kernel;
		last = kernel;
	}
	return NULL;
}

size_t s2s_module_count(const s2s_module *module) {
	size_t count;
	visit_kernels(module, SIZE_MAX, &count);
	return count;
}

const s2s_kernel *s2s_module_nth(const s2s_module *module, size_t number) {
	size_t count;
	return visit_kernels(module, number, &count);
}

char *s2s_read_image(const char *path) {
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	long size = ftell(file);
	rewind(file);
	char *image = calloc(1, size > 0 ? (size_t)size + 1 : 1);
	bool whole = image && size > 0 && fread(image, 1, (size_t)size, file) == (size_t)size;
	fclose(file);
	if (image && (!whole || s2s_image_bytes(image) > (size_t)size))
		*image = '\0';
	return image;
}
