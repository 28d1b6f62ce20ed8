/* NVTX, at the path of its third version. */
#include "../nvToolsExtCuda.h"
