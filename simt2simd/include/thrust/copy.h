/* Thrust: see detail/elementwise.h and detail/selection.h. */
#pragma once
#include "detail/elementwise.h"
#include "detail/selection.h"
