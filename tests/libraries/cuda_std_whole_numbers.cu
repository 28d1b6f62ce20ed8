// <cuda/cmath>, and objects by which a kernel and a thread of the host wait for each other.
#include <cuda/cmath>
#include <cuda/std/atomic>
#include <cuda/std/semaphore>
#include <cuda/std/latch>
#include <cuda/std/type_traits>
#include <cstdio>
#include <thread>

static_assert(cuda::isqrt(99) == 9 && cuda::isqrt(100u) == 10 && cuda::isqrt(~0ull) == 0xffffffff && cuda::isqrt((signed char)127) == 11);
static_assert(cuda::ipow(-3, 3) == -27 && cuda::ipow(2, -2) == 0 && cuda::ipow((short)7, 4ull) == 2401);
static_assert(cuda::mul_hi(-1ll, 5ll) == -1 && cuda::mul_hi(~0ull, ~0ull) == ~0ull - 1 && cuda::mul_hi(1 << 30, 16) == 4 && cuda::mul_hi((short)-300, (short)300) == -2);
static_assert(cuda::uabs(-128) == 128 && cuda::uabs((signed char)-128) == 128 && cuda::neg(5u) == -5u);
static_assert(cuda::next_power_of_two(33) == 64 && cuda::prev_power_of_two(33) == 32 && cuda::is_power_of_two(64) && cuda::next_power_of_two(64) == 64 && !cuda::is_power_of_two(0));
static_assert(cuda::ceil_ilog2(33) == 6 && cuda::ceil_ilog2(32) == 5 && cuda::ceil_ilog10(100) == 2 && cuda::ceil_ilog10(101) == 3 && cuda::ceil_ilog10(2) == 1 && cuda::ceil_ilog10(1) == 0 && cuda::ilog10(999) == 2);
__host__ __device__ int wrong(float x) {
	auto r = cuda::sincos(x);
	static_assert(cuda::std::is_same_v<decltype(cuda::sincos(2).cos), double>);
	return r.sin < 0.99749f || r.sin > 0.9975f || r.cos < 0.07073f || r.cos > 0.07074f;
}
struct Shared {
	cuda::std::atomic<int> n;
	cuda::std::counting_semaphore<> s;
	cuda::std::latch l;
	cuda::std::atomic_flag f;
};
__global__ void k(int *out, Shared *s) {
	s->s.acquire();
	s->n.fetch_add(2);
	s->s.release();
	s->l.arrive_and_wait();
	bool first = !s->f.test_and_set();
	atomicAdd(out, wrong(1.5f) + (s->n.load(cuda::std::memory_order_acquire) != 71) + (first ? 100 : 0));
}

int main() {
	int *bad;
	Shared *s;
	cudaMallocManaged(&bad, sizeof(int));
	cudaMallocManaged(&s, sizeof(Shared));
	*bad = -100;
	new (s) Shared{{0}, cuda::std::counting_semaphore<>(1), cuda::std::latch(40), {}};
	cudaStream_t stream;
	cudaStreamCreate(&stream);
	std::thread other([&] {
		s->n += 7;
		s->l.count_down(8);
		s->l.wait();
	});
	k<<<1, 32, 0, stream>>>(bad, s);
	if (cudaStreamSynchronize(stream) != cudaSuccess)
		return 1;
	other.join();
	printf("%d wrong\n", *bad + wrong(1.5f) + !s->l.try_wait());
}
