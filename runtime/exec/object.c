/* A small linker in memory.
 *
 * Known as: a run-time linker; the table has the roles of GOT and PLT.
 *
 * The sections that a program needs are laid out by what may be done with them: code, constants, variables, each group
 * on pages of its own. Between them comes a table with an entry for every symbol: its address, and a jump there, for
 * code that calls something too far away for a 32-bit distance. Then the places that the file names (its relocations)
 * are filled in, and the pages get their protection.
 */
#define _GNU_SOURCE
#include "exec/object.h"
#include "device/guards.h"
#include "s2s.h"

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* An entry of the table: `jump` jumps to `address`, which lies 14 bytes before the jump's end. */
typedef struct {
	uint64_t address;
	uint8_t jump[8];
} table_entry;

static const uint8_t JUMP[8] = {0xff, 0x25, 0xf2, 0xff, 0xff, 0xff, 0xcc, 0xcc}; /* jmp *-14(%rip) */

struct s2s_object {
	char *base;
	size_t bytes;
	uint8_t *lines; /* .debug_line; null without */
	size_t line_bytes;
	struct s2s_object *next; /* of those that have lines */
	size_t nnames;
	struct named {
		char *name;
		uintptr_t address;
	} names[];
};

/* A file that is being loaded. */
typedef struct {
	const char *file;
	size_t bytes;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *sections;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	const char *strings;
	size_t string_bytes;
	char *base;          /* where it goes; known after lay_out() */
	size_t *offset;      /* of each section from there; SIZE_MAX: it is not loaded */
	size_t group_end[3]; /* code and the table, constants, variables; each ends at a page */
	size_t table;        /* offset of the table */
	char *why;
} loading;

#define FAIL(L, ...) (snprintf((L)->why, S2S_WHY_BYTES, __VA_ARGS__), false)

static size_t round_up(size_t value, size_t unit) {
	return (value + unit - 1) / unit * unit;
}

/* ---- what the file says ---- */

static bool inside(const loading *l, uint64_t offset, uint64_t bytes) {
	return offset <= l->bytes && bytes <= l->bytes - offset;
}

static bool read_headers(loading *l) {
	l->header = (const Elf64_Ehdr *)l->file;
	const Elf64_Ehdr *h = l->header;
	if (l->bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
		h->e_type != ET_REL || h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr))
		return FAIL(l, "this is no relocatable ELF file for x86-64");
	if (!inside(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
		return FAIL(l, "the file is cut short");
	l->sections = (const Elf64_Shdr *)(l->file + h->e_shoff);
	for (size_t i = 0; i < h->e_shnum; i++) {
		const Elf64_Shdr *s = &l->sections[i];
		if (s->sh_type != SHT_NOBITS && !inside(l, s->sh_offset, s->sh_size))
			return FAIL(l, "the file is cut short");
		if (s->sh_type == SHT_SYMTAB && s->sh_link < h->e_shnum) {
			l->symbols = (const Elf64_Sym *)(l->file + s->sh_offset);
			l->nsymbols = s->sh_size / sizeof(Elf64_Sym);
			l->strings = l->file + l->sections[s->sh_link].sh_offset;
			l->string_bytes = l->sections[s->sh_link].sh_size;
		}
	}
	if (!l->symbols || l->string_bytes == 0 || l->strings[l->string_bytes - 1] != '\0')
		return FAIL(l, "the file has no symbols");
	return true;
}

/* Is a section needed at run time? Tables for unwinding are not: no exception leaves a kernel. */
static bool is_loaded(const Elf64_Shdr *s) {
	return (s->sh_flags & SHF_ALLOC) && s->sh_size > 0 && (s->sh_type == SHT_PROGBITS || s->sh_type == SHT_NOBITS);
}

static int group_of(const Elf64_Shdr *s) {
	return s->sh_flags & SHF_EXECINSTR ? 0 : s->sh_flags & SHF_WRITE ? 2 : 1;
}

static const char *symbol_name(const loading *l, const Elf64_Sym *symbol) {
	return symbol->st_name < l->string_bytes ? l->strings + symbol->st_name : "";
}

/* ---- into memory ---- */

static bool lay_out(loading *l) {
	size_t end = 0;
	for (int group = 0; group < 3; group++) {
		for (size_t i = 0; i < l->header->e_shnum; i++) {
			const Elf64_Shdr *s = &l->sections[i];
			if (!is_loaded(s) || group_of(s) != group)
				continue;
			if (s->sh_addralign > PAGE)
				return FAIL(l, "a section wants to be aligned to %zu bytes", (size_t)s->sh_addralign);
			l->offset[i] = round_up(end, s->sh_addralign > 0 ? s->sh_addralign : 1);
			end = l->offset[i] + s->sh_size;
		}
		if (group == 0) {
			l->table = round_up(end, sizeof(table_entry));
			end = l->table + l->nsymbols * sizeof(table_entry);
		}
		l->group_end[group] = end = round_up(end, PAGE);
	}
	l->base = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (l->base == MAP_FAILED) {
		l->base = NULL;
		return FAIL(l, "no memory");
	}
	for (size_t i = 0; i < l->header->e_shnum; i++)
		if (l->offset[i] != SIZE_MAX && l->sections[i].sh_type == SHT_PROGBITS)
			memcpy(l->base + l->offset[i], l->file + l->sections[i].sh_offset, l->sections[i].sh_size);
	return true;
}

/* Where the C library has `name`; 0 if it does not. Vector functions may be in a library that nothing else uses. */
static uintptr_t library_symbol(const char *name) {
	static const char *const libraries[] = {"libm.so.6", "libmvec.so.1"};
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY); /* stays: code may hold its addresses */
		void *found = library ? dlsym(library, name) : NULL;
		if (found)
			return (uintptr_t)found;
	}
	return (uintptr_t)dlsym(RTLD_DEFAULT, name);
}

