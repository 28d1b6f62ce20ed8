// Threads that pass barriers while they wait for what others write much later.
#include <cstdio>
#include <cstdlib>

__device__ unsigned work(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525u + 1013904223u;
  return x;
}

// One block writes the flag at the end of much work; which one, is an argument.
__global__ void slow(volatile int *flag, int writer, int rounds, int *out) {
  if (blockIdx.x == writer) {
    unsigned x = work(threadIdx.x, rounds);
    if (x == 1)
      out[0] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
      flag[0] = 1;
  } else {
    while (flag[0] == 0)
      __syncthreads();
    out[blockIdx.x] = flag[0];
  }
}

// The writer passes barriers, too, and has its turns between those of others.
__global__ void in_steps(volatile int *flag, int writer, int steps, int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  if (blockIdx.x == writer) {
    for (int s = 0; s < steps; s++) {
      if (threadIdx.x == s % blockDim.x)
        sum += work(s, 10) != 0;
      __syncthreads();
    }
    if (threadIdx.x == 0)
      flag[0] = sum;
  } else {
    while (__syncthreads_or(flag[0] == 0)) {
    }
    out[blockIdx.x] = flag[0];
  }
}

// Within a block: one warp's thread writes when the others have passed many
// barriers in the loop.
__global__ void within(volatile int *flag, int *out) {
  int rounds = 0;
  while (flag[blockIdx.x] == 0) {
    rounds++;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1 && rounds > 3000)
      flag[blockIdx.x] = 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = rounds > 3000;
}

// A loop that changes something now and then, with a barrier before the end of
// the iteration; the next block waits for it.
__global__ void relay(volatile int *count, int n, int *out) {
  bool more = true;
  while (more) {
    if (threadIdx.x == 0) {
      int seen = count[blockIdx.x];
      if (blockIdx.x + 1 < gridDim.x && seen > count[blockIdx.x + 1])
        count[blockIdx.x + 1] = seen;
    }
    __syncthreads();
    more = count[blockIdx.x] < n;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 1 && count[0] < n)
      count[0] = count[0] + 1;
  }
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x)
      count[blockIdx.x + 1] = n;
    out[blockIdx.x] = 1;
  }
}

__device__ void wait_in_function(volatile int *flag) {
  while (flag[0] == 0)
    __syncthreads();
}
__device__ void wait_and_return(volatile int *flag) {
  for (;;) {
    __syncthreads();
    if (flag[0])
      return;
  }
}

// Each block has a list of what it does: 0 writes a flag, 8 works, the others
// wait for a flag.
enum { OPS = 24, KINDS = 9 };
__global__ void lists(const int *kinds, const int *flags_of, volatile int *flag,
                      int *out) {
  __shared__ int ready;
  unsigned x = 1;
  for (int o = 0; o < OPS; o++) {
    int kind = kinds[blockIdx.x * OPS + o];
    volatile int *f = flag + flags_of[blockIdx.x * OPS + o];
    switch (kind) {
    case 0:
      if (threadIdx.x == o % blockDim.x) {
        x = work(x, 500);
        f[0] = 1;
      }
      break;
    case 1:
      wait_in_function(f);
      break;
    case 2:
      while (__syncthreads_or(f[0] == 0)) {
      }
      break;
    case 3:
      for (bool waits = true; waits;) {
        if (threadIdx.x == 0)
          ready = f[0];
        __syncthreads();
        waits = !ready;
        __syncthreads();
      }
      break;
    case 4:
      wait_and_return(f);
      break;
    case 5:
      if (threadIdx.x % 64 < 32)
        while (__any_sync(~0u, f[0] == 0)) {
        }
      break;
    case 6:
      if (threadIdx.x == 3)
        while (f[0] == 0) {
        }
      __syncthreads();
      break;
    case 7:
      do {
        __syncthreads();
        __syncwarp();
        __syncthreads();
      } while (atomicAdd((int *)f, 0) == 0);
      break;
    default:
      x = work(x, 20000);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = x != 0;
}

static int *fresh(int n) {
  int *made;
  cudaMallocManaged(&made, n * sizeof *made);
  cudaMemset(made, 0, n * sizeof *made);
  cudaDeviceSynchronize();
  return made;
}

static void check(const char *name, const int *out, int n, int without) {
  cudaError_t code = cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < n; i++)
    right = right && (i == without || out[i] != 0);
  printf("%s %s\n", name,
         code != cudaSuccess ? cudaGetErrorName(code)
         : right             ? "ok"
                             : "WRONG");
}

int main() {
  setbuf(stdout, nullptr);
  const int grids[] = {2, 3, 40, 300};
  for (int blocks : grids) {
    for (int writer : {0, blocks / 2, blocks - 1}) {
      int *out = fresh(blocks);
      slow<<<blocks, 64>>>(fresh(1), writer, 20000000, out);
      check("a writer that works long", out, blocks, writer);
      out = fresh(blocks);
      in_steps<<<blocks, 96>>>(fresh(1), writer, 2000, out);
      check("a writer that passes barriers", out, blocks, writer);
    }
    int *out = fresh(blocks * 128);
    within<<<blocks, 128>>>(fresh(blocks), out);
    check("a writer in the loop", out, blocks * 128, -1);
    out = fresh(blocks);
    relay<<<blocks, 64>>>(fresh(blocks), 50, out);
    check("a relay", out, blocks, -1);
  }
  srand(1);
  for (int round = 0; round < 60; round++) {
    int blocks = 1 + rand() % 12, events = 0;
    int *kinds = fresh(blocks * OPS), *of = fresh(blocks * OPS);
    int *used = fresh(blocks);
    for (int left = blocks * OPS; left > 0; left--) { // in an order that ends
      int b = rand() % blocks;
      while (used[b] == OPS)
        b = (b + 1) % blocks;
      int place = b * OPS + used[b]++, kind = rand() % (KINDS + 2);
      if (kind >= KINDS || events == 0)
        kind = 0;
      kinds[place] = kind;
      of[place] = kind == 0 ? events++ : rand() % events;
    }
    int *out = fresh(blocks);
    lists<<<blocks, 32 << rand() % 3>>>(kinds, of, fresh(events + 1), out);
    check("lists", out, blocks, -1);
  }
}
