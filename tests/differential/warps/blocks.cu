// Warps and blocks: sums of a block by its warps, scans, barriers among warp functions.
#define ALL 0xffffffffu

__device__ int linear() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ int threads() { return blockDim.x * blockDim.y * blockDim.z; }

__device__ int block() { return blockIdx.x + gridDim.x * blockIdx.y; }

__device__ int sum_of_warp(int v) {
	for (int d = 16; d > 0; d /= 2) {
		int lane = linear() & 31, other = __shfl_down_sync(ALL, v, d);
		if (lane + d < 32 && (linear() | 31) - 31 + lane + d < threads()) v += other;
	}
	return v;
}

__device__ int sum_of_block(int v) {
	static __shared__ int parts[32];
	int lane = linear() % 32, warp = linear() / 32;
	v = sum_of_warp(v);
	if (lane == 0) parts[warp] = v;
	__syncthreads();
	v = linear() < (threads() + 31) / 32 ? parts[lane] : 0;
	if (warp == 0) v = sum_of_warp(v);
	__syncthreads();
	return v;
}

__global__ void sums(const int *in, int *out, int rounds) {
	int v = 0;
	for (int k = 0; k < rounds; k++) v += sum_of_block(in[block() * threads() + linear()] + k);
	if (linear() == 0) out[block()] = v;
}

__global__ void scan(const int *in, int *out) {
	__shared__ int last[32];
	int i = block() * threads() + linear(), lane = linear() & 31, warp = linear() >> 5, v = in[i];
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(ALL, v, d);
		if (lane >= d) v += other;
	}
	if (lane == 31 || linear() == threads() - 1) last[warp] = v;
	__syncthreads();
	for (int k = 0; k < warp; k++) v += last[k];
	out[i] = v;
}

// Some warps skip what others do; the last lanes of the block are alone in theirs.
__global__ void guarded(const int *in, int *out, int n) {
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	int x = i < n ? in[i] : 0;
	unsigned on = __ballot_sync(ALL, i < n);
	if (i < n) {
		int r = __reduce_add_sync(on, x);
		if (t < 32) r += __reduce_min_sync(on, x);
		out[i] = r + __popc(on);
	}
	__syncthreads();
	if (t < 20 && i < n) {
		unsigned some = __activemask();
		out[i] += __shfl_xor_sync(some, x, 1) * (some >> ((t & 31) ^ 1) & 1);
	}
}

// Early returns, then barriers and votes of those that are left.
__global__ void some_leave(const int *in, int *out) {
	__shared__ int s[1024];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = in[i];
	out[i] = -1;
	__syncthreads();
	if (in[i] % 4 == 0) return;
	int next = s[(t + 1) % blockDim.x];
	__syncthreads();
	out[i] = __popc(__ballot_sync(ALL, next > 50)) + next;
	__syncthreads();
	out[i] += __any_sync(ALL, s[t] == 99) + __popc(__activemask()) * 100;
}
