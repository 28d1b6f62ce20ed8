/* Does abstraction cost anything? Each pair is a loop written twice, in the C++ that people write (NAME_abstract) and
 * in plain C (NAME_plain), which give the same results bit by bit. `python -m microbench abstraction` measures them,
 * tests/test_abstraction.py compares the instructions of their loops.
 *
 * All kernels have the same parameters; each block goes through all that there is to read, the numbers of `in`, of
 * which there are `n`, and writes numbers of its own. */
#include <algorithm>
#include <cuda/std/utility>
#include <cuda_fp16.h>

#define KERNEL(name) __global__ void name(float *out, const float *in, int n)
#define EACH(i, n)                                                                                                     \
	int i = threadIdx.x;                                                                                               \
	i < (n);                                                                                                           \
	i += blockDim.x
#define RESULT out[blockIdx.x * blockDim.x + threadIdx.x]

/* ---- method: a method and a free function */

__device__ float line(float slope, float offset, float x) {
	return x * slope + offset;
}

struct Line {
	float slope, offset;

	__device__ float at(float x) const {
		return x * slope + offset;
	}
};

KERNEL(method_plain) {
	const float slope = in[0], offset = in[1];
	float sum = 0;
	for (EACH(i, n))
		sum += line(slope, offset, in[i]);
	RESULT = sum;
}

KERNEL(method_abstract) {
	const Line line = {in[0], in[1]};
	float sum = 0;
	for (EACH(i, n))
		sum += line.at(in[i]);
	RESULT = sum;
}

/* ---- reference: a parameter that is changed, and a value that is returned */

__device__ float more(float sum, float x) {
	return sum * 0.5f + x;
}

__device__ void add_to(float &sum, const float &x) {
	sum = sum * 0.5f + x;
}

KERNEL(reference_plain) {
	float sum = 0;
	for (EACH(i, n))
		sum = more(sum, in[i]);
	RESULT = sum;
}

KERNEL(reference_abstract) {
	float sum = 0;
	for (EACH(i, n))
		add_to(sum, in[i]);
	RESULT = sum;
}

/* ---- float4_load, float4_cast: one wide access, and four */

KERNEL(float4_load_plain) {
	float sum = 0;
	for (EACH(i, n / 4))
		sum += in[4 * i] * in[4 * i + 1] + in[4 * i + 2] * in[4 * i + 3];
	RESULT = sum;
}

__device__ float product(const float4 &v) {
	return v.x * v.y + v.z * v.w;
}

__global__ void float4_load_abstract(float *out, const float4 *in, int n) {
	float sum = 0;
	for (EACH(i, n / 4)) {
		const float4 v = in[i];
		sum += product(v);
	}
	RESULT = sum;
}

KERNEL(float4_cast_plain) {
	float sum = 0;
	for (EACH(i, n / 4))
		sum += in[4 * i] * in[4 * i + 1] + in[4 * i + 2] * in[4 * i + 3];
	RESULT = sum;
}

KERNEL(float4_cast_abstract) {
	float sum = 0;
	for (EACH(i, n / 4)) {
		float4 v = reinterpret_cast<const float4 *>(in)[i];
		sum += v.x * v.y + v.z * v.w;
	}
	RESULT = sum;
}

/* ---- float4_store: one wide access, and four */

KERNEL(float4_store_plain) {
	for (EACH(i, n / 4)) {
		const float x = in[i];
		out[4 * i] = x;
		out[4 * i + 1] = x + 1;
		out[4 * i + 2] = x * 2;
		out[4 * i + 3] = x - 3;
	}
}

KERNEL(float4_store_abstract) {
	for (EACH(i, n / 4)) {
		const float x = in[i];
		reinterpret_cast<float4 *>(out)[i] = make_float4(x, x + 1, x * 2, x - 3);
	}
}

/* ---- functor, lambda, capture: what a template is called with, and the loop itself */

template <typename Op> __device__ float folded(const float *in, int n, Op op) {
	float sum = 1;
	for (EACH(i, n))
		sum = op(sum, in[i]);
	return sum;
}

struct Horner {
	float x;

	__device__ float operator()(float sum, float a) const {
		return sum * x + a;
	}
};