/* Fill in the table; the address of what is found nowhere is 0. */
static void resolve_symbols(loading *l, const s2s_symbol *known, size_t nknown) {
	table_entry *table = (table_entry *)(l->base + l->table);
	for (size_t i = 1; i < l->nsymbols; i++) {
		const Elf64_Sym *symbol = &l->symbols[i];
		uint16_t section = symbol->st_shndx;
		const char *name = symbol_name(l, symbol);
		uintptr_t address = 0;
		if (section == SHN_UNDEF) {
			for (size_t k = 0; k < nknown && address == 0; k++)
				if (strcmp(known[k].name, name) == 0)
					address = known[k].address;
			if (address == 0)
				address = library_symbol(name);
		} else if (section == SHN_ABS) {
			address = symbol->st_value;
		} else if (section < l->header->e_shnum && l->offset[section] != SIZE_MAX) {
			address = (uintptr_t)l->base + l->offset[section] + symbol->st_value;
		}
		table[i].address = address;
		memcpy(table[i].jump, JUMP, sizeof JUMP);
	}
}

/* Fill in one place: S is the symbol's address, A the addend, P the place. */
static bool relocate(loading *l, const Elf64_Rela *r, char *section, size_t section_bytes) {
	size_t number = ELF64_R_SYM(r->r_info), type = ELF64_R_TYPE(r->r_info);
	bool wide = type == R_X86_64_64 || type == R_X86_64_PC64;
	if (number >= l->nsymbols || r->r_offset > section_bytes || section_bytes - r->r_offset < (wide ? 8u : 4u))
		return FAIL(l, "a relocation lies outside its section");
	const Elf64_Sym *symbol = &l->symbols[number];
	table_entry *entry = (table_entry *)(l->base + l->table) + number;
	if (symbol->st_shndx == SHN_UNDEF && entry->address == 0 && ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
		return FAIL(l, "'%s' is defined nowhere", symbol_name(l, symbol));
	char *place = section + r->r_offset;
	uint64_t s = entry->address, a = (uint64_t)r->r_addend, p = (uint64_t)(uintptr_t)place, value;
	switch (type) {
	case R_X86_64_64:
		value = s + a;
		break;
	case R_X86_64_PC64:
	case R_X86_64_PC32:
		value = s + a - p;
		break;
	case R_X86_64_PLT32:
		value = s + a - p;
		if ((uint64_t)(int64_t)(int32_t)value != value)
			value = (uint64_t)(uintptr_t)entry->jump + a - p;
		break;
	case R_X86_64_GOTPCREL:
	case R_X86_64_GOTPCRELX:
	case R_X86_64_REX_GOTPCRELX:
		value = (uint64_t)(uintptr_t)&entry->address + a - p;
		break;
	default:
		return FAIL(l, "relocation type %zu is not supported", type);
	}
	if (!wide && (uint64_t)(int64_t)(int32_t)value != value)
		return FAIL(l, "'%s' is too far away", symbol_name(l, symbol));
	memcpy(place, &value, wide ? 8 : 4);
	return true;
}

static bool relocate_all(loading *l) {
	for (size_t i = 0; i < l->header->e_shnum; i++) {
		const Elf64_Shdr *s = &l->sections[i];
		if (s->sh_type != SHT_RELA || s->sh_info >= l->header->e_shnum || l->offset[s->sh_info] == SIZE_MAX)
			continue;
		const Elf64_Rela *first = (const Elf64_Rela *)(l->file + s->sh_offset);
		for (size_t k = 0; k < s->sh_size / sizeof *first; k++)
			if (!relocate(l, &first[k], l->base + l->offset[s->sh_info], l->sections[s->sh_info].sh_size))
				return false;
	}
	return true;
}

static bool protect(loading *l) {
	static const int protection[] = {PROT_READ | PROT_EXEC, PROT_READ};
	size_t begin = 0;
	for (int group = 0; group < 2; group++) {
		size_t bytes = l->group_end[group] - begin;
		if (bytes > 0 && mprotect(l->base + begin, bytes, protection[group]) != 0)
			return FAIL(l, "the system does not let code be loaded");
		begin = l->group_end[group];
	}
	return true;
}

/* ---- lines ---- */

static pthread_mutex_t lines_lock = PTHREAD_MUTEX_INITIALIZER;
static s2s_object *with_lines;

const uint8_t *s2s_section(const uint8_t *file, size_t bytes, const char *name, size_t *section_bytes) {
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)file;
	if (bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
		h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff > bytes ||
		(bytes - h->e_shoff) / sizeof(Elf64_Shdr) < h->e_shnum || h->e_shstrndx >= h->e_shnum)
		return NULL;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + h->e_shoff), *names = &sections[h->e_shstrndx];
	for (size_t i = 1; i < h->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];
		size_t at = names->sh_offset + s->sh_name;
		if (s->sh_type != SHT_PROGBITS || s->sh_flags & SHF_COMPRESSED || at >= bytes || s->sh_offset > bytes ||
			s->sh_size > bytes - s->sh_offset || strncmp((const char *)file + at, name, bytes - at) != 0)
			continue;
		*section_bytes = s->sh_size;
		return file + s->sh_offset;
	}
	return NULL;
}

