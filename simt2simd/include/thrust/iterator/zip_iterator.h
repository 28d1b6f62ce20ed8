/* Thrust: see detail/iterators.h. */
#pragma once
#include "../detail/iterators.h"
