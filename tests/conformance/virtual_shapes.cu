// features: virtual inheritance new-delete pointers-to-pointers destructors constructors methods device-variables
// Shapes with virtual functions, made by new in device code, used by other kernels, deleted through their base.
#include "check.h"

__device__ int alive;

class Shape {
  protected:
	float x_, y_;

  public:
	__device__ Shape(float x, float y) : x_(x), y_(y) { atomicAdd(&alive, 1); }
	__device__ virtual ~Shape() { atomicSub(&alive, 1); }
	__device__ virtual float area() const = 0;
	__device__ virtual bool holds(float x, float y) const { return x == x_ && y == y_; }
	__device__ virtual void grow(float factor) = 0;
	__device__ float distance(float x, float y) const { return hypotf(x - x_, y - y_); }
};

class Circle : public Shape {
	float radius_;

  public:
	__device__ Circle(float x, float y, float radius) : Shape(x, y), radius_(radius) {}
	__device__ float area() const override { return 3.14159265f * radius_ * radius_; }
	__device__ bool holds(float x, float y) const override { return distance(x, y) <= radius_; }
	__device__ void grow(float factor) override { radius_ *= factor; }
};

class Box : public Shape {
  protected:
	float width_, height_;

  public:
	__device__ Box(float x, float y, float width, float height) : Shape(x, y), width_(width), height_(height) {}
	__device__ float area() const override { return width_ * height_; }
	__device__ bool holds(float x, float y) const override {
		return fabsf(x - x_) <= width_ / 2 && fabsf(y - y_) <= height_ / 2;
	}
	__device__ void grow(float factor) override {
		width_ *= factor;
		height_ *= factor;
	}
};

class Frame final : public Box {
	Box *hole_;

  public:
	__device__ Frame(float x, float y, float size) : Box(x, y, size, size), hole_(new Box(x, y, size / 2, size / 2)) {}
	__device__ ~Frame() override { delete hole_; }
	__device__ float area() const override { return Box::area() - hole_->area(); }
	__device__ bool holds(float x, float y) const override { return Box::holds(x, y) && !hole_->holds(x, y); }
	__device__ void grow(float factor) override {
		Box::grow(factor);
		hole_->grow(factor);
	}
};

__global__ void make(Shape **shapes, const float4 *data, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float4 d = data[i];
	switch (i % 3) {
	case 0: shapes[i] = new Circle(d.x, d.y, d.z); break;
	case 1: shapes[i] = new Box(d.x, d.y, d.z, d.w); break;
	default: shapes[i] = new Frame(d.x, d.y, d.z); break;
	}
	if (i % 4 == 0)
		shapes[i]->grow(1.5f);
}

__global__ void count(Shape *const *shapes, int n, const float2 *points, int *counts, int m) {
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= m)
		return;
	int found = 0;
	for (int i = 0; i < n; i++)
		if (shapes[i]->holds(points[k].x, points[k].y))
			found++;
	counts[k] = found;
}

__global__ void finish(Shape **shapes, float *areas, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		areas[i] = shapes[i]->area();
		delete shapes[i];
	}
}

int main() {
	const int n = 50, m = 300;
	std::vector<float4> data(n);
	std::vector<float2> points(m);
	Random random(8);
	for (float4 &d : data)
		d = make_float4(random.uniform(), random.uniform(), 0.05f + random.uniform() / 2, 0.05f + random.uniform() / 2);
	for (float2 &p : points)
		p = make_float2(random.uniform(), random.uniform());
	Shape **shapes = device_array<Shape *>(n);
	float4 *d_data = to_device(data);
	float2 *d_points = to_device(points);
	int *counts = device_array<int>(m), living;
	float *areas = device_array<float>(n);
	make<<<2, 32>>>(shapes, d_data, n);
	count<<<5, 64>>>(shapes, n, d_points, counts, m);
	CHECK_LAUNCH();
	CHECK(cudaMemcpyFromSymbol(&living, alive, sizeof living));
	expect_equal("alive", 0, living, n + n / 3);
	finish<<<1, 64>>>(shapes, areas, n);
	CHECK_LAUNCH();
	CHECK(cudaMemcpyFromSymbol(&living, alive, sizeof living));
	expect_equal("alive at the end", 0, living, 0);

	std::vector<int> expected(m);
	std::vector<float> got_areas = to_host(areas, n);
	for (int i = 0; i < n; i++) {
		float g = i % 4 == 0 ? 1.5f : 1.0f, w = data[i].z * g, h = (i % 3 == 1 ? data[i].w : data[i].z) * g;
		expect_near("area", i, got_areas[i],
			i % 3 == 0   ? 3.14159265f * w * w
			: i % 3 == 1 ? w * h
						 : w * h * 0.75f,
			1e-5);
		for (int k = 0; k < m; k++) {
			float dx = fabsf(points[k].x - data[i].x), dy = fabsf(points[k].y - data[i].y);
			bool box = dx <= w / 2 && dy <= h / 2, hole = dx <= w / 4 && dy <= h / 4;
			expected[k] += i % 3 == 0 ? hypotf(dx, dy) <= w : i % 3 == 1 ? box : box && !hole;
		}
	}
	std::vector<int> got = to_host(counts, m);
	for (int k = 0; k < m; k++)
		expect_equal("count", k, got[k], expected[k]);
	return verdict();
}
