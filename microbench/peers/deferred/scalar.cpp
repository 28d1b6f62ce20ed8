/* Deferred shading, tile by tile: the lights that reach 16 x 16 pixels are found first. */
#include <cmath>

#include "../bench.h"
#include "scene.h"

static const int TILE = 16;
static const int MOST_LIGHTS = 1024;

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

/* A plane through the eye and an edge of the tile: is a light behind it, and out of reach? */
static bool beyond(float across, float along, float range, float edge) {
	const float length = std::sqrt(view.focal * view.focal + edge * edge);
	return view.focal * across - edge * along < -range * length;
}

static bool reaches(const Light &light, int left, int top, float near, float far) {
	if (light.z + light.range < near || light.z - light.range > far)
		return false;
	const float x0 = left - 0.5f * view.width, x1 = x0 + TILE;
	const float y0 = top - 0.5f * view.height, y1 = y0 + TILE;
	return !beyond(light.x, light.z, light.range, x0) && !beyond(-light.x, light.z, light.range, -x1) &&
		   !beyond(light.y, light.z, light.range, y0) && !beyond(-light.y, light.z, light.range, -y1);
}

static unsigned char to_byte(float brightness) {
	return (unsigned char)(255.0f * std::min(brightness, 1.0f));
}

static void shade_pixel(int x, int y, const int *list, int count) {
	const int i = y * view.width + x;
	const float depth = surface.depth[i];
	const float px = (x + 0.5f - 0.5f * view.width) / view.focal * depth;
	const float py = (y + 0.5f - 0.5f * view.height) / view.focal * depth;
	const float to_eye = -1.0f / std::sqrt(px * px + py * py + depth * depth);

	float nx = surface.normal_x[i] * (2.0f / 65535.0f) - 1.0f, ny = surface.normal_y[i] * (2.0f / 65535.0f) - 1.0f;
	float nz = std::fabs(nx) + std::fabs(ny) - 1.0f;
	const float length = std::sqrt(nx * nx + ny * ny + nz * nz);
	nx /= length;
	ny /= length;
	nz /= length;

	const float r = surface.red[i] / 255.0f, g = surface.green[i] / 255.0f, b = surface.blue[i] / 255.0f;
	float sum_r = 0.1f * r, sum_g = 0.1f * g, sum_b = 0.1f * b;
	for (int j = 0; j < count; j++) {
		const Light &light = lights[list[j]];
		float dx = light.x - px, dy = light.y - py, dz = light.z - depth;
		const float square = dx * dx + dy * dy + dz * dz;
		const float fading = 1.0f - square / (light.range * light.range);
		if (fading <= 0.0f)
			continue;
		const float scale = 1.0f / std::sqrt(square);
		dx *= scale;
		dy *= scale;
		dz *= scale;
		const float facing = dx * nx + dy * ny + dz * nz;
		if (facing <= 0.0f)
			continue;
		const float hx = dx + px * to_eye, hy = dy + py * to_eye, hz = dz + depth * to_eye;
		const float halfway = (hx * nx + hy * ny + hz * nz) / std::sqrt(hx * hx + hy * hy + hz * hz);
		const float shine = 0.3f * std::pow(std::max(halfway, 0.0f), (float)surface.gloss[i]);
		const float strength = fading * fading;
		sum_r += light.red * strength * (facing * r + shine);
		sum_g += light.green * strength * (facing * g + shine);
		sum_b += light.blue * strength * (facing * b + shine);
	}
	red[i] = to_byte(sum_r);
	green[i] = to_byte(sum_g);
	blue[i] = to_byte(sum_b);
}

static void run() {
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int top = 0; top < view.height; top += TILE)
		for (int left = 0; left < view.width; left += TILE) {
			const int right = std::min(left + TILE, view.width), bottom = std::min(top + TILE, view.height);
			float near = 1e30f, far = 0.0f;
			for (int y = top; y < bottom; y++)
				for (int x = left; x < right; x++) {
					near = std::min(near, surface.depth[y * view.width + x]);
					far = std::max(far, surface.depth[y * view.width + x]);
				}
			int list[MOST_LIGHTS], count = 0;
			for (int j = 0; j < view.lights; j++)
				if (reaches(lights[j], left, top, near, far))
					list[count++] = j;
			for (int y = top; y < bottom; y++)
				for (int x = left; x < right; x++)
					shade_pixel(x, y, list, count);
		}
}

static void results(Outputs &out) {
	out.array("red", red.data(), red.size());
	out.array("green", green.data(), green.size());
	out.array("blue", blue.data(), blue.size());
}
