/* Barnes-Hut: gravity among many bodies over time steps. The force on each body is a recursive walk through an octree,
 * one body a thread; the host builds the tree anew in every step, the device moves the bodies. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/npy.h"
#include "../common/on_host.h"
#include "../common/options.h"
#include "../common/queries.h"
#include "all_pairs.h"
#include "bodies.h"
#include "octree.h"
#include "pull.h"
#include "scalar.h"

const double MOST_DRIFT = 0.01; /* of the energy, where it is checked */

struct Physics {
	int steps;
	float dt, theta, softening;
};

/* In which order bodies are asked: the tree's, or any. */
static std::vector<int> rows_to_ask(const Octree &tree, const Options &options)
{
	return options.shuffled ? all_queries(static_cast<int>(tree.row.size()), true, options.seed) : tree.row;
}

/* The bodies on the device. */
class Device
{
public:
	explicit Device(const Bodies &bodies)
		: count(bodies.count()), place(bodies.place), velocity(bodies.velocity), pull(bodies.place.size())
	{
		set_stack_bytes(16 << 10);
	}

	/* Finds the pull on all bodies; returns the kernel's least time in milliseconds. */
	double attract_all(const Octree &tree, const Options &options, float softening)
	{
		const DeviceArray<Node> nodes(tree.nodes);
		const DeviceArray<Vector> bodies(tree.bodies);
		const DeviceArray<int> asked(rows_to_ask(tree, options));
		return least_kernel_ms(options.reps, "attract", [&] {
			attract<<<blocks_of(THREADS, count), THREADS>>>(nodes.get(), bodies.get(), place.get(), asked.get(), count,
															softening * softening, pull.get());
		});
	}

	void kick_all(float time)
	{
		kick<<<blocks_of(THREADS, count), THREADS>>>(velocity.get(), pull.get(), count, time);
		check(cudaGetLastError(), "kick");
	}

	void drift_all(float time)
	{
		drift<<<blocks_of(THREADS, count), THREADS>>>(place.get(), velocity.get(), count, time);
		check(cudaGetLastError(), "drift");
	}

	void copy_to(Bodies &bodies, std::vector<Vector> &pulls) const
	{
		place.copy_to(bodies.place);
		velocity.copy_to(bodies.velocity);
		pull.copy_to(pulls);
	}

private:
	static const int THREADS = 128; /* of a block */
	const int count;
	const DeviceArray<Vector> place, velocity, pull;
};

/* The bodies on the host. */
class Host
{
public:
	explicit Host(const Bodies &bodies) : bodies(bodies), pull(bodies.place.size())
	{
	}

	/* As the device's; the least time of the walks. */
	double attract_all(const Octree &tree, const Options &options, float softening)
	{
		const std::vector<int> asked = rows_to_ask(tree, options);
		return least_answering_ms(options, asked.size(), [&](size_t i) {
			const int row = asked[i];
			const Vector &place = bodies.place[row];
			ScalarWalk walk(tree, place, softening * softening);
			pull[row] = options.iterative() ? walk.iterative() : walk.recursive();
			pull[row].w += place.w / softening; /* the walk met the body itself */
		});
	}

	void kick_all(float time)
	{
		for (size_t i = 0; i < pull.size(); i++) {
			bodies.velocity[i].x += pull[i].x * time;
			bodies.velocity[i].y += pull[i].y * time;
			bodies.velocity[i].z += pull[i].z * time;
		}
	}

	void drift_all(float time)
	{
		for (size_t i = 0; i < pull.size(); i++) {
			bodies.place[i].x += bodies.velocity[i].x * time;
			bodies.place[i].y += bodies.velocity[i].y * time;
			bodies.place[i].z += bodies.velocity[i].z * time;
		}
	}

	void copy_to(Bodies &to, std::vector<Vector> &pulls) const
	{
		to = bodies;
		pulls = pull;
	}

private:
	Bodies bodies;
	std::vector<Vector> pull;
};

/* Where the bodies are after all steps, and what was found on the way. */
struct Result {
	Bodies bodies;
	std::vector<Vector> pull; /* at the end */
	size_t nodes;             /* of the last tree */
	double ms = 0.0;          /* of all walks */
	double energy_before, energy_after;
};

