/* CUB: see device_select.cuh. */
#pragma once
#include "device_select.cuh"
