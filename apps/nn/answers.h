/* The answers, on the host: whether they are right, where they are kept. */
#ifndef NN_ANSWERS_H
#define NN_ANSWERS_H

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "../common/kdtree.h"
#include "../common/npy.h"
#include "../common/points.h"
#include "../common/queries.h"

const Needed NEEDED = {2, "a nearest neighbour"};

/* For each point of the input: the row of its nearest other point, and how far that is. */
struct Answers {
	std::vector<int> nearest;
	std::vector<float> distance;
};

/* Translates answers from the order of the queries and the tree's numbers to those of the input. */
inline Answers in_input_order(const Tree &tree, const std::vector<int> &queries, const std::vector<int> &nearest,
							  const std::vector<float> &distance)
{
	return {in_input_order(tree.input_row, queries, input_rows(tree.input_row, nearest)),
			in_input_order(tree.input_row, queries, distance)};
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
	if (nearest < 0 || nearest >= points.count || nearest == row)
		fail<WrongAnswer>("point %d: %d is not another point", row, nearest);
	const double truth = std::sqrt(least), found = std::sqrt(squared_distance(points, row, nearest));
	if (found > truth * (1.0 + tolerance))
		fail<WrongAnswer>("point %d: point %d is %g away, the nearest is %g away", row, nearest, found, truth);
	if (!(std::fabs(answers.distance[row] - found) <= tolerance * found))
		fail<WrongAnswer>("point %d: point %d is said to be %g away, but is %g away", row, nearest,
						  answers.distance[row], found);
}

/* Checks a sample, evenly spread, of as many points as take about a second. Returns how many. */
inline int check_sample(const Points &points, const Answers &answers)
{
	const double coordinates = static_cast<double>(points.count) * points.dim;
	const std::vector<int> rows =
		spread_sample(points.count, std::max(16, static_cast<int>(std::min(1e9 / coordinates, 2000.0))));
	for (int row : rows)
		check_answer(points, answers, row);
	return static_cast<int>(rows.size());
}

inline double mean_distance(const Answers &answers)
{
	const double sum = std::accumulate(answers.distance.begin(), answers.distance.end(), 0.0);
	return sum / static_cast<double>(answers.distance.size());
}

/* Writes a .npy file of records (nearest: int32, distance: float32), one for each point of the input. */
inline void write_answers(const std::string &name, const Answers &answers)
{
	std::string records;
	for (size_t i = 0; i < answers.nearest.size(); i++) {
		records.append(reinterpret_cast<const char *>(&answers.nearest[i]), sizeof(int));
		records.append(reinterpret_cast<const char *>(&answers.distance[i]), sizeof(float));
	}
	write_npy(name, "[('nearest', '<i4'), ('distance', '<f4')]", "(" + std::to_string(answers.nearest.size()) + ",)",
			  records.data(), records.size());
}

#endif
