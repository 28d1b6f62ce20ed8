/* An image of triangles by one ray for each pixel, through a tree of boxes: with a stack of its own in each thread (the
 * default), or recursively (-DRECURSIVE). */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"
#include "trace.h"

__global__ void render(const Node *nodes, const Triangle *triangles, View view, unsigned char *image) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= view.width || y >= view.height)
		return;
	Ray ray = primary_ray(view, x, y);
	trace(nodes, triangles, 0, ray);
	image[y * view.width + x] = brightness(ray, triangles);
}

static View view;
static DeviceArray<Node> nodes;
static DeviceArray<Triangle> triangles;
static DeviceArray<unsigned char> image;

static void setup(const Inputs &in) {
	view.eye = *in.array<Vec>("eye").data;
	std::memcpy(view.pixel_to_world, in.array<float>("pixel_to_world").data, sizeof(view.pixel_to_world));
	view.width = in.number("width");
	view.height = in.number("height");
	nodes.assign(in.array<Node>("nodes").data, in.array<Node>("nodes").count);
	triangles.assign(in.array<Triangle>("triangles").data, in.array<Triangle>("triangles").count);
	image.resize(view.width * view.height);
}

static void reset() {
}

static void run() {
	dim3 block(16, 16), grid((view.width + 15) / 16, (view.height + 15) / 16);
	render<<<grid, block>>>(nodes.data(), triangles.data(), view, image.data());
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<unsigned char> host = image.to_host();
	out.array("image", host.data(), host.size());
}
