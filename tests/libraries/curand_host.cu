#include <cstdio>
#include <curand.h>
int main() {
  int n = 100000; float *f; double *d; unsigned *u; cudaMallocManaged(&f, n * 4); cudaMallocManaged(&d, n * 8); cudaMallocManaged(&u, n * 4);
  curandRngType_t types[] = {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MRG32K3A};
  for (auto type : types) {
    curandGenerator_t g; if (curandCreateGenerator(&g, type)) puts("no generator");
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
    curandGenerateUniform(g, f, n); cudaDeviceSynchronize();
    if (type == CURAND_RNG_PSEUDO_DEFAULT) for (int i = 0; i < 10; i++) printf(i < 9 ? "%.4f " : "%.4f\n", f[i]);
    double mean = 0, square = 0; for (int i = 0; i < n; i++) mean += f[i] / n;
    curandGenerateNormalDouble(g, d, n, 2, 3); cudaDeviceSynchronize();
    double m = 0; for (int i = 0; i < n; i++) m += d[i] / n; for (int i = 0; i < n; i++) square += (d[i] - m) * (d[i] - m) / n;
    curandGeneratePoisson(g, u, n, 4); cudaDeviceSynchronize(); double p = 0; for (int i = 0; i < n; i++) p += u[i] / (double)n;
    printf("%.1f %.1f %.0f %.1f\n", mean, m, square, p);
    curandSetGeneratorOffset(g, 5000); curandGenerateUniform(g, f + 50000, 4); cudaDeviceSynchronize();
    float before[4]; for (int i = 0; i < 4; i++) before[i] = f[50000 + i];
    curandSetGeneratorOffset(g, 0); curandGenerateUniform(g, f, 3000); curandGenerateUniform(g, f + 3000, 3000); cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) if (before[i] != f[5000 + i]) printf("offset %d: %g is not %g\n", i, before[i], f[5000 + i]);
    curandDestroyGenerator(g);
  }
  curandGenerator_t g; printf("%d\n", curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32));
}
