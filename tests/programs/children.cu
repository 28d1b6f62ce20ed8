// Kernels that launch kernels, in the manner of what people write: sorting, a
// tree over points, a factorisation, a reduction by streams, curves, errors.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T> T *managed(size_t count) {
  T *p;
  cudaMallocManaged(&p, count * sizeof(T));
  for (size_t i = 0; i < count; i++)
    p[i] = T();
  return p;
}

static void sync(const char *what) {
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorString(error));
}

// ---- quicksort: the parts of a range in streams of their own
__device__ void insertion_sort(int *data, int left, int right) {
  for (int i = left + 1; i <= right; i++) {
    int value = data[i], at = i;
    for (; at > left && data[at - 1] > value; at--)
      data[at] = data[at - 1];
    data[at] = value;
  }
}

__global__ void quicksort(int *data, int left, int right, int depth) {
  if (depth >= 20 || right - left < 24) {
    insertion_sort(data, left, right);
    return;
  }
  int *low = data + left, *high = data + right, pivot = data[(left + right) / 2];
  while (low <= high) {
    while (*low < pivot)
      low++;
    while (*high > pivot)
      high--;
    if (low <= high) {
      int other = *low;
      *low++ = *high;
      *high-- = other;
    }
  }
  int ends = high - data, begins = low - data;
  cudaStream_t stream;
  if (left < ends) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, left, ends, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (begins < right) {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, stream>>>(data, begins, right, depth + 1);
    cudaStreamDestroy(stream);
  }
}

// ---- quadtree: a block for each node, which launches four children at once
struct Node {
  int first, count, level;
};

__global__ void divide(float2 *points, float2 *other, Node node, float2 corner, float side, int *leaves, int *deepest) {
  __shared__ int counts[4], places[4];
  int t = threadIdx.x;
  if (node.count <= 32 || node.level == 8) {
    for (int i = t; i < node.count; i += blockDim.x)
      if (node.level % 2)
        other[node.first + i] = points[node.first + i];
    if (t == 0 && node.count > 0) {
      atomicAdd(leaves, 1);
      atomicMax(deepest, node.level);
    }
    return;
  }
  float half = side / 2;
  if (t < 4)
    counts[t] = 0;
  __syncthreads();
  for (int i = t; i < node.count; i += blockDim.x) {
    float2 p = points[node.first + i];
    atomicAdd(&counts[(p.x >= corner.x + half) + 2 * (p.y >= corner.y + half)], 1);
  }
  __syncthreads();
  if (t == 0)
    for (int q = 0, at = node.first; q < 4; at += counts[q++])
      places[q] = at;
  __syncthreads();
  int first = t < 4 ? places[t] : 0;
  __syncthreads();
  for (int i = t; i < node.count; i += blockDim.x) {
    float2 p = points[node.first + i];
    other[atomicAdd(&places[(p.x >= corner.x + half) + 2 * (p.y >= corner.y + half)], 1)] = p;
  }
  __syncthreads();
  if (t < 4) {
    Node child = {first, counts[t], node.level + 1};
    float2 start = make_float2(corner.x + (t % 2) * half, corner.y + (t / 2) * half);
    divide<<<1, 64, 0, cudaStreamFireAndForget>>>(other, points, child, start, half, leaves, deepest);
  }
}

// ---- LU factorisation without pivots: a step launches the next one last
__global__ void scale(double *a, int n, int k) {
  int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    a[row * n + k] /= a[k * n + k];
}

__global__ void update(double *a, int n, int k) {
  int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  int row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n)
    a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

__global__ void factor(double *a, int n, int k) {
  if (k + 1 >= n)
    return;
  unsigned left = n - k - 1;
  scale<<<(left + 31) / 32, 32>>>(a, n, k);
  update<<<dim3((left + 15) / 16, (left + 3) / 4), dim3(16, 4)>>>(a, n, k);
  factor<<<1, 1, 0, cudaStreamTailLaunch>>>(a, n, k + 1);
}

// ---- copies and fills among kernels; a template; memory from the heap
template <class T> __global__ void double_all(T *data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] += data[i];
}

__global__ void sum_all(const int *data, int n, int *sum) {
  int own = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    own += data[i];
  atomicAdd(sum, own);
}

__global__ void pipeline(int *data, int *copy, int n, int *sum) {
  if (threadIdx.x != 0)
    return;
  double_all<int><<<1, 32>>>(data, n);
  cudaMemcpyAsync(copy, data, n * sizeof(int), cudaMemcpyDeviceToDevice);
  double_all<<<1, 64>>>(copy, n);
  cudaMemsetAsync(data, 0, n / 2 * sizeof(int));
  sum_all<<<1, 32>>>(copy, n, sum);
  sum_all<<<1, 32>>>(data, n, sum + 1);
}

// ---- points of curves, as many as their bends need
__global__ void points_of(float4 curve, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float u = (float)i / (count - 1), v = 1 - u;
  out[i] = v * v * v * curve.x + 3 * v * v * u * curve.y + 3 * v * u * u * curve.z + u * u * u * curve.w;
}

__global__ void tessellate(const float4 *curves, float **lines, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float bend = fabsf(curves[i].x - 2 * curves[i].y + curves[i].z) + fabsf(curves[i].y - 2 * curves[i].z + curves[i].w);
  counts[i] = min(max((int)(bend * 16), 4), 64);
  cudaMalloc(&lines[i], counts[i] * sizeof(float));
  points_of<<<(counts[i] + 31) / 32, 32>>>(curves[i], lines[i], counts[i]);
}

