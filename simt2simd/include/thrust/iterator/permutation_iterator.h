/* Thrust: see detail/iterators.h. */
#pragma once
#include "../detail/tuples.h"