KERNEL(functor_plain) {
	const float x = in[1] * 0.5f;
	float sum = 1;
	for (EACH(i, n))
		sum = sum * x + in[i];
	RESULT = sum;
}

KERNEL(functor_abstract) {
	RESULT = folded(in, n, Horner{in[1] * 0.5f});
}

KERNEL(lambda_plain) {
	const float x = in[1] * 0.5f;
	float sum = 1;
	for (EACH(i, n))
		sum = sum * x + in[i];
	RESULT = sum;
}

KERNEL(lambda_abstract) {
	const float x = in[1] * 0.5f;
	RESULT = folded(in, n, [=](float sum, float a) { return sum * x + a; });
}

KERNEL(capture_plain) {
	float least = in[0], most = in[0];
	for (EACH(i, n)) {
		const float x = in[i];
		if (x < least)
			least = x;
		if (x > most)
			most = x;
	}
	RESULT = most - least;
}

template <typename Do> __device__ void for_each(const float *in, int n, Do &&act) {
	for (EACH(i, n))
		act(in[i]);
}

KERNEL(capture_abstract) {
	float least = in[0], most = in[0];
	for_each(in, n, [&](float x) {
		if (x < least)
			least = x;
		if (x > most)
			most = x;
	});
	RESULT = most - least;
}

/* ---- table: a constexpr table, and literals */

