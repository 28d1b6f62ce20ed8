// Threads, warps and blocks that hand each other values and locks.
#include <cstdio>

enum { THREADS = 64, BLOCKS = 300, N = THREADS * BLOCKS };

// Decoupled look-back (Merrill and Garland): a block's sum is known, then what
// comes before it.
__device__ int next_tile;
__global__ void scan(const int *x, int *y, volatile int *state,
                     volatile int *sums, volatile int *totals) {
  __shared__ int tile, before, part[THREADS];
  if (threadIdx.x == 0)
    tile = atomicAdd(&next_tile, 1);
  __syncthreads();
  int i = tile * THREADS + threadIdx.x;
  part[threadIdx.x] = x[i];
  __syncthreads();
  for (int d = 1; d < THREADS; d *= 2) {
    int add = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    int sum = part[THREADS - 1], found = 0;
    sums[tile] = sum;
    __threadfence();
    state[tile] = 1;
    for (int t = tile - 1; t >= 0; t--) {
      int seen;
      while ((seen = state[t]) == 0) {
      }
      __threadfence();
      if (seen == 2) {
        found += totals[t];
        break;
      }
      found += sums[t];
    }
    totals[tile] = found + sum;
    __threadfence();
    state[tile] = 2;
    before = found;
  }
  __syncthreads();
  y[i] = before + part[threadIdx.x];
}

// A scan by blocks that each wait for the next one: the last block comes first.
__global__ void backwards(volatile int *totals, volatile int *flags) {
  if (threadIdx.x == 0) {
    int after = 0;
    if (blockIdx.x + 1 < gridDim.x) {
      while (flags[blockIdx.x + 1] == 0) {
      }
      __threadfence();
      after = totals[blockIdx.x + 1];
    }
    totals[blockIdx.x] = after + blockIdx.x;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

// Persistent blocks take tasks from a queue, to which tasks add others.
__device__ int head, tail, done;
__global__ void queue(volatile int *tasks, int *count, int n) {
  __shared__ int task;
  for (;;) {
    if (threadIdx.x == 0) {
      task = -1;
      int mine = atomicAdd(&head, 1);
      if (mine < n) {
        while (tasks[mine] == 0) {
        }
        __threadfence();
        task = tasks[mine];
      }
    }
    __syncthreads();
    int now = task;
    __syncthreads();
    if (now < 0)
      return;
    if (threadIdx.x < 2 && 2 * now + threadIdx.x <= n) {
      int place = atomicAdd(&tail, 1);
      __threadfence();
      tasks[place] = 2 * now + threadIdx.x;
    }
    if (threadIdx.x == 2)
      atomicAdd(&count[now], 1);
  }
}

// Threads that each take what they find until all has been done.
__global__ void pool(int n, int *count) {
  while (atomicAdd(&done, 0) < n) {
    int mine = atomicAdd(&head, 1);
    if (mine < n) {
      atomicAdd(&count[mine], 1);
      __threadfence();
      atomicAdd(&done, 1);
    }
  }
}

// A warp writes a ring in shared memory, another one reads it.
__global__ void producer(int *sums, int n) {
  __shared__ volatile int ring[8][32];
  __shared__ volatile int written, read;
  if (threadIdx.x == 0)
    written = read = 0;
  __syncthreads();
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int i = 0; i < n; i++) {
      while (i - read >= 8) {
      }
      ring[i % 8][lane] = i * lane;
      __threadfence_block();
      __syncwarp();
      if (lane == 0)
        written = i + 1;
    }
  } else {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      while (written <= i) {
      }
      __threadfence_block();
      sum += ring[i % 8][lane];
      __syncwarp();
      if (lane == 0)
        read = i + 1;
    }
    sums[blockIdx.x * 32 + lane] = sum;
  }
}

