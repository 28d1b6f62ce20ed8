/* The distance of every record from one place: records, or with -DARRAYS an array for each coordinate. */
#include <cmath>

#include "../bench.h"

struct Record {
	float latitude, longitude;
};

static int n;
static float latitude, longitude;
#ifdef ARRAYS
static const float *latitudes, *longitudes;
#else
static const Record *records;
#endif
static std::vector<float> distance;

static void setup(const Inputs &in) {
	latitude = in.number("latitude");
	longitude = in.number("longitude");
#ifdef ARRAYS
	n = in.array<float>("latitudes").count;
	latitudes = in.array<float>("latitudes").data;
	longitudes = in.array<float>("longitudes").data;
#else
	n = in.array<Record>("records").count;
	records = in.array<Record>("records").data;
#endif
	distance.resize(n);
}

static void reset() {
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i < n; i++) {
#ifdef ARRAYS
		const float north = latitude - latitudes[i], east = longitude - longitudes[i];
#else
		const float north = latitude - records[i].latitude, east = longitude - records[i].longitude;
#endif
		distance[i] = std::sqrt(north * north + east * east);
	}
}

static void results(Outputs &out) {
	out.array("distance", distance.data(), n);
}
