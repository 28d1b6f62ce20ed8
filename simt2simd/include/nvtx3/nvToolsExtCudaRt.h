/* NVTX, where its third version stands. */
#include "../nvToolsExtCudaRt.h"
