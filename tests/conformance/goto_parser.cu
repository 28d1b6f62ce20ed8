// features: goto condition-declarations string-literals constant-variables references pointers-to-pointers
// A scanner of numbers written with goto, as generated scanners are; each thread reads the numbers of one text.
#include <cstdlib>
#include <cstring>

#include "check.h"

// Reads a number like -12.5e+3 at *cursor; moves the cursor behind it. False if there is none.
__device__ bool scan_number(const char **cursor, double &value, int &digits) {
	const char *p = *cursor;
	double mantissa = 0, scale = 1;
	int exponent = 0;
	bool negative = false, down = false;
	digits = 0;

	if (*p == '-') {
		negative = true;
		p++;
	} else if (*p == '+')
		p++;
	if (*p == '.')
		goto fraction_first;
	if (*p < '0' || *p > '9')
		goto fail;
whole:
	mantissa = mantissa * 10 + (*p++ - '0');
	digits++;
	if (*p >= '0' && *p <= '9')
		goto whole;
	if (*p != '.')
		goto exponent_part;
	p++;
	goto fraction;
fraction_first:
	p++;
	if (*p < '0' || *p > '9')
		goto fail;
fraction:
	if (*p >= '0' && *p <= '9') {
		scale /= 10;
		mantissa += (*p++ - '0') * scale;
		digits++;
		goto fraction;
	}
exponent_part:
	if (*p != 'e' && *p != 'E')
		goto done;
	p++;
	switch (*p) {
	case '-': down = true; // fall through
	case '+': p++;
	}
	if (*p < '0' || *p > '9')
		goto fail;
	do
		exponent = exponent * 10 + (*p++ - '0');
	while (*p >= '0' && *p <= '9' && exponent < 100);
done:
	for (; exponent > 0; exponent--)
		mantissa = down ? mantissa / 10 : mantissa * 10;
	value = negative ? -mantissa : mantissa;
	*cursor = p;
	return true;
fail:
	return false;
}

__constant__ const char *stop_word = "end";

__global__ void parse(const char *texts, int pitch, double *sums, int *counts, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const char *cursor = texts + i * pitch;
	double sum = 0, value;
	int count = 0, digits;
again:
	while (*cursor == ' ' || *cursor == ',')
		cursor++;
	for (int k = 0; stop_word[k]; k++)
		if (cursor[k] != stop_word[k])
			goto number;
	goto out;
number:
	if (const char *before = cursor; *before == '\0')
		goto out;
	if (scan_number(&cursor, value, digits)) {
		sum += value;
		count += 100 + digits;
		goto again;
	}
	count++;
	cursor++;
	if (count < 1000000)
		goto again;
out:
	sums[i] = sum;
	counts[i] = count;
}

int main() {
	const int n = 200, pitch = 64;
	std::vector<char> texts(n * pitch);
	std::vector<double> sums(n);
	std::vector<int> counts(n);
	Random random(17);
	for (int i = 0; i < n; i++) {
		char *text = &texts[i * pitch];
		int at = 0;
		for (int k = 1 + random.below(5); k > 0; k--) {
			char word[32];
			switch (random.below(7)) {
			case 0: snprintf(word, sizeof word, "%d", random.below(1000)); break;
			case 1: snprintf(word, sizeof word, "%.2f", random.uniform() * 100); break;
			case 2: snprintf(word, sizeof word, "-%d.%de%d", random.below(9), random.below(99), random.below(4)); break;
			case 3: snprintf(word, sizeof word, "+%de-%d", random.below(99), random.below(3)); break;
			case 4: snprintf(word, sizeof word, ".5"); break;
			case 5: strcpy(word, "?"); break;
			default: strcpy(word, random.below(3) ? "x" : "end"); break;
			}
			if (strcmp(word, "?") == 0 || strcmp(word, "x") == 0)
				counts[i]++;
			else if (strcmp(word, "end") == 0)
				k = 1;
			else {
				sums[i] += strtod(word, nullptr);
				int digits = 0;
				for (const char *p = word; *p && *p != 'e'; p++)
					digits += *p >= '0' && *p <= '9';
				counts[i] += 100 + digits;
			}
			at += snprintf(text + at, pitch - at, "%s%s", word, random.below(2) ? ", " : " ");
		}
	}
	char *d_texts = to_device(texts);
	double *d_sums = device_array<double>(n);
	int *d_counts = device_array<int>(n);
	parse<<<4, 50>>>(d_texts, pitch, d_sums, d_counts, n);
	CHECK_LAUNCH();
	std::vector<double> got = to_host(d_sums, n);
	std::vector<int> got_counts = to_host(d_counts, n);
	for (int i = 0; i < n; i++) {
		expect_near("sum", i, got[i], sums[i], 1e-9);
		expect_equal("count", i, got_counts[i], counts[i]);
	}
	return verdict();
}
