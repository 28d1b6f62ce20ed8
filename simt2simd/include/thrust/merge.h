/* Thrust: see detail/searching.h. */
#pragma once
#include "detail/searching.h"
