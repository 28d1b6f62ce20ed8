/* The k records that are nearest to a place: the distances of all, and a selection of the least.
 *
 * Each thread of find_least takes every SEARCHERS-th distance, and keeps the least. Of the k least of those, the
 * largest bounds the k-th distance of all, since k threads have a record within it. In collect_near only threads with a
 * record within the bound look at theirs again, and the host sorts the few that are found. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "../common/device.h"
#include "../common/iterative.h"
#include "../common/npy.h"
#include "../common/options.h"
#include "../common/points.h"
#include "../common/random.h"

#define BLOCK 256
#define SEARCHERS 32768

typedef struct {
	float x, y;
} Record;

__host__ __device__ inline float distance_from(Record place, Record record)
{
	const float dx = place.x - record.x, dy = place.y - record.y;
	return sqrtf(dx * dx + dy * dy);
}

__global__ void find_distances(const Record *records, int count, Record place, float *distances)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		distances[i] = distance_from(place, records[i]);
}

/* The least distance of each thread's. */
__global__ void find_least(const float *distances, int count, float *thread_least)
{
	const int thread = blockIdx.x * blockDim.x + threadIdx.x;
	float least = INFINITY;
	for (int i = thread; i < count; i += SEARCHERS)
		least = distances[i] < least ? distances[i] : least;
	thread_least[thread] = least;
}

/* Puts the records that are not farther than `bound` into `near`, in any order; `*found` counts them. */
__global__ void collect_near(const float *distances, const float *thread_least, int count, float bound, int *near,
							 int *found)
{
	const int thread = blockIdx.x * blockDim.x + threadIdx.x;
	if (thread_least[thread] > bound)
		return;
	for (int i = thread; i < count; i += SEARCHERS)
		if (distances[i] <= bound)
			near[atomicAdd(found, 1)] = i;
}

/* A record and how far it is. */
struct Near {
	int row;
	float distance;

	bool operator<(const Near &other) const
	{
		return distance < other.distance || (distance == other.distance && row < other.row);
	}
};

/* The k-th least of some distances, or infinity if they are fewer. */
static float kth_least(std::vector<float> distances, int k)
{
	if (k > static_cast<int>(distances.size()))
		return INFINITY;
	std::nth_element(distances.begin(), distances.begin() + (k - 1), distances.end());
	return distances[k - 1];
}

/* The first k in order. */
static std::vector<Near> first_of(std::vector<Near> near, int k)
{
	std::partial_sort(near.begin(), near.begin() + k, near.end());
	near.resize(k);
	return near;
}

