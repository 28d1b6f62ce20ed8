/* The k nearest neighbours of every point of a set, on the host: whether they are right, where they are kept. */
#ifndef COMMON_NEIGHBOURS_H
#define COMMON_NEIGHBOURS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "npy.h"
#include "options.h"
#include "points.h"
#include "queries.h"

/* For each point of the input k rows of other points, the nearest first, and their distances. */
struct Neighbours {
	int k;
	std::vector<int> rows;
	std::vector<float> distances;

	/* Translates answers from the order of the queries and the tree's numbers to those of the input. */
	Neighbours(int k, const std::vector<int> &input_row, const std::vector<int> &queries,
			   const std::vector<int> &points, const std::vector<float> &distances)
		: k(k), rows(in_input_order(input_row, queries, input_rows(input_row, points), k)),
		  distances(in_input_order(input_row, queries, distances, k))
	{
	}

	size_t points() const
	{
		return rows.size() / k;
	}

	double mean_distance() const
	{
		double sum = 0.0;
		for (float distance : distances)
			sum += distance;
		return sum / static_cast<double>(distances.size());
	}
};

/* Throws a WrongAnswer unless the neighbours of `row` are those of brute force. Equally near points are equally right,
 * and so is one that is farther by a rounding error of float. */
inline void check_neighbours(const Points &points, const Neighbours &neighbours, int row)
{
	const double tolerance = 1e-5;
	std::vector<double> truth;
	for (int other = 0; other < points.count; other++)
		if (other != row)
			truth.push_back(std::sqrt(squared_distance(points, row, other)));
	std::partial_sort(truth.begin(), truth.begin() + neighbours.k, truth.end());
	const int *rows = &neighbours.rows[static_cast<size_t>(row) * neighbours.k];
	const float *distances = &neighbours.distances[static_cast<size_t>(row) * neighbours.k];
	for (int i = 0; i < neighbours.k; i++) {
		if (rows[i] < 0 || rows[i] == row)
			fail<WrongAnswer>("point %d: neighbour %d is no other point", row, i + 1);
		if (std::find(rows, rows + i, rows[i]) != rows + i)
			fail<WrongAnswer>("point %d: point %d is its neighbour twice", row, rows[i]);
		const double found = std::sqrt(squared_distance(points, row, rows[i]));
		if (found > truth[i] * (1.0 + tolerance) || !(std::fabs(distances[i] - found) <= tolerance * found))
			fail<WrongAnswer>("point %d: point %d is neighbour %d at %g, is %g away, and %g is right", row, rows[i],
							  i + 1, distances[i], found, truth[i]);
	}
}

/* Checks a sample of as many points as take about a second. Returns how many. */
inline int check_sample(const Points &points, const Neighbours &neighbours)
{
	const double most = 1e9 / (static_cast<double>(points.count) * (points.dim + 4));
	const std::vector<int> rows = spread_sample(points.count, static_cast<int>(std::clamp(most, 16.0, 2000.0)));
	for (int row : rows)
		check_neighbours(points, neighbours, row);
	return static_cast<int>(rows.size());
}

/* Writes a .npy file of records (neighbours: k int32, distances: k float32), one for each point of the input. */
inline void write_neighbours(const std::string &name, const Neighbours &neighbours)
{
	const std::string k = std::to_string(neighbours.k);
	std::string records;
	for (size_t i = 0; i < neighbours.points(); i++) {
		records.append(reinterpret_cast<const char *>(&neighbours.rows[i * neighbours.k]), neighbours.k * sizeof(int));
		records.append(reinterpret_cast<const char *>(&neighbours.distances[i * neighbours.k]),
					   neighbours.k * sizeof(float));
	}
	write_npy(name, "[('neighbours', '<i4', (" + k + ",)), ('distances', '<f4', (" + k + ",))]",
			  "(" + std::to_string(neighbours.points()) + ",)", records.data(), records.size());
}

/* Prints, writes and checks what the command line asks for. */
inline void report(const Options &options, const Points &points, const Neighbours &neighbours)
{
	std::printf("mean distance: %.7g\n", neighbours.mean_distance());
	if (!options.out.empty())
		write_neighbours(options.out, neighbours);
	if (options.check)
		std::printf("check: PASS, %d answers compared with brute force\n", check_sample(points, neighbours));
}

#endif
