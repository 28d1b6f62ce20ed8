/* Sparse matrices, which are graphs as well: made at random in the likeness of two known ones, or read from a file. */
#ifndef COMMON_SPARSE_H
#define COMMON_SPARSE_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "market.h"
#include "npy.h"
#include "random.h"

/* Row i has entries in the columns column[start[i]] to column[start[i + 1] - 1], in ascending order: the neighbours of
 * node i. Without values, all of them are 1. */
struct Sparse {
	int rows, columns;
	std::vector<int> start, column;
	std::vector<double> value;

	int degree(int row) const
	{
		return start[row + 1] - start[row];
	}

	int entries() const
	{
		return start[rows];
	}
};

/* The rows of the result are the columns of `matrix`; the entries of a row come in the order of their columns. */
inline Sparse transposed(const Sparse &matrix)
{
	Sparse result{matrix.columns, matrix.rows, std::vector<int>(static_cast<size_t>(matrix.columns) + 1),
				  std::vector<int>(matrix.column.size()), std::vector<double>(matrix.value.size())};
	for (const int column : matrix.column)
		result.start[column + 1]++;
	std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
	std::vector<int> place(result.start.begin(), result.start.end() - 1);
	for (int row = 0; row < matrix.rows; row++)
		for (int i = matrix.start[row]; i < matrix.start[row + 1]; i++) {
			const int to = place[matrix.column[i]]++;
			result.column[to] = row;
			if (!matrix.value.empty())
				result.value[to] = matrix.value[i];
		}
	return result;
}

inline Sparse sparse_of(const Entries &entries)
{
	/* by columns first: transposed, these are rows whose entries are in order */
	Sparse by_column{entries.columns, entries.rows, std::vector<int>(static_cast<size_t>(entries.columns) + 1),
					 std::vector<int>(entries.row.size()), std::vector<double>(entries.value.size())};
	for (const int column : entries.column)
		by_column.start[column + 1]++;
	std::partial_sum(by_column.start.begin(), by_column.start.end(), by_column.start.begin());
	std::vector<int> place(by_column.start.begin(), by_column.start.end() - 1);
	for (size_t i = 0; i < entries.row.size(); i++) {
		const int to = place[entries.column[i]]++;
		by_column.column[to] = entries.row[i];
		if (!entries.value.empty())
			by_column.value[to] = entries.value[i];
	}
	return transposed(by_column);
}

/* Takes out the diagonal, and all but the first of entries at one place. */
inline void make_simple(Sparse &matrix)
{
	int kept = 0, from = 0;
	for (int row = 0; row < matrix.rows; row++) {
		const int first = kept;
		for (int i = from; i < matrix.start[row + 1]; i++) {
			const int column = matrix.column[i];
			if (column == row || (kept > first && matrix.column[kept - 1] == column))
				continue;
			matrix.column[kept] = column;
			if (!matrix.value.empty())
				matrix.value[kept] = matrix.value[i];
			kept++;
		}
		from = matrix.start[row + 1];
		matrix.start[row + 1] = kept;
	}
	matrix.column.resize(kept);
	matrix.value.resize(matrix.value.empty() ? 0 : kept);
}

/* A graph with edges between ends[2 * i] and ends[2 * i + 1], in both directions, each once; no node is its own
 * neighbour. */
inline Sparse undirected(int nodes, const std::vector<int> &ends)
{
	Sparse graph{nodes, nodes, std::vector<int>(static_cast<size_t>(nodes) + 1), std::vector<int>(ends.size()),
				 std::vector<double>()};
	for (const int end : ends)
		graph.start[end + 1]++;
	std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
	std::vector<int> place(graph.start.begin(), graph.start.end() - 1);
	for (size_t i = 0; i < ends.size(); i++)
		graph.column[place[ends[i]]++] = ends[i ^ 1];
	graph = transposed(graph);
	make_simple(graph);
	return graph;
}

/* The graph in which every edge goes both ways, without edges from a node to itself. */
inline Sparse symmetrised(const Sparse &graph)
{
	std::vector<int> ends;
	for (int node = 0; node < graph.rows; node++)
		for (int i = graph.start[node]; i < graph.start[node + 1]; i++) {
			ends.push_back(node);
			ends.push_back(graph.column[i]);
		}
	return undirected(graph.rows, ends);
}

/* ---- like CiteSeer's papers ---- */