/* Moves bodies by steps of half a kick, a drift and half a kick. */
template <class Place> static Result simulate(const Bodies &start, const Physics &physics, const Options &options)
{
	Result result;
	Place place(start);
	const auto attract = [&] {
		place.copy_to(result.bodies, result.pull);
		const Octree tree = OctreeBuilder(result.bodies.place, physics.theta).build();
		result.nodes = tree.nodes.size();
		result.ms += place.attract_all(tree, options, physics.softening);
		place.copy_to(result.bodies, result.pull);
	};
	attract();
	result.energy_before = energy(result.bodies, result.pull);
	for (int step = 0; step < physics.steps; step++) {
		place.kick_all(0.5f * physics.dt);
		place.drift_all(physics.dt);
		attract();
		place.kick_all(0.5f * physics.dt);
	}
	place.copy_to(result.bodies, result.pull);
	result.energy_after = energy(result.bodies, result.pull);
	return result;
}

/* Compares a sample with all pairs. Nodes that pull as a whole put the pull off by less than a twentieth of theta
 * squared, on average; float's rounding by less than 1e-4. */
static int check_sample(const Result &result, const Physics &physics)
{
	const int count = result.bodies.count();
	const std::vector<int> rows = spread_sample(count, static_cast<int>(std::clamp(2e8 / count, 16.0, 2000.0)));
	check_pull(result.bodies.place, result.pull, rows, physics.softening, 0.05 * physics.theta * physics.theta + 1e-4);
	return static_cast<int>(rows.size());
}

static void write_bodies(const std::string &name, const Result &result)
{
	std::string records;
	const auto append = [&](const Vector &vector, size_t numbers) {
		records.append(reinterpret_cast<const char *>(&vector), numbers * sizeof(float));
	};
	for (int i = 0; i < result.bodies.count(); i++) {
		append(result.bodies.place[i], 4);
		append(result.bodies.velocity[i], 3);
		append(result.pull[i], 4);
	}
	write_npy(name,
			  "[('place', '<f4', (3,)), ('mass', '<f4'), ('velocity', '<f4', (3,)), ('acceleration', '<f4', (3,)), "
			  "('potential', '<f4')]",
			  "(" + std::to_string(result.bodies.count()) + ",)", records.data(), records.size());
}

static int simulate_all(CommandLine &line)
{
	const Options options(line, "plummer:100000");
	Physics physics;
	physics.steps = static_cast<int>(line.whole_number("--steps", 5, 0, 1000000));
	physics.dt = line.number("--dt", 0.025f, 0.0f, 1e6f);
	physics.theta = line.number("--theta", 0.5f, 0.0f, 0.57f);
	physics.softening = line.number("--softening", 0.05f, 1e-6f, 1e6f);
	line.end();
	const Bodies bodies = read_bodies(options.input, options.seed);

	const Result result =
		options.on_host() ? simulate<Host>(bodies, physics, options) : simulate<Device>(bodies, physics, options);
	std::printf("tree: %d bodies, %zu nodes, %d bodies a leaf\n", bodies.count(), result.nodes, LEAF_BODIES);
	print_ms(options, result.ms, static_cast<size_t>(bodies.count()) * (physics.steps + 1));
	std::printf("energy: %.7g, after %d steps %.7g\n", result.energy_before, physics.steps, result.energy_after);
	if (!options.out.empty())
		write_bodies(options.out, result);
	if (!options.check)
		return 0;
	const int checked = check_sample(result, physics);
	const double drift = std::fabs(result.energy_after - result.energy_before);
	if (!(drift <= MOST_DRIFT * std::fabs(result.energy_before)))
		fail<WrongAnswer>("the energy has changed by %.3g, which is more than a hundredth of it", drift);
	std::printf("check: PASS, %d answers compared with all pairs\n", checked);
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: bh [--input INPUT] [--steps N] [--dt T] [--theta T] [--softening L] [--order sorted|shuffled] [--seed "
		"S]\n"
		"          [--reps R] [--host recursive|iterative] [--openmp] [--check] [--out FILE]\n"
		"\n"
		"Moves bodies under their own gravity, whose constant is 1. Forces are found by a recursive walk of an octree "
		"on\n"
		"the device, once before the first step and once in each.\n"
		"\n"
		"  --steps N      time steps (default: 5)\n"
		"  --dt T         length of a step, up to 1e6 (default: 0.025)\n"
		"  --theta T      0 to 0.57: a node farther away than its edge divided by T pulls as a whole (default: 0.5)\n"
		"  --softening L  1e-6 to 1e6: nearer bodies pull as if they were about that far away (default: 0.05)\n" +
		usage_of_options(
			"  --input INPUT  plummer:N: a cluster of N bodies (default: plummer:100000); FILE.npy, a float32 or\n"
			"                 float64 array, or FILE.csv: a body a row, x y z, then perhaps its velocity, then\n"
			"                 perhaps its mass; random:NxD: N such rows of D = 3, 6 or 7 random numbers\n",
			"records (place, mass, velocity, acceleration, potential)");
	return run_program("bh", usage, simulate_all, argc, argv);
}
