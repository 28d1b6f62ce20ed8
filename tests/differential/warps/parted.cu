// Warp functions where lanes have parted: in branches, loops, switches, calls, recursion, behind returns.
#define ALL 0xffffffffu

__device__ int lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31; }

__device__ int global() { return threadIdx.x + blockIdx.x * blockDim.x; }

__global__ void branches(const int *in, int *out) {
	int i = global(), x = in[i], r = 0;
	if (x % 2)
		r = __ballot_sync(__activemask(), x % 3) + 1;
	else if (x % 3 == 0)
		r = __reduce_add_sync(__activemask(), x) * 3;
	else {
		unsigned now = __activemask();
		r = __shfl_sync(now, x, __ffs(now) - 1);
	}
	out[i] = r * 2 + __popc(__activemask());
}

__global__ void loops(const int *in, int *out) {
	int i = global(), n = in[i] % 11, sum = 0;
	for (int k = 0; k < n; k++) {
		if (k % 4 == lane() % 4) continue;
		sum = sum * 3 + __popc(__activemask());
		if (k == in[i] % 9) break;
		sum ^= __ballot_sync(__activemask(), k + lane() & 1);
	}
	int k = 0;
	do {
		sum += __any(k == n - 1) ? 1 : __popc(__ballot(k < n - 2)) * 5;
	} while (++k < n);
	while (__any_sync(ALL, n > 0)) {
		n--;
		sum += __popc(__ballot_sync(ALL, n > 0));
	}
	out[i] = sum;
}

__global__ void returns(const int *in, int *out) {
	int i = global(), x = in[i];
	out[i] = 0;
	if (x % 5 == 0) return;
	out[i] = __ballot_sync(ALL, x % 3 == 0); // does not wait for those that have ended
	for (int k = 0; k < 6; k++) {
		if (x % 7 == k) return;
		out[i] += __reduce_max_sync(ALL, x * k);
	}
	if (x % 2) {
		out[i] ^= __ballot_sync(ALL, x % 4 == 1); // nor for those that reach none any more
		out[i] += x;
	}
	out[i] += 1000;
}

__device__ int below(int x, int depth) {
	if (depth > x % 6) return __popc(__activemask());
	int sum = x + __popc(__ballot(depth & 1));
	if (x & 1 << depth) sum += below(x + 1, depth + 1) * 3;
	return sum + below(x, depth + 2);
}

__device__ int first_of(int x) {
	unsigned now = __activemask();
	if (x % 3 == 0) return __shfl_sync(__activemask(), x, __ffs(__activemask()) - 1);
	return __popc(now);
}

__global__ void calls(const int *in, int *out) {
	int i = global(), x = in[i];
	out[i] = below(x, 0) * 7;
	if (x % 4) out[i] += first_of(x);
}

__global__ void switches(const int *in, int *out) {
	int i = global(), x = in[i], r = 0;
	switch (x % 5) {
	case 0:
		r = __popc(__activemask());
		break;
	case 1:
		r += __ballot(x % 2);
	case 2:
		r += __popc(__activemask()) * 100;
		if (x % 7 == 0) break;
		r += __any(x % 9 == 0);
	default:
		r += __popc(__activemask()) * 10000;
	}
	out[i] = r + __popc(__activemask()) * 1000000 + (x % 2 && __any(x % 4 == 1)) + (x % 3 ? __popc(__ballot(1)) : 7);
}

// A lane that writes for the warp, and one that takes a lock for it.
__global__ void in_step(const int *in, int *out, int *lock, int *total) {
	__shared__ int s[1024];
	int i = global(), t = threadIdx.x;
	s[t] = in[i];
	__syncwarp();
	int next = t % 32 == 31 || t + 1 == blockDim.x ? t & ~31 : t + 1;
	out[i] = s[next];
	__syncwarp();
	if (t % 32 == 0) {
		while (atomicCAS(lock, 0, 1)) {
		}
		__threadfence();
		for (int k = t; k < t + 32 && k < blockDim.x; k++) *(volatile int *)total += s[k];
		__threadfence();
		atomicExch(lock, 0);
	}
	__syncwarp();
}

// Behind the warp functions, a loop that few lanes enter and some break out of: it runs in a gang of 16.
__global__ void squeezed(const int *in, int *out) {
	int i = global(), x = in[i], sum = 0;
	if (x % 3) {
		for (int d = 16; d > 0; d /= 2) sum += __popc(__ballot_sync(__activemask(), x & d));
		for (int k = 0; k < 9; k++) {
			if ((x ^ k * 3) % 7 == 5) break;
			if ((x + k) % 4 == 1) continue;
			sum = sum * 3 + (x >> k & 3) - k / (x & 7 | 1);
		}
	}
	out[i] = sum;
}
