/* The distance of every record from one place, sixteen at a time. Two loads bring sixteen records, and two permutations
 * sort them into latitudes and longitudes; with -DARRAYS that is not needed. */
#include "../bench.h"
#include "../simd.h"

static int n;
static float latitude, longitude;
static float *distance;
#ifdef ARRAYS
static float *latitudes, *longitudes;
#else
static float *records; /* latitude, longitude, latitude ... */
#endif

static float *copy(Array<float> from) {
	float *to = aligned_array<float>(from.count);
	std::memcpy(to, from.data, from.count * sizeof(float));
	return to;
}

static void setup(const Inputs &in) {
	latitude = in.number("latitude");
	longitude = in.number("longitude");
#ifdef ARRAYS
	n = in.array<float>("latitudes").count;
	latitudes = copy(in.array<float>("latitudes"));
	longitudes = copy(in.array<float>("longitudes"));
#else
	n = in.array<float>("records").count / 2;
	records = copy(in.array<float>("records"));
#endif
	distance = aligned_array<float>(n);
}

static void reset() {
}

static inline __m512 length(__m512 north, __m512 east) {
	return _mm512_sqrt_ps(_mm512_fmadd_ps(north, north, _mm512_mul_ps(east, east)));
}

static inline __m512 from_here(__m512 latitudes, __m512 longitudes) {
	return length(
		_mm512_sub_ps(_mm512_set1_ps(latitude), latitudes), _mm512_sub_ps(_mm512_set1_ps(longitude), longitudes));
}

/* Sixteen distances from record i on, of those in the mask. */
static inline __m512 sixteen(int i, __mmask16 mask) {
#ifdef ARRAYS
	return from_here(_mm512_maskz_loadu_ps(mask, latitudes + i), _mm512_maskz_loadu_ps(mask, longitudes + i));
#else
	const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
	const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
	const __m512 low = _mm512_castpd_ps(_mm512_maskz_loadu_pd(mask & 0xff, records + 2 * i));
	const __m512 high = _mm512_castpd_ps(_mm512_maskz_loadu_pd(mask >> 8, records + 2 * i + LANES));
	return from_here(_mm512_permutex2var_ps(low, even, high), _mm512_permutex2var_ps(low, odd, high));
#endif
}

static void run() {
#pragma omp parallel for schedule(static)
	for (int i = 0; i <= n - LANES; i += LANES)
		_mm512_store_ps(distance + i, sixteen(i, 0xffff));
	const int rest = n / LANES * LANES;
	const __mmask16 mask = first_lanes(n - rest);
	_mm512_mask_storeu_ps(distance + rest, mask, sixteen(rest, mask));
}

static void results(Outputs &out) {
	out.array("distance", distance, n);
}
