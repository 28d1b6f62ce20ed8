/* Where device memory lies; see guards.c. All functions may be called from any thread. */
#ifndef S2S_GUARDS_H
#define S2S_GUARDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What writes to an allocation, and so after it: kernels; kernels and the host; the host too, whose buffers are not
 * checked; the heap of kernels, whose blocks lie side by side. */
typedef enum { S2S_OF_KERNELS, S2S_MANAGED, S2S_PINNED, S2S_HEAP } s2s_memory_kind;

/* An address range that holds an allocation, or held one. It is never given back to the system. */
typedef struct s2s_slot s2s_slot;

/* A slot with `bytes`, which are not 0, from s2s_slot_begin on, a multiple of 256; null if there is no memory. */
s2s_slot *s2s_take_slot(size_t bytes, s2s_memory_kind kind);
void *s2s_slot_begin(const s2s_slot *slot);
s2s_memory_kind s2s_slot_kind(const s2s_slot *slot);

/* The allocation is freed. No kernel runs that may touch it. */
void s2s_give_slot(s2s_slot *slot);

/* Counts kernels, roughly: as long as it stays the same, none has begun. */
extern _Atomic uint32_t s2s_kernels_begun;
extern _Atomic uint32_t s2s_next_look;        /* its value at which it is time to look */
extern _Atomic(const void *) s2s_last_kernel; /* an s2s_kernel */
extern _Atomic bool s2s_has_loose_memory;     /* freed since the last kernel */

void s2s_seal_loose_memory(void);
void s2s_note_kernel(const void *kernel);
void s2s_look(void);

/* A kernel is about to begin. */
static inline void s2s_before_kernel(const void *kernel) {
	if (__builtin_expect(atomic_load_explicit(&s2s_has_loose_memory, memory_order_relaxed), 0))
		s2s_seal_loose_memory();
	if (__builtin_expect(atomic_load_explicit(&s2s_last_kernel, memory_order_relaxed) != kernel, 0))
		s2s_note_kernel(kernel);
	uint32_t begun = atomic_load_explicit(&s2s_kernels_begun, memory_order_relaxed);
	atomic_store_explicit(&s2s_kernels_begun, begun + 1, memory_order_relaxed);
}

/* The host has waited for kernels: if they damaged what lies beside allocations, that becomes the device's fault. Looks
 * at as much as a small part of the time that has passed allows. */
static inline void s2s_look_after_kernels(void) {
	uint32_t begun = atomic_load_explicit(&s2s_kernels_begun, memory_order_relaxed);
	if ((int32_t)(begun - atomic_load_explicit(&s2s_next_look, memory_order_relaxed)) >= 0)
		s2s_look();
}

/* The same for all that there is; what the device's fault explains is mended in silence. */
void s2s_look_at_everything(void);

/* Write where `address` lies, seen from the allocation that is nearest, into text: ": 4 bytes after an allocation of
 * 400 bytes at 0x7f...", ": in an allocation of 400 bytes at 0x7f... that was freed"; nothing if none is near. */
void s2s_describe_nearest(const void *address, char *text, size_t room);

/* Kernels whose descriptors lie there are about to go. */
void s2s_forget_begun_kernels(const void *begin, size_t bytes);

/* Hooks; see sched/hooks.h. */
void s2s_lock_guards(void);
void s2s_unlock_guards(void);

#endif
