// Threads that reach no barrier any more while others of their gang wait: what they write is there when it opens.

__global__ void either(const int *in, int *out, int n) {
  __shared__ int s[257];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) s[blockDim.x] = 5;
  if (t % 2 == 0) {
    s[t] = i < n ? in[i] : 1;
    __syncthreads();
    if (i < n) out[i] = s[t] * 100 + s[t + 1];
  } else {
    s[t] = i < n ? in[i] + 1 : 2;
    if (i < n) out[i] = s[t];
  }
}

// What follows the `if` belongs to it; variables are each thread's own.
__global__ void follows(const int *in, int *out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = i < n ? in[i] : 3, sum = x, count = 7;
  s[t] = 1;
  __syncthreads();
  if (x % 3) {
    s[t] = 2;
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) sum += s[k];
    count++;
  }
  for (int k = 0; k < 3; k++) count += k + sum % 2;
  if (x % 3 == 0) s[t] = 10;
  if (i >= n) return;
  count *= 2;
  out[i] = sum * 100 + count;
}

__device__ int neighbour(const int *s, int t) {
  __syncthreads();
  return s[t == 0 ? blockDim.x - 1 : t - 1];
}

// An `if` in another, in blocks, with a loop, and a call.
__global__ void nested(const int *in, int *out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = i < n ? in[i] : 0, y = t;
  s[t] = 1000;
  {
    if (x % 4 != 1) {
      y += x;
      {
        if (x % 4 == 3)
          s[t] = y;
        else if (x % 5) {
          for (int round = 0; round < 2; round++) {
            y += neighbour(s, t);
            __syncthreads();
            s[t] = 10 * round + y % 2;
          }
        } else {
          s[t] = 77;
        }
        y += 3;
      }
      if (x % 7 == 0) s[t] += 0;
    }
  }
  if (i < n) out[i] = y;
}

// The threads of each row agree, those of a block do not.
__global__ void by_rows(const int *in, int *out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = 0;
  __syncthreads();
  if (t / 24 % 2 == 0) {
    __syncthreads();
    if (i < n) out[i] = s[(t + 24) % blockDim.x] + in[i];
    return;
  }
  s[t] = i < n ? in[i] : 9;
  if (i < n) out[i] = t;
}
