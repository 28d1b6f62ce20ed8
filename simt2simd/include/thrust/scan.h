/* Thrust: see detail/scanning.h. */
#pragma once
#include "detail/scanning.h"
