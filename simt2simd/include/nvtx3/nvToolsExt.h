/* NVTX, where its third version stands. */
#include "../nvToolsExt.h"
