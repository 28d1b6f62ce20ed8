/* A cloud in a box, lit from one place: every pixel's ray goes through a grid of densities in even steps, and from each
 * sample another one goes towards the light. A thread for each pixel. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#define OPAQUE 0.005f /* light that is not worth following */

__device__ inline float3 operator+(float3 a, float3 b) {
	return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ inline float3 operator-(float3 a, float3 b) {
	return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ inline float3 operator*(float s, float3 a) {
	return make_float3(s * a.x, s * a.y, s * a.z);
}

__device__ inline float dot(float3 a, float3 b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ inline float3 normalize(float3 a) {
	return (1.0f / sqrtf(dot(a, a))) * a;
}

struct Ray {
	float3 origin, direction;
};

/* Densities at the points of a grid that fills the box from `low` to `high`; x is innermost. */
struct Volume {
	const float *density;
	int nx, ny, nz;
	float3 low, high;
};

/* The ray of a point (x, y) of the image has the direction forward + x * right + y * up. */
struct Camera {
	float3 place, forward, right, up;
};

struct Medium {
	float3 light;
	float scattering, absorption;
	float step, light_step;
};

/* Whether a ray meets the box, and if so, from where to where. */
__device__ bool enters(const Volume &volume, const Ray &ray, float &enter, float &leave) {
	float x0 = (volume.low.x - ray.origin.x) / ray.direction.x, x1 = (volume.high.x - ray.origin.x) / ray.direction.x;
	float y0 = (volume.low.y - ray.origin.y) / ray.direction.y, y1 = (volume.high.y - ray.origin.y) / ray.direction.y;
	float z0 = (volume.low.z - ray.origin.z) / ray.direction.z, z1 = (volume.high.z - ray.origin.z) / ray.direction.z;
	enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
	leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
	return enter < leave;
}

__device__ float voxel(const Volume &volume, int x, int y, int z) {
	x = min(max(x, 0), volume.nx - 1);
	y = min(max(y, 0), volume.ny - 1);
	z = min(max(z, 0), volume.nz - 1);
	return volume.density[(z * volume.ny + y) * volume.nx + x];
}

__device__ float mix(float t, float a, float b) {
	return a + t * (b - a);
}

/* The density between eight points of the grid. */
__device__ float sample(const Volume &volume, float3 place) {
	float x = (place.x - volume.low.x) / (volume.high.x - volume.low.x) * volume.nx - 0.5f;
	float y = (place.y - volume.low.y) / (volume.high.y - volume.low.y) * volume.ny - 0.5f;
	float z = (place.z - volume.low.z) / (volume.high.z - volume.low.z) * volume.nz - 0.5f;
	int ix = (int)floorf(x), iy = (int)floorf(y), iz = (int)floorf(z);
	float u = x - ix, v = y - iy, w = z - iz;
	float d00 = mix(u, voxel(volume, ix, iy, iz), voxel(volume, ix + 1, iy, iz));
	float d10 = mix(u, voxel(volume, ix, iy + 1, iz), voxel(volume, ix + 1, iy + 1, iz));
	float d01 = mix(u, voxel(volume, ix, iy, iz + 1), voxel(volume, ix + 1, iy, iz + 1));
	float d11 = mix(u, voxel(volume, ix, iy + 1, iz + 1), voxel(volume, ix + 1, iy + 1, iz + 1));
	return mix(w, mix(v, d00, d10), mix(v, d01, d11));
}

/* The share of the light that gets from a place to the light's, or from there to it. */
__device__ float transmittance(const Volume &volume, const Medium &medium, float3 place) {
	Ray ray;
	ray.origin = place;
	ray.direction = normalize(medium.light - place);
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 1.0f;
	float depth = 0.0f;
	for (float t = enter + 0.5f * medium.light_step; t < leave; t += medium.light_step)
		depth += sample(volume, ray.origin + t * ray.direction);
	return expf(-depth * medium.light_step * (medium.scattering + medium.absorption));
}

__device__ float march(const Volume &volume, const Medium &medium, const Ray &ray) {
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 0.0f;
	float radiance = 0.0f, depth = 0.0f;
	for (float t = enter + 0.5f * medium.step; t < leave; t += medium.step) {
		float3 place = ray.origin + t * ray.direction;
		float density = sample(volume, place);
		if (density > 0.0f) {
			depth += density * medium.step * (medium.scattering + medium.absorption);
			float seen = expf(-depth);
			if (seen < OPAQUE)
				break;
			radiance += seen * density * medium.step * medium.scattering * transmittance(volume, medium, place);
		}
	}
	return radiance;
}

__global__ void render(float *image, int width, int height, Camera camera, Volume volume, Medium medium) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	Ray ray;
	ray.origin = camera.place;
	ray.direction =
		normalize(camera.forward + (x + 0.5f - 0.5f * width) * camera.right + (0.5f * height - y - 0.5f) * camera.up);
	image[y * width + x] = march(volume, medium, ray);
}

static int width, height;
static Camera camera;
static Volume volume;
static Medium medium;
static DeviceArray<float> density, image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	const Array<float> grid = in.array<float>("density");
	density.assign(grid.data, grid.count);
	camera = *in.array<Camera>("camera").data;
	medium = *in.array<Medium>("medium").data;
	const Array<float3> box = in.array<float3>("box");
	const int side = in.number("side");
	volume = {density.data(), side, side, side, box.data[0], box.data[1]};
	image.resize(width * height);
}

static void reset() {
}

static void run() {
	dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
	render<<<grid, block>>>(image.data(), width, height, camera, volume, medium);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = image.to_host();
	out.array("image", host.data(), host.size());
}
