// Votes, matches and reductions: of all lanes, of some, and of groups.
#define ALL 0xffffffffu

__device__ int linear() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

__device__ int global() {
	return linear() + (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x * blockDim.y * blockDim.z;
}

__global__ void votes(const int *in, int *out) {
	int i = global(), x = in[i];
	out[i * 6] = __all_sync(ALL, x < 97);
	out[i * 6 + 1] = __any_sync(ALL, x > 96);
	out[i * 6 + 2] = __ballot_sync(ALL, x & 1);
	out[i * 6 + 3] = __uni_sync(ALL, x >= 0) + 2 * __uni_sync(ALL, x & 1);
	out[i * 6 + 4] = __activemask();
	out[i * 6 + 5] = __ballot(x & 2) + __any(x == 5) + __all(x != 6);
}

// Lanes of one parity name each other alone.
__global__ void halves(const int *in, int *out) {
	int i = global(), x = in[i];
	unsigned mine = linear() & 1 ? 0xaaaaaaaau : 0x55555555u;
	out[i * 5] = __ballot_sync(mine, x & 4);
	out[i * 5 + 1] = __all_sync(mine, x < 80);
	out[i * 5 + 2] = __any_sync(mine, x < 5);
	out[i * 5 + 3] = __reduce_add_sync(mine, x);
	out[i * 5 + 4] = __match_any_sync(mine, x % 3);
}

__global__ void matches(const int *in, int *out) {
	int i = global(), x = in[i], same, none;
	out[i * 6] = __match_any_sync(ALL, x % 7);
	out[i * 6 + 1] = __match_any_sync(ALL, x % 2 ? -0.0 : 0.0);
	out[i * 6 + 2] = __match_all_sync(ALL, 17LL, &same);
	out[i * 6 + 3] = __match_all_sync(ALL, x % 50, &none);
	out[i * 6 + 4] = same;
	out[i * 6 + 5] = none;
}

// The first lane of each group adds once for all of it.
__global__ void aggregated(const int *in, int *counts) {
	int i = global(), key = in[i] % 5;
	unsigned peers = __match_any_sync(__activemask(), key);
	if ((linear() & 31) == __ffs(peers) - 1) atomicAdd(&counts[key], __popc(peers));
	if (in[i] % 3 == 0) {
		unsigned now = __activemask();
		int leader = __ffs(now) - 1, lane = linear() & 31, base = 0;
		if (lane == leader) base = atomicAdd(&counts[5], __popc(now));
		base = __shfl_sync(now, base, leader);
		atomicAdd(&counts[6], base * 0 + __popc(now & ((1u << lane) - 1)));
	}
}

__global__ void reductions(const int *in, unsigned *out) {
	int i = global(), x = in[i] - 40;
	unsigned u = x;
	out[i * 9] = __reduce_add_sync(ALL, x);
	out[i * 9 + 1] = __reduce_min_sync(ALL, x);
	out[i * 9 + 2] = __reduce_max_sync(ALL, x);
	out[i * 9 + 3] = __reduce_add_sync(ALL, u);
	out[i * 9 + 4] = __reduce_min_sync(ALL, u);
	out[i * 9 + 5] = __reduce_max_sync(ALL, u);
	out[i * 9 + 6] = __reduce_and_sync(ALL, u);
	out[i * 9 + 7] = __reduce_or_sync(ALL, u & 0xff);
	out[i * 9 + 8] = __reduce_xor_sync(ALL, u);
}
