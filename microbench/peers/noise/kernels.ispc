/* Turbulence over a plane: the magnitudes of eight octaves of Perlin's noise, for some rows. With -DAS_WRITTEN nothing
 * says that the counter of octaves and what follows from it are the same in all lanes. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

#define OCTAVES 8

uniform int permutation[256]; /* ispc.cpp writes it */

static inline int hash(int i) {
	return permutation[i & 255];
}

static inline float smooth(float t) {
	return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline float mix(float t, float a, float b) {
	return a + t * (b - a);
}

/* The product of a place and one of twelve gradients. */
static inline float gradient(int hash, float x, float y, float z) {
	int h = hash & 15;
	float u = h < 8 ? x : y;
	float v = h < 4 ? y : h == 12 || h == 14 ? x : z;
	return ((h & 1) ? -u : u) + ((h & 2) ? -v : v);
}

static inline float noise(float x, float y, float z) {
	int cell_x = (int)floor(x), cell_y = (int)floor(y), cell_z = (int)floor(z);
	x -= cell_x;
	y -= cell_y;
	z -= cell_z;
	float u = smooth(x), v = smooth(y), w = smooth(z);
	int a = hash(cell_x) + cell_y, b = hash(cell_x + 1) + cell_y;
	int aa = hash(a) + cell_z, ab = hash(a + 1) + cell_z;
	int ba = hash(b) + cell_z, bb = hash(b + 1) + cell_z;
	float near_low = mix(u, gradient(hash(aa), x, y, z), gradient(hash(ba), x - 1.0f, y, z));
	float near_high = mix(u, gradient(hash(ab), x, y - 1.0f, z), gradient(hash(bb), x - 1.0f, y - 1.0f, z));
	z -= 1.0f;
	float far_low = mix(u, gradient(hash(aa + 1), x, y, z), gradient(hash(ba + 1), x - 1.0f, y, z));
	float far_high = mix(u, gradient(hash(ab + 1), x, y - 1.0f, z), gradient(hash(bb + 1), x - 1.0f, y - 1.0f, z));
	return mix(w, mix(v, near_low, near_high), mix(v, far_low, far_high));
}

static inline float turbulence(float x, float y, float z) {
	float sum = 0.0f;
	SAME float frequency = 1.0f, amplitude = 1.0f;
	for (SAME int i = 0; i < OCTAVES; i++) {
		sum += abs(amplitude * noise(x * frequency, y * frequency, z * frequency));
		frequency *= 1.99f;
		amplitude *= 0.5f;
	}
	return 0.5f * sum;
}

export void paint(uniform float image[], uniform int first, uniform int end, uniform int width, uniform float left,
                  uniform float top, uniform float dx, uniform float dy, uniform float z) {
	foreach (y = first ... end, x = 0 ... width)
		image[y * width + x] = turbulence(left + x * dx, top + y * dy, z);
}
