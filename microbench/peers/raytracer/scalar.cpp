/* An image of triangles by one ray for each pixel, through a tree of boxes. */
#include "../bench.h"
#include "trace.h"

static View view;
static const Node *nodes;
static const Triangle *triangles;
static std::vector<unsigned char> image;

static void setup(const Inputs &in) {
	view.eye = *in.array<Vec>("eye").data;
	std::memcpy(view.pixel_to_world, in.array<float>("pixel_to_world").data, sizeof(view.pixel_to_world));
	view.width = in.number("width");
	view.height = in.number("height");
	nodes = in.array<Node>("nodes").data;
	triangles = in.array<Triangle>("triangles").data;
	image.resize(view.width * view.height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic, 4)
	for (int y = 0; y < view.height; y++)
		for (int x = 0; x < view.width; x++) {
			Ray ray = primary_ray(view, x, y);
			trace(nodes, triangles, 0, ray);
			image[y * view.width + x] = brightness(ray, triangles);
		}
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
