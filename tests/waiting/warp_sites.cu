// Warp functions that threads of a warp reach at different places of the text.
#include <cstdio>

enum { ALL = 0xffffffff, N = 64 };

__global__ void both_arms(const float *x, float *y) {
  int t = threadIdx.x;
  float v = x[t], s;
  if (t % 32 < 16) {
    v += 1;
    s = __shfl_xor_sync(ALL, v, 16);
    v = v * s;
  } else {
    v += 2;
    s = __shfl_xor_sync(ALL, v, 16);
    v = v - s;
  }
  y[t] = v;
}

__global__ void of_each_kind(unsigned *out) {
  int t = threadIdx.x, lane = t % 32;
  unsigned a, b, c, d, e, f;
  long long g;
  double h;
  if (lane % 3 == 0) {
    a = __ballot_sync(ALL, lane < 10);
    b = __any_sync(ALL, lane == 31);
    c = __all_sync(ALL, 1);
    d = __match_any_sync(ALL, lane / 8);
    e = __reduce_add_sync(ALL, lane);
    f = __reduce_max_sync(ALL, 7u);
    g = __shfl_sync(ALL, 1000000000000ll, lane ^ 1);
    h = __shfl_down_sync(ALL, 0.5 * lane, 2);
    __syncwarp();
  } else {
    a = __ballot_sync(ALL, lane > 20);
    b = __any_sync(ALL, lane == 31);
    c = __all_sync(ALL, lane != 5);
    d = __match_any_sync(ALL, lane / 4 / 2);
    e = __reduce_add_sync(ALL, 100);
    f = __reduce_max_sync(ALL, (unsigned)lane);
    g = __shfl_sync(ALL, 3000000000000ll + lane, lane ^ 1);
    h = __shfl_down_sync(ALL, 2.0 * lane, 2);
    __syncwarp();
  }
  out[t] = a ^ b << 1 ^ c << 2 ^ d ^ e ^ f << 8 ^ (unsigned)(g >> 8) ^
           (unsigned)(h * 2);
}

__global__ void in_a_switch(int *out) {
  int t = threadIdx.x, s = 0;
  switch (t % 4) {
  case 0:
    s = __shfl_xor_sync(ALL, t, 1);
    break;
  case 1:
    s = __shfl_xor_sync(ALL, 10 * t, 1) + 1;
    break;
  case 2:
    s = __shfl_xor_sync(ALL, 100 * t, 1) + 2;
  default:
    if (t % 4 == 3)
      s = __shfl_xor_sync(ALL, 1000 * t, 1) + 3;
  }
  out[t] =
      s + (t % 2 ? __shfl_xor_sync(ALL, t, 3) : 2 * __shfl_xor_sync(ALL, t, 3));
}

// Lane l passes l + 1 of them: each meets what others pass as their next.
__global__ void in_loops(int *out) {
  int lane = threadIdx.x % 32, sum = 0;
  for (int i = 0; i < lane; i++)
    sum += __reduce_add_sync(ALL, 1);
  sum += 1000 * __reduce_add_sync(ALL, 1);
  out[threadIdx.x] = sum;
}

__device__ __noinline__ int of_function(int v) {
  return __shfl_xor_sync(ALL, v, 1);
}
__device__ __noinline__ int of_another(int v) {
  return 5 * __shfl_xor_sync(ALL, v + 1, 1);
}
__device__ __noinline__ int deep(int v, int n) {
  return n == 0 ? __shfl_xor_sync(ALL, v, 1) : deep(v + 1, n - 1);
}
__global__ void in_functions(int *out) {
  int t = threadIdx.x, s;
  if (t % 2)
    s = of_function(t) + 1;
  else if (t % 4 == 0)
    s = of_another(t);
  else
    s = deep(t, t % 8);
  out[t] = s;
}

__global__ void after_a_jump(int *out) {
  int t = threadIdx.x;
  if (t % 32 >= 20) {
    out[t] = (int)__ballot_sync(ALL, t % 2);
    return;
  }
  out[t] = (int)__ballot_sync(ALL, t % 3 == 0);
}

