/* Ambient occlusion of some spheres on a plane, for some rows of the image. With -DAS_WRITTEN nothing says that the
 * scene and the counters of loops are the same in all lanes. */
#ifdef AS_WRITTEN
#define SAME
#else
#define SAME uniform
#endif

#define SPHERES 3
#define SIDE 8
#define SUB 2
#define FAR 1e17f
#define AWAY 1e-4f /* from the surface, for rays that begin there */

struct Vec {
	float x, y, z;
};

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

static inline Vec cross(Vec a, Vec b) {
	return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline Vec normalize(Vec a) {
	return rsqrt(dot(a, a)) * a;
}

static inline void intersect_sphere(Isect &isect, const Ray &ray, SAME Sphere sphere) {
	Vec from = ray.origin - sphere.center;
	float b = dot(from, ray.direction);
	float c = dot(from, from) - sphere.radius * sphere.radius;
	float d = b * b - c;
	if (d > 0.0f) {
		float t = -b - sqrt(d);
		if (t > 0.0f && t < isect.t) {
			isect.t = t;
			isect.hit = true;
			isect.place = ray.origin + t * ray.direction;
			isect.normal = normalize(isect.place - sphere.center);
		}
	}
}

static inline void intersect_plane(Isect &isect, const Ray &ray, SAME Plane plane) {
	float slope = dot(ray.direction, plane.normal);
	if (abs(slope) < 1e-17f)
		return;
	float t = dot(plane.place - ray.origin, plane.normal) / slope;
	if (t > 0.0f && t < isect.t) {
		isect.t = t;
		isect.hit = true;
		isect.place = ray.origin + t * ray.direction;
		isect.normal = plane.normal;
	}
}

static inline Isect trace(const Ray &ray, const SAME Scene &scene) {
	Isect isect;
	isect.t = FAR;
	isect.hit = false;
	for (SAME int i = 0; i < SPHERES; i++)
		intersect_sphere(isect, ray, scene.spheres[i]);
	intersect_plane(isect, ray, scene.plane);
	return isect;
}

static inline unsigned int first_state(unsigned int pixel) {
	unsigned int x = pixel * 747796405u + 2891336453u;
	return (x ^ (x >> 15)) * 277803737u | 1u;
}

/* A number from 0 to 1 by Marsaglia's xorshift. */
static inline float random(unsigned int &state) {
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (float)(int)(state >> 8) * (1.0f / 16777216.0f);
}

/* Two directions that are perpendicular to a third, and to each other. */
static inline void make_basis(Vec basis[3], const Vec &normal) {
	basis[2] = normal;
	basis[1] = make(0.0f, 0.0f, 0.0f);
	if (abs(normal.x) < 0.6f)
		basis[1].x = 1.0f;
	else if (abs(normal.y) < 0.6f)
		basis[1].y = 1.0f;
	else
		basis[1].z = 1.0f;
	basis[0] = normalize(cross(basis[1], basis[2]));
	basis[1] = normalize(cross(basis[2], basis[0]));
}

/* The share of random rays from a place that meet nothing. */
static inline float visibility(const Isect &at, const SAME Scene &scene, unsigned int &state) {
	Vec basis[3];
	make_basis(basis, at.normal);
	Ray ray;
	ray.origin = at.place + AWAY * at.normal;
	float seen = 0.0f;
	for (SAME int j = 0; j < SIDE; j++) {
		for (SAME int i = 0; i < SIDE; i++) {
			float radius = sqrt(random(state));
			float angle = 6.28318531f * random(state);
			float sine, cosine;
			sincos(angle, &sine, &cosine);
			float z = sqrt(1.0f - radius * radius);
			ray.direction = cosine * radius * basis[0] + sine * radius * basis[1] + z * basis[2];
			Isect isect = trace(ray, scene);
			if (!isect.hit)
				seen += 1.0f;
		}
	}
	return seen / (SIDE * SIDE);
}

export void ambient(uniform float image[], uniform int first, uniform int end, uniform int width, uniform int height,
                    const uniform Scene *uniform given) {
	SAME Scene scene = *given;
	foreach_tiled (y = first ... end, x = 0 ... width) {
		unsigned int state = first_state(y * width + x);
		float sum = 0.0f;
		for (SAME int v = 0; v < SUB; v++) {
			for (SAME int u = 0; u < SUB; u++) {
				float across = (x + u / (SAME float)SUB - 0.5f * width) / (0.5f * width);
				float up = -(y + v / (SAME float)SUB - 0.5f * height) / (0.5f * height);
				Ray ray;
				ray.origin = make(0.0f, 0.0f, 0.0f);
				ray.direction = normalize(make(across, up, -1.0f));
				Isect isect = trace(ray, scene);
				if (isect.hit)
					sum += visibility(isect, scene, state);
			}
		}
		image[y * width + x] = sum / (SUB * SUB);
	}
}
