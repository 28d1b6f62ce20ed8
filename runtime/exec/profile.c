/* Counting what kernels that were compiled with --stats do: where their gangs come, and with how many lanes.
 *
 * Known as: instrumentation.
 *
 * Generated code adds to the counters of its hthread and kernel, which s2s_counters returns. When the launch is over,
 * they are added to those of the kernel's row, which owns its texts: the kernel may be unloaded later. What the rows
 * print is what the sites of one place and kind have in all.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 }; /* of the narrowest gangs */

/* ---- an hthread's counters ---- */

struct kernel_counts {
	const s2s_counted_kernel *kernel; /* null: of none since they were collected, and all counters are 0 */
	uint64_t launches, children, sorted;
	uint32_t room;
	s2s_counter *counters;
	s2s_traffic traffic;
	struct kernel_counts *next;
};

static kernel_counts *counts_of(hthread *self, const s2s_kernel *kernel) {
	for (kernel_counts *counts = self->counts; counts; counts = counts->next)
		if (counts->kernel && &counts->kernel->kernel == kernel)
			return counts;
	return NULL;
}

bool s2s_prepare_counts(hthread *self, const s2s_counted_kernel *kernel) {
	if (counts_of(self, &kernel->kernel))
		return true;
	if (kernel->module->traffic && !s2s_prepare_traffic(self))
		return false;
	uint32_t needed = kernel->module->ncounters;
	kernel_counts *counts = self->counts;
	while (counts && (counts->kernel || counts->room < needed))
		counts = counts->next;
	if (!counts) {
		counts = calloc(1, sizeof *counts);
		s2s_counter *counters = calloc((size_t)needed + 1, sizeof *counters);
		if (!counts || !counters) {
			free(counts);
			free(counters);
			return false;
		}
		*counts = (kernel_counts){.room = needed, .counters = counters, .next = self->counts};
		self->counts = counts;
	}
	counts->kernel = kernel;
	return true;
}

s2s_counter *s2s_counters(const s2s_launch *launch) {
	return counts_of(s2s_this_hthread, launch->kernel)->counters;
}

s2s_traffic *s2s_traffic_of(const s2s_launch *launch) {
	return &counts_of(s2s_this_hthread, launch->kernel)->traffic;
}

void s2s_count_launches(hthread *self, const s2s_kernel *kernel, uint64_t launches) {
	if ((kernel->flags & S2S_COUNTED) && s2s_prepare_counts(self, (const s2s_counted_kernel *)kernel))
		counts_of(self, kernel)->launches += launches;
}

void s2s_count_children(hthread *self, const s2s_kernel *kernel, uint64_t launches) {
	s2s_count_launches(self, kernel, launches);
	kernel_counts *counts = kernel->flags & S2S_COUNTED ? counts_of(self, kernel) : NULL;
	if (counts)
		counts->children += launches;
}

void s2s_count_sorted(hthread *self, const s2s_kernel *kernel, uint64_t threads) {
	kernel_counts *counts = kernel->flags & S2S_COUNTED ? counts_of(self, kernel) : NULL;
	if (counts)
		counts->sorted += threads;
}

/* ---- the rows ---- */

typedef struct row {
	char *name, *file;
	uint32_t line, nsites, ncounters;
	uint64_t mark, launches, children, sorted;
	uint64_t longest; /* of the launch that has just ended; see s2s_traffic */
	bool has_traffic;
	s2s_traffic traffic;
	s2s_site *sites; /* their files belong to the row, each once for the sites that follow each other */
	s2s_counter *counters;
	struct row *next;
} row;

static row *rows;

static void free_row(row *row) {
	for (uint32_t i = 0; row->sites && i < row->nsites; i++)
		if (i == 0 || row->sites[i].file != row->sites[i - 1].file)
			free((char *)(uintptr_t)row->sites[i].file);
	free(row->name);
	free(row->file);
	free(row->sites);
	free(row->counters);
	free(row);
}

void s2s_forget_kernels(void) {
	while (rows) {
		row *first = rows;
		rows = first->next;
		free_row(first);
	}
}

