// features: operators const-array-references virtual new-delete constructors references enums cstdint static-members pointers-to-pointers friend
// A small ray tracer: a vector class, materials with virtual functions made on the device, its own random numbers.
#include <cstdint>

#include "check.h"

class vec3 {
	float e[3];

  public:
	vec3() = default;
	__host__ __device__ vec3(float x, float y, float z) : e{x, y, z} {}
	__host__ __device__ explicit vec3(float s) : vec3(s, s, s) {}
	__host__ __device__ vec3(const float (&v)[3]) : vec3(v[0], v[1], v[2]) {}
	__host__ __device__ float operator[](int i) const { return e[i]; }
	__host__ __device__ float &operator[](int i) { return e[i]; }
	__host__ __device__ vec3 operator-() const { return vec3(-e[0], -e[1], -e[2]); }
	__host__ __device__ vec3 &operator+=(const vec3 &v) {
		for (int i = 0; i < 3; i++)
			e[i] += v[i];
		return *this;
	}
	__host__ __device__ vec3 &operator*=(float s) { return *this = vec3(e[0] * s, e[1] * s, e[2] * s); }
	__host__ __device__ float length() const { return sqrtf(dot(*this, *this)); }
	friend __host__ __device__ float dot(const vec3 &a, const vec3 &b) {
		return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
	}
	friend __host__ __device__ vec3 operator+(vec3 a, const vec3 &b) { return a += b; }
	friend __host__ __device__ vec3 operator-(const vec3 &a, const vec3 &b) { return a + -b; }
	friend __host__ __device__ vec3 operator*(vec3 a, float s) { return a *= s; }
	friend __host__ __device__ vec3 operator*(float s, const vec3 &a) { return a * s; }
	friend __host__ __device__ vec3 operator*(const vec3 &a, const vec3 &b) {
		return vec3(a[0] * b[0], a[1] * b[1], a[2] * b[2]);
	}
};
__host__ __device__ inline vec3 unit(const vec3 &v) { return v * (1.0f / v.length()); }

struct Ray {
	vec3 origin, direction;
	__host__ __device__ vec3 at(float t) const { return origin + t * direction; }
};
struct Generator {
	uint32_t state;
	__host__ __device__ float operator()() {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		return (state >> 8) * (1.0f / 16777216.0f);
	}
};
class Material;
struct Hit {
	float t;
	vec3 point, normal;
	const Material *material;
};

class Material {
  protected:
	vec3 colour_;
	__host__ __device__ explicit Material(const vec3 &colour) : colour_(colour) {}

  public:
	enum Fate { ABSORBED, SCATTERED };
	__host__ __device__ virtual ~Material() {}
	__host__ __device__ virtual Fate scatter(
		const Ray &in, const Hit &hit, Generator &random, vec3 &colour, Ray &out) const = 0;
};
class Matte : public Material {
  public:
	__host__ __device__ explicit Matte(const vec3 &colour) : Material(colour) {}
	__host__ __device__ Fate scatter(
		const Ray &, const Hit &hit, Generator &random, vec3 &colour, Ray &out) const override {
		vec3 off;
		do {
			float x = random(), y = random(), z = random();
			off = 2.0f * vec3(x, y, z) - vec3(1.0f);
		} while (dot(off, off) >= 1);
		out = {hit.point, hit.normal + off};
		colour = colour_;
		return SCATTERED;
	}
};
class Mirror : public Material {
	float limit_;

  public:
	__host__ __device__ Mirror(const vec3 &colour, float limit) : Material(colour), limit_(limit) {}
	__host__ __device__ Fate scatter(
		const Ray &in, const Hit &hit, Generator &, vec3 &colour, Ray &out) const override {
		vec3 d = unit(in.direction);
		out = {hit.point, d - 2 * dot(d, hit.normal) * hit.normal};
		colour = colour_;
		return dot(out.direction, hit.normal) > limit_ ? SCATTERED : ABSORBED;
	}
};
struct Sphere {
	vec3 centre;
	float radius;
	Material *material;
	__host__ __device__ bool hit(const Ray &ray, float low, float &high, Hit &out) const {
		vec3 to = ray.origin - centre;
		float a = dot(ray.direction, ray.direction), b = dot(to, ray.direction), c = dot(to, to) - radius * radius;
		float d = b * b - a * c;
		if (d <= 0)
			return false;
		for (int side = -1; side <= 1; side += 2) {
			float t = (-b + side * sqrtf(d)) / a;
			if (t > low && t < high) {
				vec3 point = ray.at(t);
				out = {t, point, (point - centre) * (1 / radius), material};
				high = t;
				return true;
			}
		}
		return false;
	}
};

