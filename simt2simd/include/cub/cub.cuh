/* CUB: primitives for warps, for blocks and for the whole device. */
#ifndef S2S_CUB_CUB_CUH
#define S2S_CUB_CUB_CUH

#include "../thrust/detail/iterators.h"
#include "block/block_adjacent_difference.cuh"
#include "block/block_discontinuity.cuh"
#include "block/block_exchange.cuh"
#include "block/block_histogram.cuh"
#include "block/block_load.cuh"
#include "block/block_merge_sort.cuh"
#include "block/block_radix_sort.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_shuffle.cuh"
#include "block/block_store.cuh"
#include "device/device_adjacent_difference.cuh"
#include "device/device_for.cuh"
#include "device/device_histogram.cuh"
#include "device/device_merge_sort.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "device/device_segmented_sort.cuh"
#include "device/device_select.cuh"
#include "device/device_transform.cuh"
#include "iterator/iterators.cuh"
#include "util_allocator.cuh"
#include "warp/warp_load.cuh"
#include "warp/warp_merge_sort.cuh"
#include "warp/warp_scan.cuh"
#include "warp/warp_store.cuh"

#endif
