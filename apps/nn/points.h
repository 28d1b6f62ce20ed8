/* Reads points from .npy and .csv files, or makes random ones. Whatever is wrong with a file ends in an InputError
 * that names the file and the row. */
#ifndef NN_POINTS_H
#define NN_POINTS_H

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tree.h"

/* What is wrong with the data; the text is for the user. */
struct InputError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

/* The input is not even a name of data. */
struct UsageError : InputError {
	using InputError::InputError;
};

/* `count` points of `dim` coordinates, one point after the other. */
struct Points {
	int count, dim;
	std::vector<float> x;
};

/* Squares of larger coordinates, and their sums, might not fit into a float. */
const double LARGEST_COORDINATE = 1e18;
const long long MOST_COORDINATES = 1LL << 30; /* kernels index them by int */

inline void check_shape(const std::string &name, long long count, long long dim)
{
	if (dim < 1 || dim > MAX_DIM)
		throw InputError(name + ": points have " + std::to_string(dim) + " coordinates; 1 to " +
						 std::to_string(MAX_DIM) + " are supported");
	if (count < 2)
		throw InputError(name + ": a nearest neighbour needs at least 2 points, found " + std::to_string(count));
	if (count > MOST_COORDINATES / dim)
		throw InputError(name + ": " + std::to_string(count) + " points of " + std::to_string(dim) +
						 " coordinates are too many; at most 2^30 coordinates are supported");
}

/* Returns `value` as a coordinate; `row` counts from 0, as NumPy does. */
inline float checked_coordinate(const std::string &name, long long row, int column, double value)
{
	if (std::isfinite(value) && std::fabs(value) <= LARGEST_COORDINATE)
		return static_cast<float>(value);
	char text[64];
	std::snprintf(text, sizeof text, "%g", value);
	throw InputError(name + ": row " + std::to_string(row) + ", column " + std::to_string(column) + ": " + text +
					 (std::isfinite(value) ? " is too large; at most 1e18 is supported" : " is not a finite number"));
}

/* ---- random ---- */

/* SplitMix64 (Steele, Lea and Flood, 2014): the same numbers for the same seed everywhere. */
class Random
{
public:
	explicit Random(uint64_t seed) : state(seed)
	{
	}

	uint64_t next()
	{
		uint64_t z = state += 0x9e3779b97f4a7c15;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
		return z ^ (z >> 31);
	}

private:
	uint64_t state;
};

/* Coordinates are multiples of 2^-24 in [0, 1). */
inline Points random_points(int count, int dim, uint64_t seed)
{
	Random random(seed);
	Points points{count, dim, std::vector<float>(static_cast<size_t>(count) * dim)};
	for (float &x : points.x)
		x = static_cast<float>(random.next() >> 40) * 0x1p-24f;
	return points;
}

/* ---- .npy: NumPy's format, versions 1 to 3 ---- */

class NpyReader
{
public:
	explicit NpyReader(const std::string &name) : name(name), file(std::fopen(name.c_str(), "rb"), std::fclose)
	{
		if (!file)
			throw InputError(name + ": " + std::strerror(errno));
	}

	Points read()
	{
		const std::string header = read_header();
		const int item_bytes = read_type(header);
		if (field(header, "'fortran_order'").compare(0, 5, "False") != 0)
			throw InputError(name + ": the array is in Fortran order; save numpy.ascontiguousarray of it");
		long long count, dim;
		read_array_shape(header, count, dim);
		check_shape(name, count, dim);
		Points points{static_cast<int>(count), static_cast<int>(dim), {}};
		points.x.reserve(static_cast<size_t>(count * dim));
		std::vector<char> row(static_cast<size_t>(dim * item_bytes));
		for (int i = 0; i < points.count; i++) {
			if (std::fread(row.data(), 1, row.size(), file.get()) != row.size())
				throw InputError(name + ": the file ends in row " + std::to_string(i) + " of " +
								 std::to_string(points.count));
			for (int d = 0; d < points.dim; d++)
				points.x.push_back(checked_coordinate(name, i, d, item(&row[d * item_bytes], item_bytes)));
		}
		return points;
	}

private:
	std::string name;
	std::unique_ptr<FILE, int (*)(FILE *)> file;

	static double item(const char *bytes, int item_bytes)
	{
		float single;
		double value;
		if (item_bytes == 8)
			std::memcpy(&value, bytes, 8);
		else {
			std::memcpy(&single, bytes, 4);
			value = single;
		}
		return value;
	}

	[[noreturn]] void malformed(const std::string &what) const
	{
		throw InputError(name + ": not a .npy file: " + what);
	}

	/* Returns the text of the header, a Python dictionary. */
	std::string read_header()
	{
		unsigned char start[12];
		if (std::fread(start, 1, 10, file.get()) != 10 || std::memcmp(start, "\x93NUMPY", 6) != 0)
			malformed("it does not begin with \\x93NUMPY");
		const int version = start[6];
		if (version < 1 || version > 3)
			malformed("format version " + std::to_string(version) + " is unknown");
		size_t length = start[8] | start[9] << 8;
		if (version > 1) {
			if (std::fread(start + 10, 1, 2, file.get()) != 2)
				malformed("the header is cut off");
			length |= static_cast<size_t>(start[10]) << 16 | static_cast<size_t>(start[11]) << 24;
		}
		if (length > 65536)
			malformed("a header of " + std::to_string(length) + " bytes");
		std::string header(length, ' ');
		if (std::fread(&header[0], 1, length, file.get()) != length)
			malformed("the header is cut off");
		return header;
	}

