/* Thrust: see device_vector.h. */
#pragma once
#include "device_vector.h"
