// features: dim3 vector-types operators pointers-to-arrays overloading constructors references methods
// Arithmetic on dim3, uint3 and int3: linear ids, a 3-D stencil on pointers to arrays, boxes of a grid.
#include "check.h"

__host__ __device__ inline uint3 operator*(uint3 a, dim3 b) { return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z); }
__host__ __device__ inline uint3 operator+(uint3 a, uint3 b) { return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline bool operator<(const uint3 &a, const dim3 &b) { return a.x < b.x && a.y < b.y && a.z < b.z; }
__host__ __device__ inline dim3 operator/(dim3 a, dim3 b) {
	return dim3((a.x + b.x - 1) / b.x, (a.y + b.y - 1) / b.y, (a.z + b.z - 1) / b.z);
}
__host__ __device__ inline unsigned volume(dim3 d) { return d.x * d.y * d.z; }
__host__ __device__ inline unsigned linear(uint3 at, dim3 size) { return (at.z * size.y + at.y) * size.x + at.x; }

struct Index : int3 {
	__host__ __device__ Index(int x, int y, int z) : int3{x, y, z} {}
	__host__ __device__ explicit Index(uint3 u) : int3{(int)u.x, (int)u.y, (int)u.z} {}
	__host__ __device__ Index operator+(const int3 &b) const { return {x + b.x, y + b.y, z + b.z}; }
	__host__ __device__ int &operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
	__host__ __device__ int operator[](int axis) const { return (&x)[axis]; }
	__host__ __device__ bool inside(dim3 size) const {
		for (int axis = 0; axis < 3; axis++)
			if ((*this)[axis] < 0 || (*this)[axis] >= (int)(&size.x)[axis])
				return false;
		return true;
	}
};

__device__ inline uint3 global_id() { return blockIdx * blockDim + threadIdx; }
__device__ inline unsigned block_id() { return linear(blockIdx, gridDim); }

constexpr int NX = 20, NY = 11;

__host__ __device__ inline float stencil(const float (*in)[NY][NX], Index at, dim3 size) {
	const Index steps[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
	float sum = -6 * in[at.z][at.y][at.x];
	for (const Index &step : steps) {
		Index to = at + step;
		sum += to.inside(size) ? in[to.z][to.y][to.x] : 0.0f;
	}
	return sum;
}

__global__ void relax(const float (*in)[NY][NX], float (*out)[NY][NX], dim3 size, unsigned *ids) {
	const uint3 me = global_id();
	if (!(me < size))
		return;
	out[me.z][me.y][me.x] = stencil(in, Index(me), size);
	ids[linear(me, size)] = block_id() * 10000 + linear(threadIdx, blockDim);
}

// Each block adds up a box whose corner and size come as vectors.
__global__ void add_boxes(const float *data, dim3 size, const uint3 *corners, const uint3 *extents, float *sums) {
	__shared__ float partial[64];
	const uint3 corner = corners[blockIdx.x];
	const dim3 extent = extents[blockIdx.x];
	float sum = 0;
	for (unsigned k = threadIdx.x; k < volume(extent); k += blockDim.x) {
		uint3 at = {k % extent.x, k / extent.x % extent.y, k / extent.x / extent.y};
		sum += data[linear(corner + at, size)];
	}
	partial[threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (unsigned k = 1; k < blockDim.x; k++)
			sum += partial[k];
		sums[blockIdx.x] = sum;
	}
}

int main() {
	const dim3 size(NX, NY, 9), block(8, 4, 3), grid = size / block;
	const int n = volume(size);
	std::vector<float> data(n);
	for (int i = 0; i < n; i++)
		data[i] = (float)(i * 7 % 31);
	float *in = to_device(data), *out = device_array<float>(n);
	unsigned *ids = device_array<unsigned>(n);
	relax<<<grid, block>>>((const float (*)[NY][NX])in, (float (*)[NY][NX])out, size, ids);
	CHECK_LAUNCH();
	std::vector<float> got = to_host(out, n);
	std::vector<unsigned> got_ids = to_host(ids, n);
	for (unsigned z = 0; z < size.z; z++)
		for (unsigned y = 0; y < NY; y++)
			for (unsigned x = 0; x < NX; x++) {
				uint3 at = {x, y, z};
				unsigned i = linear(at, size);
				expect_near("cell", i, got[i], stencil((const float (*)[NY][NX])data.data(), Index(at), size), 1e-6);
				unsigned id = ((z / 3 * grid.y + y / 4) * grid.x + x / 8) * 10000 + (z % 3 * 4 + y % 4) * 8 + x % 8;
				expect_equal("id", i, got_ids[i], id);
			}

	std::vector<uint3> corners, extents;
	Random random(47);
	for (int k = 0; k < 12; k++) {
		uint3 corner = make_uint3(random.below(NX), random.below(NY), random.below(9));
		corners.push_back(corner);
		extents.push_back(make_uint3(
			1 + random.below(NX - corner.x), 1 + random.below(NY - corner.y), 1 + random.below(9 - corner.z)));
	}
	float *sums = device_array<float>(12);
	add_boxes<<<12, 64>>>(in, size, to_device(corners), to_device(extents), sums);
	CHECK_LAUNCH();
	std::vector<float> got_sums = to_host(sums, 12);
	for (int k = 0; k < 12; k++) {
		float sum = 0;
		for (unsigned z = 0; z < extents[k].z; z++)
			for (unsigned y = 0; y < extents[k].y; y++)
				for (unsigned x = 0; x < extents[k].x; x++)
					sum += data[linear(corners[k] + make_uint3(x, y, z), size)];
		expect_near("box", k, got_sums[k], sum, 1e-6);
	}
	return verdict();
}
