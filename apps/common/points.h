/* Reads points from .npy and .csv files, or makes random ones. Whatever is wrong with a file ends in an InputError
 * that names the file and the row. */
#ifndef COMMON_POINTS_H
#define COMMON_POINTS_H

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "dimensions.h"
#include "errors.h"
#include "random.h"

/* `count` points of `dim` coordinates, one point after the other. */
struct Points {
	int count, dim;
	std::vector<float> x;
};

/* Between the points of rows a and b, in double precision. */
inline double squared_distance(const Points &points, int a, int b)
{
	double sum = 0.0;
	for (int d = 0; d < points.dim; d++) {
		const double diff = static_cast<double>(points.x[static_cast<size_t>(a) * points.dim + d]) -
							points.x[static_cast<size_t>(b) * points.dim + d];
		sum += diff * diff;
	}
	return sum;
}

/* Squares of larger coordinates, and their sums, might not fit into a float. */
const double LARGEST_COORDINATE = 1e18;
const long long MOST_COORDINATES = 1LL << 30; /* kernels index them by int */

/* The fewest points that an application can do with, and what needs them: "a nearest neighbour". */
struct Needed {
	int points;
	std::string what;
};

/* `name` is the input's. */
inline void check_shape(const char *name, long long count, long long dim, const Needed &needed)
{
	if (dim < 1 || dim > MAX_DIM)
		fail<InputError>("%s: points have %lld coordinates; 1 to %d are supported", name, dim, MAX_DIM);
	if (count < needed.points)
		fail<InputError>("%s: %s needs at least %d point%s, found %lld", name, needed.what.c_str(), needed.points,
						 needed.points == 1 ? "" : "s", count);
	if (count > MOST_COORDINATES / dim)
		fail<InputError>("%s: %lld points of %lld coordinates are too many; at most 2^30 coordinates are supported",
						 name, count, dim);
}

/* Returns `value` as a coordinate. `row` and `column` count from 0, as NumPy does. */
inline float checked_coordinate(const char *name, long long row, int column, double value)
{
	if (!std::isfinite(value))
		fail<InputError>("%s: row %lld, column %d: %g is not a finite number", name, row, column, value);
	if (std::fabs(value) > LARGEST_COORDINATE)
		fail<InputError>("%s: row %lld, column %d: %g is too large; at most 1e18 is supported", name, row, column,
						 value);
	return static_cast<float>(value);
}

/* A program compiled for one number of coordinates refuses others. */
inline void check_dimensions(const Points &points)
{
#ifdef DIM
	if (points.dim != DIM)
		fail<InputError>("compiled for %d dimensions, not %d", DIM, points.dim);
#else
	(void)points;
#endif
}

/* ---- random ---- */

/* Coordinates are multiples of 2^-24 in [0, 1). */
inline Points random_points(int count, int dim, uint64_t seed)
{
	Random random(seed);
	Points points{count, dim, std::vector<float>(static_cast<size_t>(count) * dim)};
	for (float &x : points.x)
		x = random.uniform();
	return points;
}

/* ---- files ---- */

class InputFile
{
public:
	explicit InputFile(const char *name) : name(name), file(std::fopen(name, "rb"))
	{
		if (!file)
			fail<InputError>("%s: %s", name, std::strerror(errno));
		const int first = std::getc(file); /* a folder opens like a file, and cannot be read */
		const int error = errno;
		if (std::ferror(file)) {
			std::fclose(file);
			fail<InputError>("%s: %s", name, std::strerror(error));
		}
		std::ungetc(first, file);
	}

	~InputFile()
	{
		std::fclose(file);
	}

	InputFile(const InputFile &) = delete;
	InputFile &operator=(const InputFile &) = delete;

	/* Returns false if the file ends before. */
	bool read(void *data, size_t bytes)
	{
		return std::fread(data, 1, bytes, file) == bytes;
	}