/* How many edges `random` gives a node: half of all nodes have fewer than 46, one in sixteen has 223 to `most`. */
inline int citation_degree(Random &random, int most)
{
	static const int sixteenths[] = {1, 5, 10, 14, 19, 25, 31, 38, 46, 54, 65, 78, 94, 117, 153, 223};
	const int64_t part = static_cast<int64_t>(random.next() >> 48), sixteenth = part >> 12, rest = part & 4095;
	int64_t degree = sixteenths[sixteenth];
	if (sixteenth < 15)
		degree += ((sixteenths[sixteenth + 1] - degree) * rest) >> 12;
	else /* few have many */
		degree += ((most - degree) * ((((rest * rest * rest) >> 24) * ((rest * rest * rest) >> 24)) >> 12)) >> 12;
	return static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(degree, most)));
}

/* Ends of edges, as many of each node as `degree` says, in an order in which those of near nodes are near: three of
 * four are not farther than 1024 nodes from where they belong. */
inline std::vector<int> mixed_ends(const std::vector<int> &degree, Random &random)
{
	const int nodes = static_cast<int>(degree.size()), reach = std::min(1024, nodes / 2);
	std::vector<int> place, first(static_cast<size_t>(nodes) + 1);
	for (int node = 0; node < nodes; node++)
		for (int i = 0; i < degree[node]; i++) {
			const uint64_t bits = random.next();
			const uint32_t low = static_cast<uint32_t>(bits);
			const int64_t anywhere = (static_cast<uint64_t>(low) * nodes) >> 32;
			const int64_t near = node + static_cast<int64_t>((static_cast<uint64_t>(low) * (2 * reach)) >> 32) - reach;
			place.push_back(static_cast<int>(bits >> 62 == 0 ? anywhere : (near + nodes) % nodes));
			first[place.back() + 1]++;
		}
	std::partial_sum(first.begin(), first.end(), first.begin());
	std::vector<int> ends(place.size()), next(first.begin(), first.end() - 1);
	size_t i = 0;
	for (int node = 0; node < nodes; node++)
		for (int k = 0; k < degree[node]; k++)
			ends[next[place[i++]]++] = node;
	for (int node = 0; node < nodes; node++) /* those at one place came in the order of their nodes */
		for (int end = first[node + 1]; end > first[node] + 1; end--) {
			const uint64_t below = end - first[node];
			std::swap(ends[end - 1], ends[first[node] + (((random.next() >> 32) * below) >> 32)]);
		}
	ends.resize(ends.size() / 2 * 2);
	return ends;
}

/* Papers and their citations, both ways. Of 434,102 nodes the degrees are 1 to 1,199, 73.9 on average, as are those of
 * CiteSeer's graph (coPapersCiteseer of the tenth DIMACS challenge). */
inline Sparse citation_graph(int nodes, uint64_t seed)
{
	Random random(seed);
	const int most = std::min(1199, nodes / 2), hub = nodes / 2 / 2 * 2;
	std::vector<int> left(nodes); /* edges of a node beside the one that every node has */
	for (int node = 0; node < nodes; node++)
		left[node] = std::min(citation_degree(random, most) - 1, most - 3);
	left[hub] = 0;
	std::vector<int> ends = mixed_ends(left, random);
	for (int node = 0; node + 1 < nodes; node += node + 3 == nodes ? 1 : 2) { /* three nodes share two edges */
		ends.push_back(node);
		ends.push_back(node + 1);
	}
	for (int i = 0; i < most - 1; i++) {
		ends.push_back(hub);
		ends.push_back(static_cast<int>((hub + 2 + static_cast<int64_t>(i) * (nodes / (most + 1))) % nodes));
	}
	return undirected(nodes, ends);
}

/* ---- Kronecker ---- */

inline void shuffle(std::vector<int> &numbers, Random &random)
{
	for (size_t i = numbers.size(); i > 1; i--)
		std::swap(numbers[i - 1], numbers[random.next() % i]);
}

/* A graph of 2^scale nodes in random order whose edges follow a Kronecker power (R-MAT, with the Graph 500 benchmark's
 * probabilities 0.57, 0.19, 0.19, 0.05). Every node has 8 neighbours at least. Of scale 16 the degrees are 8 to 36,114,
 * and there are 2.5 million edges, as in the dissertation's Kron_log16. */
