/* Reads matrices from .npy files and from text. Whatever is wrong with a file ends in an InputError that names the file
 * and the row. */
#ifndef COMMON_MATRIX_H
#define COMMON_MATRIX_H

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "errors.h"
#include "points.h"

/* One row after the other. */
struct Matrix {
	int rows, columns;
	std::vector<float> x;
};

const long long MOST_CELLS = 1LL << 28;

/* `name` is the input's. */
inline void check_cells(const char *name, long long rows, long long columns)
{
	if (rows < 1 || columns < 1)
		fail<InputError>("%s: %lld rows of %lld numbers are no matrix", name, rows, columns);
	if (rows > MOST_CELLS / columns)
		fail<InputError>("%s: %lld rows of %lld numbers are too many; at most 2^28 numbers are supported", name, rows,
						 columns);
}

inline Matrix read_npy_matrix(const char *name)
{
	InputFile file(name);
	const std::string header = read_npy_header(file);
	const int item_bytes = npy_item_bytes(file, header);
	if (std::strncmp(npy_field(file, header, "'fortran_order'"), "False", 5) != 0)
		fail<InputError>("%s: the array is in Fortran order; save numpy.ascontiguousarray() of it", name);
	long long rows, columns;
	read_npy_shape(file, header, rows, columns);
	check_cells(name, rows, columns);
	Matrix matrix{static_cast<int>(rows), static_cast<int>(columns), std::vector<float>()};
	std::vector<char> bytes(item_bytes * columns);
	for (int y = 0; y < matrix.rows; y++) {
		if (!file.read(bytes.data(), bytes.size()))
			fail<InputError>("%s: the file ends in row %d of %d", name, y, matrix.rows);
		for (int x = 0; x < matrix.columns; x++) {
			const char *item = bytes.data() + static_cast<size_t>(x) * item_bytes;
			float single;
			double number;
			std::memcpy(&single, item, sizeof single);
			if (item_bytes == 4)
				number = single;
			else
				std::memcpy(&number, item, sizeof number);
			matrix.x.push_back(checked_coordinate(name, y, x, number));
		}
	}
	return matrix;
}

/* Reads the number at `text`, with a comma or blanks behind it. Returns what follows, or null if there is something
 * else. */
inline const char *read_field(const char *text, double &value)
{
	char *end;
	value = std::strtod(text, &end);
	if (end == text || (*end && !std::strchr(" \t,", *end)))
		return nullptr;
	end += std::strspn(end, " \t");
	return end + (*end == ',') + std::strspn(end + (*end == ','), " \t");
}

/* A row a line, with blanks or commas between the numbers. */
inline Matrix read_text_matrix(const char *name)
{
	InputFile file(name);
	Matrix matrix{0, 0, std::vector<float>()};
	std::string line;
	for (int line_number = 1; file.read_line(line); line_number++) {
		if (line.size() != std::strlen(line.c_str()))
			fail<InputError>("%s: line %d: not text", name, line_number);
		const char *text = line.c_str() + std::strspn(line.c_str(), " \t");
		if (!*text)
			continue;
		int columns = 0;
		for (; *text; columns++) {
			double value;
			const char *next = read_field(text, value);
			if (!next)
				fail<InputError>("%s: line %d, column %d: '%.*s' is not a number", name, line_number, columns,
								 static_cast<int>(std::min<size_t>(std::strcspn(text, " \t,"), 40)), text);
			matrix.x.push_back(checked_coordinate(name, matrix.rows, columns, value));
			text = next;
		}
		if (matrix.rows == 0)
			matrix.columns = columns;
		if (columns != matrix.columns)
			fail<InputError>("%s: line %d: %d numbers, %d expected", name, line_number, columns, matrix.columns);
		matrix.rows++;
	}
	if (matrix.rows == 0)
		fail<InputError>("%s: there are no rows of numbers", name);
	check_cells(name, matrix.rows, matrix.columns);
	return matrix;
}

/* The name of a .npy file, or of a text. */
inline Matrix read_matrix(const std::string &name)
{
	return ends_with(name, ".npy") ? read_npy_matrix(name.c_str()) : read_text_matrix(name.c_str());
}

/* Parses "random:ROWSxCOLUMNS"; returns false if `input` is another one, a file's name. */
inline bool is_random_matrix(const std::string &input, int &rows, int &columns)
{
	if (input.compare(0, 7, "random:") != 0)
		return false;
	long long height, width;
	int used = 0;
	if (std::sscanf(input.c_str(), "random:%lldx%lld%n", &height, &width, &used) < 2 ||
		static_cast<size_t>(used) != input.size())
		fail<UsageError>("%s: expected random:ROWSxCOLUMNS, for example random:100x1000", input.c_str());
	check_cells(input.c_str(), height, width);
	rows = static_cast<int>(height);
	columns = static_cast<int>(width);
	return true;
}

#endif