/* The time of the distances alone goes to `distances_ms`. */
static double search_on_device(const std::vector<Record> &records, Record place, int k, int reps, double &distances_ms,
							   std::vector<Near> &nearest)
{
	const int count = static_cast<int>(records.size());
	const DeviceArray<Record> all(records);
	const DeviceArray<float> distances(records.size()), thread_least(SEARCHERS);
	const DeviceArray<int> near(records.size()), found(1);
	std::vector<float> least;
	std::vector<int> rows;
	std::vector<Near> candidates;
	Event start, middle, stop;
	double best = INFINITY;
	distances_ms = INFINITY;
	for (int i = 0; i < reps; i++) {
		start.record();
		find_distances<<<blocks_of(BLOCK, count), BLOCK>>>(all.get(), count, place, distances.get());
		check(cudaGetLastError(), "find_distances");
		middle.record();
		find_least<<<SEARCHERS / BLOCK, BLOCK>>>(distances.get(), count, thread_least.get());
		thread_least.copy_to(least);
		check(cudaMemset(found.get(), 0, sizeof(int)), "cudaMemset");
		collect_near<<<SEARCHERS / BLOCK, BLOCK>>>(distances.get(), thread_least.get(), count, kth_least(least, k),
												   near.get(), found.get());
		check(cudaGetLastError(), "collect_near");
		int size = 0;
		check(cudaMemcpy(&size, found.get(), sizeof size, cudaMemcpyDeviceToHost), "cudaMemcpy");
		rows.resize(size);
		check(cudaMemcpy(rows.data(), near.get(), size * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
		candidates.clear();
		for (int row : rows)
			candidates.push_back(Near{row, distance_from(place, records[row])});
		nearest = first_of(candidates, k);
		stop.record();
		best = std::min<double>(best, stop.since(start, "collect_near"));
		distances_ms = std::min<double>(distances_ms, middle.since(start, "find_distances"));
	}
	return best;
}

#define HOST_CHUNK 1024 /* records */

/* Returns the least. */
static float distances_of_chunk(const Record *records, int count, Record place, float *distances)
{
	float least = INFINITY;
#pragma omp simd reduction(min : least)
	for (int i = 0; i < count; i++) {
		const float distance = distance_from(place, records[i]);
		distances[i] = distance;
		least = distance < least ? distance : least;
	}
	return least;
}

/* The same way; in the place of a thread there is a chunk of records. */
static double search_on_host(const std::vector<Record> &records, Record place, int k, int reps, double &distances_ms,
							 std::vector<Near> &nearest)
{
	const int count = static_cast<int>(records.size()), chunks = blocks_of(HOST_CHUNK, count);
	std::vector<float> distances(records.size()), least(chunks);
	std::vector<Near> candidates;
	distances_ms = INFINITY;
	return least_host_ms(reps, [&] {
		distances_ms = std::min(distances_ms, least_host_ms(1, [&] {
#pragma omp parallel for schedule(static)
									for (int chunk = 0; chunk < chunks; chunk++) {
										const int first = chunk * HOST_CHUNK;
										least[chunk] = distances_of_chunk(records.data() + first,
																		  std::min(HOST_CHUNK, count - first), place,
																		  distances.data() + first);
									}
								}));
		const float bound = kth_least(least, k);
		candidates.clear();
		for (int chunk = 0; chunk < chunks; chunk++)
			if (least[chunk] <= bound)
				for (int i = chunk * HOST_CHUNK; i < std::min(count, (chunk + 1) * HOST_CHUNK); i++)
					if (distances[i] <= bound)
						candidates.push_back(Near{i, distances[i]});
		nearest = first_of(candidates, k);
	});
}

/* Compares with a sort of all distances in double precision; of equally near records, and of those nearer by less than
 * float's rounding, any is right. */
static void check_nearest(const std::vector<Record> &records, Record place, const std::vector<Near> &nearest)
{
	std::vector<double> right;
	const auto distance = [&](const Record &record) {
		return std::hypot(static_cast<double>(place.x) - record.x, static_cast<double>(place.y) - record.y);
	};
	for (const Record &record : records)
		right.push_back(distance(record));
	std::partial_sort(right.begin(), right.begin() + nearest.size(), right.end());
	std::vector<int> rows;
	for (size_t i = 0; i < nearest.size(); i++) {
		const double found = distance(records[nearest[i].row]);
		if (!(std::fabs(found - right[i]) <= 0x1p-21 * right[i]) ||
			!(std::fabs(nearest[i].distance - found) <= 0x1p-21 * found))
			fail<WrongAnswer>("neighbour %zu: row %d at %.9g (%.9g), %.9g is right", i, nearest[i].row,
							  nearest[i].distance, found, right[i]);
		rows.push_back(nearest[i].row);
	}
	std::sort(rows.begin(), rows.end());
	if (std::adjacent_find(rows.begin(), rows.end()) != rows.end())
		fail<WrongAnswer>("row %d is there twice", *std::adjacent_find(rows.begin(), rows.end()));
}

/* Writes a .npy file of records (row: int32, distance: float32). */
static void write_nearest(const std::string &name, const std::vector<Near> &nearest)
{
	write_npy(name, "[('row', '<i4'), ('distance', '<f4')]", "(" + std::to_string(nearest.size()) + ",)",
			  nearest.data(), nearest.size() * sizeof(Near));
}

static int search(CommandLine &line)
{
	const RunOptions options(line);
	const std::string input = line.text("--input", "random:8388608x2");
	const int k = static_cast<int>(line.whole_number("--k", 10, 1, 1000000));
	const Record place{line.number("--x", 0.5f, -1e18f, 1e18f), line.number("--y", 0.5f, -1e18f, 1e18f)};
	line.end();
	const Points points = read_points(input, options.seed, {1, "a search"});
	if (points.dim != 2)
		fail<InputError>("%s: records have 2 coordinates, found %d", input.c_str(), points.dim);
	if (k > points.count)
		fail<InputError>("%s: k is %d, but there are only %d records", input.c_str(), k, points.count);
	std::vector<Record> records(points.count);
	for (int i = 0; i < points.count; i++)
		records[i] = Record{points.x[2 * i], points.x[2 * i + 1]};
	std::printf("records: %d\n", points.count);

	std::vector<Near> nearest;
	double distances_ms;
	const double ms = options.host ? search_on_host(records, place, k, options.reps, distances_ms, nearest)
								   : search_on_device(records, place, k, options.reps, distances_ms, nearest);
	print_run(options, ms, points.count, "records");
	std::printf("distances alone: %.4f ms\n", distances_ms);
	std::printf("nearest: row %d at %.6g\n", nearest[0].row, nearest[0].distance);
	if (!options.out.empty())
		write_nearest(options.out, nearest);
	if (options.check) {
		check_nearest(records, place, nearest);
		std::printf("check: PASS, %d answers compared with a sort of all distances\n", k);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const std::string usage =
		"usage: distance [--input INPUT] [--k K] [--x X] [--y Y] [--seed S] [--reps R] [--host] [--check] [--out "
		"FILE]\n"
		"\n"
		"Finds the K records of two coordinates that are nearest to the place X, Y, on the device.\n"
		"\n"
		"  --input INPUT  random:Nx2: N random records in the unit square (default: random:8388608x2); FILE.npy: a\n"
		"                 float32 or float64 array, records x 2; FILE.csv: a record a line\n"
		"  --k K          1 to the number of records (default: 10)\n"
		"  --x X, --y Y   the place (default: 0.5, 0.5)\n" +
		usage_of_run_options("records (row, distance), the nearest first");
	return run_program("distance", usage, search, argc, argv);
}
