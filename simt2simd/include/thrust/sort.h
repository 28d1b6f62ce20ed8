/* Thrust: see detail/sorting.h. */
#pragma once
#include "detail/sorting.h"