/* Copy the sites of a module; the row has room for them. False if there is no memory. */
static bool copy_sites(row *row, const s2s_counted_module *module) {
	for (uint32_t i = 0; i < module->nsites; i++) {
		const s2s_site *site = &module->sites[i];
		row->sites[i] = *site;
		row->sites[i].file =
			i > 0 && site->file == module->sites[i - 1].file ? row->sites[i - 1].file : strdup(site->file);
		row->nsites = i + 1;
		if (!row->sites[i].file)
			return false;
	}
	return true;
}

/* The row of a kernel, made if there was none; null if there is no memory. */
static row *row_of(const s2s_counted_kernel *kernel) {
	const s2s_counted_module *module = kernel->module;
	for (row *row = rows; row; row = row->next)
		if (row->mark == module->mark && row->line == kernel->line && row->nsites == module->nsites &&
			strcmp(row->name, kernel->kernel.name) == 0 && strcmp(row->file, kernel->file) == 0)
			return row;
	row *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	made->name = strdup(kernel->kernel.name);
	made->file = strdup(kernel->file);
	made->line = kernel->line;
	made->mark = module->mark;
	made->ncounters = module->ncounters;
	made->has_traffic = module->traffic;
	made->sites = calloc((size_t)module->nsites + 1, sizeof *made->sites);
	made->counters = calloc((size_t)module->ncounters + 1, sizeof *made->counters);
	if (!made->name || !made->file || !made->sites || !made->counters || !copy_sites(made, module)) {
		free_row(made);
		return NULL;
	}
	made->next = rows;
	rows = made;
	return made;
}

static void add(s2s_counter *sum, const s2s_counter *more) {
	sum->gangs += more->gangs;
	sum->lanes += more->lanes;
	sum->partial += more->partial;
	sum->halves += more->halves;
}

static void add_traffic(row *row, const s2s_traffic *more) {
	s2s_traffic *sum = &row->traffic;
	sum->global += more->global;
	sum->uniform += more->uniform;
	sum->stores += more->stores;
	sum->bytes += more->bytes;
	sum->sectors += more->sectors;
	sum->lines += more->lines;
	for (uint32_t i = 0; i < S2S_CACHES; i++)
		sum->missed[i] += more->missed[i];
	sum->shared += more->shared;
	sum->shared_rounds += more->shared_rounds;
	sum->local += more->local;
	sum->local_bytes += more->local_bytes;
	sum->atomics += more->atomics;
	sum->atomic_lanes += more->atomic_lanes;
	sum->atomic_addresses += more->atomic_addresses;
	sum->atomic_hottest += more->atomic_hottest;
	row->longest = more->longest > row->longest ? more->longest : row->longest;
}

void s2s_collect_counts(hthread *self) {
	for (kernel_counts *counts = self->counts; counts; counts = counts->next) {
		if (!counts->kernel)
			continue;
		row *row = row_of(counts->kernel);
		uint32_t ncounters = counts->kernel->module->ncounters;
		for (uint32_t i = 0; row && i < ncounters; i++)
			add(&row->counters[i], &counts->counters[i]);
		s2s_end_traffic(self, &counts->traffic);
		if (row) {
			row->launches += counts->launches;
			row->children += counts->children;
			row->sorted += counts->sorted;
			add_traffic(row, &counts->traffic);
		}
		counts->traffic = (s2s_traffic){.global = 0};
		memset(counts->counters, 0, ncounters * sizeof *counts->counters);
		counts->kernel = NULL;
		counts->launches = counts->children = counts->sorted = 0;
	}
}

void s2s_end_of_counts(void) {
	for (row *row = rows; row; row = row->next) {
		row->traffic.longest += row->longest;
		row->longest = 0;
	}
}

/* ---- what a kernel did in all ---- */

static s2s_counter counted_at(const row *row, const s2s_site *site) {
	s2s_counter counter = row->counters[site->counter];
	if (site->full)
		counter.lanes = counter.gangs * site->lanes;
	if (site->lanes <= LANES)
		counter.halves = counter.gangs;
	else if (site->full || counter.halves == 0)
		counter.halves = counter.gangs * (site->lanes / LANES);
	return counter;
}

