/* A cloud in a box, lit from one place: every pixel's ray goes through a grid of densities in even steps, and from each
 * sample another one goes towards the light. */
#include <algorithm>
#include <cmath>

#include "../bench.h"

const float OPAQUE = 0.005f; /* light that is not worth following */

struct Vec {
	float x, y, z;
};

static inline Vec operator+(Vec a, Vec b) {
	return {a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec operator-(Vec a, Vec b) {
	return {a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec operator*(float s, Vec a) {
	return {s * a.x, s * a.y, s * a.z};
}

static inline float dot(Vec a, Vec b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec normalize(Vec a) {
	return (1.0f / std::sqrt(dot(a, a))) * a;
}

struct Ray {
	Vec origin, direction;
};

/* Densities at the points of a grid that fills the box from `low` to `high`; x is innermost. */
struct Volume {
	const float *density;
	int nx, ny, nz;
	Vec low, high;
};

/* The ray of a point (x, y) of the image has the direction forward + x * right + y * up. */
struct Camera {
	Vec place, forward, right, up;
};

struct Medium {
	Vec light;
	float scattering, absorption;
	float step, light_step;
};

/* Whether a ray meets the box, and if so, from where to where. */
static inline bool enters(const Volume &volume, const Ray &ray, float &enter, float &leave) {
	float x0 = (volume.low.x - ray.origin.x) / ray.direction.x, x1 = (volume.high.x - ray.origin.x) / ray.direction.x;
	float y0 = (volume.low.y - ray.origin.y) / ray.direction.y, y1 = (volume.high.y - ray.origin.y) / ray.direction.y;
	float z0 = (volume.low.z - ray.origin.z) / ray.direction.z, z1 = (volume.high.z - ray.origin.z) / ray.direction.z;
	enter = std::max(std::max(std::min(x0, x1), std::min(y0, y1)), std::max(std::min(z0, z1), 0.0f));
	leave = std::min(std::min(std::max(x0, x1), std::max(y0, y1)), std::max(z0, z1));
	return enter < leave;
}

static inline float voxel(const Volume &volume, int x, int y, int z) {
	x = std::min(std::max(x, 0), volume.nx - 1);
	y = std::min(std::max(y, 0), volume.ny - 1);
	z = std::min(std::max(z, 0), volume.nz - 1);
	return volume.density[(z * volume.ny + y) * volume.nx + x];
}

static inline float mix(float t, float a, float b) {
	return a + t * (b - a);
}

/* The density between eight points of the grid. */
static inline float sample(const Volume &volume, Vec place) {
	float x = (place.x - volume.low.x) / (volume.high.x - volume.low.x) * volume.nx - 0.5f;
	float y = (place.y - volume.low.y) / (volume.high.y - volume.low.y) * volume.ny - 0.5f;
	float z = (place.z - volume.low.z) / (volume.high.z - volume.low.z) * volume.nz - 0.5f;
	int ix = (int)std::floor(x), iy = (int)std::floor(y), iz = (int)std::floor(z);
	float u = x - ix, v = y - iy, w = z - iz;
	float d00 = mix(u, voxel(volume, ix, iy, iz), voxel(volume, ix + 1, iy, iz));
	float d10 = mix(u, voxel(volume, ix, iy + 1, iz), voxel(volume, ix + 1, iy + 1, iz));
	float d01 = mix(u, voxel(volume, ix, iy, iz + 1), voxel(volume, ix + 1, iy, iz + 1));
	float d11 = mix(u, voxel(volume, ix, iy + 1, iz + 1), voxel(volume, ix + 1, iy + 1, iz + 1));
	return mix(w, mix(v, d00, d10), mix(v, d01, d11));
}

/* The share of the light that gets from a place to the light's, or from there to it. */
static inline float transmittance(const Volume &volume, const Medium &medium, Vec place) {
	Ray ray;
	ray.origin = place;
	ray.direction = normalize(medium.light - place);
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 1.0f;
	float depth = 0.0f;
	for (float t = enter + 0.5f * medium.light_step; t < leave; t += medium.light_step)
		depth += sample(volume, ray.origin + t * ray.direction);
	return std::exp(-depth * medium.light_step * (medium.scattering + medium.absorption));
}

static inline float march(const Volume &volume, const Medium &medium, const Ray &ray) {
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 0.0f;
	float radiance = 0.0f, depth = 0.0f;
	for (float t = enter + 0.5f * medium.step; t < leave; t += medium.step) {
		Vec place = ray.origin + t * ray.direction;
		float density = sample(volume, place);
		if (density > 0.0f) {
			depth += density * medium.step * (medium.scattering + medium.absorption);
			float seen = std::exp(-depth);
			if (seen < OPAQUE)
				break;
			radiance += seen * density * medium.step * medium.scattering * transmittance(volume, medium, place);
		}
	}
	return radiance;
}

static float pixel(
	int x, int y, int width, int height, const Camera &camera, const Volume &volume, const Medium &medium) {
	const float across = x + 0.5f - 0.5f * width, along = 0.5f * height - y - 0.5f;
	return march(volume, medium, {camera.place, normalize(camera.forward + across * camera.right + along * camera.up)});
}

static int width, height;
static Camera camera;
static Volume volume;
static Medium medium;
static std::vector<float> image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	camera = *in.array<Camera>("camera").data;
	medium = *in.array<Medium>("medium").data;
	const Array<Vec> box = in.array<Vec>("box");
	const int side = in.number("side");
	volume = {in.array<float>("density").data, side, side, side, box.data[0], box.data[1]};
	image.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic, 4)
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			image[y * width + x] = pixel(x, y, width, height, camera, volume, medium);
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
