/* Ambient occlusion of some spheres on a plane: how much of the sky each point sees, by SIDE x SIDE random rays from
 * it, averaged over SUB x SUB points of every pixel. */
#include <cmath>

#include "../bench.h"

#define SPHERES 3
#define SIDE 8
#define SUB 2
#define FAR 1e17f
#define AWAY 1e-4f /* from the surface, for rays that begin there */

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

static inline Vec cross(Vec a, Vec b) {
	return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline Vec normalize(Vec a) {
	return (1.0f / std::sqrt(dot(a, a))) * a;
}

struct Ray {
	Vec origin, direction;
};

/* What a ray met first so far. */
struct Isect {
	float t;
	Vec place, normal;
	bool hit;
};

struct Sphere {
	Vec center;
	float radius;
};

struct Plane {
	Vec place, normal;
};

struct Scene {
	Sphere spheres[SPHERES];
	Plane plane;
};

static inline void intersect(Isect &isect, const Ray &ray, const Sphere &sphere) {
	Vec from = ray.origin - sphere.center;
	float b = dot(from, ray.direction);
	float c = dot(from, from) - sphere.radius * sphere.radius;
	float d = b * b - c;
	if (d > 0.0f) {
		float t = -b - std::sqrt(d);
		if (t > 0.0f && t < isect.t) {
			isect.t = t;
			isect.hit = true;
			isect.place = ray.origin + t * ray.direction;
			isect.normal = normalize(isect.place - sphere.center);
		}
	}
}

static inline void intersect(Isect &isect, const Ray &ray, const Plane &plane) {
	float slope = dot(ray.direction, plane.normal);
	if (std::fabs(slope) < 1e-17f)
		return;
	float t = dot(plane.place - ray.origin, plane.normal) / slope;
	if (t > 0.0f && t < isect.t) {
		isect.t = t;
		isect.hit = true;
		isect.place = ray.origin + t * ray.direction;
		isect.normal = plane.normal;
	}
}

static inline Isect trace(const Ray &ray, const Scene &scene) {
	Isect isect;
	isect.t = FAR;
	isect.hit = false;
	for (int i = 0; i < SPHERES; i++)
		intersect(isect, ray, scene.spheres[i]);
	intersect(isect, ray, scene.plane);
	return isect;
}

static inline unsigned first_state(unsigned pixel) {
	unsigned x = pixel * 747796405u + 2891336453u;
	return (x ^ (x >> 15)) * 277803737u | 1u;
}

/* A number from 0 to 1 by Marsaglia's xorshift. */
static inline float random_number(unsigned &state) {
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (state >> 8) * (1.0f / 16777216.0f);
}

/* Two directions that are perpendicular to a third, and to each other. */
static inline void make_basis(Vec basis[3], const Vec &normal) {
	basis[2] = normal;
	basis[1] = {0.0f, 0.0f, 0.0f};
	if (std::fabs(normal.x) < 0.6f)
		basis[1].x = 1.0f;
	else if (std::fabs(normal.y) < 0.6f)
		basis[1].y = 1.0f;
	else
		basis[1].z = 1.0f;
	basis[0] = normalize(cross(basis[1], basis[2]));
	basis[1] = normalize(cross(basis[2], basis[0]));
}

/* The share of random rays from a place that meet nothing. */
static inline float visibility(const Isect &at, const Scene &scene, unsigned &state) {
	Vec basis[3];
	make_basis(basis, at.normal);
	Ray ray;
	ray.origin = at.place + AWAY * at.normal;
	float seen = 0.0f;
	for (int j = 0; j < SIDE; j++) {
		for (int i = 0; i < SIDE; i++) {
			float radius = std::sqrt(random_number(state));
			float angle = 6.28318531f * random_number(state);
			float x = std::cos(angle) * radius;
			float y = std::sin(angle) * radius;
			float z = std::sqrt(1.0f - radius * radius);
			ray.direction = x * basis[0] + y * basis[1] + z * basis[2];
			Isect isect = trace(ray, scene);
			if (!isect.hit)
				seen += 1.0f;
		}
	}
	return seen / (SIDE * SIDE);
}

static float pixel(int x, int y, int width, int height, const Scene &scene) {
	unsigned state = first_state(y * width + x);
	float sum = 0.0f;
	for (int v = 0; v < SUB; v++) {
		for (int u = 0; u < SUB; u++) {
			float across = (x + u / (float)SUB - 0.5f * width) / (0.5f * width);
			float up = -(y + v / (float)SUB - 0.5f * height) / (0.5f * height);
			Ray ray;
			ray.origin = {0.0f, 0.0f, 0.0f};
			ray.direction = normalize({across, up, -1.0f});
			Isect isect = trace(ray, scene);
			if (isect.hit)
				sum += visibility(isect, scene, state);
		}
	}
	return sum / (SUB * SUB);
}

static int width, height;
static Scene scene;
static std::vector<float> image;

static void setup(const Inputs &in) {
	width = in.number("width");
	height = in.number("height");
	std::copy_n(in.array<Sphere>("spheres").data, SPHERES, scene.spheres);
	scene.plane = *in.array<Plane>("plane").data;
	image.resize(width * height);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(dynamic, 4)
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			image[y * width + x] = pixel(x, y, width, height, scene);
}

static void results(Outputs &out) {
	out.array("image", image.data(), image.size());
}
