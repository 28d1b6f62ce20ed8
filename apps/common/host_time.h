/* The time that work takes on the host. */
#ifndef COMMON_HOST_TIME_H
#define COMMON_HOST_TIME_H

#include <algorithm>
#include <chrono>
#include <cmath>

/* Calls `work`; returns the milliseconds that it takes. */
template <class Work> double host_ms(Work work)
{
	const auto start = std::chrono::steady_clock::now();
	work();
	const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
	return ms.count();
}

/* Calls `work` `reps` times; returns the least time in milliseconds. */
template <class Work> double least_host_ms(int reps, Work work)
{
	double least = INFINITY;
	for (int i = 0; i < reps; i++)
		least = std::min(least, host_ms(work));
	return least;
}

#endif
