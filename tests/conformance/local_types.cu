// features: nested-structs local-types tags unions typedef-struct enums methods functors static-members
// Types within functions and within types, anonymous ones, tags beside variables of the same name, typedefs of all.
#include "check.h"

typedef struct tagPoint {
	int x, y;
} Point, *PointPtr;

typedef enum { RED = 1, GREEN, BLUE = 7 } Colour;

struct Mesh {
	struct Vertex {
		struct Position {
			float x, y;
		} position;
		struct {
			Colour colour;
			union {
				int whole;
				short half[2];
			};
		};
		__host__ __device__ float weight() const { return position.x * 2 + position.y + colour + half[1]; }
	} vertices[4];
	enum Side { LEFT, RIGHT };
	class Summary {
		friend struct Mesh;
		float total = 0;

	  public:
		__host__ __device__ float get(Side side) const { return side == LEFT ? total : -total; }
	};
	__host__ __device__ Summary summary() const {
		Summary s;
		for (const Vertex &v : vertices)
			s.total += v.weight();
		return s;
	}
	struct Iterator; // defined below
	__host__ __device__ Iterator first() const;
};
struct Mesh::Iterator {
	const Mesh *mesh;
	int at;
	__host__ __device__ bool next(float &out) {
		if (at == 4)
			return false;
		out = mesh->vertices[at++].position.y;
		return true;
	}
};
__host__ __device__ inline Mesh::Iterator Mesh::first() const { return {this, 0}; }

struct stat {
	int n;
};
__host__ __device__ inline int stat(int n) { return n + 1; }

template <typename F> __host__ __device__ int apply(F f, int n) {
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum = f(sum, i);
	return sum;
}

__host__ __device__ inline int search(int start, int wanted) {
	struct Frame {
		int value, depth;
	};
	enum { ROOM = 64 };
	struct Stack {
		Frame frames[ROOM];
		int top = 0;
		__host__ __device__ void push(int value, int depth) {
			if (top < ROOM)
				frames[top++] = Frame{value, depth};
		}
		__host__ __device__ Frame pop() { return frames[--top]; }
	} stack;
	int visited = 0;
	stack.push(start, 0);
	while (stack.top > 0) {
		Frame frame = stack.pop();
		visited++;
		if (frame.value == wanted)
			return visited * 100 + frame.depth;
		if (frame.depth < 6) {
			stack.push(frame.value * 2 % 101, frame.depth + 1);
			stack.push(frame.value + 7, frame.depth + 1);
		}
	}
	return -visited;
}

struct Result {
	float sums[3];
	int visited, alternating, size, tags;
};

__host__ __device__ inline void compute(const Mesh &mesh, int i, Result &out) {
	Mesh::Summary summary = mesh.summary();
	out.sums[0] = summary.get(Mesh::LEFT);
	out.sums[1] = summary.get(Mesh::RIGHT) + mesh.vertices[1].half[0];
	float y, largest = -1;
	for (auto it = mesh.first(); it.next(y);)
		if (y > largest)
			largest = y;
	out.sums[2] = largest;
	out.visited = search(i % 30, i % 47);

	struct Alternating {
		int sign;
		__host__ __device__ int operator()(int sum, int i) const { return i % 2 ? sum - sign * i : sum + i; }
	};
	out.alternating = apply(Alternating{1}, i) + apply(Alternating{-1}, 3);
	out.size = sizeof(Mesh::Vertex) + sizeof(Point) * 100;

	struct stat stat = {::stat(i)};
	struct tagPoint a = {i, stat.n};
	PointPtr p = &a;
	Point b = *p;
	enum Local { ONE = 1, TWO } local = b.x % 2 ? ONE : TWO;
	out.tags = p->y + b.x + local;
}

__global__ void kernel(const Mesh *meshes, Result *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		compute(meshes[i], i, out[i]);
}

int main() {
	const int n = 100;
	std::vector<Mesh> meshes(n);
	Random random(29);
	for (Mesh &mesh : meshes)
		for (auto &v : mesh.vertices) {
			v.position = {random.below(100) * 0.5f, random.below(100) * 0.25f};
			v.colour = random.below(2) ? RED : BLUE;
			v.whole = random.below(1 << 20);
		}
	Mesh *d_meshes = to_device(meshes);
	Result *out = device_array<Result>(n);
	kernel<<<3, 40>>>(d_meshes, out, n);
	CHECK_LAUNCH();
	std::vector<Result> got = to_host(out, n);
	for (int i = 0; i < n; i++) {
		Result e;
		compute(meshes[i], i, e);
		for (int k = 0; k < 3; k++)
			expect_near("sum", i, got[i].sums[k], e.sums[k], 1e-6);
		expect_equal("visited", i, got[i].visited, e.visited);
		expect_equal("alternating", i, got[i].alternating, e.alternating);
		expect_equal("size", i, got[i].size, e.size);
		expect_equal("tags", i, got[i].tags, 2 * i + 1 + (i % 2 ? 1 : 2));
	}
	return verdict();
}