typedef struct {
	s2s_counter kernel, statements, accesses[S2S_SITE_KINDS];
	uint64_t kernel_width, statements_width; /* what the lanes would be if all of them were on */
	double ns[S2S_TIMES], all_ns, partial_ns;
	double narrow_ns[S2S_TIMES];                                          /* what gangs of sixteen would take */
	uint64_t operations[S2S_OPERATIONS], lane_operations[S2S_OPERATIONS]; /* of gangs, of threads */
} summary;

static summary sum_up(const row *row) {
	summary sum = {.all_ns = 0};
	for (uint32_t i = 0; i < row->nsites; i++) {
		const s2s_site *site = &row->sites[i];
		const s2s_counter counter = counted_at(row, site);
		double each = site->cost_ps / 1000.0, partial = (double)counter.partial * each;
		double all = (double)counter.gangs * each;
		if (site->kind == S2S_SITE_KERNEL) {
			add(&sum.kernel, &counter);
			sum.kernel_width += counter.gangs * site->lanes;
		} else if (site->kind == S2S_SITE_STATEMENT) {
			add(&sum.statements, &counter);
			sum.statements_width += counter.gangs * site->lanes;
		} else if (site->kind >= S2S_SITE_UNIFORM) {
			add(&sum.accesses[site->kind], &counter);
		}
		bool divergent = site->time == S2S_TIME_OTHER; /* what some lanes do in such time is divergent work */
		sum.ns[site->time] += divergent ? all - partial : all;
		sum.ns[S2S_TIME_DIVERGENT] += divergent ? partial : 0;
		bool scalar = site->kind == S2S_SITE_UNIFORM || site->lanes <= LANES;
		sum.narrow_ns[site->time] += (double)counter.halves * each / (scalar ? 1 : site->lanes / LANES);
		for (uint32_t k = 0; k < S2S_OPERATIONS; k++) {
			sum.operations[k] += counter.gangs * site->operations[k];
			sum.lane_operations[k] += counter.lanes * site->operations[k];
		}
		sum.all_ns += all;
		sum.partial_ns += partial;
	}
	return sum;
}

/* The rows, those that take most time first, for the caller to free; null if there is none or no memory. */
typedef struct {
	const row *row;
	summary sum;
} entry;

static int by_time(const void *left, const void *right) {
	const entry *a = left, *b = right;
	if (a->sum.all_ns != b->sum.all_ns)
		return a->sum.all_ns < b->sum.all_ns ? 1 : -1;
	return strcmp(a->row->name, b->row->name);
}

static entry *sorted(size_t *count) {
	*count = 0;
	for (const row *row = rows; row; row = row->next)
		++*count;
	entry *found = *count > 0 ? malloc(*count * sizeof *found) : NULL;
	size_t i = 0;
	for (const row *row = found ? rows : NULL; row; row = row->next)
		found[i++] = (entry){row, sum_up(row)};
	if (found)
		qsort(found, i, sizeof *found, by_time);
	*count = i;
	return found;
}

/* ---- JSON ---- */

static const char *const KINDS[S2S_SITE_KINDS] = {
	"kernel", "statement", "branch", "loop", "uniform", "consecutive", "strided", "gather", "scatter", "atomic"};

static const char *time_name(uint32_t time) {
	return time == S2S_TIME_DIVERGENT ? "divergent" : time == S2S_TIME_OTHER ? "other" : KINDS[S2S_SITE_UNIFORM + time];
}

static void print_text(FILE *out, const char *text) {
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
}

typedef struct {
	const s2s_site *site;
	s2s_counter counter;
	uint64_t width;
	double ns;
} line;

