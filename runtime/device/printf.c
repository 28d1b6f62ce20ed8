/* printf in kernels: what threads print is kept as text until the host synchronises, as CUDA has it.
 *
 * s2s_printf formats for one gang, lane after lane, into the buffer of its hthread. When the launch is over the buffers
 * are joined, and s2s_flush_output writes them to C's stdout. The guide says when: CUDA C++ Programming Guide,
 * "Formatted Output". Nothing is lost if there is more than cudaLimitPrintfFifoSize.
 */
#define _GNU_SOURCE
#include "device/device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEPT_BYTES = 1 << 20, /* of an hthread, and of the program: more than this does not wait for the host */
	NUMBER_BYTES = 512,   /* most numbers take fewer; it is no limit */
	SPECIFICATION_BYTES = 32
};

static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static s2s_text waiting_text;        /* this and the next change under the lock */
static pid_t owner;                  /* the process whose kernels have printed it: a forked child has printed nothing */
static _Atomic bool is_there, waits; /* an hthread holds output; the host has to write some */

/* ---- text ---- */

/* Make room for `more` bytes after `at`; false if there is no memory. */
static bool make_room(s2s_text *text, size_t at, size_t more) {
	if (text->room - at > more)
		return true;
	size_t room = (at + more + 1) * 2;
	char *data = realloc(text->data, room);
	if (!data)
		return false;
	text->data = data;
	text->room = room;
	return true;
}

/* The end of an hthread's text while a thread prints: what lies after `used` counts only when that is done. */
typedef struct {
	hthread *self;
	size_t end;
	bool full; /* there was no memory */
} printer;

static bool reserve(printer *out, size_t more) {
	s2s_text *text = &out->self->output;
	if (text->room - out->end > more)
		return true;
	s2s_begin_hold(out->self);
	out->full |= !make_room(text, out->end, more);
	s2s_end_hold(out->self);
	return !out->full;
}

static void append(printer *out, const char *data, size_t bytes) {
	if (!reserve(out, bytes))
		return;
	memcpy(out->self->output.data + out->end, data, bytes);
	out->end += bytes;
}

static void append_blanks(printer *out, size_t count) {
	if (!reserve(out, count))
		return;
	memset(out->self->output.data + out->end, ' ', count);
	out->end += count;
}

/* ---- directives ---- */

/* `%-8.3lld`: flags "-", width 8, precision 3, length 'L' for ll, conversion 'd'. A precision of -1 is none. */
typedef struct {
	char flags[8];
	int width, precision;
	char length;
	char conversion; /* 0: not a directive */
} directive;

/* The arguments of one lane that have not been printed. */
typedef struct {
	const uint64_t *next;
	uint32_t stride, left;
} arguments;

static bool take(arguments *args, uint64_t *value) {
	*value = 0;
	if (args->left == 0)
		return false;
	*value = *args->next;
	args->next += args->stride;
	args->left--;
	return true;
}

enum { MOST_WIDTH = 1 << 20 };

static int read_number(const char **at) {
	int number = 0;
	for (; isdigit((unsigned char)**at); ++*at)
		number = number < MOST_WIDTH ? number * 10 + (**at - '0') : number;
	return number;
}

static int limited(uint64_t value) {
	int number = (int)value;
	return number > MOST_WIDTH ? MOST_WIDTH : number < -MOST_WIDTH ? -MOST_WIDTH : number;
}

static char read_length(const char **at) {
	char length = **at;
	if (!length || !strchr("hlLqjzt", length))
		return 0;
	++*at;
	if ((length == 'h' || length == 'l') && **at == length) {
		++*at;
		return length == 'h' ? 'H' : 'L';
	}
	return length;
}

/* Read what follows a '%', and take from the arguments what a star asks for. */
static directive read_directive(const char **at, arguments *args) {
	directive found = {.precision = -1};
	size_t flags = 0;
	uint64_t value;
	for (; **at && strchr("-+ #0", **at); ++*at)
		if (!strchr(found.flags, **at))
			found.flags[flags++] = **at;
	if (**at == '*') {
		take(args, &value);
		found.width = limited(value);
		++*at;
		if (found.width < 0 && !strchr(found.flags, '-'))
			found.flags[flags++] = '-';
		found.width = abs(found.width);
	} else {
		found.width = read_number(at);
	}
	if (**at == '.') {
		++*at;
		if (**at == '*') {
			take(args, &value);
			found.precision = limited(value) < 0 ? -1 : limited(value);
			++*at;
		} else {
			found.precision = read_number(at);
		}
	}
	found.length = read_length(at);
	if (**at && strchr("diouxXcspfFeEgGaAn%", **at))
		found.conversion = *(*at)++;
	return found;
}

static int64_t as_signed(uint64_t value, char length) {
	switch (length) {
	case 'H':
		return (signed char)value;
	case 'h':
		return (short)value;
	case 0:
		return (int)value;
	default:
		return (int64_t)value;
	}
}

