// Stands in cooperative_groups.h.
#pragma once
