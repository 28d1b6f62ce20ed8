/* The gravity of all bodies on each: a thread for each body. With -DTILED the block reads the others a tile at a time
 * into shared memory. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define BLOCK 256

typedef struct {
	float x, y, z, mass;
} Body;

__global__ void gravity(const Body *bodies, float *ax, float *ay, float *az, int n, float softening) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
	float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
#ifdef TILED
	__shared__ Body tile[BLOCK];
	for (int first = 0; first < n; first += BLOCK) {
		tile[threadIdx.x] = bodies[first + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < BLOCK; j++) {
			const Body other = tile[j];
#else
	{
		for (int j = 0; j < n; j++) {
			const Body other = bodies[j];
#endif
			const float dx = other.x - x, dy = other.y - y, dz = other.z - z;
			const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
			const float scale = other.mass * inverse * inverse * inverse;
			sum_x += dx * scale;
			sum_y += dy * scale;
			sum_z += dz * scale;
		}
#ifdef TILED
		__syncthreads();
#endif
	}
	ax[i] = sum_x;
	ay[i] = sum_y;
	az[i] = sum_z;
}

static int n; /* a multiple of BLOCK */
static float softening;
static DeviceArray<Body> bodies;
static DeviceArray<float> ax, ay, az;

static void setup(const Inputs &in) {
	const auto host = in.array<Body>("bodies");
	n = host.count;
	softening = in.number("softening");
	bodies.assign(host.data, n);
	ax.resize(n);
	ay.resize(n);
	az.resize(n);
}

static void reset() {
}

static void run() {
	gravity<<<n / BLOCK, BLOCK>>>(bodies.data(), ax.data(), ay.data(), az.data(), n, softening);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	out.array("ax", ax.to_host().data(), n);
	out.array("ay", ay.to_host().data(), n);
	out.array("az", az.to_host().data(), n);
}
