/* Counting what traversals do, in kernels that were compiled with --stats.
 *
 * Generated code calls s2s_begin_traversal, s2s_count_visit and s2s_end_traversal. They write to the hthread's tally,
 * for which there was room before the kernel began: kernel code may end at any instruction. When the launch is over,
 * the tallies of all hthreads are added to the rows, one for each kernel and traversal, which own their names: the
 * kernel may be unloaded later. The rows are printed when the program ends.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <emmintrin.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LANES = 64 };

/* What is counted of a traversal. Work expansion is that of Goldfarb, Jo and Kulkarni 2013, section 6.3: the steps of
 * a gang for each visit of the lane that visits most. Its mean and deviation are Welford's. */
typedef struct {
	uint64_t gangs;   /* how often a gang made the traversal */
	uint64_t queries; /* lanes with which it did */
	uint64_t visits;  /* of lanes */
	uint64_t steps;   /* of gangs: visits by one lane or several at the same time */
	uint64_t most;    /* visits of a lane */
	double expansion; /* mean over gangs */
	double squares;   /* sum of the squares of the differences from it */
} counts;

/* ---- an hthread's tally ---- */

/* Lanes whose counters fit into a vector register that every CPU of ours has. */
enum { QUARTET = 4 };

/* A traversal that a gang makes now. */
typedef struct {
	uint64_t lanes; /* with which it began */
	uint64_t steps;
	uint64_t visits[MAX_LANES];          /* but for the recent ones: those since steps & RECENT_STEPS was 0 */
	__m128i recent[MAX_LANES / QUARTET]; /* 32 bits a lane */
} traversal;

enum { RECENT_STEPS = (1u << 30) - 1 };

/* Gangs that wait at barriers in a traversal have one each: gang i of the hthread has slot i. A gang that is no one of
 * these runs alone, and has slot 0. */
struct tally {
	const s2s_counted_kernel *kernel; /* whose these are; null: of none since they were collected */
	uint32_t room;                    /* traversals that a kernel may have */
	uint32_t used;                    /* that the present one has: a slot is so many */
	counts *counts;                   /* by traversal; 0 between launches */
	traversal *running;               /* by slot, then by traversal; most of it is never touched */
};

static pthread_mutex_t rows_lock;
static void collect(tally *tally);

bool s2s_prepare_tally(hthread *self, const s2s_kernel *kernel) {
	const s2s_counted_kernel *described = (const s2s_counted_kernel *)kernel;
	uint32_t needed = described->module->ntraversals;
	if (!s2s_prepare_counts(self, described))
		return false;
	if (!self->tally && !(self->tally = calloc(1, sizeof(tally))))
		return false;
	tally *tally = self->tally;
	if (tally->kernel && tally->kernel != described) { /* a child, or its parent again */
		pthread_mutex_lock(&rows_lock);
		collect(tally);
		pthread_mutex_unlock(&rows_lock);
	}
	tally->kernel = described;
	tally->used = needed;
	if (tally->room >= needed)
		return true;
	free(tally->counts);
	free(tally->running);
	tally->counts = calloc(needed, sizeof(counts));
	tally->running = malloc((size_t)MAX_GANGS * needed * sizeof(traversal));
	bool enough = tally->counts && tally->running;
	tally->room = enough ? needed : 0;
	return enough;
}

static traversal *running(const hthread *self, const s2s_gang *gang, uint32_t number) {
	uintptr_t distance = (uintptr_t)gang - (uintptr_t)self->gangs;
	size_t slot = distance < sizeof self->gangs ? distance / sizeof *self->gangs : 0;
	return &self->tally->running[slot * self->tally->used + number];
}

void s2s_begin_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	if (lanes == 0)
		return;
	traversal *now = running(s2s_this_hthread, gang, number);
	memset(now, 0, sizeof *now);
	now->lanes = lanes;
}

static void take_in_recent(traversal *now) {
	uint32_t recent[MAX_LANES];
	memcpy(recent, now->recent, sizeof recent);
	memset(now->recent, 0, sizeof now->recent);
	for (uint32_t lane = 0; lane < MAX_LANES; lane++)
		now->visits[lane] += recent[lane];
}

void s2s_count_visit(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	if (lanes == 0)
		return;
	traversal *now = running(s2s_this_hthread, gang, number);
	if ((++now->steps & RECENT_STEPS) == 0)
		take_in_recent(now);
	const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
	for (__m128i *counters = now->recent; lanes != 0; counters++, lanes >>= QUARTET) {
		__m128i on = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)lanes), bits), bits); /* -1 in these lanes */
		*counters = _mm_sub_epi32(*counters, on);
	}
}

