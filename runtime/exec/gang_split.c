/* Forward progress of diverged lanes: a gang is split into pieces, of which each waits by itself.
 *
 * Known as: warp splitting, independent thread scheduling.
 *
 * Generated code runs the lanes of a gang together. If some lanes wait at a barrier or in a loop and others do not,
 * the gang is split, as fork() splits a process. Its stack and its record are copied; one copy continues with the
 * lanes that wait, the other with the rest. Each copy finds its lanes in gang->alive, and drops the others wherever it
 * meets them. The pieces of a gang run one at a time, on the same stack. The stacks of the others are saved elsewhere.
 *
 * Where gangs switch at barriers (block.c), the pieces of a gang reach the barrier one after the other: a piece that
 * has arrived switches to the next one, and the last piece to the next gang. Among fibers (fibers.c), the scheduler
 * runs the pieces in turns.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* Pieces are kept for later launches, for it takes a system call to get memory: kernel code can be ended at any point,
 * also within malloc(). */
struct s2s_piece {
	char *rsp;    /* it is resumed with these */
	void *rip;    /* 8 */
	void *rbp;    /* 16 */
	size_t bytes; /* 24  of its stack, from rsp on */
	char *stack;  /* 32  their copy */
	size_t room;  /* for that */
	s2s_gang gang;
	s2s_piece *next;      /* in the list where it is */
	s2s_piece *allocated; /* all of an hthread */
};

_Static_assert(offsetof(s2s_piece, rsp) == 0 && offsetof(s2s_piece, rip) == 8 && offsetof(s2s_piece, rbp) == 16 &&
				   offsetof(s2s_piece, bytes) == 24 && offsetof(s2s_piece, stack) == 32,
	"s2s_piece");

/* copy(piece, end): save the stack up to `end`, and the caller's state; return false. The copy returns true. */
bool s2s_copy_into(s2s_piece *piece, char *end);
__asm__(".text\n"
		".globl s2s_copy_into\n"
		".hidden s2s_copy_into\n"
		".type s2s_copy_into, @function\n"
		".p2align 4\n"
		"s2s_copy_into:\n"
		"	push %rbp\n"
		"	push %rbx\n"
		"	push %r12\n"
		"	push %r13\n"
		"	push %r14\n"
		"	push %r15\n"
		"	lea 1f(%rip), %rax\n"
		"	mov %rsp, (%rdi)\n"
		"	mov %rax, 8(%rdi)\n"
		"	mov %rbp, 16(%rdi)\n"
		"	mov %rsi, %rcx\n"
		"	sub %rsp, %rcx\n"
		"	mov %rcx, 24(%rdi)\n"
		"	mov 32(%rdi), %rdi\n"
		"	mov %rsp, %rsi\n"
		"	rep movsb\n"
		"	xor %eax, %eax\n"
		"2:	pop %r15\n"
		"	pop %r14\n"
		"	pop %r13\n"
		"	pop %r12\n"
		"	pop %rbx\n"
		"	pop %rbp\n"
		"	ret\n"
		"1:	mov $1, %eax\n"
		"	jmp 2b\n"
		".size s2s_copy_into, . - s2s_copy_into\n");

/* resume(piece): put its stack in place of the one that runs, and continue as the piece. */
_Noreturn void s2s_resume_as(const s2s_piece *piece);
__asm__(".text\n"
		".globl s2s_resume_as\n"
		".hidden s2s_resume_as\n"
		".type s2s_resume_as, @function\n"
		".p2align 4\n"
		"s2s_resume_as:\n"
		"	mov %rdi, %rdx\n"
		"	mov (%rdx), %rsp\n"
		"	mov %rsp, %rdi\n"
		"	mov 32(%rdx), %rsi\n"
		"	mov 24(%rdx), %rcx\n"
		"	rep movsb\n"
		"	mov 16(%rdx), %rbp\n"
		"	jmp *8(%rdx)\n"
		".size s2s_resume_as, . - s2s_resume_as\n");

/* ---- lists ---- */

static void push(s2s_piece **list, s2s_piece *piece) {
	while (*list)
		list = &(*list)->next;
	piece->next = NULL;
	*list = piece;
}

static s2s_piece *pop(s2s_piece **list) {
	s2s_piece *first = *list;
	*list = first->next;
	return first;
}

/* ---- memory ---- */

static char *stack_end(const hthread *self, const s2s_gang *gang) {
	enum { START_BYTES = 3 * sizeof(void *) }; /* what s2s_gang_start finds above the top */
	const char *top = gang->resident ? s2s_fiber_stack_top(self, gang) : self->gang_top[gang - self->gangs];
	return (char *)top + START_BYTES;
}

