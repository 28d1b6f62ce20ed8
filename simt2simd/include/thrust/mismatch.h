/* Thrust: see detail/reduction.h. */
#pragma once
#include "detail/reduction.h"
