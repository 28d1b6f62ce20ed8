// What the programs of classes need of CUDA-C so that a C++ compiler can read them.
#pragma once
#define __device__
#define __global__ static
#define __noinline__
struct Index {
	unsigned x, y, z;
};
static Index threadIdx, blockIdx, blockDim;
