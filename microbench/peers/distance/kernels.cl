/* The distance of every record from one place: records, or with -DARRAYS an array for each coordinate. */
#ifdef ARRAYS
__kernel void distances(__global const float *latitudes, __global const float *longitudes, __global float *distance,
	float latitude, float longitude, int n) {
	int i = get_global_id(0);
	if (i < n) {
		float north = latitude - latitudes[i], east = longitude - longitudes[i];
		distance[i] = sqrt(north * north + east * east);
	}
}
#else
typedef struct {
	float latitude, longitude;
} Record;

__kernel void distances(
	__global const Record *records, __global float *distance, float latitude, float longitude, int n) {
	int i = get_global_id(0);
	if (i < n) {
		float north = latitude - records[i].latitude, east = longitude - records[i].longitude;
		distance[i] = sqrt(north * north + east * east);
	}
}
#endif