/* Fill in the addresses of code in the copy of a section. */
static void relocate_lines(const loading *l, const uint8_t *section, s2s_object *object) {
	const table_entry *table = (const table_entry *)(l->base + l->table);
	size_t offset = (size_t)(section - (const uint8_t *)l->file);
	for (size_t i = 0; i < l->header->e_shnum; i++) {
		const Elf64_Shdr *s = &l->sections[i];
		if (s->sh_type != SHT_RELA || s->sh_info >= l->header->e_shnum || l->sections[s->sh_info].sh_offset != offset)
			continue;
		const Elf64_Rela *all = (const Elf64_Rela *)(l->file + s->sh_offset);
		for (const Elf64_Rela *r = all; r < all + s->sh_size / sizeof *r; r++) {
			size_t number = ELF64_R_SYM(r->r_info);
			if (ELF64_R_TYPE(r->r_info) != R_X86_64_64 || number >= l->nsymbols || r->r_offset + 8 > object->line_bytes)
				continue;
			uint64_t address = table[number].address + (uint64_t)r->r_addend;
			memcpy(object->lines + r->r_offset, &address, sizeof address);
		}
	}
}

/* Without memory, there are no lines. */
static void keep_lines(const loading *l, s2s_object *object) {
	const uint8_t *section = s2s_section((const uint8_t *)l->file, l->bytes, ".debug_line", &object->line_bytes);
	object->lines = section ? malloc(object->line_bytes) : NULL;
	if (!object->lines)
		return;
	memcpy(object->lines, section, object->line_bytes);
	relocate_lines(l, section, object);
	pthread_mutex_lock(&lines_lock);
	object->next = with_lines;
	with_lines = object;
	pthread_mutex_unlock(&lines_lock);
}

