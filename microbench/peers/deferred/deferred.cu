/* Deferred shading: a block finds the lights that reach its 16 x 16 pixels, between the least and the greatest depth,
 * and then each thread adds up their light. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "scene.h"

#define TILE 16
#define MOST_LIGHTS 1024

/* A plane through the eye and an edge of the tile: is a light behind it, and out of reach? */
__device__ bool beyond(float across, float along, float range, float edge, float focal) {
	float length = sqrtf(focal * focal + edge * edge);
	return focal * across - edge * along < -range * length;
}

__device__ bool reaches(const Light &light, const View &view, int left, int top, float near, float far) {
	if (light.z + light.range < near || light.z - light.range > far)
		return false;
	float x0 = left - 0.5f * view.width, x1 = x0 + TILE;
	float y0 = top - 0.5f * view.height, y1 = y0 + TILE;
	return !beyond(light.x, light.z, light.range, x0, view.focal) &&
		   !beyond(-light.x, light.z, light.range, -x1, view.focal) &&
		   !beyond(light.y, light.z, light.range, y0, view.focal) &&
		   !beyond(-light.y, light.z, light.range, -y1, view.focal);
}

__device__ float3 unpack_normal(unsigned short packed_x, unsigned short packed_y) {
	float x = packed_x * (2.0f / 65535.0f) - 1.0f, y = packed_y * (2.0f / 65535.0f) - 1.0f;
	float z = fabsf(x) + fabsf(y) - 1.0f;
	float scale = rsqrtf(x * x + y * y + z * z);
	return make_float3(x * scale, y * scale, z * scale);
}

__device__ unsigned char to_byte(float brightness) {
	return (unsigned char)(255.0f * fminf(brightness, 1.0f));
}

__global__ void shade(Surface surface, const Light *lights, View view, Image image) {
	__shared__ int near_bits, far_bits, count;
	__shared__ int list[MOST_LIGHTS];
	const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	const int thread = threadIdx.y * TILE + threadIdx.x;
	const bool inside = x < view.width && y < view.height;
	const int i = y * view.width + x;

	if (thread == 0) {
		near_bits = 0x7f7fffff;
		far_bits = 0;
		count = 0;
	}
	__syncthreads();
	const float depth = inside ? surface.depth[i] : 0.0f;
	if (inside) {
		atomicMin(&near_bits, __float_as_int(depth)); /* of positive numbers, the bits have the same order */
		atomicMax(&far_bits, __float_as_int(depth));
	}
	__syncthreads();
	const float near = __int_as_float(near_bits), far = __int_as_float(far_bits);
	for (int j = thread; j < view.lights; j += TILE * TILE)
		if (reaches(lights[j], view, blockIdx.x * TILE, blockIdx.y * TILE, near, far))
			list[atomicAdd(&count, 1)] = j;
	__syncthreads();
	if (!inside)
		return;

	const float px = (x + 0.5f - 0.5f * view.width) / view.focal * depth;
	const float py = (y + 0.5f - 0.5f * view.height) / view.focal * depth;
	const float to_eye = -rsqrtf(px * px + py * py + depth * depth);
	const float3 normal = unpack_normal(surface.normal_x[i], surface.normal_y[i]);
	const float3 albedo = make_float3(surface.red[i] / 255.0f, surface.green[i] / 255.0f, surface.blue[i] / 255.0f);
	const float gloss = surface.gloss[i];
	float3 sum = make_float3(0.1f * albedo.x, 0.1f * albedo.y, 0.1f * albedo.z);
	for (int j = 0; j < count; j++) {
		const Light light = lights[list[j]];
		float dx = light.x - px, dy = light.y - py, dz = light.z - depth;
		const float square = dx * dx + dy * dy + dz * dz;
		const float fading = 1.0f - square / (light.range * light.range);
		if (fading <= 0.0f)
			continue;
		const float scale = rsqrtf(square);
		dx *= scale;
		dy *= scale;
		dz *= scale;
		const float facing = dx * normal.x + dy * normal.y + dz * normal.z;
		if (facing <= 0.0f)
			continue;
		const float hx = dx + px * to_eye, hy = dy + py * to_eye, hz = dz + depth * to_eye;
		const float halfway = (hx * normal.x + hy * normal.y + hz * normal.z) * rsqrtf(hx * hx + hy * hy + hz * hz);
		const float shine = 0.3f * powf(fmaxf(halfway, 0.0f), gloss);
		const float strength = fading * fading;
		sum.x += light.red * strength * (facing * albedo.x + shine);
		sum.y += light.green * strength * (facing * albedo.y + shine);
		sum.z += light.blue * strength * (facing * albedo.z + shine);
	}
	image.red[i] = to_byte(sum.x);
	image.green[i] = to_byte(sum.y);
	image.blue[i] = to_byte(sum.z);
}

static View view;
static DeviceArray<float> depth;
static DeviceArray<unsigned short> normal_x, normal_y;
static DeviceArray<unsigned char> red, green, blue, gloss;
static DeviceArray<Light> lights;
static DeviceArray<unsigned char> image_red, image_green, image_blue;

template <class T> static void copy(DeviceArray<T> &to, const Inputs &in, const char *name) {
	to.assign(in.array<T>(name).data, in.array<T>(name).count);
}

static void setup(const Inputs &in) {
	view.focal = in.number("focal");
	view.width = in.number("width");
	view.height = in.number("height");
	view.lights = in.array<Light>("lights").count;
	copy(depth, in, "depth");
	copy(normal_x, in, "normal_x");
	copy(normal_y, in, "normal_y");
	copy(red, in, "red");
	copy(green, in, "green");
	copy(blue, in, "blue");
	copy(gloss, in, "gloss");
	copy(lights, in, "lights");
	for (DeviceArray<unsigned char> *colour : {&image_red, &image_green, &image_blue})
		colour->resize(view.width * view.height);
}

static void reset() {
}

static void run() {
	const Surface surface = {
		depth.data(), normal_x.data(), normal_y.data(), red.data(), green.data(), blue.data(), gloss.data()};
	const Image image = {image_red.data(), image_green.data(), image_blue.data()};
	dim3 block(TILE, TILE), grid((view.width + TILE - 1) / TILE, (view.height + TILE - 1) / TILE);
	shade<<<grid, block>>>(surface, lights.data(), view, image);
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	out.array("red", image_red.to_host().data(), view.width * view.height);
	out.array("green", image_green.to_host().data(), view.width * view.height);
	out.array("blue", image_blue.to_host().data(), view.width * view.height);
}