void s2s_end_traversal(s2s_gang *gang, uint32_t number, uint64_t lanes) {
	if (lanes == 0)
		return;
	hthread *self = s2s_this_hthread;
	traversal *now = running(self, gang, number);
	take_in_recent(now);
	counts *counts = &self->tally->counts[number];
	uint64_t most = 0;
	for (lanes = now->lanes; lanes != 0; lanes &= lanes - 1) {
		uint64_t visits = now->visits[__builtin_ctzll(lanes)];
		counts->queries++;
		counts->visits += visits;
		most = visits > most ? visits : most;
	}
	double expansion = most > 0 ? (double)now->steps / (double)most : 1;
	double difference = expansion - counts->expansion;
	counts->gangs++;
	counts->steps += now->steps;
	counts->most = most > counts->most ? most : counts->most;
	counts->expansion += difference / (double)counts->gangs;
	counts->squares += difference * (expansion - counts->expansion);
}

/* ---- the rows ---- */

typedef struct row {
	char *kernel, *function, *file;
	uint32_t line;
	bool tail;
	counts counts;
	struct row *next;
} row;

static pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;
static row *rows;      /* these change under the lock */
static bool uncounted; /* a launch was of a kernel that does not count */
static bool counted;   /* one was of a kernel that does */
static pid_t owner;    /* the process whose launches these are: a forked child has counted nothing */

static void add(counts *sum, const counts *more) {
	if (more->gangs == 0)
		return;
	double before = (double)sum->gangs, added = (double)more->gangs, all = before + added;
	double difference = more->expansion - sum->expansion;
	sum->gangs += more->gangs;
	sum->queries += more->queries;
	sum->visits += more->visits;
	sum->steps += more->steps;
	sum->most = more->most > sum->most ? more->most : sum->most;
	sum->expansion += difference * added / all;
	sum->squares += more->squares + difference * difference * before * added / all;
}

static void forget_all(void) {
	counted = uncounted = false;
	s2s_forget_kernels();
	while (rows) {
		row *first = rows;
		rows = first->next;
		free(first->kernel);
		free(first->function);
		free(first->file);
		free(first);
	}
}

/* The row of a traversal, made if there was none; null if there is no memory. */
static row *row_of(const char *kernel, const s2s_traversal *traversal) {
	for (row *row = rows; row; row = row->next)
		if (row->line == traversal->line && strcmp(row->kernel, kernel) == 0 &&
			strcmp(row->function, traversal->function) == 0 && strcmp(row->file, traversal->file) == 0)
			return row;
	row *made = calloc(1, sizeof *made);
	if (!made)
		return NULL;
	*made = (row){strdup(kernel), strdup(traversal->function), strdup(traversal->file), traversal->line,
		traversal->tail != 0, {.gangs = 0}, rows};
	rows = made;
	if (made->kernel && made->function && made->file)
		return made;
	rows = made->next;
	made->next = NULL;
	free(made->kernel);
	free(made->function);
	free(made->file);
	free(made);
	return NULL;
}

/* Add what an hthread has counted to the rows of its kernel. */
static void collect(tally *tally) {
	const s2s_counted_kernel *described = tally->kernel;
	for (uint32_t number = 0; described && number < described->module->ntraversals && number < tally->room; number++) {
		counts *counts = &tally->counts[number];
		row *row = counts->gangs > 0 ? row_of(described->kernel.name, &described->module->traversals[number]) : NULL;
		if (row)
			add(&row->counts, counts);
		memset(counts, 0, sizeof *counts);
	}
	tally->kernel = NULL;
}

void s2s_collect_tallies(void) {
	pthread_mutex_lock(&rows_lock);
	for (uint32_t i = 0; i < s2s_pool_size(); i++) {
		hthread *each = s2s_pool_hthread(i);
		if (each->tally)
			collect(each->tally);
		s2s_collect_counts(each);
	}
	s2s_end_of_counts();
	pthread_mutex_unlock(&rows_lock);
}

/* ---- what is printed ---- */

static double ratio(uint64_t sum, uint64_t count) {
	return count > 0 ? (double)sum / (double)count : 0;
}

