/* The distance of every record from one place: records that lie one after the other, or with -DARRAYS latitudes in one
 * array and longitudes in another. */
#include <cuda_runtime.h>

#include "../bench.h"
#include "../device.h"

#ifdef ARRAYS
__global__ void distances(
	const float *latitudes, const float *longitudes, float *distance, float latitude, float longitude, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float north = latitude - latitudes[i], east = longitude - longitudes[i];
		distance[i] = sqrtf(north * north + east * east);
	}
}
#else
struct Record {
	float latitude, longitude;
};

__global__ void distances(const Record *records, float *distance, float latitude, float longitude, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float north = latitude - records[i].latitude, east = longitude - records[i].longitude;
		distance[i] = sqrtf(north * north + east * east);
	}
}
#endif

static int n;
static float latitude, longitude;
#ifdef ARRAYS
static DeviceArray<float> latitudes, longitudes;
#else
static DeviceArray<Record> records;
#endif
static DeviceArray<float> distance;

static void setup(const Inputs &in) {
	latitude = in.number("latitude");
	longitude = in.number("longitude");
#ifdef ARRAYS
	n = in.array<float>("latitudes").count;
	latitudes.assign(in.array<float>("latitudes").data, n);
	longitudes.assign(in.array<float>("longitudes").data, n);
#else
	n = in.array<Record>("records").count;
	records.assign(in.array<Record>("records").data, n);
#endif
	distance.resize(n);
}

static void reset() {
}

static void run() {
	int blocks = (n + 255) / 256;
#ifdef ARRAYS
	distances<<<blocks, 256>>>(latitudes.data(), longitudes.data(), distance.data(), latitude, longitude, n);
#else
	distances<<<blocks, 256>>>(records.data(), distance.data(), latitude, longitude, n);
#endif
	check(cudaDeviceSynchronize());
}

static void results(Outputs &out) {
	const std::vector<float> host = distance.to_host();
	out.array("distance", host.data(), host.size());
}