static int by_place(const void *left, const void *right) {
	const s2s_site *a = ((const line *)left)->site, *b = ((const line *)right)->site;
	int files = strcmp(a->file, b->file);
	if (files != 0)
		return files;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

/* What was counted at each place, the sites of one place and kind together; for the caller to free. */
static line *lines_of(const row *row, size_t *count) {
	line *lines = malloc(((size_t)row->nsites + 1) * sizeof *lines);
	size_t found = 0, kept = 0;
	for (uint32_t i = 0; lines && i < row->nsites; i++)
		if (row->counters[row->sites[i].counter].gangs > 0) {
			s2s_counter counter = counted_at(row, &row->sites[i]);
			double ns = (double)counter.gangs * row->sites[i].cost_ps / 1000;
			lines[found++] = (line){&row->sites[i], counter, counter.gangs * row->sites[i].lanes, ns};
		}
	if (lines)
		qsort(lines, found, sizeof *lines, by_place);
	for (size_t i = 0; i < found; i++) {
		if (kept > 0 && by_place(&lines[kept - 1], &lines[i]) == 0) {
			add(&lines[kept - 1].counter, &lines[i].counter);
			lines[kept - 1].width += lines[i].width;
			lines[kept - 1].ns += lines[i].ns;
		} else {
			lines[kept++] = lines[i];
		}
	}
	*count = kept;
	return lines;
}

static void print_lines(FILE *out, const row *row) {
	size_t count;
	line *lines = lines_of(row, &count);
	for (size_t i = 0; i < count; i++) {
		const s2s_site *site = lines[i].site;
		const s2s_counter *counter = &lines[i].counter;
		fprintf(out, "%s\n   {\"file\": \"%s\", \"line\": %u, \"column\": %u, \"kind\": \"%s\", \"gangs\": %lu, ",
			i > 0 ? "," : "", site->file, site->line, site->column, KINDS[site->kind], counter->gangs);
		fprintf(out, "\"lanes_active\": %lu, \"lanes\": %lu, \"partial\": %lu, \"estimated_ns\": %.1f}", counter->lanes,
			lines[i].width, counter->partial, lines[i].ns);
	}
	free(lines);
}

static void print_operations(FILE *out, const char *name, const uint64_t operations[S2S_OPERATIONS]) {
	static const char *const NAMES[S2S_OPERATIONS] = {"int", "float", "double", "special", "call", "barrier"};
	fprintf(out, "\"%s\": {", name);
	for (uint32_t k = 0; k < S2S_OPERATIONS; k++)
		fprintf(out, "%s\"%s\": %lu", k > 0 ? ", " : "", NAMES[k], operations[k]);
	fputc('}', out);
}

/* What kernels that were compiled with --warp-stats count besides. */
static void print_traffic(FILE *out, const row *row, const summary *sum) {
	const s2s_traffic *t = &row->traffic;
	fprintf(out, "  \"warps\": {\"children\": %lu, \"sorted\": %lu, \"longest\": %lu, ", row->children, row->sorted,
		t->longest);
	print_operations(out, "operations", sum->operations);
	fputs(",\n   ", out);
	print_operations(out, "lane_operations", sum->lane_operations);
	fprintf(out, ",\n   \"global\": {\"accesses\": %lu, \"uniform\": %lu, \"stores\": %lu, \"bytes\": %lu, ", t->global,
		t->uniform, t->stores, t->bytes);
	fprintf(out, "\"sectors\": %lu, \"lines\": %lu},\n   \"lines_missed\": {", t->sectors, t->lines);
	for (uint32_t i = 0; i < S2S_CACHES; i++)
		fprintf(out, "%s\"%u\": %lu", i > 0 ? ", " : "", 4096u << 3 * i, t->missed[i]);
	fprintf(out, "},\n   \"shared\": {\"accesses\": %lu, \"rounds\": %lu}, ", t->shared, t->shared_rounds);
	fprintf(out, "\"local\": {\"accesses\": %lu, \"bytes\": %lu},\n   ", t->local, t->local_bytes);
	fprintf(out,
		"\"atomics\": {\"accesses\": %lu, \"lanes\": %lu, \"addresses\": %lu, \"hottest\": %lu},\n   \"narrow_ns\": {",
		t->atomics, t->atomic_lanes, t->atomic_addresses, t->atomic_hottest);
	for (uint32_t time = 0; time < S2S_TIMES; time++)
		fprintf(out, "%s\"%s\": %.1f", time > 0 ? ", " : "", time_name(time), sum->narrow_ns[time]);
	fputs("}},\n", out);
}

static void print_kernel(FILE *out, const row *row, const summary *sum) {
	uint64_t masked = 0;
	fputs("\n {\"name\": \"", out);
	print_text(out, row->name);
	fprintf(out, "\", \"file\": \"%s\", \"line\": %u, \"launches\": %lu,\n", row->file, row->line, row->launches);
	fprintf(out, "  \"gangs\": %lu, \"lanes_active\": %lu, \"lanes\": %lu,\n", sum->kernel.gangs, sum->kernel.lanes,
		sum->kernel_width);
	fprintf(out, "  \"statements\": {\"gangs\": %lu, \"lanes_active\": %lu, \"lanes\": %lu, \"partial\": %lu},\n",
		sum->statements.gangs, sum->statements.lanes, sum->statements_width, sum->statements.partial);
	fputs("  \"accesses\": {", out);
	for (uint32_t kind = S2S_SITE_UNIFORM; kind < S2S_SITE_KINDS; kind++) {
		fprintf(out, "%s\"%s\": %lu", kind > S2S_SITE_UNIFORM ? ", " : "", KINDS[kind], sum->accesses[kind].gangs);
		masked += sum->accesses[kind].partial;
	}
	fprintf(out, "},\n  \"masked_accesses\": %lu,\n  \"estimated_ns\": {", masked);
	for (uint32_t time = 0; time < S2S_TIMES; time++)
		fprintf(out, "%s\"%s\": %.1f", time > 0 ? ", " : "", time_name(time), sum->ns[time]);
	fprintf(out, "},\n  \"estimated_partial_ns\": %.1f,\n", sum->partial_ns);
	if (row->has_traffic)
		print_traffic(out, row, sum);
	fputs("  \"lines\": [", out);
	print_lines(out, row);
	fputs("\n  ]}", out);
}

void s2s_print_kernels(FILE *out) {
	size_t count;
	entry *found = sorted(&count);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputc(',', out);
		print_kernel(out, found[i].row, &found[i].sum);
	}
	free(found);
}

