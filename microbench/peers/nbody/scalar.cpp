/* The gravity of all bodies on each. */
#include <cmath>
#include <vector>

#include "../bench.h"

struct Body {
	float x, y, z, mass;
};

static int n;
static float softening;
static const Body *bodies;
static std::vector<float> ax, ay, az;

static void setup(const Inputs &in) {
	n = in.array<Body>("bodies").count;
	softening = in.number("softening");
	bodies = in.array<Body>("bodies").data;
	ax.resize(n);
	ay.resize(n);
	az.resize(n);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++) {
		const Body body = bodies[i];
		float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
		for (int j = 0; j < n; j++) {
			const float dx = bodies[j].x - body.x, dy = bodies[j].y - body.y, dz = bodies[j].z - body.z;
			const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
			const float scale = bodies[j].mass * inverse * inverse * inverse;
			sum_x += dx * scale;
			sum_y += dy * scale;
			sum_z += dz * scale;
		}
		ax[i] = sum_x;
		ay[i] = sum_y;
		az[i] = sum_z;
	}
}

static void results(Outputs &out) {
	out.array("ax", ax.data(), n);
	out.array("ay", ay.data(), n);
	out.array("az", az.data(), n);
}
