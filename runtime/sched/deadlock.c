/* Deadlock detection. A launch is stuck if all hthreads wait for what only threads could do that have not begun.
 *
 * Known as: deadlock detection by progress counters.
 *
 * Generated code counts the iterations of loops that may wait, and reports each period of iterations in which its gang
 * changed nothing. One report means little, as others may be at work. So every hthread counts the items and the waits
 * that it finishes. An hthread that spins through a whole period while the sum of these counts stays the same confirms
 * that sum. Once all hthreads with work have confirmed the same sum, no thread can make progress.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

/* A sum under which the program had no other threads that could write anything. Whichever hthread finds that out, all
 * know: if each had to find out, each would make the others begin anew. */
static _Atomic uint64_t among_ourselves = UINT64_MAX;

void s2s_forget_waits(void) {
	atomic_store(&among_ourselves, UINT64_MAX);
}

static uint64_t all_changes(void) {
	uint64_t sum = 0;
	for (uint32_t i = 0; i < s2s_pool_size(); i++)
		sum += atomic_load(&s2s_pool_hthread(i)->wait.changes);
	for (uint32_t i = 0; i < s2s_count_beside(); i++)
		sum += atomic_load(&s2s_hthread_beside(i)->wait.changes);
	return sum;
}

void s2s_note_change(hthread *self) {
	uint64_t before = atomic_load_explicit(&self->wait.changes, memory_order_relaxed);
	atomic_store_explicit(&self->wait.changes, before + 1, memory_order_release);
}

/* Whether all hthreads that have work have confirmed `changes`, and no other one can arrive. In this order: an hthread
 * announces before that it takes the last items, and counts an item that it ends before it announces that it has none.
 */
static bool all_confirmed(uint64_t changes) {
	if (s2s_pool_calls_idle())
		return false;
	for (uint32_t i = 0; i < s2s_pool_size(); i++) {
		const hthread *other = s2s_pool_hthread(i);
		if (atomic_load(&other->taking) && atomic_load(&other->wait.confirmed) != changes)
			return false;
	}
	for (uint32_t i = 0; i < s2s_count_beside(); i++) {
		const hthread *other = s2s_hthread_beside(i);
		if (atomic_load(&other->taking) && atomic_load(&other->wait.confirmed) != changes)
			return false;
	}
	return all_changes() == changes;
}

bool s2s_confirm_wait(hthread *self) {
	waiting *own = &self->wait;
	uint64_t changes = all_changes(), before = own->seen;
	own->seen = changes;
	if (before != changes)
		return false;
	atomic_store(&self->thread_id, s2s_thread_id());
	atomic_store(&own->confirmed, changes);
	if (!all_confirmed(changes))
		return false;
	if (atomic_load(&among_ourselves) == changes)
		return true;
	/* What another thread wrote before it ended, all shall have had the time to see. */
	s2s_begin_hold(self);
	bool alone = !s2s_hooks.tasks_are_ready() && !s2s_others_may_write();
	s2s_end_hold(self);
	s2s_note_change(self);
	own->seen = all_changes();
	if (alone)
		atomic_store(&among_ourselves, own->seen);
	return false;
}
