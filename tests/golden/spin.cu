// RUN: spin-locks
// The lane that gets a lock continues at once: it would wait for the others after the loop, and they for the lock.

// CHECK-LABEL: __global__ void locked(
// CHECK:       int mine;
// CHECK-NEXT:  bool waiting = true;
// CHECK-NEXT:  while (waiting) {
// CHECK-NEXT:  if (atomicCAS(lock, 0, 1) != 0) {
// CHECK-NEXT:  } else {
// CHECK-NEXT:  mine = *sum;
// CHECK-NEXT:  *sum = mine + in[threadIdx.x];
// CHECK-NEXT:  atomicExch(lock, 0);
// CHECK-NEXT:  waiting = false;
// CHECK-NEXT:  }
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = mine;
__global__ void locked(int *lock, int *sum, const int *in, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0) ;
    int mine = *sum;
    *sum = mine + in[threadIdx.x];
    atomicExch(lock, 0);
    out[threadIdx.x] = mine;
}

// A loop that tries again with what it found is no lock.
// CHECK-LABEL: __global__ void tried_again(
// CHECK:       do {
// CHECK:       } while (
// CHECK-NEXT:  out[threadIdx.x] = old;
__global__ void tried_again(int *word, int *out)
{
    int old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, assumed * 3);
    } while (old != assumed);
    out[threadIdx.x] = old;
}
