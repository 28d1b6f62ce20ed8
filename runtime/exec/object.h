/* Machine code into this process's memory: what a linker and a loader do, for the objects of our own compiler. */
#ifndef S2S_OBJECT_H
#define S2S_OBJECT_H

#include <stddef.h>
#include <stdint.h>

/* A function or datum that objects may refer to. */
typedef struct {
	const char *name;
	uintptr_t address;
} s2s_symbol;

typedef struct s2s_object s2s_object;

enum { S2S_WHY_BYTES = 200 };

/* Load a relocatable ELF file for x86-64 with position-independent code. What it does not define itself is looked for
 * among `symbols`, in libm, in libmvec, and in the program. Returns null if that fails: then `why`, of S2S_WHY_BYTES,
 * says why. `file` is not needed any more afterwards. */
s2s_object *s2s_load_object(const void *file, size_t bytes, const s2s_symbol *symbols, size_t nsymbols, char *why);

/* The address of a function or datum that other files may refer to; 0 if there is none of this name. */
uintptr_t s2s_object_symbol(const s2s_object *object, const char *name);

void s2s_unload_object(s2s_object *object);

/* The section .debug_line of the loaded object that has this instruction, with the addresses at which its code is; null
 * if there is none. It stays as long as the object. */
const uint8_t *s2s_lines_of_object(const void *instruction, size_t *bytes);

/* The contents of a section of an ELF file for 64 bits; null if it has none of this name, or a compressed one. */
const uint8_t *s2s_section(const uint8_t *file, size_t bytes, const char *name, size_t *section_bytes);

#endif
