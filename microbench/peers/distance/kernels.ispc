/* The distance of some records from one place: records, or with -DARRAYS an array for each coordinate. Whole vectors of
 * records are read by wide loads; with -DAS_WRITTEN each lane reads its own. */
static inline float length(float north, float east) {
	return sqrt(north * north + east * east);
}

#ifdef ARRAYS
export void distances(const uniform float latitudes[], const uniform float longitudes[], uniform float distance[],
                      uniform float latitude, uniform float longitude, uniform int first, uniform int end) {
	foreach (i = first ... end)
		distance[i] = length(latitude - latitudes[i], longitude - longitudes[i]);
}
#else
struct Record {
	float latitude, longitude;
};

export void distances(const uniform Record records[], uniform float distance[], uniform float latitude,
                      uniform float longitude, uniform int first, uniform int end) {
#ifndef AS_WRITTEN
	while (end - first >= programCount) {
		float there_latitude, there_longitude;
		aos_to_soa2((uniform float *uniform)&records[first], &there_latitude, &there_longitude);
		distance[first + programIndex] = length(latitude - there_latitude, longitude - there_longitude);
		first += programCount;
	}
#endif
	foreach (i = first ... end)
		distance[i] = length(latitude - records[i].latitude, longitude - records[i].longitude);
}
#endif
