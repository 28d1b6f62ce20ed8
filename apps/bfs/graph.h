/* Undirected graphs: made at random, or read from a list of edges. */
#ifndef BFS_GRAPH_H
#define BFS_GRAPH_H

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../common/errors.h"
#include "../common/points.h"
#include "../common/random.h"

const long long MOST_NODES = 1LL << 28, MOST_EDGES = 1LL << 29;

/* The neighbours of node i are edges[start[i]] to edges[start[i + 1] - 1]. Each edge is there from both of its ends. */
struct Graph {
	std::vector<int> start, edges;

	int nodes() const
	{
		return static_cast<int>(start.size()) - 1;
	}

	int degree(int node) const
	{
		return start[node + 1] - start[node];
	}
};

struct Edge {
	int one, other;
};

inline Graph graph_of(int nodes, const std::vector<Edge> &edges)
{
	Graph graph{std::vector<int>(static_cast<size_t>(nodes) + 1), std::vector<int>(2 * edges.size())};
	for (const Edge &edge : edges) {
		graph.start[edge.one + 1]++;
		graph.start[edge.other + 1]++;
	}
	std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
	std::vector<int> place(graph.start.begin(), graph.start.end() - 1);
	for (const Edge &edge : edges) {
		graph.edges[place[edge.one]++] = edge.other;
		graph.edges[place[edge.other]++] = edge.one;
	}
	return graph;
}

/* Gives the nodes other numbers, at random. */
inline void shuffle_nodes(int nodes, std::vector<Edge> &edges, uint64_t seed)
{
	Random random(seed + 1);
	std::vector<int> number(nodes);
	std::iota(number.begin(), number.end(), 0);
	for (int i = nodes; i > 1; i--)
		std::swap(number[i - 1], number[random.next() % i]);
	for (Edge &edge : edges)
		edge = Edge{number[edge.one], number[edge.other]};
}

/* Like roads: the nodes of a square grid, with four of five of the edges between neighbours. */
inline std::vector<Edge> road_edges(int side, uint64_t seed)
{
	Random random(seed);
	std::vector<Edge> edges;
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++) {
			const int node = y * side + x;
			if (x + 1 < side && random.next() % 5 != 0)
				edges.push_back(Edge{node, node + 1});
			if (y + 1 < side && random.next() % 5 != 0)
				edges.push_back(Edge{node, node + side});
		}
	return edges;
}

/* A graph of 2^scale nodes whose degrees follow a power law (R-MAT: Chakrabarti, Zhan and Faloutsos, 2004), with the
 * quarters' probabilities of the Graph 500 benchmark: 0.57, 0.19, 0.19, 0.05. */
inline std::vector<Edge> rmat_edges(int scale, int degree, uint64_t seed)
{
	Random random(seed);
	std::vector<Edge> edges((static_cast<size_t>(degree) << scale) / 2);
	for (Edge &edge : edges) {
		edge = Edge{0, 0};
		for (int bit = 0; bit < scale; bit++) {
			const uint32_t place = static_cast<uint32_t>(random.next() >> 32) % 100;
			edge.one = 2 * edge.one + (place >= 76);
			edge.other = 2 * edge.other + ((place >= 57 && place < 76) || place >= 95);
		}
	}
	return edges;
}

/* Reads the number of a node at `text`; returns what follows, or null if there is something else. */
inline const char *read_node(const char *text, long long &node)
{
	char *end;
	text += std::strspn(text, " \t,");
	errno = 0;
	node = std::strtoll(text, &end, 10);
	return end == text || errno || (*end && !std::strchr(" \t,", *end)) ? nullptr : end;
}

/* An edge a line: the numbers of its ends, from 0, with blanks or a comma between them, and perhaps more behind them.
 * Lines that begin with # or % are comments. */
inline std::vector<Edge> read_edges(const char *name, int &nodes)
{
	InputFile file(name);
	std::vector<Edge> edges;
	std::string line;
	long long largest = -1;
	for (int number = 1; file.read_line(line); number++) {
		const char *text = line.c_str() + std::strspn(line.c_str(), " \t");
		if (*text == '\0' || *text == '#' || *text == '%')
			continue;
		long long one, other;
		const char *rest = read_node(text, one);
		if (!rest || !read_node(rest, other))
			fail<InputError>("%s: line %d: '%.40s': two numbers of nodes are expected", name, number, text);
		for (long long node : {one, other}) {
			if (node < 0 || node >= MOST_NODES)
				fail<InputError>("%s: line %d: node %lld; 0 to %lld are supported", name, number, node, MOST_NODES - 1);
			largest = std::max(largest, node);
		}
		edges.push_back(Edge{static_cast<int>(one), static_cast<int>(other)});
		if (static_cast<long long>(edges.size()) > MOST_EDGES)
			fail<InputError>("%s: more than 2^29 edges are not supported", name);
	}
	if (edges.empty())
		fail<InputError>("%s: there are no edges", name);
	nodes = static_cast<int>(largest + 1);
	return edges;
}

