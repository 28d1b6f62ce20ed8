// Cooperative groups: parts of groups, prefixes that begin with an atomic object, what one thread of a group does.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cuda/atomic>
#include <utility>
namespace cg = cooperative_groups;

__global__ void parts() {
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	int t = threadIdx.x;
	auto odd = cg::binary_partition(tile, t & 1), all = cg::binary_partition(tile, true);
	int sum = cg::reduce(odd, t, cg::plus<int>());
	auto same = cg::labeled_partition(tile, t * 7 % 5);
	int before = cg::exclusive_scan(same, t);
	unsigned votes = same.ballot(t & 2);
	auto eighth = cg::tiled_partition(block, 8);
	if (t == 45) {
		printf("odd: %d of %d, part %d of %d, %d\n", odd.thread_rank(), odd.size(), odd.meta_group_rank(),
			odd.meta_group_size(), sum);
		printf("all: %d, part %d of %d\n", all.size(), all.meta_group_rank(), all.meta_group_size());
		printf("same: %d of %d, part %d of %d, %d %u\n", same.thread_rank(), same.size(), same.meta_group_rank(),
			same.meta_group_size(), before, votes);
		printf("eighth: %d of %d\n", eighth.thread_rank(), eighth.size());
	}
	if (t % 3 == 0) {
		auto third = cg::coalesced_threads();
		auto four = cg::tiled_partition(third, 4);
		int most = cg::reduce(four, t, cg::greater<int>());
		if (t == 45 || t == 63)
			printf("four: %d of %d, part %d of %d, %d\n", four.thread_rank(), four.size(), four.meta_group_rank(),
				four.meta_group_size(), most);
	}
}

__device__ cuda::atomic<int, cuda::thread_scope_device> total{5}, least{1000};
__device__ int plain;

__global__ void updates(int *stored) {
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	cuda::atomic_ref<int, cuda::thread_scope_device> ref(plain);
	int t = threadIdx.x;
	int including = cg::inclusive_scan_update(tile, total, t + 1);
	int before = cg::exclusive_scan_update(tile, ref, 2, cg::plus<int>());
	cg::reduce_update_async(tile, least, 38 - t, cg::less<int>());
	cg::reduce_update_async(tile, ref, t, cg::plus<int>());
	cg::reduce_store_async(tile, stored, t, cg::plus<int>());
	cg::invoke_one(tile, [](int a, int b) { atomicAdd(&plain, a * b); }, 100, 5);
	int same = cg::invoke_one_broadcast(tile, [](int a) { return a + static_cast<int>(threadIdx.x); }, 70);
	if (t == 3)
		printf("updates: %d %d %d\n", including, before, same);
	tile.sync();
	if (t == 0)
		printf("left: %d %d %d\n", total.load(), least.load(), plain);
}

__global__ void grid(int *out) {
	auto all = cg::this_grid();
	int i = all.thread_index().x, n = all.dim_threads().x;
	for (int round = 0; round < 3; round++) {
		out[n * (round + 1) + i] = out[n * round + (i + 1) % n] + round;
		auto token = all.barrier_arrive();
		all.barrier_wait(std::move(token));
	}
}

int main() {
	int *out;
	cudaMallocManaged(&out, 512 * sizeof(int));
	parts<<<1, 64>>>();
	cudaDeviceSynchronize();
	updates<<<1, 32>>>(out);
	cudaDeviceSynchronize();
	printf("stored: %d\n", out[0]);
	for (int i = 0; i < 128; i++)
		out[i] = i;
	void *arguments[] = {&out};
	cudaLaunchCooperativeKernel(reinterpret_cast<void *>(grid), dim3(4), dim3(32), arguments, 0, nullptr);
	cudaDeviceSynchronize();
	printf("grid: %d %d\n%s\n", out[3 * 128], out[3 * 128 + 126], cudaGetErrorString(cudaGetLastError()));
}

// It prints:
// odd: 6 of 8, part 1 of 2, 320
// all: 16, part 0 of 1
// same: 2 of 3, part 3 of 5, 75 1
// eighth: 5 of 8
// four: 0 of 4, part 1 of 3, 54
// four: 2 of 3, part 2 of 3, 63
// updates: 15 6 70
// left: 533 7 1060
// stored: 496
// grid: 6 4
// no error
