/* CUB: see iterators.cuh. */
#pragma once
#include "../iterator/iterators.cuh"