	/* Reads a line of any length, without its end; returns false after the last one. */
	bool read_line(std::string &line)
	{
		int c;
		line.clear();
		while ((c = std::getc(file)) != EOF && c != '\n')
			line.push_back(static_cast<char>(c));
		const bool found = c != EOF || !line.empty();
		if (!line.empty() && line.back() == '\r')
			line.pop_back();
		return found;
	}

	const char *const name;

private:
	FILE *file;
};

/* ---- .npy: NumPy's format, versions 1 to 3 ---- */

/* Returns the text of the header: a Python dictionary. */
inline std::string read_npy_header(InputFile &file)
{
	unsigned char start[12] = {};
	if (!file.read(start, 10) || std::memcmp(start, "\x93NUMPY", 6) != 0)
		fail<InputError>("%s: not a .npy file: it does not begin with \\x93NUMPY", file.name);
	const int version = start[6];
	if (version < 1 || version > 3)
		fail<InputError>("%s: .npy format version %d is unknown", file.name, version);
	size_t length = start[8] | start[9] << 8;
	bool complete = true;
	if (version > 1) {
		complete = file.read(start + 10, 2);
		length |= static_cast<size_t>(start[10]) << 16 | static_cast<size_t>(start[11]) << 24;
	}
	if (length > 65536)
		fail<InputError>("%s: not a .npy file: a header of %zu bytes", file.name, length);
	std::string header(length, ' ');
	if (!complete || !file.read(&header[0], length))
		fail<InputError>("%s: the file ends in its header", file.name);
	return header;
}

/* Returns what follows `key:` in the header. */
inline const char *npy_field(const InputFile &file, const std::string &header, const char *key)
{
	const char *found = std::strstr(header.c_str(), key);
	if (!found)
		fail<InputError>("%s: the .npy header has no %s", file.name, key);
	found += std::strlen(key);
	return found + std::strspn(found, ": ");
}

/* Returns the bytes of a number. */
inline int npy_item_bytes(const InputFile &file, const std::string &header)
{
	const char *type = npy_field(file, header, "'descr'");
	if (std::strncmp(type, "'<f4'", 5) == 0)
		return 4;
	if (std::strncmp(type, "'<f8'", 5) == 0)
		return 8;
	fail<InputError>("%s: numbers of type %.*s; float32 ('<f4') and float64 ('<f8') are supported", file.name,
					 static_cast<int>(std::strcspn(type, ",}")), type);
}

/* One-dimensional arrays are points of one coordinate. */
inline void read_npy_shape(const InputFile &file, const std::string &header, long long &count, long long &dim)
{
	const char *shape = npy_field(file, header, "'shape'");
	int end = 0;
	dim = 1;
	if (std::sscanf(shape, "(%lld ,%n", &count, &end) == 1 && end && shape[end] == ')')
		return;
	end = 0;
	if (std::sscanf(shape, "(%lld , %lld %n", &count, &dim, &end) == 2 && end && shape[end] == ')')
		return;
	fail<InputError>("%s: an array of shape %.*s); points x coordinates are expected", file.name,
					 static_cast<int>(std::strcspn(shape, ")")), shape);
}

inline Points read_npy(const char *name, const Needed &needed)
{
	InputFile file(name);
	const std::string header = read_npy_header(file);
	const int item_bytes = npy_item_bytes(file, header);
	if (std::strncmp(npy_field(file, header, "'fortran_order'"), "False", 5) != 0)
		fail<InputError>("%s: the array is in Fortran order; save numpy.ascontiguousarray() of it", name);
	long long count, dim;
	read_npy_shape(file, header, count, dim);
	check_shape(name, count, dim, needed);
	Points points{static_cast<int>(count), static_cast<int>(dim), std::vector<float>()};
	for (int i = 0; i < points.count; i++) {
		float singles[MAX_DIM];
		double doubles[MAX_DIM];
		if (!file.read(item_bytes == 4 ? static_cast<void *>(singles) : doubles, item_bytes * points.dim))
			fail<InputError>("%s: the file ends in row %d of %d", name, i, points.count);
		for (int d = 0; d < points.dim; d++)
			points.x.push_back(checked_coordinate(name, i, d, item_bytes == 4 ? singles[d] : doubles[d]));
	}
	return points;
}