static uint64_t as_unsigned(uint64_t value, char length) {
	switch (length) {
	case 'H':
		return (unsigned char)value;
	case 'h':
		return (unsigned short)value;
	case 0:
		return (unsigned int)value;
	default:
		return value;
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Format one value as C does; `specification` ends in two stars and the conversion. */
static int format_one(char *to, size_t room, const char *specification, const directive *d, uint64_t value) {
	double number;
	switch (d->conversion) {
	case 'd':
	case 'i':
		return snprintf(to, room, specification, d->width, d->precision, (long long)as_signed(value, d->length));
	case 'o':
	case 'u':
	case 'x':
	case 'X':
		return snprintf(
			to, room, specification, d->width, d->precision, (unsigned long long)as_unsigned(value, d->length));
	case 'c':
		return snprintf(to, room, specification, d->width, d->precision, (int)value);
	case 'p':
		return snprintf(to, room, specification, d->width, d->precision, (void *)(uintptr_t)value);
	default:
		memcpy(&number, &value, sizeof number);
		return snprintf(to, room, specification, d->width, d->precision, number);
	}
}

#pragma GCC diagnostic pop

static void print_value(printer *out, const directive *d, uint64_t value) {
	char specification[SPECIFICATION_BYTES];
	const char *length = strchr("diouxX", d->conversion) ? "ll" : "";
	snprintf(specification, sizeof specification, "%%%s*.*%s%c", d->flags, length, d->conversion);
	if (!reserve(out, NUMBER_BYTES))
		return;
	s2s_text *text = &out->self->output;
	s2s_begin_hold(out->self);
	int bytes = format_one(text->data + out->end, text->room - out->end, specification, d, value);
	if (bytes > 0 && (size_t)bytes >= text->room - out->end) {
		out->full |= !make_room(text, out->end, (size_t)bytes);
		if (!out->full)
			format_one(text->data + out->end, text->room - out->end, specification, d, value);
	}
	s2s_end_hold(out->self);
	if (bytes > 0 && !out->full)
		out->end += (size_t)bytes;
}

/* The text may lie anywhere: a fault here is the kernel's. */
static void print_string(printer *out, const directive *d, uint64_t value) {
	const char *string = (const char *)(uintptr_t)value;
	if (!string)
		string = "(null)";
	size_t bytes = d->precision >= 0 ? strnlen(string, (size_t)d->precision) : strlen(string);
	size_t blanks = (size_t)d->width > bytes ? (size_t)d->width - bytes : 0;
	bool left = strchr(d->flags, '-');
	if (!left)
		append_blanks(out, blanks);
	append(out, string, bytes);
	if (left)
		append_blanks(out, blanks);
}

/* ---- a call ---- */

static void print_lane(printer *out, const char *format, arguments args) {
	for (;;) {
		const char *percent = strchrnul(format, '%');
		append(out, format, (size_t)(percent - format));
		if (!*percent)
			return;
		format = percent + 1;
		directive d = read_directive(&format, &args);
		uint64_t value;
		if (d.conversion == '%')
			append(out, "%", 1);
		else if (d.conversion == 0 || !take(&args, &value))
			append(out, percent, (size_t)(format - percent)); /* C leaves open what this means */
		else if (d.conversion == 's')
			print_string(out, &d, value);
		else if (d.conversion != 'n')
			print_value(out, &d, value);
	}
}

/* Add an hthread's text to what waits for the host. */
static void hand_over(hthread *self) {
	pid_t now = getpid();
	pthread_mutex_lock(&waiting_lock);
	if (owner != now)
		waiting_text.used = 0;
	owner = now;
	if (make_room(&waiting_text, waiting_text.used, self->output.used)) {
		memcpy(waiting_text.data + waiting_text.used, self->output.data, self->output.used);
		waiting_text.used += self->output.used;
	}
	pthread_mutex_unlock(&waiting_lock);
	atomic_store_explicit(&waits, true, memory_order_relaxed);
	self->output.used = 0;
}

void s2s_printf(s2s_gang *gang, uint64_t lanes, uint64_t *slots, uint32_t stride, uint32_t count) {
	(void)gang;
	hthread *self = s2s_current();
	for (; lanes != 0; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
		const char *format = (const char *)(uintptr_t)slots[lane];
		printer out = {self, self->output.used, false};
		if (format)
			print_lane(&out, format, (arguments){slots + stride + lane, stride, count - 1});
		self->output.used = out.end;
		atomic_store_explicit(&is_there, true, memory_order_relaxed);
	}
	if (self->output.used > KEPT_BYTES) {
		s2s_begin_hold(self);
		hand_over(self);
		s2s_flush_output();
		s2s_end_hold(self);
	}
}

/* ---- the host ---- */

static void flush_at_exit(void) {
	s2s_flush_output();
}

static pthread_once_t exit_once = PTHREAD_ONCE_INIT;

static void expect_exit(void) {
	atexit(flush_at_exit);
}

void s2s_hand_over_output(hthread *self) {
	if (self->output.used == 0)
		return;
	pthread_once(&exit_once, expect_exit);
	hand_over(self);
}

void s2s_collect_output(void) {
	if (!atomic_load_explicit(&is_there, memory_order_relaxed))
		return;
	atomic_store_explicit(&is_there, false, memory_order_relaxed);
	pthread_once(&exit_once, expect_exit);
	for (uint32_t i = 0; i < s2s_pool_size(); i++)
		if (s2s_pool_hthread(i)->output.used > 0)
			hand_over(s2s_pool_hthread(i));
	if (waiting_text.used > KEPT_BYTES)
		s2s_flush_output();
}

bool s2s_flush_output(void) {
	if (!atomic_load_explicit(&waits, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&waiting_lock);
	if (owner == getpid())
		fwrite(waiting_text.data, 1, waiting_text.used, stdout);
	waiting_text.used = 0;
	atomic_store_explicit(&waits, false, memory_order_relaxed);
	pthread_mutex_unlock(&waiting_lock);
	return true;
}
