// cuda::std: objects made and destroyed in memory that is there, by kernels and by the host.
#include <cuda/std/memory>
#include <cuda/std/type_traits>
#include <cstdio>
namespace cs = cuda::std;

struct Counted {
	int x, *count;
	__host__ __device__ Counted(int x, int *count) : x(x), count(count) { ++*count; }
	__host__ __device__ Counted(const Counted &other) : x(other.x), count(other.count) { ++*count; }
	__host__ __device__ Counted(Counted &&other) : x(other.x), count(other.count) {
		other.x = -1;
		++*count;
	}
	__host__ __device__ ~Counted() { --*count; }
};

__host__ __device__ int wrong(int x) {
	int count = 0, bad = 0;
	alignas(Counted) char room[8 * sizeof(Counted)];
	Counted *first = reinterpret_cast<Counted *>(room);
	bad += cs::construct_at(first, x, &count) != first || count != 1;
	bad += cs::uninitialized_copy(first, first + 1, first + 1) != first + 2 || first[1].x != x;
	bad += cs::uninitialized_copy_n(first, 2, first + 2) != first + 4 || count != 4;
	bad += cs::uninitialized_move(first, first + 1, first + 4) != first + 5 || first[0].x != -1 || first[4].x != x;
	bad += cs::uninitialized_move_n(first + 1, 1, first + 5).second != first + 6 || first[1].x != -1;
	cs::uninitialized_fill(first + 6, first + 7, first[5]);
	bad += cs::uninitialized_fill_n(first + 7, 1, first[5]) != first + 8 || first[7].x != x || count != 8;
	cs::destroy_at(first);
	bad += cs::destroy_n(first + 1, 2) != first + 3 || count != 5;
	cs::destroy(first + 3, first + 8);
	int numbers[3] = {x, x, x};
	cs::uninitialized_default_construct(numbers, numbers + 1);
	bad += cs::uninitialized_default_construct_n(numbers, 1) != numbers + 1;
	cs::uninitialized_value_construct(numbers, numbers + 1);
	bad += cs::uninitialized_value_construct_n(numbers + 1, 1) != numbers + 2;
	return bad + count + numbers[0] + numbers[1] + (cs::assume_aligned<4>(numbers)[2] != x) +
		   (cs::to_address(cs::addressof(numbers[1])) != numbers + 1);
}

__global__ void k(int *out) { out[threadIdx.x] = wrong(threadIdx.x); }

int main() {
	int *out, bad = 0;
	cudaMallocManaged(&out, 70 * sizeof(int));
	k<<<1, 70>>>(out);
	if (cudaDeviceSynchronize() != cudaSuccess) return 1;
	for (int i = 0; i < 70; i++) bad += out[i] + wrong(i);
	printf("%d wrong\n", bad);
}