// Locks, one for all lanes, taken and given back by each.
__device__ int lock, within[2];
__global__ void locks(int rounds) {
  for (int r = 0; r < rounds; r++) {
    bool mine = false;
    do {
      if (atomicCAS(&lock, 0, 1) == 0) {
        __threadfence();
        within[0]++;
        __threadfence();
        atomicExch(&lock, 0);
        mine = true;
      }
    } while (!mine);
  }
}
__global__ void two_locks(int *locks, int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, from = i % n,
      to = (i * 7 + 1) % n;
  if (from == to)
    return;
  int a = min(from, to), b = max(from, to);
  for (bool finished = false; !finished;) {
    if (atomicCAS(&locks[a], 0, 1) == 0) {
      if (atomicCAS(&locks[b], 0, 1) == 0) {
        ((volatile int *)values)[from]++;
        ((volatile int *)values)[to]--;
        __threadfence();
        atomicExch(&locks[b], 0);
        finished = true;
      }
      atomicExch(&locks[a], 0);
    }
  }
}
__device__ unsigned ticket, serving;
__global__ void tickets() {
  unsigned mine = atomicAdd(&ticket, 1);
  while (*(volatile unsigned *)&serving != mine) {
  }
  __threadfence();
  within[1]++;
  __threadfence();
  *(volatile unsigned *)&serving = mine + 1;
}

// A barrier of the grid made of atomic functions, by blocks that are all there.
__device__ int arrived;
__global__ void own_barrier(int *x, int rounds) {
  for (int r = 0; r < rounds; r++) {
    int from = (blockIdx.x + 1) % gridDim.x,
        value = ((volatile int *)x)[from * rounds + r];
    if (r + 1 < rounds && threadIdx.x == 0)
      ((volatile int *)x)[blockIdx.x * rounds + r + 1] = value + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&arrived, 1);
      while (*(volatile int *)&arrived < (r + 1) * (int)gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

static void set(int &symbol, int value) {
  cudaMemcpyToSymbol(symbol, &value, sizeof value);
}

static void check(const char *name, bool right) {
  cudaError_t code = cudaDeviceSynchronize();
  printf("%s %s\n", name,
         code != cudaSuccess ? cudaGetErrorName(code)
         : right             ? "ok"
                             : "WRONG");
}

static int *fresh(int n) {
  int *made;
  cudaMallocManaged(&made, n * sizeof *made);
  cudaMemset(made, 0, n * sizeof *made);
  cudaDeviceSynchronize();
  return made;
}

int main() {
  setbuf(stdout, nullptr);
  int *x = fresh(N), *y = fresh(N);
  for (int i = 0; i < N; i++)
    x[i] = i % 11;
  scan<<<BLOCKS, THREADS>>>(x, y, fresh(BLOCKS), fresh(BLOCKS), fresh(BLOCKS));
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0, sum = 0; i < N; i++)
    right = right && y[i] == (sum += x[i]);
  check("decoupled look-back", right);

  int *totals = fresh(2000);
  backwards<<<2000, 32>>>(totals, fresh(2000));
  cudaDeviceSynchronize();
  check("blocks that wait for later ones", totals[0] == 1999000);

  int n = 500, *tasks = fresh(n), *count = fresh(n + 1);
  tasks[0] = 1;
  set(tail, 1);
  queue<<<40, 64>>>(tasks, count, n);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 1; i <= n; i++)
    right = right && count[i] == 1;
  check("a queue of tasks", right);

  set(head, 0);
  count = fresh(5000);
  pool<<<100, 96>>>(5000, count);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 5000; i++)
    right = right && count[i] == 1;
  check("a pool of tasks", right);

  int *sums = fresh(64);
  producer<<<2, 64>>>(sums, 100);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 64; i++)
    right = right && sums[i] == 4950 * (i % 32);
  check("a ring in shared memory", right);

  int inside[2];
  locks<<<20, 64>>>(3);
  tickets<<<20, 64>>>();
  cudaMemcpyFromSymbol(inside, within, sizeof inside);
  check("locks and tickets", inside[0] == 3840 && inside[1] == 1280);

  int *values = fresh(50);
  two_locks<<<20, 64>>>(fresh(50), values, 50);
  cudaDeviceSynchronize();
  int expected[50] = {};
  for (int i = 0; i < 1280; i++)
    if (i % 50 != (i * 7 + 1) % 50)
      expected[i % 50]++, expected[(i * 7 + 1) % 50]--;
  right = true;
  for (int i = 0; i < 50; i++)
    right = right && values[i] == expected[i];
  check("two locks", right);

  int *rows = fresh(64 * 10);
  own_barrier<<<64, 64>>>(rows, 10);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 640; i++)
    right = right && rows[i] == i % 10;
  check("a barrier of atomic functions", right);
}
