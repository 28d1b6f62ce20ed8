// Tiles of several warps, and shuffles of pairs of short floats.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

template <unsigned Size> __device__ int use(int x, int rounds) {
	__shared__ cg::block_tile_memory<256> memory;
	auto block = cg::this_thread_block(memory);
	cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
	int found = 0;
	for (int round = 0; round < rounds + tile.meta_group_rank() % 2; round++) {
		found += tile.any(x % 11 == round) + 2 * tile.all(x + round < 97) + tile.shfl(x + round, 0) % 1000;
		found += cg::reduce(tile, x + round, cg::plus<int>()) + cg::reduce(tile, x, cg::greater<int>());
		tile.sync();
	}
	auto part = cg::tiled_partition<32>(tile);
	return found + tile.thread_rank() + part.meta_group_rank() * 3 + tile.meta_group_size() + tile.size();
}

__global__ void tiles(const int *in, int *out, int n) {
	int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, x = in[i];
	int a = use<64>(x, 2), b = use<128>(x, 3), c = use<512>(x, 1);
	out[i] = a * 7 + b * 5 + c;
}

__global__ void pairs(const int *in, int *out, int n) {
	int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, x = in[i];
	unsigned mask = __activemask();
	half2 a = __halves2half2(__int2half_rn(x), __int2half_rn(-x));
	__nv_bfloat162 b = __floats2bfloat162_rn(x, x + 1);
	a = __shfl_up_sync(mask, a, 1);
	b = __shfl_sync(mask, b, 0, 8);
	a = __hadd2(a, __shfl_sync(mask, a, 0));
	out[i] = __half2int_rn(__low2half(a)) * 1000 + __half2int_rn(__high2half(a)) + int(__high2float(b)) * 7;
}

template <unsigned Size> __device__ unsigned prefixes(unsigned x) {
	__shared__ cg::block_tile_memory<256> memory;
	auto tile = cg::tiled_partition<Size>(cg::this_thread_block(memory));
	// Maps y -> a * y + b, one after the other: their order matters.
	auto after = [](unsigned f, unsigned g) {
		return (f & 65535) * (g & 65535) & 65535 | (f >> 16) * (g & 65535) + (g >> 16) << 16;
	};
	unsigned own = x | 1, until = cg::inclusive_scan(tile, own, after), before = cg::exclusive_scan(tile, own, after);
	return until * 3 + before + cg::inclusive_scan(tile, x) + cg::exclusive_scan(tile, x) * 5;
}

__global__ void scans(const int *in, int *out, int n) {
	int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, x = in[i];
	out[i] = prefixes<64>(x) + prefixes<128>(x) * 7 + prefixes<256>(x) * 11 + prefixes<16>(x) * 13;
}
