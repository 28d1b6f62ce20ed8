/* cuRAND's generators for device code: XORWOW, Philox4_32_10 and MRG32k3a, with NVIDIA's sequences.
 *
 * A state comes from `curand_init(seed, subsequence, offset, &state)`; `curand` and the functions of the distributions
 * advance it. Generators of quasirandom numbers and the Mersenne Twister are not there.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <cuda_runtime.h>

#include "curand/states.h"

#ifdef __CUDA_ARCH__
#include "curand/mrg32k3a.h"
#include "curand/philox.h"
#include "curand/xorwow.h"
/* The distributions call the generators. */
#include "curand/uniform.h"
/* The others take uniform numbers. */
#include "curand/normal.h"
#include "curand/poisson.h"
#endif

#endif
