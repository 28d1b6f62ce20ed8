/* In which order queries are asked, and answers given back. */
#ifndef COMMON_QUERIES_H
#define COMMON_QUERIES_H

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "random.h"

/* Every point of a tree once, by its number in the tree. Sorted: in the order of the tree, where neighbours in the
 * list are neighbours in space. */
inline std::vector<int> all_queries(int count, bool shuffled, uint64_t seed)
{
	std::vector<int> queries(count);
	std::iota(queries.begin(), queries.end(), 0);
	Random random(seed);
	for (size_t i = queries.size(); shuffled && i > 1; i--)
		std::swap(queries[i - 1], queries[random.next() % i]);
	return queries;
}

/* Returns the answers in the order of the input. Query i, the point queries[i] of the tree, has `width` answers from
 * answers[i * width] on; the tree's point p stood in row input_row[p] of the input. */
template <class T>
std::vector<T> in_input_order(const std::vector<int> &input_row, const std::vector<int> &queries,
							  const std::vector<T> &answers, int width = 1)
{
	std::vector<T> rows(answers.size());
	for (size_t i = 0; i < queries.size(); i++)
		for (int j = 0; j < width; j++)
			rows[static_cast<size_t>(input_row[queries[i]]) * width + j] = answers[i * width + j];
	return rows;
}

/* Returns the rows of the input of points of the tree; -1 for what is no point. */
inline std::vector<int> input_rows(const std::vector<int> &input_row, std::vector<int> points)
{
	for (int &point : points)
		point = point >= 0 && point < static_cast<int>(input_row.size()) ? input_row[point] : -1;
	return points;
}

/* Returns `most` rows of `count`, or all of fewer, evenly spread. */
inline std::vector<int> spread_sample(int count, int most)
{
	const int size = count < most ? count : most;
	std::vector<int> rows(size);
	for (int i = 0; i < size; i++)
		rows[i] = static_cast<int>(static_cast<long long>(i) * count / size);
	return rows;
}

#endif
