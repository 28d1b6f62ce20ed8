/* Programs for the runtime API often include this header of the driver API without using it. */
#include "cuda_runtime.h"
