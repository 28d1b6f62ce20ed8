/* The node at which a search of a graph begins. */
#ifndef COMMON_SOURCE_H
#define COMMON_SOURCE_H

#include <cstdint>

#include "errors.h"

const char *const USAGE_OF_SOURCE = "  --source NODE  from 0 (default: the node of most edges, the first of several)\n";

/* The node that --source has given, of so many, or, if that is -1, the one of most edges. */
template <class Graph> int source_of(const Graph &graph, int nodes, int64_t given)
{
	if (given >= nodes)
		fail<InputError>("--source: expected a node from 0 to %d, found '%lld'", nodes - 1,
						 static_cast<long long>(given));
	if (given >= 0)
		return static_cast<int>(given);
	int most = 0;
	for (int node = 1; node < nodes; node++)
		most = graph.degree(node) > graph.degree(most) ? node : most;
	return most;
}

#endif
