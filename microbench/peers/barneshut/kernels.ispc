/* The forces between bodies by Barnes and Hut, on some of them: a recursive walk through an octree, which all lanes take
 * together. With -DAS_WRITTEN nothing says so. */
#include "octree.h"

#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

struct Body {
	float x, y, z;
	float ax, ay, az; /* the acceleration so far */
};

/* Adds what cell n does to the body: as a whole from far away, else by its octants. */
static void attract(const uniform Cell *uniform cells, SAME int n, uniform float softening2, Body &body) {
	const uniform Cell *SAME cell = &cells[n];
	float dx = cell->x - body.x, dy = cell->y - body.y, dz = cell->z - body.z;
	float distance2 = dx * dx + dy * dy + dz * dz + softening2;
	if (distance2 > cell->opening2) {
		float inverse = rsqrt(distance2);
		float pull = cell->mass * inverse * inverse * inverse;
		body.ax += pull * dx;
		body.ay += pull * dy;
		body.az += pull * dz;
		return;
	}
	for (uniform int i = 0; i < 8; i++) {
		SAME int child = cell->child[i];
		if (child >= 0)
			attract(cells, child, softening2, body);
	}
}

export void accelerations(const uniform Cell cells[], const uniform float x[], const uniform float y[],
                          const uniform float z[], const uniform int order[], uniform int first, uniform int end,
                          uniform float softening2, uniform float ax[], uniform float ay[], uniform float az[]) {
	foreach (i = first ... end) {
		int row = order[i];
		Body body = {x[row], y[row], z[row], 0.0f, 0.0f, 0.0f};
		attract(cells, 0, softening2, body);
		ax[i] = body.ax;
		ay[i] = body.ay;
		az[i] = body.az;
	}
}