static void forget_lines(s2s_object *object) {
	pthread_mutex_lock(&lines_lock);
	s2s_object **at = &with_lines;
	while (*at && *at != object)
		at = &(*at)->next;
	if (*at)
		*at = object->next;
	pthread_mutex_unlock(&lines_lock);
	free(object->lines);
}

const uint8_t *s2s_lines_of_object(const void *instruction, size_t *bytes) {
	pthread_mutex_lock(&lines_lock);
	const s2s_object *object = with_lines;
	while (object && (uintptr_t)instruction - (uintptr_t)object->base >= object->bytes)
		object = object->next;
	pthread_mutex_unlock(&lines_lock);
	if (!object)
		return NULL;
	*bytes = object->line_bytes;
	return object->lines;
}

/* ---- the object ---- */

static bool is_public(const loading *l, const Elf64_Sym *symbol) {
	return ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL && symbol->st_shndx != SHN_UNDEF &&
		   symbol->st_shndx < l->header->e_shnum;
}

static s2s_object *make_object(const loading *l) {
	const table_entry *table = (const table_entry *)(l->base + l->table);
	s2s_object *object = malloc(sizeof *object + l->nsymbols * sizeof *object->names);
	if (!object)
		return NULL;
	*object = (s2s_object){.base = l->base, .bytes = l->group_end[2]};
	for (size_t i = 1; i < l->nsymbols; i++) {
		char *name = is_public(l, &l->symbols[i]) ? strdup(symbol_name(l, &l->symbols[i])) : NULL;
		if (name)
			object->names[object->nnames++] = (struct named){name, table[i].address};
	}
	keep_lines(l, object);
	return object;
}

s2s_object *s2s_load_object(const void *file, size_t bytes, const s2s_symbol *symbols, size_t nsymbols, char *why) {
	loading l = {.file = file, .bytes = bytes, .why = why};
	snprintf(why, S2S_WHY_BYTES, "no memory"); /* unless there is something better to say */
	if (!read_headers(&l))
		return NULL;
	s2s_object *object = NULL;
	l.offset = malloc(l.header->e_shnum * sizeof *l.offset);
	if (l.offset) {
		memset(l.offset, 0xff, l.header->e_shnum * sizeof *l.offset);
		if (lay_out(&l)) {
			resolve_symbols(&l, symbols, nsymbols);
			if (relocate_all(&l) && protect(&l))
				object = make_object(&l);
		}
	}
	if (!object && l.base)
		munmap(l.base, l.group_end[2]);
	free(l.offset);
	return object;
}

uintptr_t s2s_object_symbol(const s2s_object *object, const char *name) {
	for (size_t i = 0; i < object->nnames; i++)
		if (strcmp(object->names[i].name, name) == 0)
			return object->names[i].address;
	return 0;
}

void s2s_unload_object(s2s_object *object) {
	if (!object)
		return;
	for (size_t i = 0; i < object->nnames; i++)
		free(object->names[i].name);
	forget_lines(object);
	s2s_forget_begun_kernels(object->base, object->bytes);
	s2s_forget_dynamic_limits(object->base, object->bytes);
	munmap(object->base, object->bytes);
	free(object);
}
