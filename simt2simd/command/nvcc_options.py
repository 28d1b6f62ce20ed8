"""nvcc's options, those of CUDA 13, each of which works here, is ignored for a reason, or is refused by its name.

A row is written `long-name short-name`, and after that what the option takes: nothing, a `text`, a `list` with commas,
a `number`, a `truth` (true or false), or one of the words after the bar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class NvccOption:
    """An option `--long`, or `-short`. `ignored` says why it has no effect, `refused` what to do without it."""

    long: str
    short: str
    takes: str = ""  # "", "text", "list", "number", "truth"
    choices: tuple[str, ...] = ()
    ignored: str = ""
    refused: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names as one writes them; what is short for nvcc may have two dashes all the same."""
        return f"--{self.long}", self.short if self.short.startswith("--") else f"-{self.short}"

    @property
    def may_touch(self) -> bool:
        """True if the value may appear right after the short name, as in `-DNAME`."""
        return self.short in ("D", "I", "L", "l", "O", "t", "U")


_WORKING = """
preprocess E
generate-dependencies M
generate-nonsystem-dependencies MM
generate-dependencies-with-compile MD
generate-nonsystem-dependencies-with-compile MMD
dependency-output MF text
generate-dependency-targets MP
dependency-target-name MT text
compile c
device-c dc
device-w dw
device-link dlink
link link
lib lib
cubin cubin
fatbin fatbin
ptx ptx
run run
run-args run-args list
output-file o text
output-directory odir text
pre-include include list
library l list
define-macro D list
undefine-macro U list
include-path I list
system-include isystem list
library-path L list
compiler-bindir ccbin text
archiver-binary arbin text
cudart cudart | none shared static
profile pg
debug g
device-debug G
generate-line-info lineinfo
optimize O number
ftemplate-backtrace-limit ftemplate-backtrace-limit number
ftemplate-depth ftemplate-depth number
no-exceptions noeh
shared shared
x x | c c++ cu
std std | c++03 c++11 c++14 c++17 c++20
compiler-options Xcompiler list
linker-options Xlinker list
archive-options Xarchive list
ptxas-options Xptxas list
forward-unknown-to-host-compiler forward-unknown-to-host-compiler
forward-unknown-to-host-linker forward-unknown-to-host-linker
forward-unknown-opts forward-unknown-opts
dryrun dryrun
verbose v
keep keep
keep-dir keep-dir text
save-temps save-temps
no-device-link nodlink
relocatable-device-code rdc truth
use_fast_math use_fast_math
fmad fmad truth
gpu-architecture arch text
generate-code gencode text
default-stream default-stream | legacy null per-thread
disable-warnings w
Wno-deprecated-declarations Wno-deprecated-declarations
Werror Werror list
resource-usage res-usage
list-gpu-code code-ls
list-gpu-arch arch-ls
frandom-seed frandom-seed text
help h
version V
options-file optf list
"""

_IGNORED = {
    "kernels are compiled for the CPU that --target names, whatever the GPU": """
gpu-code code list
""",
    "there is no GPU code to assemble, to link or to pack": """
nvlink-options Xnvlink list
no-compress no-compress
compress-mode compress-mode text
source-in-ptx src-in-ptx
relocatable-ptx reloc-ptx
libdevice-directory ldir text
cudadevrt cudadevrt | none static
""",
    "a CPU has no such registers and tables to divide": """
maxrregcount maxrregcount number
jump-table-density jtd number
""",
    "this is how it always is": """
expt-relaxed-constexpr expt-relaxed-constexpr
extended-lambda extended-lambda
expt-extended-lambda expt-extended-lambda
machine m text
m64 m64
dlink-time-opt dlto
lto lto
gen-opt-lto gen-opt-lto
dopt dopt text
extra-device-vectorization extra-device-vectorization
no-host-device-initializer-list nohdinitlist
no-host-device-move-forward nohdmoveforward
static-global-template-stub static-global-template-stub truth
device-entity-has-hidden-visibility device-entity-has-hidden-visibility truth
keep-device-functions keep-device-functions
entries e list
""",
    "results are those of the exact operations": """
ftz ftz truth
prec-div prec-div truth
prec-sqrt prec-sqrt truth
""",
    "it only allows what is right here without it": """
restrict restrict
""",
    "it changes how long compiling takes, not what comes of it": """
Ofast-compile Ofc text
threads t number
split-compile split-compile number
split-compile-extended split-compile-extended number
jobserver jobserver
""",
    "temporary files have a folder of their own": """
objdir-as-tempdir objtemp
""",
    "any C++ compiler will do": """
allow-unsupported-compiler allow-unsupported-compiler
""",
    "there is one toolkit, and no profile": """
target-directory target-dir text
dont-use-profile noprof
""",
    "it is for Windows, or for CPUs of 32 bits": """
use-local-env use-local-env
force-cl-env-setup force-cl-env-setup
input-drive-prefix idp text
dependency-drive-prefix ddp text
drive-prefix dp text
no-align-double --no-align-double
""",
    "simt2simd's warnings are others, and have no numbers; --remarks says what becomes of kernels": """
optimization-info opt-info list
Wreorder Wreorder
Wdefault-stream-launch Wdefault-stream-launch
Wmissing-launch-bounds Wmissing-launch-bounds
Wext-lambda-captures-this Wext-lambda-captures-this
Wno-deprecated-gpu-targets Wno-deprecated-gpu-targets
display-error-number err-no
no-display-error-number no-err-no
diag-error diag-error list
diag-suppress diag-suppress list
diag-warn diag-warn list
brief-diagnostics brief-diag truth
""",
    "a stack that is full ends the launch with an error": """
device-stack-protector device-stack-protector truth
""",
}

_REFUSED = {
    "there is no GPU code here: `simt2simd compile --emit assembly` writes that of the kernels for the CPU": """
optix-ir optix-ir
ltoir ltoir
compile-as-tools-patch astoolspatch
""",
    "`simt2simd compile --dump-ir=host` prints the host code that the C++ compiler gets": """
cuda cuda
""",
    "-rdc=true links device code": """
extensible-whole-program ewp
""",
    "-c compiles, and messages are all that is printed": """
fdevice-syntax-only fdevice-syntax-only
""",
    "no stage is timed": """
fdevice-time-trace fdevice-time-trace text
time time text
""",
    "remove the files yourself": """
clean-targets clean
""",
    "-lib makes a library of objects": """
relocatable-link r
""",
    "the linker's own script will do: objects of kernels are small": """
host-linker-script hls text
augment-host-linker-script aug-hls
""",
    "--verify checks what the compiler assumes": """
sanitize sanitize text
""",
    "programs are for Linux": """
qpp-config qpp-config text
""",
}


def _rows(text: str, *, ignored: str = "", refused: str = "") -> Iterator[NvccOption]:
    for line in text.strip().splitlines():
        words, bar, choices = line.partition(" | ")
        long, short, *takes = words.split()
        yield NvccOption(long, short, "text" if bar else "".join(takes), tuple(choices.split()), ignored, refused)


ROWS = (
    *_rows(_WORKING),
    *(row for why, text in _IGNORED.items() for row in _rows(text, ignored=why)),
    *(row for why, text in _REFUSED.items() for row in _rows(text, refused=why)),
)
BY_NAME = {name: row for row in ROWS for name in row.names}
