// features: methods class-templates cstdint nullptr structured-bindings default-arguments namespaces constexpr unions
// An open-addressing table in global memory, filled by all threads at once with atomic compare and swap.
#include <cstdint>
#include <map>

#include "check.h"

namespace hashing {

using u64 = unsigned long long;
constexpr u64 EMPTY = ~0ull;

constexpr __host__ __device__ uint32_t mix(uint32_t h) {
	h ^= h >> 16;
	h *= 0x85ebca6bu;
	h ^= h >> 13;
	h *= 0xc2b2ae35u;
	return h ^ h >> 16;
}
static_assert(mix(0) == 0 && mix(1) != 1, "");

struct Entry {
	uint32_t key, value;
	constexpr __host__ __device__ u64 packed() const { return (u64)key << 32 | value; }
	static constexpr __host__ __device__ Entry of(u64 word) { return {(uint32_t)(word >> 32), (uint32_t)word}; }
};

class Table {
	u64 *slots_ = nullptr;
	unsigned mask_ = 0;

  public:
	Table(u64 *slots, unsigned capacity) : slots_(slots), mask_(capacity - 1) {}

	// Adds to the value of a key. False if the table is full.
	__device__ bool add(uint32_t key, uint32_t by = 1) {
		for (unsigned probe = 0, at = mix(key) & mask_; probe <= mask_; probe++, at = (at + 1) & mask_) {
			u64 seen = slots_[at];
			while (seen == EMPTY || Entry::of(seen).key == key) {
				uint32_t value = seen == EMPTY ? 0 : Entry::of(seen).value;
				u64 wanted = Entry{key, value + by}.packed();
				u64 before = atomicCAS(&slots_[at], seen, wanted);
				if (before == seen)
					return true;
				seen = before;
			}
		}
		return false;
	}
	__device__ const Entry *find(uint32_t key, Entry *out) const {
		for (unsigned probe = 0, at = mix(key) & mask_; probe <= mask_; probe++, at = (at + 1) & mask_) {
			const u64 word = slots_[at];
			if (word == EMPTY)
				return nullptr;
			if (auto [found, value] = Entry::of(word); found == key) {
				*out = {found, value};
				return out;
			}
		}
		return nullptr;
	}
	__device__ unsigned capacity() const { return mask_ + 1; }
};

__global__ void fill(Table table, const uint32_t *keys, int *refused, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		bool fine = i % 4 ? table.add(keys[i]) : table.add(keys[i], 10);
		if (!fine)
			atomicAdd(refused, 1);
	}
}

__global__ void look_up(
	const Table table, const uint32_t *keys, uint32_t *values, unsigned long long *checksum, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Entry entry;
	const Entry *found = table.find(keys[i], &entry);
	values[i] = found ? found->value : 0;
	if (found != nullptr)
		atomicXor(checksum, Entry::of(found->packed()).packed() * table.capacity());
}

} // namespace hashing

int main() {
	using namespace hashing;
	const int n = 5000, m = 600;
	const unsigned capacity = 1024;
	std::vector<uint32_t> keys(n), wanted(m);
	std::map<uint32_t, uint32_t> expected;
	Random random(83);
	for (int i = 0; i < n; i++) {
		keys[i] = random.below(400) * random.below(2) + random.below(100) * 12345;
		if (expected.size() >= 700 && !expected.count(keys[i]))
			keys[i] = keys[0];
		expected[keys[i]] += i % 4 ? 1 : 10;
	}
	for (int i = 0; i < m; i++)
		wanted[i] = i % 3 ? keys[random.below(n)] : random.next();
	u64 *slots = device_array<u64>(capacity), *checksum = device_array<u64>(1);
	CHECK(cudaMemset(slots, 0xff, capacity * sizeof(u64)));
	int *refused = device_array<int>(1);
	Table table(slots, capacity);
	fill<<<10, 128>>>(table, to_device(keys), refused, n);
	uint32_t *values = device_array<uint32_t>(m);
	look_up<<<5, 128>>>(table, to_device(wanted), values, checksum, m);
	CHECK_LAUNCH();
	expect_equal("refused", 0, to_host(refused, 1)[0], 0);
	std::vector<uint32_t> got = to_host(values, m);
	u64 sum = 0;
	for (int i = 0; i < m; i++) {
		auto at = expected.find(wanted[i]);
		expect_equal("value", i, got[i], at == expected.end() ? 0 : at->second);
		if (at != expected.end())
			sum ^= ((u64)at->first << 32 | at->second) * capacity;
	}
	expect_equal("checksum", 0, to_host(checksum, 1)[0], sum);
	size_t entries = 0;
	for (u64 word : to_host(slots, capacity))
		if (word != EMPTY) {
			entries++;
			expect(expected[(uint32_t)(word >> 32)] == (uint32_t)word, "entry");
		}
	expect_equal("entries", 0, entries, expected.size());
	return verdict();
}
