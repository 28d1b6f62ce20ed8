/* The gravity of all bodies on some. With -DAS_WRITTEN nothing says that all lanes look at the same body. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

struct Body {
	float x, y, z, mass;
};

export void gravity(const uniform Body bodies[], uniform float ax[], uniform float ay[], uniform float az[],
                    uniform int n, uniform float softening, uniform int first, uniform int end) {
	foreach (i = first ... end) {
		float x = bodies[i].x, y = bodies[i].y, z = bodies[i].z;
		float sum_x = 0.0f, sum_y = 0.0f, sum_z = 0.0f;
		for (SAME int j = 0; j < n; j++) {
			float dx = bodies[j].x - x, dy = bodies[j].y - y, dz = bodies[j].z - z;
			float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
			float scale = bodies[j].mass * inverse * inverse * inverse;
			sum_x += dx * scale;
			sum_y += dy * scale;
			sum_z += dz * scale;
		}
		ax[i] = sum_x;
		ay[i] = sum_y;
		az[i] = sum_z;
	}
}
