// features: inheritance class-templates methods access static-members kernel-templates launch-in-template constructors using-aliases
// Classes that get themselves as template argument: steps of solvers without virtual functions, and plain inheritance.
#include "check.h"

template <typename Derived, typename T> class Solver {
  protected:
	T h_;
	int evaluations_ = 0;

  public:
	using value_type = T;
	__host__ __device__ explicit Solver(T h) : h_(h) {}
	__host__ __device__ T integrate(T y, T t, int steps) {
		for (int i = 0; i < steps; i++, t += h_)
			y = self().step(y, t);
		return y;
	}
	__host__ __device__ int evaluations() const { return evaluations_; }
	__host__ __device__ static constexpr int order() { return Derived::ORDER; }

  private:
	__host__ __device__ Derived &self() { return static_cast<Derived &>(*this); }
};

// The equation: y' = rate * y + drive * t.
struct Equation {
	double rate, drive;
	__host__ __device__ Equation(double rate, double drive) : rate(rate), drive(drive) {}
	__host__ __device__ double slope(double y, double t) const { return rate * y + drive * t; }
};

template <typename T> class Euler : public Solver<Euler<T>, T>, private Equation {
	using Base = Solver<Euler<T>, T>;

  public:
	static constexpr int ORDER = 1;
	__host__ __device__ Euler(T h, double rate, double drive) : Base(h), Equation(rate, drive) {}
	__host__ __device__ T step(T y, T t) {
		this->evaluations_++;
		return y + Base::h_ * T(slope(y, t));
	}
};

template <typename T> class RungeKutta : public Solver<RungeKutta<T>, T>, private Equation {
	using Base = Solver<RungeKutta, T>;
	using Base::h_;

  protected:
	using Base::evaluations_;

  public:
	static constexpr int ORDER = 4;
	using Equation::drive;
	__host__ __device__ RungeKutta(T h, double rate, double drive) : Base(h), Equation(rate, drive) {}
	__host__ __device__ T step(T y, T t) {
		T k1 = slope(y, t), k2 = slope(y + h_ / 2 * k1, t + h_ / 2);
		T k3 = slope(y + h_ / 2 * k2, t + h_ / 2), k4 = slope(y + h_ * k3, t + h_);
		evaluations_ += 4;
		return y + h_ / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
	}
};

// A third level, which hides the method of its base and calls it.
template <typename T> struct Limited : RungeKutta<T> {
	T limit = T(2);
	using RungeKutta<T>::RungeKutta;
	__host__ __device__ T integrate(T y, T t, int steps) {
		T result = RungeKutta<T>::integrate(y, t, steps);
		return result > limit ? limit : result;
	}
};

template <typename S> __host__ __device__ typename S::value_type run(double y, int i, int &cost) {
	S solver(0.0625, -0.5 - i % 5 * 0.25, 0.125 * (i % 3));
	auto result = solver.integrate(y, 0, 4 + i % 9);
	cost = solver.evaluations() * 10 + S::order();
	return result;
}

template <typename S> __global__ void solve(const double *start, double *out, int *costs, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = run<S>(start[i], i, costs[i]);
}

template <typename S> void test(const char *name, double tolerance) {
	const int n = 130;
	std::vector<double> start(n);
	for (int i = 0; i < n; i++)
		start[i] = 1 + i * 0.03125;
	double *d_start = to_device(start), *out = device_array<double>(n);
	int *costs = device_array<int>(n);
	solve<S><<<3, 48>>>(d_start, out, costs, n);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	std::vector<int> got_costs = to_host(costs, n);
	for (int i = 0; i < n; i++) {
		int cost;
		expect_near(name, i, got[i], (double)run<S>(start[i], i, cost), tolerance);
		expect_equal("cost", i, got_costs[i], cost);
		// The exact solution of y' = r y + d t.
		double r = -0.5 - i % 5 * 0.25, d = 0.125 * (i % 3), t = 0.0625 * (4 + i % 9);
		double exact = (start[i] + d / (r * r)) * std::exp(r * t) - d / r * t - d / (r * r);
		if (S::order() == 4 && exact < 1.9)
			expect_near(name, i, got[i], exact, 1e-4);
	}
}

int main() {
	test<Euler<double>>("Euler", 1e-12);
	test<Euler<float>>("Euler in float", 1e-5);
	test<RungeKutta<double>>("Runge-Kutta", 1e-12);
	test<Limited<double>>("limited", 1e-12);
	test<Limited<float>>("limited in float", 1e-5);
	return verdict();
}
