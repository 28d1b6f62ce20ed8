// Arrays of cuRAND's host library, by generator, order and offset: some numbers of each of five arrays, which follow
// each other. After the orders that have numbers come those that are refused.
#include <cstdio>
#include <curand.h>
#include <vector>

static const size_t N = 120000, AT[] = {0, 1, 2, 5, 255, 4096, 8192, 40001, 65536, 119999};
static void *memory;

template <class T, class Draw> static void show(const char *name, const char *format, Draw draw) {
	std::vector<T> all(N);
	int status = draw((T *)memory);
	cudaMemcpy(all.data(), memory, N * sizeof(T), cudaMemcpyDeviceToHost);
	printf("  %s %d:", name, status);
	for (size_t i : AT)
		printf(format, all[i]);
	printf("\n");
}

static void show(const char *name, curandRngType_t type, curandOrdering_t order, unsigned long long offset) {
	curandGenerator_t g;
	curandCreateGenerator(&g, type);
	curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
	int ordered = curandSetGeneratorOrdering(g, order), moved = curandSetGeneratorOffset(g, offset);
	printf("%s order %d offset %llu: %d %d\n", name, order, offset, ordered, moved);
	show<unsigned>("bits", " %u", [=](unsigned *out) { return curandGenerate(g, out, N); });
	show<float>("uniform", " %.9g", [=](float *out) { return curandGenerateUniform(g, out, N); });
	show<float>("normal", " %.9g", [=](float *out) { return curandGenerateNormal(g, out, N, 0, 1); });
	show<double>("double", " %.17g", [=](double *out) { return curandGenerateUniformDouble(g, out, N); });
	show<double>("normals", " %.17g", [=](double *out) { return curandGenerateNormalDouble(g, out, N, 0, 1); });
	curandDestroyGenerator(g);
}

int main() {
	cudaMalloc(&memory, N * sizeof(double));
	for (curandOrdering_t order : {CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DEFAULT})
		for (unsigned long long offset : {0ULL, 5ULL}) {
			show("xorwow", CURAND_RNG_PSEUDO_XORWOW, order, offset);
			show("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, order, offset);
			show("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, order, offset);
		}
	curandGenerator_t g;
	curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
	std::vector<float> all(10), parts(10);
	curandGenerateUniform(g, all.data(), 10);
	curandSetGeneratorOffset(g, 0);
	for (size_t count : {3, 0, 2, 5}) {
		static size_t begin = 0;
		curandGenerateUniform(g, parts.data() + begin, count);
		begin += count;
	}
	printf("in parts the same: %d\n", all == parts);
	printf("refused: %d %d %d\n", curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_SEEDED),
		curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT), curandGenerateNormal(g, all.data(), 3, 0, 1));
	curandDestroyGenerator(g);
}
