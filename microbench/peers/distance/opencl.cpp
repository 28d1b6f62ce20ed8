/* The distance of every record from one place: records, or with -DARRAYS an array for each coordinate. */
#include "../bench.h"
#include "../opencl.h"

static int n;
static opencl::Buffer<float> latitudes, longitudes, records, distance;
static opencl::Kernel distances;

static void setup(const Inputs &in) {
	const float latitude = in.number("latitude"), longitude = in.number("longitude");
	distances.create("distances");
#ifdef ARRAYS
	n = in.array<float>("latitudes").count;
	latitudes.assign(in.array<float>("latitudes").data, n);
	longitudes.assign(in.array<float>("longitudes").data, n);
	distance.resize(n);
	distances.arguments(latitudes, longitudes, distance, latitude, longitude, n);
#else
	n = in.array<float>("records").count / 2;
	records.assign(in.array<float>("records").data, 2 * n);
	distance.resize(n);
	distances.arguments(records, distance, latitude, longitude, n);
#endif
}

static void reset() {
}

static void run() {
	distances.launch((n + 255) / 256 * 256, 256);
	opencl::finish();
}

static void results(Outputs &out) {
	const std::vector<float> host = distance.to_host();
	out.array("distance", host.data(), host.size());
}
