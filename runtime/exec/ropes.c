/* Ropes: links from a node of a tree to the node that follows if the node's children are skipped.
 *
 * Known as: ropes, skip pointers, hit-miss links.
 *
 * They are installed anew in each launch, as the tree may have changed. If that fails, the kernel runs as it is
 * written: what is no tree to the installer may still be one to all threads of the launch.
 */
#define _GNU_SOURCE
#include "exec/exec.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_NODES = 4096, MOST_NODES = 1 << 26, KEPT_NODES = 1 << 22 };

/* ---- memory: it stays for the next launch ---- */

static struct {
	int32_t *ropes; /* two numbers for each node */
	size_t room;    /* nodes */
	_Alignas(64) char args[S2S_MAX_ARGS_BYTES];
} workspace; /* changes under the launch lock */

static void forget(void) {
	free(workspace.ropes);
	workspace.ropes = NULL;
	workspace.room = 0;
}

static bool make_room(size_t nodes) {
	if (nodes <= workspace.room)
		return true;
	forget();
	workspace.ropes = malloc(2 * nodes * sizeof *workspace.ropes);
	workspace.room = workspace.ropes ? nodes : 0;
	return workspace.ropes;
}

/* The launch's arguments, before the parameters that a helping kernel has on top. */
static char *arguments(const launch_job *job) {
	memcpy(workspace.args, job->launch.args, job->kernel->args_bytes);
	return workspace.args;
}

/* ---- installing ---- */

/* Run the installer with room for so many nodes; return its state. */
static int32_t install(launch_job *job, int32_t room) {
	const s2s_kernel *installer = s2s_companion_for(job->kernel, S2S_ROPE_INSTALLER)->kernel;
	const uint32_t *offset = installer->param_offset + job->kernel->nparams;
	int32_t state = -1, *where = &state;
	char *args = arguments(job);
	memcpy(args + offset[0], &workspace.ropes, sizeof workspace.ropes);
	memcpy(args + offset[1], &room, sizeof room);
	memcpy(args + offset[2], &where, sizeof where);
	memset(workspace.ropes, 0xff, 2 * (size_t)room * sizeof *workspace.ropes);
	s2s_launch own = job->launch;
	s2s_dim3 one = {1, 1, 1};
	job->launch.grid = job->launch.block = one;
	job->launch.threads = job->launch.gangs = 1;
	s2s_run_blocks(job, installer, args, 0, 1, 1, UNKNOWN_TIME);
	job->launch = own;
	return state;
}

/* A tree may have nodes that no thread would ever visit, and they may lead anywhere: the launch has not failed. */
static void forgive(launch_job *job) {
	if (!atomic_load(&job->failed) || job->fault.kind == FAULT_STOPPED)
		return;
	job->fault = (fault){.kind = FAULT_NONE};
	atomic_store(&job->failed, false);
}

void s2s_use_ropes(launch_job *job) {
	const s2s_kernel *by_ropes = s2s_companion_for(job->kernel, S2S_BY_ROPES)->kernel;
	const s2s_kernel *installer = s2s_companion_for(job->kernel, S2S_ROPE_INSTALLER)->kernel;
	if (installer->args_bytes > S2S_MAX_ARGS_BYTES || !make_room(FEW_NODES))
		return;
	int32_t state = install(job, (int32_t)workspace.room);
	while (state > 0 && !atomic_load(&job->failed)) {
		size_t twice = 2 * workspace.room, needed = (size_t)state;
		size_t room = needed > twice ? needed : twice;
		if (!make_room(room < MOST_NODES ? room : MOST_NODES))
			return;
		state = install(job, (int32_t)workspace.room);
	}
	bool installed = state == 0 && !atomic_load(&job->failed);
	forgive(job);
	if (!installed) {
		if (workspace.room > KEPT_NODES)
			forget();
		return;
	}
	char *args = arguments(job);
	memcpy(args + by_ropes->param_offset[job->kernel->nparams], &workspace.ropes, sizeof workspace.ropes);
	job->launch.args = args;
	job->kernel = job->launch.kernel = by_ropes;
}