static s2s_piece *new_piece(hthread *self, size_t bytes) {
	for (s2s_piece **at = &self->free_pieces; *at; at = &(*at)->next)
		if ((*at)->room >= bytes)
			return pop(at);
	enum { PAGE = 4096 };
	size_t room = (sizeof(s2s_piece) + bytes + PAGE - 1) / PAGE * PAGE;
	s2s_piece *piece = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (piece == MAP_FAILED) {
		self->fault = (fault){.kind = FAULT_MEMORY};
		s2s_raise(self);
	}
	piece->stack = (char *)(piece + 1);
	piece->room = room - sizeof *piece;
	piece->allocated = self->all_pieces;
	self->all_pieces = piece;
	return piece;
}

void s2s_forget_pieces(hthread *self) {
	if (self->depth > 0) /* fibers that wait have some */
		return;
	self->free_pieces = NULL;
	for (s2s_piece *piece = self->all_pieces; piece; piece = piece->allocated)
		push(&self->free_pieces, piece);
}

/* ---- splits ---- */

void s2s_begin_pieces(s2s_gang *gang, s2s_pieces *pieces) {
	pieces->todo = pieces->arrived = NULL;
	pieces->posted = pieces->left = 0;
	gang->pieces = pieces;
}

/* Copy the gang as it runs into a piece that has `lanes`. Returns false at once, and true in the piece. */
static bool copy(hthread *self, s2s_gang *gang, uint64_t lanes, s2s_piece **made) {
	enum { CALLS_BYTES = 512 }; /* of the frames between here and s2s_copy_into */
	char *end = stack_end(self, gang);
	*made = new_piece(self, (size_t)(end - (char *)__builtin_frame_address(0)) + CALLS_BYTES);
	(*made)->gang = *gang;
	(*made)->gang.alive = lanes;
	(*made)->gang.expected = 0;
	return s2s_copy_into(*made, end);
}

/* Let a copy of the gang have `lanes`, which it loses. Returns false at once, and true in the copy. */
static bool fork_off(hthread *self, s2s_gang *gang, uint64_t lanes, s2s_piece **made) {
	gang->expected = 0;
	if (copy(self, gang, lanes, made))
		return true;
	gang->alive &= ~lanes;
	return false;
}

/* Put the record of a piece in place of the one of the gang, whose context stays. */
static void take_record(hthread *self, s2s_gang *gang, s2s_piece *piece) {
	s2s_pieces *pieces = piece->gang.pieces;
	s2s_context *context = gang->context;
	*gang = piece->gang;
	gang->context = context;
	gang->pieces = pieces;
	bool alone = !pieces->todo && !pieces->arrived;
	if (alone && !gang->resident) {
		gang->pieces = NULL;
		gang->expected = gang->alive;
	}
	push(&self->free_pieces, piece);
}

/* Let the next piece of the gang run: one that has not reached the barrier yet; else all have, and when it opens, the
 * first of them continues. */
_Noreturn static void run_next(hthread *self, s2s_gang *gang, s2s_pieces *pieces) {
	if (!pieces->todo) {
		s2s_yield(gang);
		pieces->todo = pieces->arrived;
		pieces->arrived = NULL;
	}
	s2s_piece *next = pop(&pieces->todo);
	take_record(self, gang, next);
	s2s_resume_as(next);
}

void s2s_barrier_of_lanes(s2s_gang *gang, uint64_t active) {
	hthread *self = s2s_current();
	s2s_piece *here;
	if (!gang->pieces)
		s2s_begin_pieces(gang, &self->pieces[gang - self->gangs]);
	s2s_pieces *pieces = gang->pieces;
	if (active != gang->alive) { /* the others run before these, which wait */
		if (!fork_off(self, gang, active, &here))
			push(&pieces->arrived, here);
	} else if (pieces->todo) {
		if (copy(self, gang, active, &here))
			return;
		push(&pieces->arrived, here);
		run_next(self, gang, pieces);
	} else { /* this piece, the last to arrive, will be the first to continue */
		s2s_yield(gang);
		pieces->todo = pieces->arrived;
		pieces->arrived = NULL;
	}
}

void s2s_end_piece(s2s_gang *gang) {
	s2s_pieces *pieces = gang->pieces;
	if (pieces->todo || pieces->arrived)
		run_next(s2s_current(), gang, pieces);
}

/* ---- warp functions ---- */

/* The lanes of all pieces that have not ended. */
static uint64_t all_alive(const s2s_gang *gang) {
	uint64_t lanes = gang->alive;
	for (const s2s_piece *piece = gang->pieces->todo; piece; piece = piece->next)
		lanes |= piece->gang.alive;
	for (const s2s_piece *piece = gang->pieces->arrived; piece; piece = piece->next)
		lanes |= piece->gang.alive;
	return lanes;
}

