/* An image of triangles by one ray for each pixel, through a tree of boxes: the host part for kernels.ispc. */
#include "../bench.h"
#include "trace.h"

extern "C" void render(
	const Node *nodes, const Triangle *triangles, const View *view, int left, int top, unsigned char *image);

const int TILE = 16; /* a task has a square of pixels */

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
#pragma omp parallel for collapse(2) schedule(dynamic, 4)
	for (int y = 0; y < view.height; y += TILE)
		for (int x = 0; x < view.width; x += TILE)
			render(nodes, triangles, &view, x, y, image.data());
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