static double deviation(const counts *counts) {
	__m128d variance = _mm_set_sd(counts->gangs > 0 ? counts->squares / (double)counts->gangs : 0);
	return _mm_cvtsd_f64(_mm_sqrt_sd(variance, variance)); /* C's sqrt would need libm */
}

static int by_visits(const void *left, const void *right) {
	uint64_t a = (*(const row *const *)left)->counts.visits, b = (*(const row *const *)right)->counts.visits;
	return (a < b) - (a > b);
}

/* The rows, those with most visits first, for the caller to free; null if there is none or no memory. */
static const row **sorted(size_t *count) {
	*count = 0;
	for (const row *row = rows; row; row = row->next)
		++*count;
	const row **found = *count > 0 ? malloc(*count * sizeof *found) : NULL;
	size_t i = 0;
	for (const row *row = found ? rows : NULL; row; row = row->next)
		found[i++] = row;
	if (found)
		qsort(found, i, sizeof *found, by_visits);
	*count = i;
	return found;
}

static void print_json(FILE *out) {
	size_t count;
	const row **found = sorted(&count);
	fputs("{\"traversals\": [", out);
	for (size_t i = 0; i < count; i++) {
		const row *row = found[i];
		const counts *c = &row->counts;
		fprintf(out, "%s\n {\"kernel\": \"%s\", \"function\": \"%s\", \"file\": \"%s\", \"line\": %u,\n",
			i > 0 ? "," : "", row->kernel, row->function, row->file, row->line);
		if (row->tail)
			fputs("  \"tail\": true,\n", out);
		fprintf(out, "  \"gangs\": %lu, \"queries\": %lu, \"visits\": %lu, \"steps\": %lu,\n", c->gangs, c->queries,
			c->visits, c->steps);
		fprintf(out, "  \"visits_per_query\": {\"mean\": %.6g, \"max\": %lu}, \"steps_per_gang\": %.6g,\n",
			ratio(c->visits, c->queries), c->most, ratio(c->steps, c->gangs));
		fprintf(out, "  \"lanes_per_step\": %.6g, \"work_expansion\": {\"mean\": %.6g, \"deviation\": %.6g}}",
			ratio(c->visits, c->steps), c->expansion, deviation(c));
	}
	fputs("\n],\n\"kernels\": [", out);
	s2s_print_kernels(out);
	fputs("\n]}\n", out);
	free(found);
}

enum { COLUMNS = 11, NAMES = 2, CELL_BYTES = 32 };

static const char *const TITLES[COLUMNS] = {"kernel", "function", "gangs", "queries", "visits", "visits/query", "most",
	"steps/gang", "lanes/step", "expansion", "deviation"};

static void fill_cells(char cells[COLUMNS][CELL_BYTES], const counts *c) {
	snprintf(cells[2], CELL_BYTES, "%lu", c->gangs);
	snprintf(cells[3], CELL_BYTES, "%lu", c->queries);
	snprintf(cells[4], CELL_BYTES, "%lu", c->visits);
	snprintf(cells[5], CELL_BYTES, "%.1f", ratio(c->visits, c->queries));
	snprintf(cells[6], CELL_BYTES, "%lu", c->most);
	snprintf(cells[7], CELL_BYTES, "%.1f", ratio(c->steps, c->gangs));
	snprintf(cells[8], CELL_BYTES, "%.2f", ratio(c->visits, c->steps));
	snprintf(cells[9], CELL_BYTES, "%.2f", c->expansion);
	snprintf(cells[10], CELL_BYTES, "%.2f", deviation(c));
}

static const char *cell(const row *row, char cells[COLUMNS][CELL_BYTES], size_t column) {
	return column == 0 ? row->kernel : column == 1 ? row->function : cells[column];
}

/* Names are at the left of their columns, numbers at the right. */
static void print_cell(FILE *out, size_t column, const char *text, int width) {
	const char *space = column > 0 ? "  " : "";
	if (column < NAMES)
		fprintf(out, "%s%-*s", space, width, text);
	else
		fprintf(out, "%s%*s", space, width, text);
}

