/* A cloud in a box, lit from one place: every pixel's ray goes through a grid of densities in even steps, and from each
 * sample another one goes towards the light. With -DAS_WRITTEN nothing says that volume, camera and light are the same
 * in all lanes. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

#define OPAQUE 0.005f /* light that is not worth following */

struct Vec {
	float x, y, z;
};

static inline Vec make(float x, float y, float z) {
	Vec a = {x, y, z};
	return a;
}

static inline Vec operator+(Vec a, Vec b) {
	return make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Vec operator-(Vec a, Vec b) {
	return make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Vec operator*(float s, Vec a) {
	return make(s * a.x, s * a.y, s * a.z);
}

static inline float dot(Vec a, Vec b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec normalize(Vec a) {
	return rsqrt(dot(a, a)) * a;
}

struct Ray {
	Vec origin, direction;
};

/* Densities at the points of a grid that fills the box from `low` to `high`; x is innermost. */
struct Volume {
	const uniform float *density;
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
static inline bool enters(const SAME Volume &volume, const Ray &ray, float &enter, float &leave) {
	float x0 = (volume.low.x - ray.origin.x) / ray.direction.x, x1 = (volume.high.x - ray.origin.x) / ray.direction.x;
	float y0 = (volume.low.y - ray.origin.y) / ray.direction.y, y1 = (volume.high.y - ray.origin.y) / ray.direction.y;
	float z0 = (volume.low.z - ray.origin.z) / ray.direction.z, z1 = (volume.high.z - ray.origin.z) / ray.direction.z;
	enter = max(max(min(x0, x1), min(y0, y1)), max(min(z0, z1), 0.0f));
	leave = min(min(max(x0, x1), max(y0, y1)), max(z0, z1));
	return enter < leave;
}

static inline float voxel(const SAME Volume &volume, int x, int y, int z) {
	x = min(max(x, 0), volume.nx - 1);
	y = min(max(y, 0), volume.ny - 1);
	z = min(max(z, 0), volume.nz - 1);
	return volume.density[(z * volume.ny + y) * volume.nx + x];
}

static inline float mix(float t, float a, float b) {
	return a + t * (b - a);
}

/* The density between eight points of the grid. */
static inline float density_at(const SAME Volume &volume, Vec place) {
	float x = (place.x - volume.low.x) / (volume.high.x - volume.low.x) * volume.nx - 0.5f;
	float y = (place.y - volume.low.y) / (volume.high.y - volume.low.y) * volume.ny - 0.5f;
	float z = (place.z - volume.low.z) / (volume.high.z - volume.low.z) * volume.nz - 0.5f;
	int ix = (int)floor(x), iy = (int)floor(y), iz = (int)floor(z);
	float u = x - ix, v = y - iy, w = z - iz;
	float d00 = mix(u, voxel(volume, ix, iy, iz), voxel(volume, ix + 1, iy, iz));
	float d10 = mix(u, voxel(volume, ix, iy + 1, iz), voxel(volume, ix + 1, iy + 1, iz));
	float d01 = mix(u, voxel(volume, ix, iy, iz + 1), voxel(volume, ix + 1, iy, iz + 1));
	float d11 = mix(u, voxel(volume, ix, iy + 1, iz + 1), voxel(volume, ix + 1, iy + 1, iz + 1));
	return mix(w, mix(v, d00, d10), mix(v, d01, d11));
}

/* The share of the light that gets from a place to the light's, or from there to it. */
static inline float transmittance(const SAME Volume &volume, const SAME Medium &medium, Vec place) {
	Ray ray;
	ray.origin = place;
	ray.direction = normalize(medium.light - place);
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 1.0f;
	float depth = 0.0f;
	for (float t = enter + 0.5f * medium.light_step; t < leave; t += medium.light_step)
		depth += density_at(volume, ray.origin + t * ray.direction);
	return exp(-depth * medium.light_step * (medium.scattering + medium.absorption));
}

static inline float march(const SAME Volume &volume, const SAME Medium &medium, const Ray &ray) {
	float enter, leave;
	if (!enters(volume, ray, enter, leave))
		return 0.0f;
	float radiance = 0.0f, depth = 0.0f;
	for (float t = enter + 0.5f * medium.step; t < leave; t += medium.step) {
		Vec place = ray.origin + t * ray.direction;
		float density = density_at(volume, place);
		if (density > 0.0f) {
			depth += density * medium.step * (medium.scattering + medium.absorption);
			float seen = exp(-depth);
			if (seen < OPAQUE)
				break;
			radiance += seen * density * medium.step * medium.scattering * transmittance(volume, medium, place);
		}
	}
	return radiance;
}

export void render(uniform float image[], uniform int first, uniform int end, uniform int width, uniform int height,
                   const uniform Camera *uniform given_camera, const uniform Volume *uniform given_volume,
                   const uniform Medium *uniform given_medium) {
	SAME Camera camera = *given_camera;
	SAME Volume volume = *given_volume;
	SAME Medium medium = *given_medium;
	foreach_tiled (y = first ... end, x = 0 ... width) {
		Ray ray;
		ray.origin = camera.place;
		ray.direction = normalize(camera.forward + (x + 0.5f - 0.5f * width) * camera.right +
			(0.5f * height - y - 0.5f) * camera.up);
		image[y * width + x] = march(volume, medium, ray);
	}
}