	/* Returns what follows `key:` in the header. */
	std::string field(const std::string &header, const std::string &key) const
	{
		size_t at = header.find(key);
		if (at == std::string::npos)
			malformed("the header has no " + key);
		at = header.find_first_not_of(": ", at + key.size());
		return at == std::string::npos ? "" : header.substr(at);
	}

	/* Returns the bytes of a number. */
	int read_type(const std::string &header) const
	{
		const std::string type = field(header, "'descr'");
		if (type.compare(0, 5, "'<f4'") == 0)
			return 4;
		if (type.compare(0, 5, "'<f8'") == 0)
			return 8;
		throw InputError(name + ": numbers of type " + type.substr(0, type.find(", '")) +
						 "; float32 ('<f4') and float64 ('<f8') are supported");
	}

	/* One-dimensional arrays are points of one coordinate. */
	void read_array_shape(const std::string &header, long long &count, long long &dim) const
	{
		const std::string shape = field(header, "'shape'");
		int used = 0, more = 0;
		if (std::sscanf(shape.c_str(), "( %lld , %n", &count, &used) < 1 || used == 0)
			throw InputError(name + ": the array has no rows; shape " + shape.substr(0, shape.find(')') + 1));
		dim = 1;
		if (shape[used] == ')')
			return;
		if (std::sscanf(shape.c_str() + used, "%lld %n", &dim, &more) < 1 || shape[used + more] != ')')
			throw InputError(name + ": an array of shape " + shape.substr(0, shape.find(')') + 1) +
							 "; points x coordinates are expected");
	}
};

/* ---- .csv: numbers with commas between them, perhaps under a line of names ---- */

class CsvReader
{
public:
	explicit CsvReader(const std::string &name) : name(name), file(std::fopen(name.c_str(), "rb"), std::fclose)
	{
		if (!file)
			throw InputError(name + ": " + std::strerror(errno));
	}

	Points read()
	{
		Points points{0, 0, {}};
		std::string line;
		for (line_number = 1; next_line(line); line_number++) {
			if (line.find_first_not_of(" \t") == std::string::npos)
				continue;
			const std::vector<std::string> fields = split(line);
			if (points.count == 0 && points.dim == 0) {
				points.dim = static_cast<int>(fields.size());
				if (std::none_of(fields.begin(), fields.end(), is_number))
					continue; /* names of columns */
			}
			add_row(fields, points);
		}
		check_shape(name, points.count, points.dim);
		return points;
	}

private:
	std::string name;
	std::unique_ptr<FILE, int (*)(FILE *)> file;
	long long line_number = 0; /* from 1, as editors count */

	std::string place() const
	{
		return name + ": line " + std::to_string(line_number);
	}

	bool next_line(std::string &line)
	{
		line.clear();
		int c;
		while ((c = std::getc(file.get())) != EOF && c != '\n')
			line.push_back(static_cast<char>(c));
		if (!line.empty() && line.back() == '\r')
			line.pop_back();
		return c != EOF || !line.empty();
	}

	static std::vector<std::string> split(const std::string &line)
	{
		std::vector<std::string> fields;
		size_t start = 0;
		for (size_t comma; (comma = line.find(',', start)) != std::string::npos; start = comma + 1)
			fields.push_back(line.substr(start, comma - start));
		fields.push_back(line.substr(start));
		return fields;
	}

	/* True if the field is a number, with blanks around it at most. */
	static bool number(const std::string &field, double &value)
	{
		char *end;
		value = std::strtod(field.c_str(), &end);
		return end != field.c_str() && field.find_first_not_of(" \t", end - field.c_str()) == std::string::npos;
	}

	static bool is_number(const std::string &field)
	{
		double value;
		return number(field, value);
	}

	void add_row(const std::vector<std::string> &fields, Points &points)
	{
		if (static_cast<int>(fields.size()) != points.dim)
			throw InputError(place() + ": " + std::to_string(fields.size()) + " fields, " +
							 std::to_string(points.dim) + " expected");
		for (int d = 0; d < points.dim; d++) {
			double value;
			if (!number(fields[d], value))
				throw InputError(place() + ", column " + std::to_string(d) + ": '" + fields[d] + "' is not a number");
			points.x.push_back(checked_coordinate(place(), points.count, d, value));
		}
		if (points.x.size() > static_cast<size_t>(MOST_COORDINATES))
			check_shape(name, points.count + 1, points.dim);
		points.count++;
	}
};

/* ---- all of them ---- */

inline bool ends_with(const std::string &text, const std::string &end)
{
	return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/* `input` is random:NxD, or the name of a .npy or .csv file. */
inline Points read_points(const std::string &input, uint64_t seed)
{
	if (input.compare(0, 7, "random:") == 0) {
		long long count, dim;
		int used = 0;
		if (std::sscanf(input.c_str(), "random:%lldx%lld%n", &count, &dim, &used) < 2 ||
			static_cast<size_t>(used) != input.size())
			throw UsageError(input + ": expected random:NxD, for example random:70000x2");
		check_shape(input, count, dim);
		return random_points(static_cast<int>(count), static_cast<int>(dim), seed);
	}
	if (ends_with(input, ".npy"))
		return NpyReader(input).read();
	if (ends_with(input, ".csv"))
		return CsvReader(input).read();
	throw UsageError(input + ": expected random:NxD, FILE.npy or FILE.csv");
}

#endif
