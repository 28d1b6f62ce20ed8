/* Add to 256 numbers how often each of 256 values occurs among some bytes. Scalar counting is quicker than gathers and
 * scatters, and two tables in turn keep equal neighbours from waiting for each other; with -DAS_WRITTEN each lane counts
 * into a table of its own. */
#define BINS 256

export void histogram(const uniform uint8 values[], uniform int first, uniform int end, uniform unsigned int bins[]) {
#ifdef AS_WRITTEN
	unsigned int counts[BINS];
	for (uniform int bin = 0; bin < BINS; bin++)
		counts[bin] = 0;
	foreach (i = first ... end)
		counts[values[i]]++;
	for (uniform int bin = 0; bin < BINS; bin++)
		bins[bin] += reduce_add(counts[bin]);
#else
	uniform unsigned int even[BINS], odd[BINS];
	foreach (bin = 0 ... BINS) {
		even[bin] = 0;
		odd[bin] = 0;
	}
	for (; end - first >= 8; first += 8) {
#pragma unroll
		for (uniform int i = 0; i < 8; i += 2) {
			even[values[first + i]]++;
			odd[values[first + i + 1]]++;
		}
	}
	for (; first < end; first++)
		even[values[first]]++;
	foreach (bin = 0 ... BINS)
		bins[bin] += even[bin] + odd[bin];
#endif
}
