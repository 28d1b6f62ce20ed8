/* Thrust: see random.h. */
#pragma once
#include "../random.h"
