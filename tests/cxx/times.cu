// standard: c++20
// <ratio> and <chrono>: fractions, durations, points in time and the calendar.
#include <chrono>
#include <ratio>
#include <type_traits>

// case: fractions
__device__ int f(int a, int b) {
	using third = std::ratio<-4, -12>;
	using sum = std::ratio_add<third, std::ratio<1, 6>>;
	using huge = std::ratio<9223372036854775807, 9223372036854775806>;
	static_assert(std::is_same_v<sum, std::ratio<1, 2>>);
	static_assert(std::is_same_v<std::ratio_subtract<third, third>, std::ratio<0>>);
	static_assert(std::is_same_v<std::ratio_multiply<std::mega, std::micro>, std::ratio<1>>);
	static_assert(std::is_same_v<std::ratio_divide<std::kilo, std::milli>, std::mega>);
	static_assert(std::ratio_less_v<std::ratio<-5, 3>, std::ratio<-4, 3>> && !std::ratio_less_v<huge, std::ratio<1>>);
	static_assert(std::ratio_greater_v<huge, std::ratio<9223372036854775806, 9223372036854775805>> == false);
	return a * sum::den + b * third::den + sum::num;
}

// case: durations gives long long
__device__ long long f(int a, int b) {
	using namespace std::chrono;
	milliseconds m(a * 1000003ll);
	auto all = m + minutes(b) - microseconds(a);
	static_assert(std::is_same_v<decltype(all), microseconds>);
	duration<double, std::milli> part = all;
	m %= seconds(7);
	return all.count() * 3 + m.count() + floor<seconds>(all).count() + ceil<minutes>(all).count() +
		   round<milliseconds>(all).count() + abs(all) / 7us + (hours(b) > all) + (part < m) +
		   (minutes(60) == hours(1)) + duration_cast<days>(all).count() + (-all).count() % 11 +
		   (1h + 30min + 5ns).count() % 1001;
}

// case: points_in_time gives long long
__device__ long long f(int a, int b) {
	using namespace std::chrono;
	sys_seconds t(seconds(a * 86399ll));
	auto later = t + milliseconds(b);
	++t;
	t -= minutes(b);
	return later.time_since_epoch().count() + (later - t).count() + floor<days>(t).time_since_epoch().count() +
		   (t < later) + time_point_cast<hours>(later).time_since_epoch().count();
}

// case: dates gives long long
__device__ long long f(int a, int b) {
	using namespace std::chrono;
	year_month_day date = sys_days(days(a * 3001 - b));
	long long found = int(date.year()) * 10000 + unsigned(date.month()) * 100 + unsigned(date.day());
	year_month_day moved = date + months(b * 5) - years(a);
	found += moved.ok() + sys_days(moved).time_since_epoch().count();
	year_month_day_last last = date.year() / date.month() / std::chrono::last;
	year_month_weekday which = sys_days(date);
	year_month_weekday_last end = date.year() / February / Monday[std::chrono::last];
	found += unsigned(last.day()) + which.index() * 10 + weekday(sys_days(date)).c_encoding() * 100;
	found += sys_days(end).time_since_epoch().count() + (weekday(sys_days(which)) - Friday).count();
	return found + date.year().is_leap() + (date < moved);
}

// case: time_of_day
__device__ int f(int a, int b) {
	using namespace std::chrono;
	hh_mm_ss time(milliseconds(a * 98765 + b));
	static_assert(time.fractional_width == 3 && hh_mm_ss<duration<int, std::ratio<1, 3>>>::fractional_width == 6);
	return time.hours().count() + time.minutes().count() * 3 + time.seconds().count() * 5 + time.is_negative() +
		   int(time.subseconds().count()) + int(time.to_duration().count()) + int(make12(hours(b * 2)).count()) +
		   int(make24(hours(b), b % 2).count());
}