constexpr float WEIGHTS[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

KERNEL(table_plain) {
	float sum = 0;
	for (EACH(i, n - 4))
		sum += in[i] * 0.0625f + in[i + 1] * 0.25f + in[i + 2] * 0.375f + in[i + 3] * 0.25f + in[i + 4] * 0.0625f;
	RESULT = sum;
}

KERNEL(table_abstract) {
	float sum = 0;
	for (EACH(i, n - 4)) {
		float at = in[i] * WEIGHTS[0];
		for (int k = 1; k < 5; k++)
			at += in[i + k] * WEIGHTS[k];
		sum += at;
	}
	RESULT = sum;
}

/* ---- subscript, iterator: a class with operator[], begin() and end(), and a pointer */

template <typename T> class Span {
  public:
	__device__ Span(T *data, int size) : data_(data), size_(size) {
	}

	__device__ T &operator[](int i) const {
		return data_[i];
	}

	__device__ int size() const {
		return size_;
	}

	__device__ T *begin() const {
		return data_;
	}

	__device__ T *end() const {
		return data_ + size_;
	}

  private:
	T *data_;
	int size_;
};

KERNEL(subscript_plain) {
	float sum = 0;
	for (EACH(i, n - 1))
		sum += in[i] * in[i + 1];
	RESULT = sum;
}

KERNEL(subscript_abstract) {
	const Span<const float> span(in, n);
	float sum = 0;
	for (EACH(i, span.size() - 1))
		sum += span[i] * span[i + 1];
	RESULT = sum;
}

KERNEL(iterator_plain) {
	const float x = in[threadIdx.x];
	float sum = 0;
	for (int i = 0; i < n / 64; i++)
		sum = sum * x + in[i];
	RESULT = sum;
}

KERNEL(iterator_abstract) {
	const float x = in[threadIdx.x];
	float sum = 0;
	for (const float each : Span<const float>(in, n / 64))
		sum = sum * x + each;
	RESULT = sum;
}

/* ---- view: pointers in a struct that is the kernel's parameter, and pointers */

struct View {
	float *out;
	const float *in;
	int n;

	__device__ float x(int i) const {
		return in[i];
	}
};

KERNEL(view_plain) {
	for (EACH(i, n))
		out[i] = in[i] * 2 + 1;
}

KERNEL(view_abstract) {
	const View view = {out, in, n};
	for (EACH(i, view.n))
		view.out[i] = view.x(i) * 2 + 1;
}

/* ---- dynamic: extern __shared__ and static */

#define ROTATE(s)                                                                                                      \
	const int t = threadIdx.x;                                                                                         \
	s[t] = in[t];                                                                                                      \
	__syncthreads();                                                                                                   \
	float sum = 0;                                                                                                     \
	for (int i = 0; i < n / 256; i++)                                                                                  \
		sum = sum * 0.5f + s[(t + i) & 255];                                                                           \
	RESULT = sum

KERNEL(dynamic_plain) {
	__shared__ float s[256];
	ROTATE(s);
}

KERNEL(dynamic_abstract) {
	extern __shared__ float dynamic[];
	ROTATE(dynamic);
}

/* ---- tile: a class around a two-dimensional array in shared memory, and the array */

template <typename T, int ROWS, int COLUMNS> struct Tile {
	T data[ROWS][COLUMNS];

	__device__ T &operator()(int row, int column) {
		return data[row][column];
	}
};

KERNEL(tile_plain) {
	__shared__ float tile[16][17];
	const int x = threadIdx.x % 16, y = threadIdx.x / 16;
	float sum = 0;
	for (EACH(i, n)) {
		tile[y][x] = in[i];
		__syncthreads();
		sum = sum * 0.5f + tile[x][y];
		__syncthreads();
	}
	RESULT = sum;
}

KERNEL(tile_abstract) {
	__shared__ Tile<float, 16, 17> tile;
	const int x = threadIdx.x % 16, y = threadIdx.x / 16;
	float sum = 0;
	for (EACH(i, n)) {
		tile(y, x) = in[i];
		__syncthreads();
		sum = sum * 0.5f + tile(x, y);
		__syncthreads();
	}
	RESULT = sum;
}

/* ---- vec3: a class with operators, and its numbers */

struct Vec3 {
	float x, y, z;
};

__device__ Vec3 operator+(Vec3 a, Vec3 b) {
	return {a.x + b.x, a.y + b.y, a.z + b.z};
}

__device__ Vec3 operator-(const Vec3 &a, const Vec3 &b) {
	return {a.x - b.x, a.y - b.y, a.z - b.z};
}

__device__ Vec3 operator*(Vec3 a, float b) {
	return {a.x * b, a.y * b, a.z * b};
}

__device__ float dot(const Vec3 &a, const Vec3 &b) {
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL(vec3_plain) {
	const float x = in[threadIdx.x], y = in[threadIdx.x + 1], z = in[threadIdx.x + 2];
	float sum_x = 0, sum_y = 0, sum_z = 0;
	for (int i = 0; i < n / 256; i++) {
		const float dx = in[3 * i] - x, dy = in[3 * i + 1] - y, dz = in[3 * i + 2] - z;
		const float r = dx * dx + dy * dy + dz * dz;
		sum_x = sum_x + dx * r;
		sum_y = sum_y + dy * r;
		sum_z = sum_z + dz * r;
	}
	RESULT = sum_x + sum_y + sum_z;
}

KERNEL(vec3_abstract) {
	const Vec3 *points = reinterpret_cast<const Vec3 *>(in);
	const Vec3 at{in[threadIdx.x], in[threadIdx.x + 1], in[threadIdx.x + 2]};
	Vec3 sum{};
	for (int i = 0; i < n / 256; i++) {
		const Vec3 d = points[i] - at;
		sum = sum + d * dot(d, d);
	}
	RESULT = sum.x + sum.y + sum.z;
}

/* ---- complex: a class with compound operators, and its numbers */

class Complex {
  public:
	__device__ explicit Complex(float re = 0, float im = 0) : re_(re), im_(im) {
	}

	__device__ Complex &operator+=(const Complex &other) {
		re_ += other.re_;
		im_ += other.im_;
		return *this;
	}

	__device__ friend Complex operator*(const Complex &a, const Complex &b) {
		return Complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
	}

	__device__ float norm() const {
		return re_ * re_ + im_ * im_;
	}

  private:
	float re_, im_;
};

KERNEL(complex_plain) {
	const float c_re = in[threadIdx.x] * 0.25f - 0.5f, c_im = in[threadIdx.x + 1] * 0.125f;
	float re = 0, im = 0;
	int count = 0;
	for (int i = 0; i < n / 256 && re * re + im * im < 4; i++) {
		const float new_re = re * re - im * im;
		im = re * im + im * re;
		re = new_re;
		re += c_re;
		im += c_im;
		count++;
	}
	RESULT = count;
}

KERNEL(complex_abstract) {
	const Complex c(in[threadIdx.x] * 0.25f - 0.5f, in[threadIdx.x + 1] * 0.125f);
	Complex z;
	int count = 0;
	for (int i = 0; i < n / 256 && z.norm() < 4; i++) {
		z = z * z;
		z += c;
		count++;
	}
	RESULT = count;
}

/* ---- std_min, cuda_min: functions of the library, and choices */

#define LIMITED(smaller, larger)                                                                                       \
	float sum = 0;                                                                                                     \
	const float low = in[threadIdx.x], high = low + 0.5f;                                                              \
	for (EACH(i, n)) {                                                                                                 \
		const float x = in[i] + sum;                                                                                   \
		sum = 0.5f * smaller(larger(x, low), high);                                                                    \
	}                                                                                                                  \
	RESULT = sum
#define SMALLER(a, b) ((b) < (a) ? (b) : (a))
#define LARGER(a, b) ((a) < (b) ? (b) : (a))

KERNEL(std_min_plain) {
	LIMITED(SMALLER, LARGER);
}

KERNEL(std_min_abstract) {
	LIMITED(std::min, std::max);
}

KERNEL(cuda_min_plain) {
	LIMITED(SMALLER, LARGER);
}

KERNEL(cuda_min_abstract) {
	LIMITED(cuda::std::min, cuda::std::max);
}

/* ---- swap: std::swap in an array, and a variable between */

KERNEL(swap_plain) {
	float sum = 0;
	for (EACH(i, n - 2)) {
		float a = in[i], b = in[i + 1], c = in[i + 2];
		if (b < a) {
			const float old = a;
			a = b;
			b = old;
		}
		if (c < b) {
			const float old = b;
			b = c;
			c = old;
		}
		if (b < a) {
			const float old = a;
			a = b;
			b = old;
		}
		sum += b;
	}
	RESULT = sum;
}

KERNEL(swap_abstract) {
	float sum = 0;
	for (EACH(i, n - 2)) {
		float a = in[i], b = in[i + 1], c = in[i + 2];
		if (b < a)
			std::swap(a, b);
		if (c < b)
			cuda::std::swap(b, c);
		if (b < a)
			std::swap(a, b);
		sum += b;
	}
	RESULT = sum;
}

/* ---- range: range-for, and a loop over an index */

KERNEL(range_plain) {
	float own[8], sum = 0;
	for (int k = 0; k < 8; k++)
		own[k] = in[threadIdx.x + k];
	for (EACH(i, n)) {
		const float x = in[i];
		for (int k = 0; k < 8; k++)
			sum += x * own[k];
	}
	RESULT = sum;
}

KERNEL(range_abstract) {
	float own[8], sum = 0;
	int k = 0;
	for (float &each : own)
		each = in[threadIdx.x + k++];
	for (EACH(i, n)) {
		const float x = in[i];
		for (const float &each : own)
			sum += x * each;
	}
	RESULT = sum;
}

/* ---- unroll: a template with a constant bound, and its iterations written out */

template <int TAPS> __device__ float taps(const float *in) {
	constexpr int LAST = TAPS - 1;
	float sum = in[0];
#pragma unroll
	for (int k = 1; k <= LAST; k++)
		sum = sum * 0.5f + in[k];
	return sum;
}

KERNEL(unroll_plain) {
	float sum = 0;
	for (EACH(i, n - 4))
		sum += (((in[i] * 0.5f + in[i + 1]) * 0.5f + in[i + 2]) * 0.5f + in[i + 3]) * 0.5f + in[i + 4];
	RESULT = sum;
}

KERNEL(unroll_abstract) {
	float sum = 0;
	for (EACH(i, n - 4))
		sum += taps<5>(&in[i]);
	RESULT = sum;
}

/* ---- recursive: a template that calls itself, and its result */

template <int N> __device__ float power(float x) {
	if constexpr (N == 0)
		return 1;
	else if constexpr (N % 2 == 0)
		return power<N / 2>(x * x);
	else
		return x * power<N - 1>(x);
}

KERNEL(recursive_plain) {
	float sum = 0;
	for (EACH(i, n)) {
		const float x = in[i], x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
		sum += x * (x4 * x8);
	}
	RESULT = sum;
}

KERNEL(recursive_abstract) {
	float sum = 0;
	for (EACH(i, n))
		sum += power<13>(in[i]);
	RESULT = sum;
}

/* ---- accumulator: an object with a constructor, and variables */

class Accumulator {
  public:
	__device__ Accumulator() : count_(0), mean_(0), square_(0) {
	}

	__device__ void push(float x) {
		count_++;
		const float delta = x - mean_;
		mean_ += delta * 0.25f;
		square_ += delta * (x - mean_);
	}

	__device__ float result() const {
		return count_ > 1 ? square_ + mean_ : 0;
	}

  private:
	int count_;
	float mean_, square_;
};

KERNEL(accumulator_plain) {
	int count = 0;
	float mean = 0, square = 0;
	for (EACH(i, n)) {
		const float x = in[i];
		count++;
		const float delta = x - mean;
		mean += delta * 0.25f;
		square += delta * (x - mean);
	}
	RESULT = count > 1 ? square + mean : 0;
}

KERNEL(accumulator_abstract) {
	Accumulator accumulator;
	for (EACH(i, n))
		accumulator.push(in[i]);
	RESULT = accumulator.result();
}

/* ---- crtp: a base class that calls its heir, and the loop itself */

template <typename Heir> struct Filter {
	__device__ float run(const float *in, int n) {
		float last = 0;
		for (EACH(i, n))
			last = static_cast<Heir *>(this)->step(last, in[i]);
		return last;
	}
};

struct Smooth : Filter<Smooth> {
	float factor;

	__device__ explicit Smooth(float factor) : factor(factor) {
	}

	__device__ float step(float last, float x) {
		return last + (x - last) * factor;
	}
};

KERNEL(crtp_plain) {
	const float factor = in[1] * 0.25f;
	float last = 0;
	for (EACH(i, n))
		last = last + (in[i] - last) * factor;
	RESULT = last;
}

KERNEL(crtp_abstract) {
	RESULT = Smooth(in[1] * 0.25f).run(in, n);
}

/* ---- virtual: an object that is the same for the block, and a switch over its kind */

struct Shape {
	__device__ virtual ~Shape() {
	}

	__device__ virtual float area(float x) const = 0;
};

struct Square : Shape {
	__device__ float area(float x) const override {
		return x * x;
	}
};

struct Circle : Shape {
	__device__ float area(float x) const override {
		return x * x * 3.14159265f;
	}
};

struct Tagged {
	long long kind;

	__device__ float area(float x) const {
		switch (kind) {
		case 1:
			return x * x;
		case 2:
			return x * x * 3.14159265f;
		default:
			__trap();
		}
	}
};

KERNEL(virtual_plain) {
	__shared__ Tagged *shape;
	if (threadIdx.x == 0) {
		shape = (Tagged *)malloc(sizeof(Tagged));
		shape->kind = in[0] > 1.5f ? 2 : 1;
	}
	__syncthreads();
	const Tagged *own = shape;
	float sum = 0;
	for (EACH(i, n))
		sum += own->area(in[i]);
	RESULT = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		free(shape);
}

KERNEL(virtual_abstract) {
	__shared__ const Shape *shape;
	if (threadIdx.x == 0) {
		if (in[0] > 1.5f)
			shape = new Circle;
		else
			shape = new Square;
	}
	__syncthreads();
	const Shape *own = shape;
	float sum = 0;
	for (EACH(i, n))
		sum += own->area(in[i]);
	RESULT = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		delete shape;
}

/* ---- float2, half2, half2_cast: members of vectors, and numbers */

KERNEL(float2_plain) {
	float sum = 0;
	for (EACH(i, n / 2))
		sum += in[2 * i] * in[2 * i + 1];
	RESULT = sum;
}

__global__ void float2_abstract(float *out, const float2 *in, int n) {
	float sum = 0;
	for (EACH(i, n / 2)) {
		float2 v = in[i];
		sum += v.x * v.y;
	}
	RESULT = sum;
}

KERNEL(half2_plain) {
	const half *halves = reinterpret_cast<const half *>(in);
	float sum = 0;
	for (EACH(i, n))
		sum += __half2float(halves[2 * i]) * 0.5f + __half2float(halves[2 * i + 1]);
	RESULT = sum;
}

KERNEL(half2_abstract) {
	const half2 *pairs = reinterpret_cast<const half2 *>(in);
	float sum = 0;
	for (EACH(i, n)) {
		const half2 v = pairs[i];
		sum += __half2float(v.x) * 0.5f + __high2float(v);
	}
	RESULT = sum;
}

KERNEL(half2_cast_plain) {
	const half2 *pairs = reinterpret_cast<const half2 *>(in);
	half2 sum = __float2half2_rn(0);
	for (EACH(i, n / 4)) {
		sum = __hfma2(pairs[4 * i], pairs[4 * i + 1], sum);
		sum = __hfma2(pairs[4 * i + 2], pairs[4 * i + 3], sum);
	}
	RESULT = __low2float(sum) + __high2float(sum);
}

__global__ void half2_cast_abstract(float *out, const float4 *in, int n) {
	half2 sum = __float2half2_rn(0);
	for (EACH(i, n / 4)) {
		float4 c = in[i];
		sum = __hfma2(*(half2 *)&c.x, *(half2 *)&c.y, sum);
		sum = __hfma2(*(half2 *)&c.z, *(half2 *)&c.w, sum);
	}
	RESULT = __low2float(sum) + __high2float(sum);
}

/* ---- struct4, aligned, float3, record: structs that are loaded whole, and their members */

struct Four {
	int a, b, c, d;
};

KERNEL(struct4_plain) {
	const Four *fours = reinterpret_cast<const Four *>(in);
	int sum = 0;
	for (EACH(i, n / 4))
		sum += (fours[i].a ^ fours[i].b) + (fours[i].c ^ fours[i].d);
	RESULT = sum;
}

KERNEL(struct4_abstract) {
	const Four *fours = reinterpret_cast<const Four *>(in);
	int sum = 0;
	for (EACH(i, n / 4)) {
		const int4 v = *reinterpret_cast<const int4 *>(&fours[i]);
		sum += (v.x ^ v.y) + (v.z ^ v.w);
	}
	RESULT = sum;
}

struct __align__(16) Particle {
	float x, y, z;
	int kind;
};

KERNEL(aligned_plain) {
	const Particle *particles = reinterpret_cast<const Particle *>(in);
	float sum = 0;
	for (EACH(i, n / 4))
		sum += particles[i].x * particles[i].y + particles[i].z * (particles[i].kind >> 16);
	RESULT = sum;
}

KERNEL(aligned_abstract) {
	const Particle *particles = reinterpret_cast<const Particle *>(in);
	float sum = 0;
	for (EACH(i, n / 4)) {
		const Particle p = particles[i];
		sum += p.x * p.y + p.z * (p.kind >> 16);
	}
	RESULT = sum;
}

KERNEL(float3_plain) {
	float sum = 0;
	for (EACH(i, n / 3))
		sum += in[3 * i] * in[3 * i + 1] + in[3 * i + 2];
	RESULT = sum;
}

__global__ void float3_abstract(float *out, const float3 *in, int n) {
	float sum = 0;
	for (EACH(i, n / 3)) {
		const float3 v = in[i];
		sum += v.x * v.y + v.z;
	}
	RESULT = sum;
}

struct Record {
	float a, b, c, d, e, f, g, h;

	__device__ float value() const {
		return a * b + c * d + e * f + g * h;
	}
};

KERNEL(record_plain) {
	float sum = 0;
	for (EACH(i, n / 8))
		sum += in[8 * i] * in[8 * i + 1] + in[8 * i + 2] * in[8 * i + 3] + in[8 * i + 4] * in[8 * i + 5] +
			   in[8 * i + 6] * in[8 * i + 7];
	RESULT = sum;
}

KERNEL(record_abstract) {
	const Record *records = reinterpret_cast<const Record *>(in);
	float sum = 0;
	for (EACH(i, n / 8)) {
		const Record record = records[i];
		sum += record.value();
	}
	RESULT = sum;
}
