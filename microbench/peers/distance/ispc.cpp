/* The distance of every record from one place: records, or with -DARRAYS an array for each coordinate. */
#include "../bench.h"

struct Record {
	float latitude, longitude;
};

#ifdef ARRAYS
extern "C" void distances(const float *latitudes, const float *longitudes, float *distance, float latitude,
	float longitude, int first, int end);
#else
extern "C" void distances(const Record *records, float *distance, float latitude, float longitude, int first, int end);
#endif

const int RECORDS = 1 << 16; /* of a task */

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
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i += RECORDS) {
		const int end = std::min(i + RECORDS, n);
#ifdef ARRAYS
		distances(latitudes, longitudes, distance.data(), latitude, longitude, i, end);
#else
		distances(records, distance.data(), latitude, longitude, i, end);
#endif
	}
}

static void results(Outputs &out) {
	out.array("distance", distance.data(), n);
}
