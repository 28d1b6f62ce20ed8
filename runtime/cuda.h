/* Programs for the runtime API often include this header of the driver API without using it, and rely on what else it
 * includes. */
#include <stdint.h>
#include <stdlib.h>

#include "cuda_runtime.h"
