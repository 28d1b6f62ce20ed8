/* Squared distances from a query, for kernels and for the host. */
#ifndef COMMON_DISTANCE_H
#define COMMON_DISTANCE_H

#include <cuda_runtime.h>

#include "dimensions.h"

/* From x to the nearest place of a box: `dim` lower bounds, then `dim` upper bounds. 0 inside. */
__host__ __device__ inline float box_distance(const float *box, int dim, const float *x)
{
	float sum = 0.0f;
	for (int d = 0; d < DIMENSIONS(dim); d++) {
		const float low = box[d], high = box[DIMENSIONS(dim) + d];
		float place = x[d] < low ? low : x[d];
		place = place > high ? high : place;
		const float diff = x[d] - place;
		sum += diff * diff;
	}
	return sum;
}

/* From x to a point. */
__host__ __device__ inline float point_distance(const float *point, int dim, const float *x)
{
	float sum = 0.0f;
	for (int d = 0; d < DIMENSIONS(dim); d++) {
		const float diff = point[d] - x[d];
		sum += diff * diff;
	}
	return sum;
}

#endif
