/* The DWARF line table: which line of the source an instruction comes from. It is what programs compiled with -g or
 * -lineinfo say in .debug_line.
 *
 * Such a section has a unit for each part of a program. A unit is a list of names of files, and a program for a machine
 * with few registers, which makes a table: from this address on, code comes from this line. Units of DWARF 5 are
 * skipped: those are of host code. The DWARF 4 standard, section 6.2, has the numbers.
 */
#define _GNU_SOURCE
#include "exec/exec.h"
#include "exec/object.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that are read one after the other. After the end are zeros. */
typedef struct {
	const uint8_t *at, *end;
} reader;

static uint64_t fixed(reader *r, size_t bytes) {
	uint64_t value = 0;
	if ((size_t)(r->end - r->at) < bytes) {
		r->at = r->end;
		return 0;
	}
	memcpy(&value, r->at, bytes);
	r->at += bytes;
	return value;
}

/* Seven bits a byte; all but the last byte have the eighth. */
static uint64_t leb128(reader *r, bool is_signed) {
	uint64_t value = 0;
	uint32_t shift = 0;
	uint8_t byte;
	do {
		byte = (uint8_t)fixed(r, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && byte & 0x40)
		value |= ~0ull << shift;
	return value;
}

static const char *text(reader *r) {
	const uint8_t *end = memchr(r->at, 0, (size_t)(r->end - r->at));
	const char *found = end ? (const char *)r->at : "";
	r->at = end ? end + 1 : r->end;
	return found;
}

static void skip(reader *r, uint64_t bytes) {
	r->at = bytes < (uint64_t)(r->end - r->at) ? r->at + bytes : r->end;
}

/* A unit: how its program is to be read, and where its lists begin. */
typedef struct {
	reader program, folders, files;
	uint8_t shortest; /* instruction */
	int8_t line_base;
	uint8_t line_range, opcode_base;
	uint8_t operands[256];
} unit;

/* Read the head of the unit at r, and put r after the unit. False for one that cannot be read. */
static bool read_unit(reader *r, unit *u) {
	uint64_t bytes = fixed(r, 4);
	if (bytes >= 0xfffffff0) { /* of more than 4 GiB */
		r->at = r->end;
		return false;
	}
	reader all = {r->at, r->at};
	skip(r, bytes);
	all.end = r->at;
	uint64_t version = fixed(&all, 2);
	if (version < 2 || version > 4)
		return false;
	uint64_t head = fixed(&all, 4);
	u->program = all;
	skip(&u->program, head);
	u->shortest = (uint8_t)fixed(&all, 1);
	if (version == 4)
		fixed(&all, 1); /* operations of an instruction */
	fixed(&all, 1);     /* whether lines begin statements at first */
	u->line_base = (int8_t)fixed(&all, 1);
	u->line_range = (uint8_t)fixed(&all, 1);
	u->opcode_base = (uint8_t)fixed(&all, 1);
	for (uint32_t i = 1; i < u->opcode_base; i++)
		u->operands[i] = (uint8_t)fixed(&all, 1);
	u->folders = all;
	while (*text(&all))
		;
	u->files = all;
	return u->line_range > 0 && u->opcode_base > 0;
}

/* A row of the table. */
typedef struct {
	uint64_t address, file, line;
} row;

enum {
	EXTENDED,
	COPY,
	ADVANCE_ADDRESS,
	ADVANCE_LINE,
	SET_FILE,
	CONST_ADD_ADDRESS = 8,
	FIXED_ADVANCE_ADDRESS,
	END_SEQUENCE = 1,
	SET_ADDRESS
};

/* Find the row that holds for `wanted`: the last one at or before it, if the next one is after it. */
static bool find_row(const unit *u, uint64_t wanted, row *found) {
	const row first = {0, 1, 1};
	row now = first, before = first;
	bool any = false; /* `before` is a row */
	for (reader r = u->program; r.at < r.end;) {
		uint8_t opcode = (uint8_t)fixed(&r, 1);
		bool makes_row = false, ends = false;
		if (opcode >= u->opcode_base) {
			uint32_t special = (uint32_t)(opcode - u->opcode_base);
			now.address += (uint64_t)(special / u->line_range) * u->shortest;
			now.line += (uint64_t)(int64_t)(u->line_base + (int)(special % u->line_range));
			makes_row = true;
		} else if (opcode == EXTENDED) {
			uint64_t bytes = leb128(&r, false);
			reader operand = r;
			skip(&r, bytes);
			operand.end = r.at;
			uint8_t which = (uint8_t)fixed(&operand, 1);
			ends = makes_row = which == END_SEQUENCE;
			if (which == SET_ADDRESS)
				now.address = fixed(&operand, 8);
		} else if (opcode == COPY) {
			makes_row = true;
		} else if (opcode == ADVANCE_ADDRESS) {
			now.address += leb128(&r, false) * u->shortest;
		} else if (opcode == ADVANCE_LINE) {
			now.line += leb128(&r, true);
		} else if (opcode == SET_FILE) {
			now.file = leb128(&r, false);
		} else if (opcode == CONST_ADD_ADDRESS) {
			now.address += (uint64_t)((255 - u->opcode_base) / u->line_range) * u->shortest;
		} else if (opcode == FIXED_ADVANCE_ADDRESS) {
			now.address += fixed(&r, 2);
		} else {
			for (uint32_t i = 0; i < u->operands[opcode]; i++)
				leb128(&r, false);
		}
		if (!makes_row)
			continue;
		if (any && before.address <= wanted && wanted < now.address) {
			*found = before;
			return true;
		}
		before = now;
		any = !ends;
		if (ends)
			now = first;
	}
	return false;
}

static const char *nth_text(reader list, uint64_t n) {
	const char *found = "";
	for (uint64_t i = 0; i < n && *(found = text(&list)); i++)
		;
	return found;
}

/* Write "FILE:LINE". Files have a name, the number of a folder, a time and a size. */
static bool write_row(const unit *u, const row *row, char *out, size_t room) {
	reader files = u->files;
	for (uint64_t i = 1;; i++) {
		const char *name = text(&files);
		uint64_t folder = leb128(&files, false);
		leb128(&files, false);
		leb128(&files, false);
		if (!*name || row->line == 0)
			return false;
		if (i < row->file)
			continue;
		const char *path = *name == '/' ? "" : nth_text(u->folders, folder);
		snprintf(out, room, "%s%s%s:%u", path, *path ? "/" : "", name, (uint32_t)row->line);
		return true;
	}
}

static bool find_address(const uint8_t *section, size_t bytes, uint64_t address, char *out, size_t room) {
	for (reader r = {section, section + bytes}; r.at < r.end;) {
		unit u = {0};
		row found;
		if (read_unit(&r, &u) && find_row(&u, address, &found))
			return write_row(&u, &found, out, room);
	}
	return false;
}

/* ---- programs and shared libraries ---- */

typedef struct {
	uint64_t instruction, base;
	char path[1024];
	bool found;
} place_in_file;

/* dl_iterate_phdr's visitor: is the instruction in this file? */
static int is_in(struct dl_phdr_info *info, size_t bytes, void *arg) {
	(void)bytes;
	place_in_file *place = arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type != PT_LOAD || place->instruction - (info->dlpi_addr + part->p_vaddr) >= part->p_memsz)
			continue;
		const char *name = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
		snprintf(place->path, sizeof place->path, "%s", name);
		place->base = info->dlpi_addr;
		place->found = true;
		return 1;
	}
	return 0;
}

static bool find_in_image(const uint8_t *image, size_t bytes, uint64_t address, char *out, size_t room) {
	size_t section_bytes;
	const uint8_t *section = s2s_section(image, bytes, ".debug_line", &section_bytes);
	return section && find_address(section, section_bytes, address, out, room);
}

static bool find_in_file(const place_in_file *place, char *out, size_t room) {
	int file = open(place->path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (file < 0)
		return false;
	void *image = MAP_FAILED;
	size_t bytes = 0;
	if (fstat(file, &status) == 0 && status.st_size > 0) {
		bytes = (size_t)status.st_size;
		image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
	}
	close(file);
	if (image == MAP_FAILED)
		return false;
	bool found = find_in_image(image, bytes, place->instruction - place->base, out, room);
	munmap(image, bytes);
	return found;
}

bool s2s_find_line(const void *instruction, char *out, size_t room) {
	size_t bytes;
	const uint8_t *table = s2s_lines_of_object(instruction, &bytes);
	if (table)
		return find_address(table, bytes, (uint64_t)(uintptr_t)instruction, out, room);
	place_in_file place = {.instruction = (uint64_t)(uintptr_t)instruction};
	dl_iterate_phdr(is_in, &place);
	return place.found && find_in_file(&place, out, room);
}
