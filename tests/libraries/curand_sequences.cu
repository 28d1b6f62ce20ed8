// Prints what the generators of <curand_kernel.h> draw for several seeds, subsequences and offsets: integers, uniform
// numbers as bits ("exact"), normal and log-normal numbers ("close"), and Poisson numbers.
#include <cstdio>
#include <curand_kernel.h>
struct Row {
  unsigned a[6], u[2]; unsigned long long d[2];
  float n[4], ln[2]; double nd[3], lnd[2];
  unsigned p[6];
};
template <class S> __global__ void k(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, Row *out) {
  S s; curand_init(seed, subsequence, offset, &s); Row &r = *out;
  for (int i = 0; i < 6; i++) r.a[i] = curand(&s);
  for (int i = 0; i < 2; i++) r.u[i] = __float_as_uint(curand_uniform(&s));
  for (int i = 0; i < 2; i++) r.d[i] = __double_as_longlong(curand_uniform_double(&s));
  for (int i = 0; i < 3; i++) r.n[i] = curand_normal(&s);
  r.n[3] = curand_normal2(&s).y;
  r.ln[0] = curand_log_normal(&s, 0.5f, 2.f); r.ln[1] = curand_log_normal(&s, 0.5f, 2.f);
  for (int i = 0; i < 3; i++) r.nd[i] = curand_normal_double(&s);
  r.lnd[0] = curand_log_normal_double(&s, 0.5, 2.); r.lnd[1] = curand_log_normal2_double(&s, 0.5, 2.).y;
  r.p[0] = curand_poisson(&s, 0.5); r.p[1] = curand_poisson(&s, 20.0); r.p[2] = curand_poisson(&s, 63.0);
  r.p[3] = curand_poisson(&s, 5000.0); r.p[4] = curand_poisson(&s, 1e6);
  skipahead(1000003ull, &s); skipahead_sequence(77ull, &s); r.p[5] = curand(&s);
}
__global__ void four(unsigned long long seed, Row *out) {
  curandStatePhilox4_32_10_t s; curand_init(seed, 3, 5, &s); Row &r = *out;
  uint4 a = curand4(&s); r.a[0] = a.x; r.a[1] = a.y; r.a[2] = a.z; r.a[3] = a.w;
  curand(&s); a = curand4(&s); r.a[4] = a.x; r.a[5] = a.w;
  float4 f = curand_uniform4(&s); r.u[0] = __float_as_uint(f.x); r.u[1] = __float_as_uint(f.w);
  double2 d = curand_uniform2_double(&s); r.d[0] = __double_as_longlong(d.x); r.d[1] = __double_as_longlong(d.y);
  f = curand_normal4(&s); r.n[0] = f.x; r.n[1] = f.y; r.n[2] = f.z; r.n[3] = f.w;
  f = curand_log_normal4(&s, .5f, .25f); r.ln[0] = f.x; r.ln[1] = f.w;
  double2 e = curand_normal2_double(&s); r.nd[0] = e.x; r.nd[1] = e.y; r.nd[2] = curand_normal_double(&s);
  e = curand_log_normal2_double(&s, .5, .25); r.lnd[0] = e.x; r.lnd[1] = e.y;
  uint4 p = curand_poisson4(&s, 30.0); r.p[0] = p.x; r.p[1] = p.y; r.p[2] = p.z; r.p[3] = p.w;
  r.p[4] = curand(&s); r.p[5] = s.STATE;
}
void show(const char *name, Row *r) {
  cudaDeviceSynchronize(); printf("%s\n exact:", name);
  for (unsigned x : r->a) printf(" %08x", x);
  for (unsigned x : r->u) printf(" %08x", x);
  for (unsigned long long x : r->d) printf(" %016llx", x);
  printf("\n close:");
  for (float x : r->n) printf(" %.4f", x);
  for (float x : r->ln) printf(" %.3g", x);
  for (double x : r->nd) printf(" %.10f", x);
  for (double x : r->lnd) printf(" %.8g", x);
  printf("\n poisson:");
  for (unsigned x : r->p) printf(" %u", x);
  puts("");
}
int main() {
  Row *r; cudaMallocManaged(&r, sizeof(Row)); char name[99];
  printf("sizes %zu %zu %zu\n", sizeof(curandState), sizeof(curandStatePhilox4_32_10_t), sizeof(curandStateMRG32k3a));
  unsigned long long seeds[] = {0, 1, 1234, 0xdeadbeefcafef00dull}, subs[] = {0, 1, 12345, 1ull << 40}, offs[] = {0, 3, 1000000, 1ull << 35};
  for (auto seed : seeds) for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j += 1 + (i & 1)) {
    snprintf(name, 99, "seed %llx subsequence %llu offset %llu", seed, subs[i], offs[j]); puts(name);
    k<curandState><<<1, 1>>>(seed, subs[i], offs[j], r); show("XORWOW", r);
    k<curandStatePhilox4_32_10_t><<<1, 1>>>(seed, subs[i], offs[j], r); show("Philox", r);
    k<curandStateMRG32k3a><<<1, 1>>>(seed, subs[i], offs[j], r); show("MRG32k3a", r);
  }
  for (auto seed : seeds) { four<<<1, 1>>>(seed, r); show("Philox in fours", r); }
}
