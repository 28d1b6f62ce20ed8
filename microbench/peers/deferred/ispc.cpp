/* Deferred shading, tile by tile: the host part for kernels.ispc. */
#include "../bench.h"
#include "scene.h"

extern "C" void shade_tile(
	const Surface *surface, const Light *lights, const View *view, const Image *image, int left, int top);

static const int TILE = 16;

static View view;
static Surface surface;
static const Light *lights;
static std::vector<unsigned char> red, green, blue;

static void setup(const Inputs &in) {
	view.focal = in.number("focal");
	view.width = in.number("width");
	view.height = in.number("height");
	view.lights = in.array<Light>("lights").count;
	lights = in.array<Light>("lights").data;
	surface.depth = in.array<float>("depth").data;
	surface.normal_x = in.array<unsigned short>("normal_x").data;
	surface.normal_y = in.array<unsigned short>("normal_y").data;
	surface.red = in.array<unsigned char>("red").data;
	surface.green = in.array<unsigned char>("green").data;
	surface.blue = in.array<unsigned char>("blue").data;
	surface.gloss = in.array<unsigned char>("gloss").data;
	for (std::vector<unsigned char> *colour : {&red, &green, &blue})
		colour->resize(view.width * view.height);
}

static void reset() {
}

static void run() {
	const Image image = {red.data(), green.data(), blue.data()};
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int top = 0; top < view.height; top += TILE)
		for (int left = 0; left < view.width; left += TILE)
			shade_tile(&surface, lights, &view, &image, left, top);
}

static void results(Outputs &out) {
	out.array("red", red.data(), red.size());
	out.array("green", green.data(), green.size());
	out.array("blue", blue.data(), blue.size());
}
