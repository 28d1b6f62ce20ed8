/* CUB: see device_segmented_sort.cuh. */
#pragma once
#include "device_segmented_sort.cuh"
