"""What we use of the module in C behind `signal`."""

from types import FrameType

SIGINT: int

def getsignal(signalnum: int, /) -> object: ...
def default_int_handler(signalnum: int, frame: FrameType | None, /) -> None: ...
