/* A square of an image of triangles by one ray for each pixel, through a tree of boxes. An expert lets the rays of a gang
 * go through the tree together, with one stack. AS_WRITTEN, each has its stack, or its recursion (-DRECURSIVE). */
#define TILE 16

struct Vec {
	float x, y, z;
};

static inline Vec operator-(Vec a, Vec b) {
	Vec v = {a.x - b.x, a.y - b.y, a.z - b.z};
	return v;
}

static inline float dot(Vec a, Vec b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec cross(Vec a, Vec b) {
	Vec v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
	return v;
}

/* An inner node has count == 0; its children are the next node and node `offset`. */
struct Node {
	Vec low, high;
	int offset; /* of a leaf: its first triangle */
	unsigned int16 count, axis;
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

#ifdef AS_WRITTEN
#define SHARED varying
#define IF if
#else
#define SHARED uniform
#define IF cif
#endif

static inline void start(Ray &ray, uniform const View &view, int x, int y) {
	Vec d = {view.pixel_to_world[0][0] * x + view.pixel_to_world[0][1] * y + view.pixel_to_world[0][2],
	         view.pixel_to_world[1][0] * x + view.pixel_to_world[1][1] * y + view.pixel_to_world[1][2],
	         view.pixel_to_world[2][0] * x + view.pixel_to_world[2][1] * y + view.pixel_to_world[2][2]};
	float scale = 1.0f / sqrt(dot(d, d));
	Vec direction = {scale * d.x, scale * d.y, scale * d.z};
	Vec inverse = {1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z};
	ray.origin = view.eye;
	ray.direction = direction;
	ray.inverse = inverse;
	ray.negative[0] = direction.x < 0.0f;
	ray.negative[1] = direction.y < 0.0f;
	ray.negative[2] = direction.z < 0.0f;
	ray.nearest = 1e30f;
	ray.hit = -1;
}

/* Is there a point of the box on the ray, nearer than what it has hit? */
static inline bool crosses(const Ray &ray, const SHARED Vec low, const SHARED Vec high) {
	float x0 = (low.x - ray.origin.x) * ray.inverse.x, x1 = (high.x - ray.origin.x) * ray.inverse.x;
	float y0 = (low.y - ray.origin.y) * ray.inverse.y, y1 = (high.y - ray.origin.y) * ray.inverse.y;
	float z0 = (low.z - ray.origin.z) * ray.inverse.z, z1 = (high.z - ray.origin.z) * ray.inverse.z;
	float enter = max(max(min(x0, x1), min(y0, y1)), max(min(z0, z1), 0.0f));
	float leave = min(min(max(x0, x1), max(y0, y1)), min(max(z0, z1), ray.nearest));
	return enter <= leave;
}

/* Moeller and Trumbore's test. */
static inline void intersect(Ray &ray, const uniform Triangle triangles[], SHARED int i) {
	const SHARED Triangle triangle = triangles[i];
	Vec p = cross(ray.direction, triangle.edge2);
	float determinant = dot(p, triangle.edge1);
	float inverse = 1.0f / determinant;
	Vec from = ray.origin - triangle.corner;
	float u = dot(from, p) * inverse;
	IF (determinant != 0.0f && u >= 0.0f && u <= 1.0f) {
		Vec q = cross(from, triangle.edge1);
		float v = dot(ray.direction, q) * inverse;
		IF (v >= 0.0f && u + v <= 1.0f) {
			float distance = dot(triangle.edge2, q) * inverse;
			if (distance > 0.0f && distance < ray.nearest) {
				ray.nearest = distance;
				ray.hit = i;
			}
		}
	}
}

#if defined AS_WRITTEN && defined RECURSIVE

static void trace(const uniform Node nodes[], const uniform Triangle triangles[], int n, Ray &ray) {
	const uniform Node *node = &nodes[n];
	if (!crosses(ray, node->low, node->high))
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

#elif defined AS_WRITTEN

static void trace(const uniform Node nodes[], const uniform Triangle triangles[], int n, Ray &ray) {
	int stack[64];
	int depth = 0;
	while (true) {
		const uniform Node *node = &nodes[n];
		if (crosses(ray, node->low, node->high)) {
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

#else

static void trace(const uniform Node nodes[], const uniform Triangle triangles[], uniform int n, Ray &ray) {
	uniform bool negative[3];
	for (uniform int axis = 0; axis < 3; axis++)
		negative[axis] = any(ray.negative[axis]);
	uniform int stack[64];
	uniform int depth = 0;
	while (true) {
		const uniform Node *uniform node = &nodes[n];
		bool inside = crosses(ray, node->low, node->high);
		if (any(inside)) {
			if (node->count == 0) {
				if (negative[node->axis]) {
					stack[depth++] = n + 1;
					n = node->offset;
				} else {
					stack[depth++] = node->offset;
					n = n + 1;
				}
				continue;
			}
			if (inside)
				for (uniform int i = 0; i < node->count; i++)
					intersect(ray, triangles, node->offset + i);
		}
		if (depth == 0)
			break;
		n = stack[--depth];
	}
}

#endif

/* Light comes from the camera. */
static inline int brightness(const Ray &ray, const uniform Triangle triangles[]) {
	if (ray.hit < 0)
		return 0;
	const Triangle triangle = triangles[ray.hit];
	Vec normal = cross(triangle.edge1, triangle.edge2);
	float cosine = dot(normal, ray.direction) / sqrt(dot(normal, normal));
	return (int)(1.0f + 254.0f * abs(cosine));
}

export void render(const uniform Node nodes[], const uniform Triangle triangles[], const uniform View *uniform view,
                   uniform int left, uniform int top, uniform unsigned int8 image[]) {
	foreach (y = top ... min(top + TILE, view->height), x = left ... min(left + TILE, view->width)) {
		Ray ray;
		start(ray, *view, x, y);
		trace(nodes, triangles, 0, ray);
		image[y * view->width + x] = (unsigned int8)brightness(ray, triangles);
	}
}
