// CUDA-C as plain C++, with one coroutine for each thread of a launch. A thread
// runs until it waits. A barrier opens when all threads of the block that have
// not ended are there.
#pragma once
#include <stdlib.h>
#include <ucontext.h>

#define __global__ static
#define __device__ static
#define __noinline__ __attribute__((noinline))
#define PAUSE give_way();

enum { MOST_THREADS = 256 * 3, STACK_BYTES = 1 << 15 };

struct Block {
  int living, arrived, phase, votes, counted;
  int shared[2 * 256];
};
struct Warp {
  int living, arrived, phase;
  unsigned bits, seen;
};
struct Thread {
  ucontext_t context;
  bool ended;
};
static Thread threads[MOST_THREADS];
static Block blocks[3];
static Warp warps[3][8];
static char stacks[MOST_THREADS][STACK_BYTES];
static ucontext_t scheduler;
static int running, block_size;
static struct Index {
  int x;
} threadIdx, blockIdx, blockDim;
static void (*entry)(void **);
static void **entry_arguments;

static void give_way() { swapcontext(&threads[running].context, &scheduler); }

static void open_block(Block *block) {
  if (block->arrived == 0 || block->arrived < block->living)
    return;
  block->counted = block->votes;
  block->arrived = block->votes = 0;
  block->phase++;
}

static int meet_block(bool vote) {
  Block *block = &blocks[blockIdx.x];
  int phase = block->phase;
  block->arrived++;
  block->votes += vote;
  open_block(block);
  while (block->phase == phase)
    give_way();
  return block->counted;
}
static void __syncthreads() { meet_block(false); }
static int __syncthreads_count(int vote) { return meet_block(vote != 0); }
static int __syncthreads_or(int vote) { return meet_block(vote != 0) > 0; }
static int __syncthreads_and(int vote) { return meet_block(vote == 0) == 0; }

static void open_warp(Warp *warp) {
  if (warp->arrived == 0 || warp->arrived < warp->living)
    return;
  warp->seen = warp->bits;
  warp->arrived = 0;
  warp->bits = 0;
  warp->phase++;
}
static unsigned __ballot_sync(unsigned, int vote) {
  Warp *warp = &warps[blockIdx.x][threadIdx.x / 32];
  int phase = warp->phase;
  warp->arrived++;
  warp->bits |= (unsigned)(vote != 0) << threadIdx.x % 32;
  open_warp(warp);
  while (warp->phase == phase)
    give_way();
  return warp->seen;
}
static int __popc(unsigned x) { return __builtin_popcount(x); }
static void __threadfence() {}
static int atomicAdd(int *at, int value) {
  int old = *at;
  *at += value;
  return old;
}
static int atomicExch(int *at, int value) {
  int old = *at;
  *at = value;
  return old;
}
static int atomicCAS(int *at, int expected, int value) {
  int old = *at;
  if (old == expected)
    *at = value;
  return old;
}

static void thread_main() {
  entry(entry_arguments);
  Block *block = &blocks[blockIdx.x];
  Warp *warp = &warps[blockIdx.x][threadIdx.x / 32];
  block->living--;
  warp->living--;
  open_block(block);
  open_warp(warp);
  threads[running].ended = true;
  give_way();
}

static void start(int nblocks) {
  for (int b = 0; b < nblocks; b++) {
    blocks[b] = Block();
    blocks[b].living = block_size;
    for (int w = 0; w < 8; w++)
      warps[b][w] = Warp();
    for (int t = 0; t < block_size; t++)
      warps[b][t / 32].living++;
  }
  for (int i = 0; i < nblocks * block_size; i++) {
    ucontext_t *context = &threads[i].context;
    getcontext(context);
    context->uc_stack.ss_sp = stacks[i];
    context->uc_stack.ss_size = STACK_BYTES;
    makecontext(context, thread_main, 0);
    threads[i].ended = false;
  }
}

// Run a launch. Returns 1 if its threads do not end.
static int each_thread(int nblocks, int size, void (*function)(void **),
                       void **arguments) {
  entry = function, entry_arguments = arguments;
  block_size = blockDim.x = size;
  start(nblocks);
  int total = nblocks * size, left = total;
  for (int round = 0; left > 0; round++) {
    if (round > 100000)
      return 1;
    for (int i = 0; i < total; i++)
      if (!threads[i].ended) {
        running = i;
        blockIdx.x = i / size, threadIdx.x = i % size;
        swapcontext(&scheduler, &threads[i].context);
        left -= threads[i].ended;
      }
  }
  return 0;
}
