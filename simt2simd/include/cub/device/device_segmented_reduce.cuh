/* CUB: see device_reduce.cuh. */
#pragma once
#include "device_reduce.cuh"