/* ---- the table ---- */

static double percent(double part, double whole) {
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_table_row(FILE *out, int width, const row *row, const summary *sum) {
	uint64_t accesses = 0, masked = 0;
	for (uint32_t kind = S2S_SITE_UNIFORM; kind < S2S_SITE_KINDS; kind++) {
		accesses += sum->accesses[kind].gangs;
		masked += sum->accesses[kind].partial;
	}
	fprintf(out, "%-*s  %8lu  %10lu  %11.1f%%  %6.1f%%  %7.1f%%  %6.1f%%  %8.1f%%\n", width, row->name, row->launches,
		sum->kernel.gangs, percent((double)sum->statements.lanes, (double)sum->statements_width),
		percent((double)sum->accesses[S2S_SITE_GATHER].gangs, (double)accesses),
		percent((double)sum->accesses[S2S_SITE_SCATTER].gangs, (double)accesses),
		percent((double)masked, (double)accesses), percent(sum->ns[S2S_TIME_DIVERGENT], sum->all_ns));
}

void s2s_print_kernel_table(FILE *out) {
	size_t count;
	entry *found = sorted(&count);
	int width = (int)strlen("kernel");
	for (size_t i = 0; i < count; i++) {
		int own = (int)strlen(found[i].row->name);
		width = own > width ? own : width;
	}
	if (count > 0) {
		fputs("simt2simd: what kernels did\n", out);
		fprintf(
			out, "%-*s  launches       gangs  active lanes  gathers  scatters   masked  divergent\n", width, "kernel");
	}
	for (size_t i = 0; i < count; i++)
		print_table_row(out, width, found[i].row, &found[i].sum);
	free(found);
}
