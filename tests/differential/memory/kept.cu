/* A value is read, its place is written, and then the value is used: under
 * masks, in all kinds of memory. */
template <typename T>
__device__ void put_where_less(T *h, const T *in, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T held = in[i];
  if (held < h[i]) {
    const T old = h[i];
    h[i] = held;
    held = old;
  }
  out[i] = held;
}

__global__ void put_floats(float *h, const float *in, float *out, int n) {
  put_where_less(h, in, out, n);
}
__global__ void put_doubles(double *h, const double *in, double *out, int n) {
  put_where_less(h, in, out, n);
}
__global__ void put_ints(int *h, const int *in, int *out, int n) {
  put_where_less(h, in, out, n);
}
__global__ void put_longs(long long *h, const long long *in, long long *out,
                          int n) {
  put_where_less(h, in, out, n);
}
__global__ void put_shorts(short *h, const short *in, short *out, int n) {
  put_where_less(h, in, out, n);
}
__global__ void put_bytes(unsigned char *h, const unsigned char *in,
                          unsigned char *out, int n) {
  put_where_less(h, in, out, n);
}

/* Each thread sorts what is not negative of its column. */
__global__ void insertion(const int *in, int *h, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int count = 0;
  for (int j = 0; j < rows; j++) {
    int held = in[j * n + i];
    if (held < 0)
      continue;
    for (int k = 0; k < count; k++)
      if (held < h[k * n + i]) {
        int old = h[k * n + i];
        h[k * n + i] = held;
        held = old;
      }
    h[count * n + i] = held;
    count++;
  }
}

__device__ bool exchange_where_more(float *a, float *b) {
  float first = *a, second = *b;
  if (!(first > second))
    return false;
  *a = second;
  *b = first;
  return true;
}

/* Neighbours in a column, until nothing moves: through pointers, with a `break`
 * in the loop. */
__global__ void bubbles(const float *in, float *h, int n, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < rows; k++)
    h[k * n + i] = in[k * n + i];
  for (int round = 0; round < rows; round++) {
    bool moved = false;
    for (int k = 0; k + 1 < rows; k++)
      moved |= exchange_where_more(&h[k * n + i], &h[(k + 1) * n + i]);
    if (!moved)
      break;
  }
}

/* Two names for one array. */
__global__ void aliases(int *h, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *other = in[i] % 7 == 9 ? out : h; /* always `h` */
  int held = in[i], seen = -1;
  if (held % 3) {
    seen = h[i];
    other[i] = held * 2;
    held = seen + 1;
  }
  out[i] = held * 1000 + seen;
}

__global__ void in_shared(const int *in, int *out, int n) {
  __shared__ int row[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = i < n ? in[i] : 50;
  __syncthreads();
  int held = (t * 37) % 100;
  if (held < row[t]) {
    int old = row[t];
    row[t] = held;
    held = old;
  }
  __syncthreads();
  if (i < n)
    out[i] = held * 1000 + row[blockDim.x - 1 - t];
}

/* The smallest three of a thread's numbers, in an array of its own that an
 * index finds. */
__global__ void in_local(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int best[4] = {1000, 1000, 1000, 1000};
  for (int j = 0; j < 12; j++) {
    int held = (in[(i + j) % n] * 7 + j) % 100;
    for (int k = j & 1; k < 4; k += 1 + (held & 1))
      if (held < best[k]) {
        int old = best[k];
        best[k] = held;
        held = old;
      }
  }
  out[i] = best[0] + best[1] * 100 + best[2] * 10000 + best[3] * 3;
}

/* Each thread has a place of its own, which others' indices do not reach. */
__global__ void by_index(int *h, const int *places, const int *in, int *out,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = places[i], held = in[i];
  if (held < h[at]) {
    int old = h[at];
    h[at] = held;
    held = old;
  }
  out[i] = held;
}

__global__ void separate_steps(int *h, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int held = in[i];
  if (held < h[2 * i]) {
    int old = h[2 * i];
    h[2 * i] = held;
    held = old;
  }
  if (held > h[2 * (n - 1 - i) + 1]) {
    int old = h[2 * (n - 1 - i) + 1];
    h[2 * (n - 1 - i) + 1] = held;
    held = old - held;
  }
  out[i] = held;
}

__global__ void nested(int *h, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int held = in[i], other = 5;
  if (held % 2) {
    int old = h[i];
    if (held < old) {
      h[i] = held;
      if (old % 3 == 0) {
        other = h[i];
        h[i] = old - 1;
        other += old;
      }
      held = old;
    } else {
      h[i] = old + 1;
      other = old;
    }
  } else {
    int old = h[i];
    h[i] = held;
    other = old;
    if (old > 90) {
      out[i] = old;
      return;
    }
    held = h[i] - old;
  }
  out[i] = held * 1000 + other;
}

/* What the last iteration has read is used behind the loop, whose lanes leave one
 * by one. */
__global__ void last_seen(int *h, const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int seen = -1, left = in[i] % 5;
  while (left-- > 0) {
    int old = h[i];
    h[i] = old * 3 % 101;
    if (old % 11 == 0)
      continue;
    seen = old;
    if (old % 13 == 0)
      break;
  }
  out[i] = seen;
}
