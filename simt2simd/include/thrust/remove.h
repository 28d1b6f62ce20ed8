/* Thrust: see detail/selection.h. */
#pragma once
#include "detail/selection.h"