constexpr int SPHERES = 6;

__host__ __device__ inline Sphere make_sphere(int i) {
	const float places[SPHERES][3] = {
		{0, 0, -1}, {0, -100.5f, -1}, {1, 0, -1.5f}, {-1, 0, -1}, {0.3f, 0.6f, -0.8f}, {-0.5f, -0.3f, -0.6f}};
	const float radii[SPHERES] = {0.5f, 100, 0.5f, 0.4f, 0.2f, 0.15f};
	vec3 colour = vec3(0.3f) + 0.6f * vec3(i % 2, i % 3 * 0.5f, i % 4 * 0.25f);
	Material *material;
	if (i % 3 == 2)
		material = new Mirror(colour, 0.05f * i);
	else
		material = new Matte(colour);
	return {vec3(places[i]), radii[i], material};
}

__host__ __device__ inline vec3 trace(Ray ray, const Sphere *spheres, Generator &random) {
	vec3 light(1.0f);
	for (int bounce = 0; bounce < 8; bounce++) {
		Hit hit;
		float nearest = 1e9f;
		bool any = false;
		for (int i = 0; i < SPHERES; i++)
			any |= spheres[i].hit(ray, 0.001f, nearest, hit);
		if (!any) {
			float t = 0.5f * (unit(ray.direction)[1] + 1);
			return light * ((1 - t) * vec3(1.0f) + t * vec3(0.5f, 0.7f, 1));
		}
		vec3 colour;
		Ray next;
		if (hit.material->scatter(ray, hit, random, colour, next) == Material::ABSORBED)
			break;
		light = light * colour;
		ray = next;
	}
	return vec3(0.0f);
}

__host__ __device__ inline vec3 pixel(int x, int y, int width, int height, const Sphere *spheres) {
	Generator random{(uint32_t)(y * width + x) * 747796405u + 1};
	vec3 sum(0.0f);
	const int samples = 4;
	for (int s = 0; s < samples; s++) {
		float u = (x + random()) / width, v = (y + random()) / height;
		sum += trace({vec3(0.0f), vec3(-2 + 4 * u, -1 + 2 * v, -1)}, spheres, random);
	}
	return sum * (1.0f / samples);
}

__global__ void create(Sphere *spheres) { spheres[threadIdx.x] = make_sphere(threadIdx.x); }
__global__ void render(vec3 *out, int width, int height, const Sphere *spheres) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height)
		out[y * width + x] = pixel(x, y, width, height, spheres);
}
__global__ void destroy(Sphere *spheres) { delete spheres[threadIdx.x].material; }

int main() {
	const int width = 60, height = 30;
	Sphere *spheres = device_array<Sphere>(SPHERES), host[SPHERES];
	vec3 *out = device_array<vec3>(width * height);
	create<<<1, SPHERES>>>(spheres);
	render<<<dim3(8, 8), dim3(8, 4)>>>(out, width, height, spheres);
	destroy<<<1, SPHERES>>>(spheres);
	CHECK_LAUNCH();
	for (int i = 0; i < SPHERES; i++)
		host[i] = make_sphere(i);
	std::vector<vec3> got = to_host(out, width * height);
	double mean = 0, expected_mean = 0;
	int near = 0;
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++) {
			vec3 e = pixel(x, y, width, height, host), g = got[y * width + x];
			near += (g - e).length() < 1e-3f;
			mean += dot(g, vec3(1.0f));
			expected_mean += dot(e, vec3(1.0f));
		}
	// Rounding sends some rays another way.
	expect(near > width * height * 8 / 10, "most pixels are as on the host");
	expect_near("mean", 0, mean / (width * height), expected_mean / (width * height), 0.02);
	for (Sphere &sphere : host)
		delete sphere.material;
	return verdict();
}
