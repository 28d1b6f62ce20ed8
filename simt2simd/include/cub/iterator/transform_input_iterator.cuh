/* CUB: see iterators.cuh. */
#pragma once
#include "iterators.cuh"