/* ---- .csv: numbers with commas between them, perhaps under a line of names ---- */

/* Reads the number at `text`, with blanks around it at most. Returns the comma or the end of line after it, or null if
 * there is something else. */
inline const char *read_number(const char *text, double &value)
{
	char *end;
	value = std::strtod(text, &end);
	if (end == text)
		return nullptr;
	end += std::strspn(end, " \t");
	return *end == ',' || *end == '\0' ? end : nullptr;
}

/* True if no field of the line is a number. */
inline bool is_header(const char *line)
{
	double value;
	while (!read_number(line, value)) {
		line += std::strcspn(line, ",");
		if (*line++ == '\0')
			return true;
	}
	return false;
}

/* Appends the numbers of a line to `x`; returns how many. */
inline int read_row(const char *name, int line_number, int row, const char *line, std::vector<float> &x)
{
	for (int column = 0;; column++) {
		double value;
		const char *end = read_number(line, value);
		if (!end)
			fail<InputError>("%s: line %d, column %d: '%.*s' is not a number", name, line_number, column,
							 static_cast<int>(std::min<size_t>(std::strcspn(line, ","), 40)), line);
		x.push_back(checked_coordinate(name, row, column, value));
		if (*end == '\0')
			return column + 1;
		line = end + 1;
	}
}

inline Points read_csv(const char *name, const Needed &needed)
{
	InputFile file(name);
	Points points{0, 0, std::vector<float>()};
	std::string line;
	for (int line_number = 1; file.read_line(line); line_number++) {
		if (line.find_first_not_of(" \t") == std::string::npos)
			continue;
		if (line.size() != std::strlen(line.c_str()))
			fail<InputError>("%s: line %d: not text", name, line_number);
		if (line_number == 1 && is_header(line.c_str()))
			continue;
		const int fields = read_row(name, line_number, points.count, line.c_str(), points.x);
		if (points.count == 0)
			points.dim = fields;
		if (fields != points.dim)
			fail<InputError>("%s: line %d: %d fields, %d expected", name, line_number, fields, points.dim);
		points.count++;
		check_shape(name, points.count, points.dim, {1, ""});
	}
	if (points.count == 0)
		fail<InputError>("%s: there are no rows of numbers", name);
	check_shape(name, points.count, points.dim, needed);
	return points;
}

/* ---- all of them ---- */

inline bool ends_with(const std::string &text, const char *end)
{
	const size_t length = std::strlen(end);
	return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

/* `input` is random:NxD, or the name of a .npy or .csv file. `known`: what else the application takes, for the message
 * that says what is expected. */
inline Points read_points(const std::string &input, uint64_t seed, const Needed &needed, const char *known = "")
{
	if (input.compare(0, 7, "random:") == 0) {
		long long count, dim;
		int used = 0;
		const int found = std::sscanf(input.c_str(), "random:%lldx%lld%n", &count, &dim, &used);
		if (found < 2 || static_cast<size_t>(used) != input.size())
			fail<UsageError>("%s: expected random:NxD, for example random:70000x2", input.c_str());
		check_shape(input.c_str(), count, dim, needed);
		return random_points(static_cast<int>(count), static_cast<int>(dim), seed);
	}
	if (ends_with(input, ".npy"))
		return read_npy(input.c_str(), needed);
	if (ends_with(input, ".csv"))
		return read_csv(input.c_str(), needed);
	fail<UsageError>("%s: expected %srandom:NxD, FILE.npy or FILE.csv", input.c_str(), known);
}

#endif