inline Sparse kronecker_graph(int scale, uint64_t seed)
{
	Random random(seed);
	const int nodes = 1 << scale, most = static_cast<int>(static_cast<int64_t>(36114) * nodes / 65536);
	std::vector<int> number(nodes), others, ends;
	std::iota(number.begin(), number.end(), 0);
	shuffle(number, random);
	for (int64_t edge = 0; edge < static_cast<int64_t>(44) << scale; edge++) {
		int one = 0, other = 0;
		for (int bit = 0; bit < scale; bit++) {
			const uint32_t place = static_cast<uint32_t>(random.next() >> 32) % 100;
			one = 2 * one + (place >= 76);
			other = 2 * other + ((place >= 57 && place < 76) || place >= 95);
		}
		if (one && other) { /* node 0 gets its neighbours below */
			ends.push_back(number[one]);
			ends.push_back(number[other]);
		}
	}
	for (int node = 0; node < nodes; node++)
		for (int away = 1; away <= 4; away++) {
			ends.push_back(node);
			ends.push_back((node + away) % nodes);
			if (node != number[0] && away == 1)
				others.push_back(node);
		}
	const int hub = number[0];
	others.erase(std::remove_if(others.begin(), others.end(),
								[&](int node) {
									const int away = (node - hub + nodes) % nodes;
									return away <= 4 || away >= nodes - 4;
								}),
				 others.end());
	shuffle(others, random);
	for (int i = 0; i < most - 8; i++) {
		ends.push_back(hub);
		ends.push_back(others[i]);
	}
	return undirected(nodes, ends);
}

/* ---- inputs ---- */

const char *const USAGE_OF_SPARSE =
	"  --input INPUT  citation:NODES: papers that cite each other, degrees 1 to 1,199 (citation alone: 434102 nodes);\n"
	"                 kron:SCALE: a Kronecker graph of 2^SCALE nodes (kron alone: 16); FILE: a Matrix-Market file,\n"
	"                 pattern, real or integer, general or symmetric\n";

/* Parses "NAME" or "NAME:NUMBER"; returns false if `input` is another one. */
inline bool is_generated(const std::string &input, const std::string &name, int least, int most, int &number)
{
	if (input == name)
		return true;
	if (input.compare(0, name.size() + 1, name + ":") != 0)
		return false;
	int used = 0;
	const char *text = input.c_str() + name.size() + 1;
	if (std::sscanf(text, "%d%n", &number, &used) < 1 || text[used] || number < least || number > most)
		fail<UsageError>("%s: expected %s:N with a number from %d to %d", input.c_str(), name.c_str(), least, most);
	return true;
}

/* What an input is that USAGE_OF_SPARSE describes. */
inline Sparse make_sparse(const std::string &input, uint64_t seed)
{
	int nodes = 434102, scale = 16;
	if (is_generated(input, "citation", 16, 1 << 22, nodes))
		return citation_graph(nodes, seed);
	if (is_generated(input, "kron", 6, 20, scale))
		return kronecker_graph(scale, seed);
	return sparse_of(read_market(input));
}

/* Whether an input is made at random. */
inline bool is_generated(const std::string &input)
{
	int number;
	return is_generated(input, "citation", 16, 1 << 22, number) || is_generated(input, "kron", 6, 20, number);
}

/* The same for programs that take graphs. */
inline Sparse make_graph(const std::string &input, uint64_t seed)
{
	Sparse graph = make_sparse(input, seed);
	if (graph.rows != graph.columns)
		fail<InputError>("%s: %d rows and %d columns; of a graph both are as many as nodes", input.c_str(), graph.rows,
						 graph.columns);
	return graph;
}

/* Returns a number that is the same for both directions of an edge, and random otherwise. */
inline uint64_t edge_bits(int one, int other, uint64_t seed)
{
	const uint64_t ends =
		(static_cast<uint64_t>(std::min(one, other)) << 32) | static_cast<uint32_t>(std::max(one, other));
	return Random(seed + ends * 0x9e3779b97f4a7c15).next();
}

inline void print_sparse(const Sparse &matrix)
{
	int least = matrix.degree(0), most = 0;
	for (int row = 0; row < matrix.rows; row++) {
		least = std::min(least, matrix.degree(row));
		most = std::max(most, matrix.degree(row));
	}
	std::printf("input: %d x %d, %d entries, %d to %d in a row, %.1f on average\n", matrix.rows, matrix.columns,
				matrix.entries(), least, most, static_cast<double>(matrix.entries()) / matrix.rows);
}

/* Writes all values of a type to NAME, as .npy. `descr` is NumPy's name of the type. */
template <class T> void write_list(const std::string &name, const char *descr, const std::vector<T> &list)
{
	write_npy(name, descr, "(" + std::to_string(list.size()) + ",)", list.data(), list.size() * sizeof(T));
}

/* Writes NAME-start.npy and NAME-column.npy. */
inline void save_sparse(const std::string &name, const Sparse &matrix)
{
	write_list(name + "-start.npy", "'<i4'", matrix.start);
	write_list(name + "-column.npy", "'<i4'", matrix.column);
}

#endif
