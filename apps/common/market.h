/* Reads sparse matrices from Matrix-Market files (https://math.nist.gov/MatrixMarket/formats.html). Whatever is wrong
 * with a file ends in an InputError that names the file and the line. */
#ifndef COMMON_MARKET_H
#define COMMON_MARKET_H

#include <cctype>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "errors.h"
#include "points.h"

const long long MOST_ENTRIES = 1LL << 29;

/* One after the other, as they stand in the file, rows and columns from 0. Of a symmetric matrix both halves are there.
 * A pattern has no values: they are all 1, and the list is empty. */
struct Entries {
	int rows, columns;
	std::vector<int> row, column;
	std::vector<double> value;
};

/* What the first line of a file says. */
struct MarketKind {
	bool pattern, integer, symmetric;
};

/* The lines of a file that are no comments, with their numbers. */
class MarketLines
{
public:
	const std::string name;
	std::string line;
	long long number = 0;

	explicit MarketLines(const std::string &name) : name(name), file(name.c_str())
	{
	}

	bool read()
	{
		number++;
		return file.read_line(line);
	}

	/* Skips comments and empty lines. */
	bool read_data()
	{
		while (read())
			if (line[0] != '%' && line.find_first_not_of(" \t") != std::string::npos)
				return true;
		return false;
	}

	/* The lines end before all entries are there. */
	[[noreturn]] void fail_at_end(long long found, long long expected) const
	{
		fail<InputError>("%s: the file ends after %lld of %lld entries", name.c_str(), found, expected);
	}

	[[noreturn]] void fail_here(const std::string &expected) const
	{
		fail<InputError>("%s: line %lld: '%.60s': %s", name.c_str(), number, line.c_str(), expected.c_str());
	}

private:
	InputFile file;
};

/* The words of a line in small letters. */
inline std::vector<std::string> words_of(const std::string &line)
{
	std::vector<std::string> words(1);
	for (const char letter : line) {
		if (letter != ' ' && letter != '\t')
			words.back().push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
		else if (!words.back().empty())
			words.emplace_back();
	}
	if (words.back().empty())
		words.pop_back();
	return words;
}

inline MarketKind read_market_kind(MarketLines &lines)
{
	const std::vector<std::string> words = lines.read() ? words_of(lines.line) : std::vector<std::string>();
	if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
		fail<InputError>("%s: line 1: '%%%%MatrixMarket matrix coordinate KIND SYMMETRY' is expected",
						 lines.name.c_str());
	if (words[2] != "coordinate")
		lines.fail_here("the format " + words[2] + " is not supported; coordinate is");
	if (words[3] != "pattern" && words[3] != "real" && words[3] != "integer")
		lines.fail_here("numbers of the kind " + words[3] + " are not supported; pattern, real and integer are");
	if (words[4] != "general" && words[4] != "symmetric")
		lines.fail_here("the symmetry " + words[4] + " is not supported; general and symmetric are");
	return MarketKind{words[3] == "pattern", words[3] == "integer", words[4] == "symmetric"};
}

/* Reads the whole number at `text`; returns what follows, or null if there is something else. */
inline const char *read_whole(const char *text, long long &number)
{
	char *end;
	errno = 0;
	number = std::strtoll(text, &end, 10);
	return end == text || errno || (*end && *end != ' ' && *end != '\t') ? nullptr : end;
}

/* Reads the value at `text`, of which a line has no more. */
inline double read_market_value(const MarketLines &lines, const char *text, bool integer)
{
	char *end;
	errno = 0;
	const double value = integer ? static_cast<double>(std::strtoll(text, &end, 10)) : std::strtod(text, &end);
	if (end == text || end[std::strspn(end, " \t")])
		lines.fail_here(integer ? "a row, a column and a whole number are expected"
								: "a row, a column and a number are expected");
	if (!std::isfinite(value) || (integer && errno))
		lines.fail_here("the number is not finite, or too large");
	return value;
}

inline void read_market_size(MarketLines &lines, const MarketKind &kind, Entries &entries, long long &count)
{
	if (!lines.read_data())
		fail<InputError>("%s: the line with rows, columns and entries is missing", lines.name.c_str());
	long long rows, columns;
	const char *rest = read_whole(lines.line.c_str(), rows);
	rest = rest ? read_whole(rest, columns) : nullptr;
	rest = rest ? read_whole(rest, count) : nullptr;
	if (!rest || rest[std::strspn(rest, " \t")])
		lines.fail_here("the numbers of rows, columns and entries are expected");
	if (rows < 1 || columns < 1 || count < 0)
		lines.fail_here("a matrix has at least one row and one column");
	if (rows > INT_MAX - 1 || columns > INT_MAX - 1 || count > MOST_ENTRIES)
		lines.fail_here("at most 2^31 - 2 rows and columns and 2^29 entries are supported");
	if (kind.symmetric && rows != columns)
		lines.fail_here("a symmetric matrix has as many columns as rows");
	entries.rows = static_cast<int>(rows);
	entries.columns = static_cast<int>(columns);
}

inline Entries read_market(const std::string &name)
{
	MarketLines lines(name);
	const MarketKind kind = read_market_kind(lines);
	Entries entries{};
	long long count = 0;
	read_market_size(lines, kind, entries, count);
	const auto add = [&](long long row, long long column, double value) {
		entries.row.push_back(static_cast<int>(row - 1));
		entries.column.push_back(static_cast<int>(column - 1));
		if (!kind.pattern)
			entries.value.push_back(value);
	};
	for (long long i = 0; i < count; i++) {
		if (!lines.read_data())
			lines.fail_at_end(i, count);
		long long row, column;
		const char *rest = read_whole(lines.line.c_str(), row);
		rest = rest ? read_whole(rest, column) : nullptr;
		if (!rest || (kind.pattern && rest[std::strspn(rest, " \t")]))
			lines.fail_here(kind.pattern ? "a row and a column are expected"
										 : "a row, a column and a number are expected");
		if (row < 1 || row > entries.rows || column < 1 || column > entries.columns)
			lines.fail_here("the matrix has rows 1 to " + std::to_string(entries.rows) + " and columns 1 to " +
							std::to_string(entries.columns));
		if (kind.symmetric && column > row)
			lines.fail_here("an entry above the diagonal, of a matrix that is symmetric");
		const double value = kind.pattern ? 1.0 : read_market_value(lines, rest, kind.integer);
		add(row, column, value);
		if (kind.symmetric && row != column)
			add(column, row, value);
	}
	if (lines.read_data())
		lines.fail_here("there are more than " + std::to_string(count) + " entries");
	return entries;
}

#endif
