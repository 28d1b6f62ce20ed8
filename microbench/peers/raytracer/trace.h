/* The scene, and how a ray goes through it; for raytracer.cu and scalar.cpp. */
#ifndef RAYTRACER_TRACE_H
#define RAYTRACER_TRACE_H

#include <cmath>

#ifdef __CUDACC__
#define DEVICE __host__ __device__ inline
#else
#define DEVICE inline
#endif

struct Vec {
	float x, y, z;
};

DEVICE Vec operator+(Vec a, Vec b) {
	return {a.x + b.x, a.y + b.y, a.z + b.z};
}

DEVICE Vec operator-(Vec a, Vec b) {
	return {a.x - b.x, a.y - b.y, a.z - b.z};
}

DEVICE Vec operator*(float s, Vec a) {
	return {s * a.x, s * a.y, s * a.z};
}

DEVICE float dot(Vec a, Vec b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

DEVICE Vec cross(Vec a, Vec b) {
	return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Of a tree of boxes. An inner node has count == 0; its children are the next node and node `offset`. */
struct Node {
	Vec low, high;
	int offset; /* of a leaf: its first triangle */
	unsigned short count, axis;
};

struct Triangle {
	Vec corner, edge1, edge2;
};

struct View {
	Vec eye;
	float pixel_to_world[3][3];
	int width, height;
};

struct Ray {
	Vec origin, direction, inverse;
	int negative[3];
	float nearest;
	int hit; /* a triangle, or -1 */
};

DEVICE Ray primary_ray(const View &view, int x, int y) {
	const float (&m)[3][3] = view.pixel_to_world;
	Vec d = {
		m[0][0] * x + m[0][1] * y + m[0][2], m[1][0] * x + m[1][1] * y + m[1][2], m[2][0] * x + m[2][1] * y + m[2][2]};
	Ray ray;
	ray.origin = view.eye;
	ray.direction = 1.0f / std::sqrt(dot(d, d)) * d;
	ray.inverse = {1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z};
	ray.negative[0] = ray.direction.x < 0.0f;
	ray.negative[1] = ray.direction.y < 0.0f;
	ray.negative[2] = ray.direction.z < 0.0f;
	ray.nearest = 1e30f;
	ray.hit = -1;
	return ray;
}

DEVICE float smaller(float a, float b) {
	return a < b ? a : b;
}

DEVICE float greater(float a, float b) {
	return a > b ? a : b;
}

/* Is there a point of the box on the ray, nearer than what it has hit? */
DEVICE bool crosses(const Ray &ray, const Node *node) {
	const float x0 = (node->low.x - ray.origin.x) * ray.inverse.x, x1 = (node->high.x - ray.origin.x) * ray.inverse.x;
	const float y0 = (node->low.y - ray.origin.y) * ray.inverse.y, y1 = (node->high.y - ray.origin.y) * ray.inverse.y;
	const float z0 = (node->low.z - ray.origin.z) * ray.inverse.z, z1 = (node->high.z - ray.origin.z) * ray.inverse.z;
	const float enter = greater(greater(smaller(x0, x1), smaller(y0, y1)), greater(smaller(z0, z1), 0.0f));
	const float leave = smaller(smaller(greater(x0, x1), greater(y0, y1)), smaller(greater(z0, z1), ray.nearest));
	return enter <= leave;
}

/* Moeller and Trumbore's test. */
DEVICE void intersect(Ray &ray, const Triangle *triangles, int i) {
	const Triangle *triangle = &triangles[i];
	const Vec p = cross(ray.direction, triangle->edge2);
	const float determinant = dot(p, triangle->edge1);
	if (determinant == 0.0f)
		return;
	const float inverse = 1.0f / determinant;
	const Vec from = ray.origin - triangle->corner;
	const float u = dot(from, p) * inverse;
	if (u < 0.0f || u > 1.0f)
		return;
	const Vec q = cross(from, triangle->edge1);
	const float v = dot(ray.direction, q) * inverse;
	if (v < 0.0f || u + v > 1.0f)
		return;
	const float distance = dot(triangle->edge2, q) * inverse;
	if (distance > 0.0f && distance < ray.nearest) {
		ray.nearest = distance;
		ray.hit = i;
	}
}

#ifdef RECURSIVE

DEVICE void trace(const Node *nodes, const Triangle *triangles, int n, Ray &ray) {
	const Node *node = &nodes[n];
	if (!crosses(ray, node))
		return;
	if (node->count > 0) {
		for (int i = 0; i < node->count; i++)
			intersect(ray, triangles, node->offset + i);
	} else if (ray.negative[node->axis]) {
		trace(nodes, triangles, node->offset, ray);
		trace(nodes, triangles, n + 1, ray);
	} else {
		trace(nodes, triangles, n + 1, ray);
		trace(nodes, triangles, node->offset, ray);
	}
}

#else

DEVICE void trace(const Node *nodes, const Triangle *triangles, int n, Ray &ray) {
	int stack[64];
	int depth = 0;
	while (true) {
		const Node *node = &nodes[n];
		if (crosses(ray, node)) {
			if (node->count == 0) {
				if (ray.negative[node->axis]) {
					stack[depth++] = n + 1;
					n = node->offset;
				} else {
					stack[depth++] = node->offset;
					n = n + 1;
				}
				continue;
			}
			for (int i = 0; i < node->count; i++)
				intersect(ray, triangles, node->offset + i);
		}
		if (depth == 0)
			break;
		n = stack[--depth];
	}
}

#endif

/* Light comes from the camera. */
DEVICE unsigned char brightness(const Ray &ray, const Triangle *triangles) {
	if (ray.hit < 0)
		return 0;
	const Triangle &triangle = triangles[ray.hit];
	const Vec normal = cross(triangle.edge1, triangle.edge2);
	const float cosine = dot(normal, ray.direction) / std::sqrt(dot(normal, normal));
	return (unsigned char)(1.0f + 254.0f * std::fabs(cosine));
}

#endif