/* Let the other pieces have their turns. Returns false if none can run. */
static bool let_others_run(hthread *self, s2s_gang *gang) {
	if (gang->resident) {
		s2s_yield(gang);
		return true;
	}
	s2s_piece *here;
	if (!gang->pieces->todo)
		return false;
	if (!copy(self, gang, gang->alive, &here)) {
		push(&gang->pieces->todo, here);
		run_next(self, gang, gang->pieces);
	}
	return true;
}

/* The lanes that have posted their values for a function of this kind. */
static uint64_t posted_for(const s2s_pieces *pieces, uint32_t kind) {
	uint64_t lanes = 0;
	for (uint64_t left = pieces->posted; left != 0; left &= left - 1)
		if (pieces->kind[__builtin_ctzll(left)] == kind)
			lanes |= left & -left;
	return lanes;
}

uint64_t s2s_meet(s2s_gang *gang, const char *where, uint64_t named, uint64_t active, uint64_t *slots, uint32_t count,
	uint32_t kind) {
	hthread *self = s2s_current();
	s2s_pieces *pieces = gang->pieces;
	gang->where = where;
	gang->of_block = false;
	bool posts = false;
	for (;;) { /* a lane whose values others have yet to take waits for these */
		if (!posts && !(pieces->posted & active)) {
			for (uint32_t i = 0; i < count; i++)
				for (uint64_t left = active; left != 0; left &= left - 1)
					pieces->box[i][__builtin_ctzll(left)] = slots[i * WARP_LANES + __builtin_ctzll(left)];
			for (uint64_t left = active; left != 0; left &= left - 1)
				pieces->kind[__builtin_ctzll(left)] = kind;
			pieces->posted |= active;
			posts = true;
			s2s_note_change(self);
		}
		if (posts && !(named & all_alive(gang) & ~posted_for(pieces, kind)))
			break;
		if (!let_others_run(self, gang)) {
			self->fault = (fault){.kind = FAULT_WAIT, .claim = where};
			s2s_raise(self);
		}
	}
	gang->where = NULL;
	uint64_t members = (named & posted_for(pieces, kind)) | active;
	for (uint32_t i = 0; i < count; i++)
		for (uint64_t left = members; left != 0; left &= left - 1)
			slots[i * WARP_LANES + __builtin_ctzll(left)] = pieces->box[i][__builtin_ctzll(left)];
	pieces->left |= active;
	if (!(members & ~pieces->left)) {
		pieces->posted &= ~members;
		pieces->left &= ~members;
	}
	s2s_note_change(self);
	return members;
}

/* ---- among fibers ---- */

bool s2s_part(s2s_gang *gang, uint64_t lanes) {
	hthread *self = s2s_current();
	s2s_piece *others;
	if (fork_off(self, gang, gang->alive & ~lanes, &others))
		return false;
	push(&gang->pieces->todo, others);
	return true;
}

/* Resume the gang as this piece when it has its turn. */
static void bring_in(hthread *self, s2s_gang *gang, s2s_context *context, s2s_piece *piece) {
	memcpy(piece->rsp, piece->stack, piece->bytes);
	*context = (s2s_context){piece->rsp, piece->rip, piece->rbp, gang};
	gang->context = context;
	take_record(self, gang, piece);
}

void s2s_change_pieces(hthread *self, s2s_context *context) {
	s2s_gang *gang = context->gang;
	if (!gang->pieces || !gang->pieces->todo)
		return;
	size_t bytes = (size_t)(stack_end(self, gang) - (char *)context->rsp);
	s2s_piece *away = new_piece(self, bytes);
	away->rsp = context->rsp;
	away->rip = context->rip;
	away->rbp = context->rbp;
	away->bytes = bytes;
	away->gang = *gang;
	memcpy(away->stack, context->rsp, bytes);
	s2s_piece *next = pop(&gang->pieces->todo);
	push(&gang->pieces->todo, away);
	bring_in(self, gang, context, next);
}

const s2s_gang *s2s_first_away(const s2s_gang *gang) {
	return gang->pieces && gang->pieces->todo ? &gang->pieces->todo->gang : NULL;
}

const s2s_gang *s2s_next_away(const s2s_gang *away) {
	const s2s_piece *piece = (const s2s_piece *)((const char *)away - offsetof(s2s_piece, gang));
	return piece->next ? &piece->next->gang : NULL;
}

bool s2s_has_pieces(const s2s_gang *gang) {
	return gang->pieces->todo;
}

void s2s_next_piece(hthread *self, s2s_gang *gang, s2s_context *context) {
	bring_in(self, gang, context, pop(&gang->pieces->todo));
}
