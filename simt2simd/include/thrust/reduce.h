/* Thrust: see detail/reduction.h and detail/selection.h. */
#pragma once
#include "detail/reduction.h"
#include "detail/selection.h"
