/* The pull of all bodies, one by one, in double precision. */
#ifndef BH_ALL_PAIRS_H
#define BH_ALL_PAIRS_H

#include <cmath>
#include <vector>

#include "../common/errors.h"
#include "vector.h"

/* Returns how far the pull on a body is from that of all others; both are squared. w of a place is the mass there. */
inline void all_pairs_error(const std::vector<Vector> &places, const Vector &own, const Vector &pull, double softening,
							double &error2, double &pull2)
{
	double x = 0.0, y = 0.0, z = 0.0;
	for (const Vector &other : places) {
		const double dx = static_cast<double>(other.x) - own.x, dy = static_cast<double>(other.y) - own.y;
		const double dz = static_cast<double>(other.z) - own.z;
		const double distance2 = dx * dx + dy * dy + dz * dz + softening * softening;
		const double strength = other.w / (distance2 * std::sqrt(distance2));
		x += dx * strength;
		y += dy * strength;
		z += dz * strength;
	}
	error2 = (pull.x - x) * (pull.x - x) + (pull.y - y) * (pull.y - y) + (pull.z - z) * (pull.z - z);
	pull2 = x * x + y * y + z * z;
}

/* Throws a WrongAnswer if the pull on the bodies in some rows is off by more than `most` of its size, on average. */
inline void check_pull(const std::vector<Vector> &places, const std::vector<Vector> &pull, const std::vector<int> &rows,
					   double softening, double most)
{
	double errors2 = 0.0, pulls2 = 0.0;
	for (int row : rows) {
		double error2, pull2;
		all_pairs_error(places, places[row], pull[row], softening, error2, pull2);
		errors2 += error2;
		pulls2 += pull2;
	}
	if (!(std::sqrt(errors2) <= most * std::sqrt(pulls2)))
		fail<WrongAnswer>("the pull is off by %.3g of its size, which is more than %.3g", std::sqrt(errors2 / pulls2),
						  most);
}

#endif
