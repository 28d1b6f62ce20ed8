/* Sorts keys of 64 bits by one byte after the other. A program instance has a run of a task's keys and counts how often
 * each digit occurs in it; prefix sums give where each instance's keys with each digit go. `totals` and `starts` have an
 * element for each digit and task; the functions that are called for a task get the address of its first. */
#define DIGITS 256

export uniform int lanes() {
	return programCount;
}

export void count_digits(uniform const unsigned int64 keys[], uniform int first, uniform int end, uniform int low_bit,
                         uniform int counts[], uniform int totals[], uniform int tasks) {
	for (uniform int digit = 0; digit < DIGITS; digit++)
		counts[digit * programCount + programIndex] = 0;
	const uniform int run = (end - first + programCount - 1) / programCount;
	const int start = first + programIndex * run;
	for (uniform int i = 0; i < run; i++)
		if (start + i < end) {
			const int digit = (int)(keys[start + i] >> low_bit) & (DIGITS - 1);
			counts[digit * programCount + programIndex]++;
		}
	for (uniform int digit = 0; digit < DIGITS; digit++)
		totals[digit * tasks] = reduce_add(counts[digit * programCount + programIndex]);
}

export void scan_totals(uniform int totals[], uniform int tasks) {
	uniform int place = 0;
	for (uniform int i = 0; i < DIGITS * tasks; i++) {
		const uniform int count = totals[i];
		totals[i] = place;
		place += count;
	}
}

export void move_keys(uniform const unsigned int64 keys[], uniform unsigned int64 sorted[], uniform int first,
                      uniform int end, uniform int low_bit, uniform int counts[], uniform const int starts[],
                      uniform int tasks) {
	for (uniform int digit = 0; digit < DIGITS; digit++) {
		const int before = exclusive_scan_add(counts[digit * programCount + programIndex]);
		counts[digit * programCount + programIndex] = starts[digit * tasks] + before;
	}
	const uniform int run = (end - first + programCount - 1) / programCount;
	const int start = first + programIndex * run;
	for (uniform int i = 0; i < run; i++)
		if (start + i < end) {
			const unsigned int64 key = keys[start + i];
			const int digit = (int)(key >> low_bit) & (DIGITS - 1);
			const int place = counts[digit * programCount + programIndex]++;
			sorted[place] = key;
		}
}