// One arm exchanges values through memory: what is written before is seen
// after.
__global__ void through_memory(int *out) {
  __shared__ volatile int s[N];
  int t = threadIdx.x;
  for (int r = 0; r < 4; r++) {
    if ((t + r) % 3 == 0) {
      s[t] = t + r;
      __syncwarp();
    } else {
      s[t] = 2 * t + r;
      __syncwarp();
    }
    out[t] += s[t ^ 1];
    if (t % 2)
      __syncwarp();
    else
      __syncwarp();
  }
  __syncthreads();
  out[t] += s[(t + 32) % N];
}

static void check(const char *name, bool right) {
  cudaError_t code = cudaDeviceSynchronize();
  printf("%s %s\n", name,
         code != cudaSuccess ? cudaGetErrorName(code)
         : right             ? "ok"
                             : "WRONG");
}

template <typename F>
static void check_all(const char *name, int *out, F expected) {
  cudaDeviceSynchronize();
  bool right = true;
  for (int t = 0; t < N; t++)
    right = right && out[t] == (int)expected(t);
  check(name, right);
  for (int t = 0; t < N; t++)
    out[t] = 0;
}

int main() {
  setbuf(stdout, nullptr);
  float *x, *y;
  int *out;
  cudaMallocManaged(&x, N * sizeof *x);
  cudaMallocManaged(&y, N * sizeof *y);
  cudaMallocManaged(&out, N * sizeof *out);
  for (int i = 0; i < N; i++)
    x[i] = i, out[i] = 0;
  both_arms<<<1, N>>>(x, y);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < N; i++)
    right = right && y[i] == (i % 32 < 16 ? (i + 1.f) * (i + 16 + 2.f)
                                          : (i + 2.f) - (i - 16 + 1.f));
  check("both arms", right);

  of_each_kind<<<1, N>>>((unsigned *)out);
  check_all("each kind", out, [](int t) {
    unsigned lane = t % 32, a = 0, e = 0;
    for (unsigned l = 0; l < 32; l++) {
      a |= (l % 3 == 0 ? l < 10 : l > 20) ? 1u << l : 0;
      e += l % 3 == 0 ? l : 100;
    }
    unsigned other = lane ^ 1, far = lane + 2 < 32 ? lane + 2 : lane;
    long long g = other % 3 == 0 ? 1000000000000ll : 3000000000000ll + other;
    double h = far % 3 == 0 ? 0.5 * far : 2.0 * far;
    return a ^ 1u << 1 ^ 0u << 2 ^ 0xffu << lane / 8 * 8 ^ e ^ 31u << 8 ^
           (unsigned)(g >> 8) ^ (unsigned)(h * 2);
  });
  in_a_switch<<<1, N>>>(out);
  check_all("a switch", out, [](int t) {
    const int scale[] = {1, 10, 100, 1000};
    return scale[(t ^ 1) % 4] * (t ^ 1) + t % 4 + (t % 2 ? t ^ 3 : 2 * (t ^ 3));
  });
  in_loops<<<1, N>>>(out);
  check_all("loops", out, [](int t) {
    int lane = t % 32, sum = 0;
    for (int i = 0; i <= lane; i++)
      sum += (i < lane ? 1 : 1000) * (32 - i);
    return sum;
  });
  in_functions<<<1, N>>>(out);
  check_all("functions", out, [](int t) {
    int o = t ^ 1, given = o % 2 ? o : o % 4 == 0 ? o + 1 : o + o % 8;
    return t % 2 ? given + 1 : t % 4 == 0 ? 5 * given : given;
  });
  after_a_jump<<<1, N>>>(out);
  check_all("a jump", out, [](int t) {
    unsigned bits = 0;
    for (int l = 0; l < 32; l++) {
      int u = t / 32 * 32 + l;
      bits |= (l >= 20 ? u % 2 : u % 3 == 0) ? 1u << l : 0;
    }
    return bits;
  });
  through_memory<<<1, N>>>(out);
  check_all("memory", out, [](int t) {
    auto written = [](int u, int r) {
      return (u + r) % 3 == 0 ? u + r : 2 * u + r;
    };
    int sum = 0;
    for (int r = 0; r < 4; r++)
      sum += written(t ^ 1, r);
    return sum + written((t + 32) % N, 3);
  });
}