__global__ void measure(float **lines, const int *counts, int n, float *least, float *most) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  least[i] = most[i] = lines[i][0];
  for (int k = 0; k < counts[i]; k++) {
    least[i] = fminf(least[i], lines[i][k]);
    most[i] = fmaxf(most[i], lines[i][k]);
  }
  cudaFree(lines[i]);
}

// ---- errors, and what a parent says in which order
__global__ void nothing() {}

__global__ __launch_bounds__(64) void small() {}

__global__ void wrong() {
  nothing<<<1, 2048>>>();
  printf("a block too large: %s\n", cudaGetErrorName(cudaGetLastError()));
  nothing<<<0, 1>>>();
  printf("no block: %s\n", cudaGetErrorString(cudaPeekAtLastError()));
  printf("the same: %d, then: %d\n", (int)cudaGetLastError(), (int)cudaGetLastError());
  nothing<<<1, 1, 1 << 20>>>();
  printf("too much shared memory: %d\n", (int)cudaGetLastError());
  nothing<<<dim3(1, 70000), 1>>>();
  printf("a grid too high: %d\n", (int)cudaGetLastError());
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrMaxThreadsPerBlock, 0);
  printf("threads of a block: %d\n", major);
}

__global__ void say(const char *what, int depth) { printf("%s %d\n", what, depth); }

__device__ char child_text[] = "child", tail_text[] = "tail", grandchild_text[] = "tail of the child";

__global__ void child(int depth) {
  printf("%s %d\n", child_text, depth);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(grandchild_text, depth);
}

__global__ void ordered() {
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(tail_text, 1);
  printf("parent\n");
  for (int i = 0; i < 3; i++)
    child<<<1, 1>>>(i);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(tail_text, 2);
}

static unsigned state = 12345;
static int number(int below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

int main() {
  int n = 5000;
  int *data = managed<int>(n);
  for (int i = 0; i < n; i++)
    data[i] = number(100000);
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += data[i];
  quicksort<<<1, 1>>>(data, 0, n - 1, 0);
  sync("quicksort");
  int wrongs = 0;
  for (int i = 0; i < n; i++) {
    wrongs += i > 0 && data[i - 1] > data[i];
    sum -= data[i];
  }
  printf("sorted: %d out of order, sum %ld\n", wrongs, sum);

  float2 *points = managed<float2>(n), *other = managed<float2>(n);
  for (int i = 0; i < n; i++)
    points[i] = make_float2(number(1 << 16) / 65536.0f, number(1 << 16) / 65536.0f);
  int *tree = managed<int>(2);
  divide<<<1, 64>>>(points, other, Node{0, n, 0}, make_float2(0, 0), 1, tree, tree + 1);
  sync("quadtree");
  printf("quadtree: %d leaves, %d deep\n", tree[0], tree[1]);

  int m = 40;
  double *a = managed<double>(m * m);
  std::vector<double> before(m * m);
  for (int i = 0; i < m * m; i++)
    before[i] = a[i] = number(16) + (i / m == i % m ? 1000 : 0);
  factor<<<1, 1>>>(a, m, 0);
  sync("factor");
  double worst = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      double product = 0;
      for (int k = 0; k <= i && k <= j; k++)
        product += (k == i ? 1 : a[i * m + k]) * a[k * m + j];
      worst = fmax(worst, fabs(product - before[i * m + j]));
    }
  printf("factors: %s\n", worst < 1e-9 ? "right" : "wrong");

  int *copy = managed<int>(n), *sums = managed<int>(2);
  for (int i = 0; i < n; i++)
    data[i] = i;
  pipeline<<<1, 32>>>(data, copy, n, sums);
  sync("pipeline");
  printf("sums: %d %d\n", sums[0], sums[1]);

  int curves = 100;
  float4 *controls = managed<float4>(curves);
  float **lines = managed<float *>(curves), *least = managed<float>(curves), *most = managed<float>(curves);
  int *counts = managed<int>(curves), total = 0, inside = 0;
  for (int i = 0; i < curves; i++)
    controls[i] = make_float4(number(64) / 32.0f, number(64) / 32.0f, number(64) / 32.0f, number(64) / 32.0f);
  tessellate<<<2, 64>>>(controls, lines, counts, curves);
  measure<<<1, 128>>>(lines, counts, curves, least, most);
  sync("curves");
  for (int i = 0; i < curves; i++) {
    float4 c = controls[i];
    total += counts[i];
    inside += least[i] >= fminf(fminf(c.x, c.y), fminf(c.z, c.w)) - 1e-5f &&
              most[i] <= fmaxf(fmaxf(c.x, c.y), fmaxf(c.z, c.w)) + 1e-5f;
  }
  printf("curves: %d points, %d curves inside their hulls\n", total, inside);

  wrong<<<1, 1>>>();
  sync("wrong");
  ordered<<<1, 1>>>();
  sync("ordered");
  size_t pending = 0;
  printf("limit: %d, ", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount);
  printf("%zu\n", pending);
  printf("depth: %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4)));
  printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}

// It prints:
// sorted: 0 out of order, sum 0
// quadtree: 259 leaves, 5 deep
// factors: right
// sums: 49990000 18747500
// curves: 3412 points, 100 curves inside their hulls
// a block too large: cudaErrorInvalidConfiguration
// no block: invalid configuration argument
// the same: 9, then: 0
// too much shared memory: 9
// a grid too high: 9
// threads of a block: 1024
// parent
// child 0
// tail of the child 0
// child 1
// tail of the child 1
// child 2
// tail of the child 2
// tail 1
// tail 2
// limit: 0, 4096
// depth: cudaErrorUnsupportedLimit
// last: cudaErrorUnsupportedLimit
