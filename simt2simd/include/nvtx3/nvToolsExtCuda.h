/* NVTX, where its third version stands. */
#include "../nvToolsExtCuda.h"
