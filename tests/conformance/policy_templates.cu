// features: template-template partial-specialisation alias-templates variable-templates class-templates specialisation kernel-templates launch-in-template if-constexpr
// A table with policies: how keys are hashed, where entries stand, what becomes of equal keys. Traits choose by type.
#include <cstdint>

#include "check.h"

template <typename T> struct MultiplyHash;
template <> struct MultiplyHash<int> {
	__host__ __device__ static uint32_t of(int k) { return (uint32_t)k * 2654435769u >> 7; }
};
template <> struct MultiplyHash<long long> {
	__host__ __device__ static uint32_t of(long long k) {
		return (uint32_t)((uint64_t)k * 0x9e3779b97f4a7c15ull >> 35);
	}
};
template <typename T> struct MultiplyHash<T *> {
	__host__ __device__ static uint32_t of(const T *p) { return MultiplyHash<long long>::of((long long)p); }
};
template <typename T> struct Identity {
	__host__ __device__ static uint32_t of(T k) { return (uint32_t)k; }
};

template <typename K, typename V, int N> struct Together { // array of structs
	struct Entry {
		K key;
		V value;
	} entries[N];
	__host__ __device__ K &key(int i) { return entries[i].key; }
	__host__ __device__ V &value(int i) { return entries[i].value; }
};
template <typename K, typename V, int N> struct Apart { // struct of arrays
	K keys[N];
	V values[N];
	__host__ __device__ K &key(int i) { return keys[i]; }
	__host__ __device__ V &value(int i) { return values[i]; }
};

template <typename V> struct KeepFirst {
	__host__ __device__ static void merge(V &, const V &) {}
};
template <typename V> struct AddUp {
	__host__ __device__ static void merge(V &old, const V &more) { old += more; }
};

template <typename K> constexpr K empty_key = K(-1);
template <> constexpr long long empty_key<long long> = 1ll << 60;
template <typename T> constexpr bool is_wide = sizeof(T) > 4;
template <typename T> constexpr bool is_wide<T *> = true;

template <typename K, typename V, int N, template <typename> class Hash = MultiplyHash,
	template <typename, typename, int> class Storage = Together, template <typename> class Merge = AddUp>
class Table {
	Storage<K, V, N> storage_;
	int size_ = 0;

  public:
	__host__ __device__ Table() {
		for (int i = 0; i < N; i++)
			storage_.key(i) = empty_key<K>;
	}
	__host__ __device__ bool put(K key, V value) {
		for (uint32_t i = 0, at = Hash<K>::of(key); i < N; i++, at++) {
			K &place = storage_.key(at % N);
			if (place == key) {
				Merge<V>::merge(storage_.value(at % N), value);
				return true;
			}
			if (place == empty_key<K>) {
				place = key;
				storage_.value(at % N) = value;
				size_++;
				return true;
			}
		}
		return false;
	}
	__host__ __device__ V get(K key, V otherwise) {
		for (uint32_t i = 0, at = Hash<K>::of(key); i < N && storage_.key(at % N) != empty_key<K>; i++, at++)
			if (storage_.key(at % N) == key)
				return storage_.value(at % N);
		return otherwise;
	}
	__host__ __device__ int size() const { return size_; }
};

template <typename K> using Small = Table<K, float, 8, Identity, Apart, KeepFirst>;
template <typename K, template <typename> class Merge> using Large = Table<K, int, 32, MultiplyHash, Apart, Merge>;
template <typename T> struct Describe {
	static constexpr int code = 1;
};
template <typename K, typename V, int N, template <typename> class H, template <typename, typename, int> class S,
	template <typename> class M>
struct Describe<Table<K, V, N, H, S, M>> {
	static constexpr int code = N * 10 + (is_wide<K> ? 1 : 0);
};

template <typename T, typename K> __host__ __device__ double use(const K *keys, int n, int limit) {
	T table;
	double result = 0;
	for (int i = 0; i < n; i++)
		if (!table.put(keys[i] % limit, i + 1))
			result += 1e6;
	for (int k = 0; k < limit; k++)
		result += table.get(k, 0) * (k + 1);
	if constexpr (is_wide<K>)
		result += 0.5;
	return result + table.size() * 1e9 + Describe<T>::code;
}

constexpr int EACH = 20;

template <typename T, typename K> __global__ void kernel(const K *keys, double *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = use<T>(keys + i * EACH, 3 + i % (EACH - 2), 2 + i % 11);
}

template <typename T, typename K> void test(const char *name) {
	const int n = 90;
	std::vector<K> keys(n * EACH);
	Random random(43);
	for (K &key : keys)
		key = random.below(1000);
	K *d_keys = to_device(keys);
	double *out = device_array<double>(n);
	kernel<T><<<3, 32>>>(d_keys, out, n);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(out, n);
	for (int i = 0; i < n; i++)
		expect_near(name, i, got[i], use<T>(&keys[i * EACH], 3 + i % (EACH - 2), 2 + i % 11), 0);
}

int main() {
	static_assert(Describe<int>::code == 1 && Describe<Small<int>>::code == 80, "");
	static_assert(is_wide<char *> && !is_wide<int>, "");
	test<Small<int>, int>("small");
	test<Small<long long>, long long>("small, wide");
	test<Large<int, AddUp>, int>("large, added up");
	test<Large<long long, KeepFirst>, long long>("large, first");
	test<Table<int, double, 16>, int>("defaults");
	return verdict();
}
