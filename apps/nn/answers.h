/* Queries and their answers, on the host: in which order to ask, whether the answers are right, where they are kept. */
#ifndef NN_ANSWERS_H
#define NN_ANSWERS_H

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "kdtree.h"
#include "points.h"

/* For each point of the input: the row of its nearest other point, and how far that is. */
struct Answers {
	std::vector<int> nearest;
	std::vector<float> distance;
};

/* Every point once. Sorted: in the order of the tree, where neighbours in the list are neighbours in space. */
inline std::vector<int> all_queries(const Tree &tree, bool shuffled, uint64_t seed)
{
	std::vector<int> queries(tree.size());
	std::iota(queries.begin(), queries.end(), 0);
	Random random(seed);
	for (size_t i = queries.size(); shuffled && i > 1; i--)
		std::swap(queries[i - 1], queries[random.next() % i]);
	return queries;
}

/* Translates answers from the order of the queries and the tree's numbers to those of the input. */
inline Answers in_input_order(const Tree &tree, const std::vector<int> &queries, const std::vector<int> &nearest,
							  const std::vector<float> &distance)
{
	Answers answers{std::vector<int>(queries.size()), std::vector<float>(queries.size())};
	for (size_t i = 0; i < queries.size(); i++) {
		const int row = tree.input_row[queries[i]];
		const bool found = nearest[i] >= 0 && nearest[i] < tree.size();
		answers.nearest[row] = found ? tree.input_row[nearest[i]] : -1;
		answers.distance[row] = distance[i];
	}
	return answers;
}

/* An answer is not that of brute force; the text says which. */
struct WrongAnswer : std::runtime_error {
	using std::runtime_error::runtime_error;
};

inline double squared_distance(const Points &points, int a, int b)
{
	double sum = 0.0;
	for (int d = 0; d < points.dim; d++) {
		const double diff = static_cast<double>(points.x[static_cast<size_t>(a) * points.dim + d]) -
							points.x[static_cast<size_t>(b) * points.dim + d];
		sum += diff * diff;
	}
	return sum;
}

/* Throws a WrongAnswer if the answer for `row` is not right, by comparison with every other point. Equally near points
 * are equally right, and so is one that is farther by a rounding error of float. */
inline void check_answer(const Points &points, const Answers &answers, int row)
{
	const double tolerance = 1e-5;
	double least = INFINITY;
	for (int other = 0; other < points.count; other++)
		if (other != row)
			least = std::min(least, squared_distance(points, row, other));
	const int nearest = answers.nearest[row];
	char fault[256];
	if (nearest < 0 || nearest >= points.count || nearest == row) {
		std::snprintf(fault, sizeof fault, "point %d: %d is not another point", row, nearest);
		throw WrongAnswer(fault);
	}
	const double truth = std::sqrt(least), found = std::sqrt(squared_distance(points, row, nearest));
	if (found > truth * (1.0 + tolerance)) {
		std::snprintf(fault, sizeof fault, "point %d: point %d is %g away, the nearest is %g away", row, nearest, found,
					  truth);
		throw WrongAnswer(fault);
	}
	if (!(std::fabs(answers.distance[row] - found) <= tolerance * found)) {
		std::snprintf(fault, sizeof fault, "point %d: point %d is said to be %g away, but is %g away", row, nearest,
					  answers.distance[row], found);
		throw WrongAnswer(fault);
	}
}

/* Checks a sample, evenly spread, of as many points as take about a second. Returns how many. */
inline int check_sample(const Points &points, const Answers &answers)
{
	const double coordinates = static_cast<double>(points.count) * points.dim;
	const int sample = std::min(points.count, std::max(16, static_cast<int>(std::min(1e9 / coordinates, 2000.0))));
	for (int i = 0; i < sample; i++)
		check_answer(points, answers, static_cast<int>(static_cast<long long>(i) * points.count / sample));
	return sample;
}

inline double mean_distance(const Answers &answers)
{
	const double sum = std::accumulate(answers.distance.begin(), answers.distance.end(), 0.0);
	return sum / static_cast<double>(answers.distance.size());
}

/* Writes a .npy file of records (nearest: int32, distance: float32), one for each point of the input. */
inline void write_answers(const std::string &name, const Answers &answers)
{
	std::string header = "{'descr': [('nearest', '<i4'), ('distance', '<f4')], 'fortran_order': False, 'shape': (" +
						 std::to_string(answers.nearest.size()) + ",), }";
	header.append(63 - (10 + header.size()) % 64, ' ');
	header.push_back('\n');
	std::string text = std::string("\x93NUMPY\x01\0", 8);
	text.push_back(static_cast<char>(header.size() & 255));
	text.push_back(static_cast<char>(header.size() >> 8));
	text += header;
	for (size_t i = 0; i < answers.nearest.size(); i++) {
		text.append(reinterpret_cast<const char *>(&answers.nearest[i]), sizeof(int));
		text.append(reinterpret_cast<const char *>(&answers.distance[i]), sizeof(float));
	}
	FILE *file = std::fopen(name.c_str(), "wb");
	bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
	if (file && std::fclose(file) != 0)
		written = false;
	if (!written)
		bad_input("%s: cannot be written: %s", name.c_str(), std::strerror(errno));
}

#endif
