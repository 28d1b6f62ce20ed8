// features: vector-types overloading operators adl-operators references dim3 alignment
// Bodies that attract each other, with float3 and float4 and the operators that programs write for them.
#include "check.h"

inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return a * s; }
inline __host__ __device__ void operator+=(float3 &a, float3 b) {
	a.x += b.x;
	a.y += b.y;
	a.z += b.z;
}
inline __host__ __device__ void operator*=(float3 &a, float s) {
	a.x *= s;
	a.y *= s;
	a.z *= s;
}
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float dot(const float4 &a, const float4 &b) {
	return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
inline __host__ __device__ float3 cross(float3 a, float3 b) {
	return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
inline __host__ __device__ float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }

constexpr float SOFTENING = 0.01f, DT = 0.01f;

__host__ __device__ inline float3 pull(float4 mine, float4 other) {
	float3 r = make_float3(other) - make_float3(mine);
	float squared = dot(r, r) + SOFTENING;
	float inverse = 1.0f / sqrtf(squared);
	return r * (other.w * inverse * inverse * inverse);
}

__global__ void step(const float4 *__restrict__ bodies, const float4 *velocities, float4 *new_bodies,
	float4 *new_velocities, float3 *momenta, int n) {
	__shared__ float4 tile[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
	float3 acceleration = make_float3(0.0f);
	for (int first = 0; first < n; first += blockDim.x) {
		int at = first + threadIdx.x;
		tile[threadIdx.x] = at < n ? bodies[at] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < (int)blockDim.x; k++)
			acceleration += pull(mine, tile[k]);
		__syncthreads();
	}
	if (i >= n)
		return;
	float3 v = make_float3(velocities[i]) + DT * acceleration;
	v *= 0.995f;
	float3 p = make_float3(mine) + v * DT;
	new_bodies[i] = make_float4(p, mine.w);
	new_velocities[i] = make_float4(v, dot(velocities[i], velocities[i]));
	momenta[i] = cross(p, v) * mine.w;
}

int main() {
	const int n = 500;
	std::vector<float4> bodies(n), velocities(n);
	Random random(4);
	for (int i = 0; i < n; i++) {
		bodies[i] =
			make_float4(random.uniform(), random.uniform(), random.uniform(), 0.001f + random.uniform() * 0.01f);
		velocities[i] = make_float4(random.uniform() - 0.5f, random.uniform() - 0.5f, 0.0f, 0.0f);
	}
	float4 *d_bodies = to_device(bodies), *d_velocities = to_device(velocities);
	float4 *d_new_bodies = device_array<float4>(n), *d_new_velocities = device_array<float4>(n);
	float3 *d_momenta = device_array<float3>(n);
	dim3 block(64), grid((n + block.x - 1) / block.x);
	step<<<grid, block>>>(d_bodies, d_velocities, d_new_bodies, d_new_velocities, d_momenta, n);
	CHECK_LAUNCH();
	std::vector<float4> p = to_host(d_new_bodies, n), v = to_host(d_new_velocities, n);
	std::vector<float3> l = to_host(d_momenta, n);
	for (int i = 0; i < n; i++) {
		float3 a = make_float3(0.0f);
		for (int k = 0; k < n; k++)
			a += pull(bodies[i], bodies[k]);
		float3 w = make_float3(velocities[i]) + DT * a;
		w *= 0.995f;
		float3 q = make_float3(bodies[i]) + w * DT, m = cross(q, w) * bodies[i].w;
		expect_near("v.x", i, v[i].x, w.x, 1e-4);
		expect_near("v.z", i, v[i].z, w.z, 1e-4);
		expect_near("v.w", i, v[i].w, dot(velocities[i], velocities[i]), 1e-5);
		expect_near("p.y", i, p[i].y, q.y, 1e-5);
		expect_near("mass", i, p[i].w, bodies[i].w, 0);
		expect_near("momentum", i, l[i].y, m.y, 1e-5);
	}
	return verdict();
}
