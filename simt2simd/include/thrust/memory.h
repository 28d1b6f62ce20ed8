/* Thrust: see detail/policy.h. */
#pragma once
#include "detail/policy.h"
