/* CUB: see thread_reduce.cuh. */
#pragma once
#include "thread_reduce.cuh"