/* A .npy file of int32 or int64, edges x 2. */
inline std::vector<Edge> read_npy_edges(const char *name, int &nodes)
{
	InputFile file(name);
	const std::string header = read_npy_header(file);
	const char *type = npy_field(file, header, "'descr'");
	const int item_bytes = std::strncmp(type, "'<i4'", 5) == 0 ? 4 : std::strncmp(type, "'<i8'", 5) == 0 ? 8 : 0;
	if (item_bytes == 0)
		fail<InputError>("%s: numbers of type %.*s; int32 ('<i4') and int64 ('<i8') are supported", name,
						 static_cast<int>(std::strcspn(type, ",}")), type);
	if (std::strncmp(npy_field(file, header, "'fortran_order'"), "False", 5) != 0)
		fail<InputError>("%s: the array is in Fortran order; save numpy.ascontiguousarray() of it", name);
	long long count, ends, largest = -1;
	read_npy_shape(file, header, count, ends);
	if (ends != 2)
		fail<InputError>("%s: rows of %lld numbers; the two ends of an edge are expected", name, ends);
	if (count < 1 || count > MOST_EDGES)
		fail<InputError>("%s: %lld edges; 1 to 2^29 are supported", name, count);
	std::vector<Edge> edges;
	for (long long row = 0; row < count; row++) {
		int singles[2] = {};
		long long ends_of_edge[2];
		if (!file.read(item_bytes == 4 ? static_cast<void *>(singles) : ends_of_edge, 2 * item_bytes))
			fail<InputError>("%s: the file ends in row %lld of %lld", name, row, count);
		for (int i = 0; i < 2; i++) {
			if (item_bytes == 4)
				ends_of_edge[i] = singles[i];
			if (ends_of_edge[i] < 0 || ends_of_edge[i] >= MOST_NODES)
				fail<InputError>("%s: row %lld: node %lld; 0 to %lld are supported", name, row, ends_of_edge[i],
								 MOST_NODES - 1);
			largest = std::max(largest, ends_of_edge[i]);
		}
		edges.push_back(Edge{static_cast<int>(ends_of_edge[0]), static_cast<int>(ends_of_edge[1])});
	}
	nodes = static_cast<int>(largest + 1);
	return edges;
}

/* `input` is road:SIDE, rmat:SCALExDEGREE, or the name of a file. */
inline std::vector<Edge> make_edges(const std::string &input, bool shuffled, uint64_t seed, int &nodes)
{
	std::vector<Edge> edges;
	int side, scale, degree, used = 0;
	if (input.compare(0, 5, "road:") == 0) {
		if (std::sscanf(input.c_str(), "road:%d%n", &side, &used) < 1 || static_cast<size_t>(used) != input.size() ||
			side < 1 || side > 16384)
			fail<UsageError>("%s: expected road:SIDE with a side from 1 to 16384, for example road:1024",
							 input.c_str());
		nodes = side * side;
		edges = road_edges(side, seed);
	} else if (input.compare(0, 5, "rmat:") == 0) {
		if (std::sscanf(input.c_str(), "rmat:%dx%d%n", &scale, &degree, &used) < 2 ||
			static_cast<size_t>(used) != input.size() || scale < 1 || scale > 28 || degree < 1 || degree > 1024 ||
			(static_cast<long long>(degree) << scale) > 2 * MOST_EDGES)
			fail<UsageError>("%s: expected rmat:SCALExDEGREE with a scale from 1 to 28 and at most 2^29 edges, for "
							 "example rmat:20x16",
							 input.c_str());
		nodes = 1 << scale;
		edges = rmat_edges(scale, degree, seed);
	} else if (ends_with(input, ".npy")) {
		edges = read_npy_edges(input.c_str(), nodes);
	} else {
		edges = read_edges(input.c_str(), nodes);
	}
	if (shuffled)
		shuffle_nodes(nodes, edges, seed);
	return edges;
}

#endif
