/* Thrust: see detail/elementwise.h. */
#pragma once
#include "detail/elementwise.h"
