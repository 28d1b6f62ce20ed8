/* Masks that are the signs or the lowest bits of bytes: they go to general
 * registers, to memory and to gathers. */
__global__ void negative(const signed char *in, const double *table,
                         double *out, int *votes, int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  signed char c = in[i];
  unsigned on = __ballot_sync(0xffffffff, c < 0);
  double x = c < 0 ? table[(i * 7) % threads] : 1.0;
  if (c < 0)
    out[i] = x;
  votes[i] = __popc(on) * 100 + (on >> (threadIdx.x & 31) & 1);
}

__global__ void odd(const unsigned char *in, const double *table, double *out,
                    int *votes, int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool is_odd = in[i] & 1;
  unsigned on = __ballot_sync(0xffffffff, is_odd);
  if (is_odd)
    out[i] = table[i] + table[(i * 5) % threads];
  votes[i] = on;
}

__global__ void gathered(const signed char *in, const int *table, int *out,
                         int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  signed char c = in[i];
  int count = __popc(__ballot_sync(0xffffffff, c >= 0));
  int x = 0;
  if (c < 0)
    x = table[(table[i] * 3 + i) % threads];
  else if (c & 1)
    x = -table[(i * 11) % threads];
  out[i] = x * 64 + count;
}
