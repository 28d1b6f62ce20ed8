// RUN: opt --disable=divisible
// Lanes that meet are combined before memory is touched.

// One locked addition for all lanes of a gang.
// CHECK-LABEL: define internal {{.*}}@count_positive(
// CHECK:       ctpop
// CHECK:       atomicrmw add ptr {{.*}} acq_rel
// CHECK-NOT:   atomicrmw
// CHECK:       ret void
__global__ void count_positive(const int *in, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) atomicAdd(count, 1);
}

// The old values: one access, and each lane's rank.
// CHECK-LABEL: define internal {{.*}}@compact(
// CHECK:       atomicrmw add ptr {{.*}} acq_rel
// CHECK:       mask.expand.v16i32
// CHECK:       mask.scatter
// CHECK:       ret void
__global__ void compact(const int *in, int *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}

// CHECK-LABEL: define internal {{.*}}@sum(
// CHECK:       call reassoc {{.*}}vector.reduce.fadd
// CHECK:       atomicrmw fadd ptr {{.*}} acq_rel
// CHECK-NOT:   atomicrmw
// CHECK:       ret void
__global__ void sum(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(out, in[i]);
}

// A minimum that is no better than the word is only a load.
// CHECK-LABEL: define internal {{.*}}@least(
// CHECK:       vector.reduce.smin
// CHECK:       load atomic i32
// CHECK:       icmp slt
// CHECK:       cmpxchg
// CHECK:       ret void
__global__ void least(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMin(out, in[i]);
}

// Many addresses in global memory: one locked update for each that differs.
// CHECK-LABEL: define internal {{.*}}@global_histogram(
// CHECK:       call {{.*}}@s2s.atomic.add.unsigned_int.addresses.locked.by4.same(
// CHECK:       ret void
__global__ void global_histogram(const int *in, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i]], 1);
}

// A block's own shared memory: counted where many lanes meet, else sixteen scalar additions; locked only in a team.
// CHECK-LABEL: define internal {{.*}}@shared_histogram.range0(
// CHECK:       icmp {{eq|ne}} i32 %own_shared_bytes
// CHECK-DAG:   call {{.*}}avx512.conflict
// CHECK-DAG:   extractelement
// CHECK-DAG:   call {{.*}}addresses.locked
// CHECK:       ret void
__global__ void shared_histogram(const int *in, unsigned *out)
{
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}
