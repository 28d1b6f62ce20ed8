/* Bodies: made by a model or read from a file, and what they are worth in energy. */
#ifndef BH_BODIES_H
#define BH_BODIES_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "../common/points.h"
#include "../common/random.h"
#include "vector.h"

/* One body a row. */
struct Bodies {
	std::vector<Vector> place; /* w: the mass */
	std::vector<Vector> velocity;

	int count() const
	{
		return static_cast<int>(place.size());
	}
};

/* Returns a vector of some length in a random direction. */
inline Vector random_direction(Random &random, float length)
{
	const float z = 2.0f * random.uniform() - 1.0f, angle = 6.2831853f * random.uniform();
	const float across = std::sqrt(1.0f - z * z);
	return {length * across * std::cos(angle), length * across * std::sin(angle), length * z, 0.0f};
}

/* Draws bodies `begin` to `end` of a cluster of bodies.count(). */
inline void draw_plummer(Bodies &bodies, int begin, int end, uint64_t seed)
{
	const float scale = 3.0f * 3.14159265f / 16.0f; /* makes the energy -1/4 */
	Random random(seed);
	for (int i = begin; i < end; i++) {
		const float inside = 0.999f * random.uniform() + 1e-7f; /* the part of the mass that is nearer to the center */
		const float radius = 1.0f / std::sqrt(std::pow(inside, -2.0f / 3.0f) - 1.0f);
		float part, chance; /* of the velocity with which the body would escape */
		do {
			part = random.uniform();
			chance = 0.1f * random.uniform();
		} while (chance > part * part * std::pow(1.0f - part * part, 3.5f));
		const float speed = part * std::sqrt(2.0f) * std::pow(1.0f + radius * radius, -0.25f);
		bodies.place[i] = random_direction(random, radius * scale);
		bodies.place[i].w = 1.0f / static_cast<float>(bodies.count());
		bodies.velocity[i] = random_direction(random, speed / std::sqrt(scale));
	}
}

/* Returns a cluster of bodies in equilibrium (Plummer, 1911), drawn as Aarseth, Henon and Wielen (1974) do: mass 1,
 * energy -1/4, gravity's constant 1. The outermost thousandth of the mass is left out. All CPUs draw, portion by
 * portion, each of which has a seed of its own: the bodies do not depend on how many CPUs there are. */
inline Bodies plummer(int count, uint64_t seed)
{
	const int portion = 1 << 17, portions = (count + portion - 1) / portion;
	Bodies bodies;
	bodies.place.resize(count);
	bodies.velocity.resize(count);
	std::atomic<int> taken(0);
	const auto draw = [&] {
		for (int p = taken++; p < portions; p = taken++)
			draw_plummer(bodies, p * portion, std::min(count - p * portion, portion) + p * portion,
						 p == 0 ? seed : Random(seed + p).next());
	};
	std::vector<std::thread> others(std::min<int>(portions - 1, std::thread::hardware_concurrency()));
	for (std::thread &other : others)
		other = std::thread(draw);
	draw();
	for (std::thread &other : others)
		other.join();
	return bodies;
}

/* Columns: x y z, then velocities, then masses. Without velocities bodies are at rest, without masses they are
 * equally heavy, 1 together. */
inline Bodies bodies_of_columns(const char *name, const Points &columns)
{
	if (columns.dim != 3 && columns.dim != 6 && columns.dim != 7)
		fail<InputError>("%s: rows of %d numbers; bodies have 3 (x y z), 6 (and their velocity) or 7 (and their mass)",
						 name, columns.dim);
	Bodies bodies;
	for (int i = 0; i < columns.count; i++) {
		const float *row = &columns.x[static_cast<size_t>(i) * columns.dim];
		const float mass = columns.dim == 7 ? row[6] : 1.0f / static_cast<float>(columns.count);
		if (!(mass > 0.0f))
			fail<InputError>("%s: row %d: a mass of %g; it must be positive", name, i, mass);
		bodies.place.push_back({row[0], row[1], row[2], mass});
		bodies.velocity.push_back(columns.dim == 3 ? Vector{} : Vector{row[3], row[4], row[5], 0.0f});
	}
	return bodies;
}

/* `input` is plummer:N, random:NxD with as many columns as a file, or the name of a .npy or .csv file. */
inline Bodies read_bodies(const std::string &input, uint64_t seed)
{
	const Needed needed = {1, "gravity"};
	const std::string model = "plummer:";
	if (input.compare(0, model.size(), model) != 0)
		return bodies_of_columns(input.c_str(), read_points(input, seed, needed, "plummer:N, "));
	long long count;
	int used = 0;
	const int found = std::sscanf(input.c_str() + model.size(), "%lld%n", &count, &used);
	if (found < 1 || model.size() + used != input.size())
		fail<UsageError>("%s: expected plummer:N, for example plummer:100000", input.c_str());
	check_shape(input.c_str(), count, 7, needed);
	return plummer(static_cast<int>(count), seed);
}

/* Returns the energy of all bodies; the last component of `pull` is the potential at the body. */
inline double energy(const Bodies &bodies, const std::vector<Vector> &pull)
{
	double sum = 0.0;
	for (int i = 0; i < bodies.count(); i++) {
		const Vector &v = bodies.velocity[i];
		const double speed2 =
			static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y + static_cast<double>(v.z) * v.z;
		sum += 0.5 * bodies.place[i].w * (speed2 + pull[i].w);
	}
	return sum;
}

#endif
