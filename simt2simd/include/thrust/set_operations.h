/* Thrust: see detail/sets.h. */
#pragma once
#include "detail/sets.h"
