/* Thrust: see ../detail/asynchronous.h. */
#pragma once
#include "../detail/asynchronous.h"