static void print_table(FILE *out) {
	size_t count;
	const row **found = sorted(&count);
	s2s_print_kernel_table(out);
	if (count == 0) {
		free(found);
		return;
	}
	int widths[COLUMNS];
	char cells[COLUMNS][CELL_BYTES];
	for (size_t column = 0; column < COLUMNS; column++)
		widths[column] = (int)strlen(TITLES[column]);
	for (size_t i = 0; i < count; i++) {
		fill_cells(cells, &found[i]->counts);
		for (size_t column = 0; column < COLUMNS; column++) {
			int width = (int)strlen(cell(found[i], cells, column));
			widths[column] = width > widths[column] ? width : widths[column];
		}
	}
	fputs("simt2simd: what traversals did\n", out);
	for (size_t column = 0; column < COLUMNS; column++)
		print_cell(out, column, TITLES[column], widths[column]);
	fputc('\n', out);
	for (size_t i = 0; i < count; i++) {
		fill_cells(cells, &found[i]->counts);
		for (size_t column = 0; column < COLUMNS; column++)
			print_cell(out, column, cell(found[i], cells, column), widths[column]);
		fputc('\n', out);
	}
	free(found);
}

char *s2s_stats(bool forget) {
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	if (!out)
		return NULL;
	pthread_mutex_lock(&rows_lock);
	print_json(out);
	if (forget)
		forget_all();
	pthread_mutex_unlock(&rows_lock);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

void s2s_free_stats(char *text) {
	free(text);
}

/* ---- the end of the program ---- */

enum { LOCK_TRIES = 100, LOCK_WAIT_US = 1000 };

static enum { FORM_UNSET, FORM_NONE, FORM_TEXT, FORM_JSON } form; /* written once; what $S2S_STATS asks for */
static char *json_file;                                           /* that it names */
static char *stats_file; /* that $S2S_STATS_FILE names, whatever the other one says */

/* Whether a kernel that still runs on another thread, or was interrupted on this one, has let go of the rows. */
static bool lock_rows_soon(void) {
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (pthread_mutex_trylock(&rows_lock) == 0)
			return true;
		usleep(LOCK_WAIT_US);
	}
	return false;
}

static bool write_json(const char *file, const char *variable) {
	FILE *out = fopen(file, "w");
	if (out) {
		print_json(out);
		bool failed = ferror(out);
		if (fclose(out) == 0 && !failed)
			return true;
	}
	fprintf(stderr, "simt2simd: cannot write '%s', which %s names: %s\n", file, variable, strerror(errno));
	return false;
}

static void report(void) {
	if (owner != getpid() || !lock_rows_soon())
		return;
	if (!counted && uncounted)
		fprintf(stderr, "simt2simd: %s is set, but no kernel counts what it does: compile with --stats\n",
			stats_file ? "S2S_STATS_FILE" : "S2S_STATS");
	if (counted && stats_file)
		write_json(stats_file, "S2S_STATS_FILE");
	bool prints = form == FORM_UNSET || form == FORM_TEXT ||
				  (form == FORM_JSON && counted && !write_json(json_file, "S2S_STATS"));
	if (counted && prints)
		print_table(stderr);
	pthread_mutex_unlock(&rows_lock);
}

static bool ends_with(const char *text, const char *end) {
	size_t length = strlen(text), tail = strlen(end);
	return length > tail && strcmp(text + length - tail, end) == 0;
}

void s2s_read_stats_setting(void) {
	const char *text = getenv("S2S_STATS"), *file = getenv("S2S_STATS_FILE");
	stats_file = file && *file ? strdup(file) : NULL;
	if (!text || !*text)
		return;
	if (strcmp(text, "0") == 0) {
		form = FORM_NONE;
	} else if (strcmp(text, "1") == 0 || strcmp(text, "text") == 0) {
		form = FORM_TEXT;
	} else if (strncmp(text, "json:", 5) == 0 && text[5]) {
		json_file = strdup(text + 5);
	} else if (ends_with(text, ".json")) {
		json_file = strdup(text);
	} else {
		fprintf(stderr,
			"simt2simd: S2S_STATS=%s is ignored: expected 0, 1, text, json:FILE or a name ending in .json\n", text);
	}
	if (json_file)
		form = FORM_JSON;
}

static void report_at_exit(void) {
	atexit(report);
}

__attribute__((noinline)) static void expect(bool counts) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, report_at_exit);
	pid_t own = getpid();
	pthread_mutex_lock(&rows_lock);
	if (owner != own) {
		forget_all();
		owner = own;
	}
	counted |= counts;
	uncounted |= !counts;
	pthread_mutex_unlock(&rows_lock);
}

void s2s_expect_stats(const s2s_kernel *kernel) {
	bool counts = kernel->flags & S2S_COUNTED;
	if (stats_file || (form != FORM_NONE && (counts || form != FORM_UNSET)))
		expect(counts);
}
