/* Queries that are answered on the host: one after the other, or by OpenMP on several cores. */
#ifndef COMMON_ON_HOST_H
#define COMMON_ON_HOST_H

#include <cstddef>

#include "host_time.h"
#include "options.h"

const int QUERIES_AT_A_TIME = 64; /* that a thread fetches: a query may take less than fetching one does */

/* Calls answer(i) for each query; returns the least time in milliseconds. With --openmp, the threads of OpenMP take the
 * next queries when they are done with theirs, as Goldfarb, Jo and Kulkarni (2013) have it on the CPU. */
template <class Answer> double least_answering_ms(const Options &options, size_t queries, const Answer &answer)
{
	return least_host_ms(options.reps, [&] {
		if (!options.openmp) {
			for (size_t i = 0; i < queries; i++)
				answer(i);
			return;
		}
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, QUERIES_AT_A_TIME)
#endif
		for (size_t i = 0; i < queries; i++)
			answer(i);
	});
}

#endif
