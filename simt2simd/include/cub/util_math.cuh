/* CUB: see util_ptx.cuh and util_allocator.cuh. */
#pragma once
#include "util_allocator.cuh"
#include "util_ptx.cuh"
