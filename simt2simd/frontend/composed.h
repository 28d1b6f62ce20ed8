// Functions of CUDA that are made of others of its functions. Only what a program uses is parsed: see `library`.

__device__ inline int __syncthreads_count(int predicate) {
  __shared__ int count;
  __syncthreads();
  count = 0;
  __syncthreads();
  if (predicate)
    atomicAdd(&count, 1);
  __syncthreads();
  return count;
}

__device__ inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

__device__ inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }

__device__ inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : ~0u;
  unsigned bits = offset > 0 ? mask >> (base & 31) << (base & 31) : __brev(mask << (31 - (base & 31)) >> (31 - (base & 31)));
  unsigned wanted = offset > 0 ? offset : -offset, place = 0;
  if (base > 31 || wanted > __popc(bits))
    return ~0u;
  for (int half = 16; half > 0; half /= 2) {
    unsigned below = __popc(bits >> place & ((1u << half) - 1));
    if (wanted > below) {
      wanted -= below;
      place += half;
    }
  }
  return offset > 0 ? place : 31 - place;
}
