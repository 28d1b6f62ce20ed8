/* Thrust: what an algorithm that returns before its end gives. The algorithms of `thrust::async` are at their end when
 * they return, so every event has happened and every future has its value. */
#ifndef S2S_THRUST_FUTURE_H
#define S2S_THRUST_FUTURE_H

#include "detail/policy.h"

#include <utility>

namespace thrust {

/* Says whether an algorithm is at its end. It can be moved, and not copied. */
class device_event {
  public:
	device_event() = default;
	explicit device_event(cudaStream_t stream) : _valid(true), _stream(stream) {
	}
	device_event(device_event &&other) noexcept : _valid(std::exchange(other._valid, false)), _stream(other._stream) {
	}
	device_event &operator=(device_event &&other) noexcept {
		_valid = std::exchange(other._valid, false);
		_stream = other._stream;
		return *this;
	}
	bool valid_stream() const {
		return _valid;
	}
	bool ready() const {
		return _valid;
	}
	void wait() {
	}
	cudaStream_t stream() const {
		return _stream;
	}

  private:
	bool _valid = false;
	cudaStream_t _stream = 0;
};

template <class T> class device_future : public device_event {
  public:
	device_future() = default;
	device_future(cudaStream_t stream, T value) : device_event(stream), _content(true), _value(std::move(value)) {
	}
	device_future(device_future &&other) noexcept
		: device_event(std::move(other)), _content(std::exchange(other._content, false)),
		  _value(std::move(other._value)) {
	}
	device_future &operator=(device_future &&other) noexcept {
		device_event::operator=(std::move(other));
		_content = std::exchange(other._content, false);
		_value = std::move(other._value);
		return *this;
	}
	bool valid_content() const {
		return _content;
	}
	T get() {
		return _value;
	}
	T extract() {
		_content = false;
		return std::move(_value);
	}

  private:
	bool _content = false;
	T _value{};
};

template <class System, class T> using unique_eager_future = device_future<T>;

/* An event that has happened when all of `events` have. */
template <class... Events> device_event when_all(Events &&...events) {
	return device_event(0);
}

} /* namespace thrust */

#endif
