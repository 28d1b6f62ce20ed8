/* Thrust: see future.h. */
#pragma once
#include "future.h"
