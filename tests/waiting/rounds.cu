// Rounds in which threads look at what others write, and look again while it is
// not there.
#include <cstdio>

// Element w is known when w + 1 is; warps take rounds over all elements and
// vote on another one.
__global__ void by_votes(volatile int *done, int n) {
  bool again;
  do {
    again = false;
    for (int w = threadIdx.x + blockIdx.x * blockDim.x;
         __any_sync(0xffffffff, w < n); w += blockDim.x * gridDim.x) {
      if (w < n && done[w] == 0) {
        if (w == n - 1)
          done[w] = 1;
        else if (done[w + 1])
          done[w] = done[w + 1] + 1;
        else
          again = true;
      }
    }
  } while (__any_sync(0xffffffff, again));
}

// The same with votes of the block.
__global__ void by_barriers(volatile int *done, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  bool missing;
  do {
    missing = i < n && done[i] == 0;
    if (missing && (i == n - 1 || done[i + 1])) {
      done[i] = i == n - 1 ? 1 : done[i + 1] + 1;
      missing = false;
    }
  } while (__syncthreads_or(missing));
}

// The places of a heap's nodes, each known when its parent is done: Burtscher
// and Pingali's sort of a tree.
__global__ void with_a_barrier(volatile int *depth, int *out, int n) {
  int k = threadIdx.x + blockIdx.x * blockDim.x;
  while (k < n) {
    int found = depth[k];
    if (found >= 0) {
      for (int child = 2 * k + 1; child <= 2 * k + 2; child++)
        if (child < n)
          depth[child] = found + 1;
      out[k] = found;
      k += blockDim.x * gridDim.x;
    }
    __syncthreads();
  }
}

// The first thread of a block looks for all.
__global__ void by_a_leader(volatile int *done, int n) {
  __shared__ int ready;
  for (bool waits = true; waits;) {
    if (threadIdx.x == 0) {
      int next = blockIdx.x + 1;
      ready = next == n || done[next];
    }
    __syncthreads();
    waits = !ready;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    done[blockIdx.x] = blockIdx.x + 1 == n ? 1 : done[blockIdx.x + 1] + 1;
}

__device__ int key(int v) { return (v * 7919 ^ v) % 1021; }
__device__ bool precedes(int state, int other, int v) {
  return state == 2 || (state == 1 && (key(other) < key(v) ||
                                       (key(other) == key(v) && other < v)));
}

// A vertex joins when all neighbours with a smaller key have not; then these
// are out.
__global__ void independent_set(int n, volatile unsigned char *state) {
  int missing;
  do {
    missing = 0;
    for (int v = threadIdx.x + blockIdx.x * blockDim.x; v < n;
         v += gridDim.x * blockDim.x) {
      if (state[v] == 1) {
        bool waits = false;
        for (int e = 1; e <= 4 && !waits; e++) {
          int back = v - e * 37, ahead = v + e * 37;
          waits = (back >= 0 && precedes(state[back], back, v)) ||
                  (ahead < n && precedes(state[ahead], ahead, v));
        }
        if (waits) {
          missing = 1;
        } else {
          for (int e = 1; e <= 4; e++) {
            if (v - e * 37 >= 0)
              state[v - e * 37] = 0;
            if (v + e * 37 < n)
              state[v + e * 37] = 0;
          }
          state[v] = 2;
        }
      }
    }
  } while (missing != 0);
}

static int *chain;
static int *out;
enum { N = 3000 };

static void check(const char *name, bool right) {
  cudaError_t code = cudaDeviceSynchronize();
  printf("%s %s\n", name,
         code != cudaSuccess ? cudaGetErrorName(code)
         : right             ? "ok"
                             : "WRONG");
}

static void clear(int value) {
  for (int i = 0; i <= N; i++)
    chain[i] = out[i] = value;
}

static bool counts_down(int n) {
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++)
    if (chain[i] != n - i)
      return false;
  return true;
}

int main() {
  setbuf(stdout, nullptr);
  cudaMallocManaged(&chain, (N + 1) * sizeof(int));
  cudaMallocManaged(&out, (N + 1) * sizeof(int));
  clear(0);
  by_votes<<<1, 128>>>(chain, 256);
  check("votes of a block's warps", counts_down(256));
  clear(0);
  by_votes<<<7, 64>>>(chain, 1000);
  check("votes of blocks' warps", counts_down(1000));
  clear(0);
  by_barriers<<<30, 100>>>(chain, N);
  check("votes of blocks", counts_down(N));
  clear(-1);
  chain[0] = 0;
  with_a_barrier<<<24, 256>>>(chain, out, N);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < N; i++)
    right = right && out[i] == 31 - __builtin_clz(i + 1);
  check("a barrier between looks", right);
  clear(0);
  by_a_leader<<<200, 48>>>(chain, 200);
  check("a leader's looks", counts_down(200));
  unsigned char *state;
  cudaMallocManaged(&state, N);
  for (int blocks = 4; blocks <= 256; blocks *= 8) {
    for (int i = 0; i < N; i++)
      state[i] = 1;
    independent_set<<<blocks, 256>>>(N, state);
    cudaDeviceSynchronize();
    right = true;
    for (int v = 0; v < N; v++) {
      bool any = false;
      for (int e = 1; e <= 4; e++)
        any |= (v >= e * 37 && state[v - e * 37] == 2) ||
               (v + e * 37 < N && state[v + e * 37] == 2);
      right = right && state[v] == (any ? 0 : 2);
    }
    check("an independent set", right);
  }
}
