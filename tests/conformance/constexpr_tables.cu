// features: constexpr cstdint variable-templates static-assert value-parameters constant-variables methods class-templates
// Tables that the compiler computes: CRC-32, an S-box and its inverse, binomials and prime numbers.
#include <cstdint>

#include "check.h"

template <typename T, int N> struct Table {
	T data[N] = {};
	__host__ __device__ constexpr T operator[](int i) const { return data[i]; }
	__host__ __device__ constexpr int size() const { return N; }
};

constexpr Table<uint32_t, 256> make_crc(uint32_t polynomial) {
	Table<uint32_t, 256> table;
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t value = i;
		for (int bit = 0; bit < 8; bit++)
			value = value & 1 ? value >> 1 ^ polynomial : value >> 1;
		table.data[i] = value;
	}
	return table;
}

constexpr uint8_t times(uint8_t a, uint8_t b) {
	uint8_t product = 0;
	while (b) {
		if (b & 1)
			product ^= a;
		a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
		b >>= 1;
	}
	return product;
}
constexpr uint8_t power(uint8_t a, int n) {
	return n == 0 ? 1 : n % 2 ? times(a, power(a, n - 1)) : power(times(a, a), n / 2);
}
constexpr Table<uint8_t, 256> make_sbox() {
	Table<uint8_t, 256> table;
	for (int i = 0; i < 256; i++) {
		uint8_t x = power((uint8_t)i, 254), s = 0x63;
		for (int k = 0; k < 5; k++)
			s ^= (uint8_t)(x << k | x >> (8 - k));
		table.data[i] = s;
	}
	return table;
}
template <typename T, int N> constexpr Table<T, N> inverse(const Table<T, N> &table) {
	Table<T, N> result;
	for (int i = 0; i < N; i++)
		result.data[table[i]] = (T)i;
	return result;
}

template <int N> constexpr long long binomials_sum = 2 * binomials_sum<N - 1>;
template <> constexpr long long binomials_sum<0> = 1;

template <int N> struct Primes {
	int list[N] = {};
	constexpr Primes() {
		for (int count = 0, x = 2; count < N; x++) {
			bool prime = true;
			for (int k = 0; k < count && list[k] * list[k] <= x; k++)
				if (x % list[k] == 0) {
					prime = false;
					break;
				}
			if (prime)
				list[count++] = x;
		}
	}
};

__constant__ constexpr Table<uint32_t, 256> crc_table = make_crc(0xedb88320u);
__device__ constexpr auto sbox = make_sbox();
__device__ constexpr auto inverse_sbox = inverse(make_sbox());

static_assert(make_crc(0xedb88320u)[1] == 0x77073096u, "the standard's table");
static_assert(make_sbox()[0x53] == 0xed, "the standard's box");
static_assert(binomials_sum<40> == 1ll << 40, "");
static_assert(Primes<10>().list[9] == 29, "");

__device__ uint32_t crc32(const uint8_t *data, int n) {
	uint32_t crc = ~0u;
	for (int i = 0; i < n; i++)
		crc = crc_table[(crc ^ data[i]) & 255] ^ crc >> 8;
	return ~crc;
}

__device__ int smallest_factor(int x) {
	constexpr Primes<20> primes;
	for (int p : primes.list)
		if (x % p == 0)
			return p;
	return x;
}

__global__ void kernel(
	const uint8_t *data, uint32_t *crcs, uint8_t *boxed, int *factors, long long *sums, int n, int each) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	crcs[i] = crc32(data + i * each, 1 + i % each);
	uint8_t x = data[i];
	for (int k = 0; k < i % 5; k++)
		x = sbox[x];
	boxed[i] = inverse_sbox[x];
	factors[i] = smallest_factor(i + 2);
	sums[i] = i % 2 ? binomials_sum<33> : binomials_sum<5> + sbox.size();
}

int main() {
	const int n = 300, each = 24;
	std::vector<uint8_t> data(n * each);
	Random random(37);
	for (auto &x : data)
		x = (uint8_t)random.next();
	const char text[] = "123456789";
	for (int k = 0; k < 9; k++)
		data[8 * each + k] = text[k]; // the thread whose message has nine bytes
	uint8_t *d_data = to_device(data), *boxed = device_array<uint8_t>(n);
	uint32_t *crcs = device_array<uint32_t>(n);
	int *factors = device_array<int>(n);
	long long *sums = device_array<long long>(n);
	kernel<<<5, 64>>>(d_data, crcs, boxed, factors, sums, n, each);
	CHECK_LAUNCH();
	std::vector<uint32_t> got = to_host(crcs, n);
	std::vector<uint8_t> got_boxed = to_host(boxed, n);
	std::vector<int> got_factors = to_host(factors, n);
	std::vector<long long> got_sums = to_host(sums, n);
	expect_equal("check value", 0, got[8], 0xcbf43926u);
	for (int i = 0; i < n; i++) {
		uint32_t crc = ~0u;
		for (int k = 0; k < 1 + i % each; k++) {
			crc ^= data[i * each + k];
			for (int bit = 0; bit < 8; bit++)
				crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
		}
		expect_equal("crc", i, got[i], ~crc);
		uint8_t x = data[i], y = got_boxed[i]; // one step back of i % 5 steps
		constexpr auto box = make_sbox();
		for (int k = 0; k < i % 5; k++)
			x = box[x];
		expect_equal("box", i, box[y], x);
		int factor = 2;
		while ((i + 2) % factor)
			factor++;
		expect_equal("factor", i, got_factors[i], factor);
		expect_equal("sum", i, got_sums[i], i % 2 ? 1ll << 33 : 32 + 256);
	}
	return verdict();
}
