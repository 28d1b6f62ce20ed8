// features: static-members constexpr class-templates inheritance static-assert enums access methods
// Constants, tables and functions that belong to classes: lattices of a fluid simulation as policy classes.
#include "check.h"

struct D1Q3 {
	static constexpr int D = 1, Q = 3;
	__host__ __device__ static constexpr int c(int q, int axis) {
		constexpr int table[Q][2] = {{0, 0}, {1, 0}, {-1, 0}};
		return table[q][axis];
	}
	__host__ __device__ static constexpr float w(int q) {
		constexpr float table[Q] = {4.0f / 6, 1.0f / 6, 1.0f / 6};
		return table[q];
	}
	__host__ __device__ static constexpr int opposite(int q) {
		const int table[Q] = {0, 2, 1};
		return table[q];
	}
};

struct D2Q9 {
	enum : int { D = 2, Q = 9 };
	__host__ __device__ static constexpr int c(int q, int axis) {
		constexpr int table[Q][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
		return table[q][axis];
	}
	__host__ __device__ static constexpr float w(int q) {
		constexpr float table[Q] = {
			4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
		return table[q];
	}
	__host__ __device__ static constexpr int opposite(int q) {
		const int table[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
		return table[q];
	}
};

class Settings {
  protected:
	static const int CELL = 8;
	static constexpr double cs2 = 1.0 / 3;

  public:
	static constexpr float omega = 1.2f;
	__host__ __device__ static constexpr int padded(int n) { return (n + CELL - 1) / CELL * CELL; }
};

template <typename L> class Lattice : public Settings {
	template <typename M> friend class Lattice;
	static constexpr int total(int axis) {
		int sum = 0;
		for (int q = 0; q < L::Q; q++)
			sum += L::c(q, axis);
		return sum;
	}
	static_assert(total(0) == 0 && total(1) == 0, "the directions cancel");

  public:
	static constexpr int Q = L::Q;
	__host__ __device__ static int wrapped(int x, int n) { return x < 0 ? x + n : x >= n ? x - n : x; }
	__host__ __device__ static float equilibrium(int q, float rho, float ux, float uy) {
		float cu = (L::c(q, 0) * ux + L::c(q, 1) * uy) / (float)cs2;
		return L::w(q) * rho * (1 + cu + 0.5f * cu * cu - (ux * ux + uy * uy) / (2 * (float)cs2));
	}
	__host__ __device__ static int place(int q, int x, int y, int nx, int ny) { return (q * ny + y) * padded(nx) + x; }
	// One cell's collision, then each part goes to a neighbour, or back if that is a wall.
	__host__ __device__ static void step(const float *from, float *to, const bool *wall, int x, int y, int nx, int ny) {
		float f[Q], rho = 0, ux = 0, uy = 0;
		for (int q = 0; q < Q; q++) {
			f[q] = from[place(q, x, y, nx, ny)];
			rho += f[q];
			ux += f[q] * L::c(q, 0);
			uy += f[q] * L::c(q, 1);
		}
		ux /= rho;
		uy /= rho;
		for (int q = 0; q < Q; q++) {
			float after = f[q] + omega * (equilibrium(q, rho, ux, uy) - f[q]);
			int tx = wrapped(x + L::c(q, 0), nx), ty = wrapped(y + L::c(q, 1), ny);
			if (wall[ty * nx + tx])
				to[place(L::opposite(q), x, y, nx, ny)] = after;
			else
				to[place(q, tx, ty, nx, ny)] = after;
		}
	}
};

template <typename L> __global__ void step(const float *from, float *to, const bool *wall, int nx, int ny) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < nx && y < ny && !wall[y * nx + x])
		Lattice<L>::step(from, to, wall, x, y, nx, ny);
}

template <typename L> void test(int nx, int ny, int steps) {
	size_t size = (size_t)Lattice<L>::Q * ny * Settings::padded(nx);
	std::vector<float> a(size), b(size);
	bool walls[2000] = {};
	for (int y = 0; y < ny; y++)
		for (int x = 0; x < nx; x++) {
			walls[y * nx + x] = L::D == 2 ? y == 0 || (x == 5 && y % 4 == 1) : x == nx - 1;
			for (int q = 0; q < Lattice<L>::Q; q++)
				a[Lattice<L>::place(q, x, y, nx, ny)] = Lattice<L>::equilibrium(q, 1 + 0.01f * ((x + y) % 5), 0.05f, 0);
		}
	float *d_a = to_device(a), *d_b = to_device(b);
	bool *d_walls = device_array<bool>(nx * ny);
	CHECK(cudaMemcpy(d_walls, walls, nx * ny, cudaMemcpyHostToDevice));
	double before = 0, after = 0;
	for (int y = 0; y < ny; y++)
		for (int x = 0; x < nx; x++)
			for (int q = 0; q < Lattice<L>::Q && !walls[y * nx + x]; q++)
				before += a[Lattice<L>::place(q, x, y, nx, ny)];
	for (int t = 0; t < steps; t++) {
		step<L><<<dim3((nx + 15) / 16, (ny + 3) / 4), dim3(16, 4)>>>(d_a, d_b, d_walls, nx, ny);
		std::swap(d_a, d_b);
		for (int y = 0; y < ny; y++)
			for (int x = 0; x < nx; x++)
				if (!walls[y * nx + x])
					Lattice<L>::step(a.data(), b.data(), walls, x, y, nx, ny);
		std::swap(a, b);
	}
	CHECK_LAUNCH();
	std::vector<float> got = to_host(d_a, size);
	for (int y = 0; y < ny; y++)
		for (int x = 0; x < nx; x++)
			for (int q = 0; q < Lattice<L>::Q && !walls[y * nx + x]; q++) {
				int at = Lattice<L>::place(q, x, y, nx, ny);
				expect_near("cell", at, got[at], a[at], 1e-5);
				after += got[at];
			}
	expect_near("mass", 0, after, before, 1e-5);
}

int main() {
	test<D1Q3>(70, 1, 5);
	test<D2Q9>(45, 30, 8);
	return verdict();
}
