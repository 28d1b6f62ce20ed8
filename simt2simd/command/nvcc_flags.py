"""nvcc's options that mean nothing on a CPU, and those that we refuse: by name, so that none is taken for another."""

from __future__ import annotations

# Without effect here; `--target cuda` passes them on. A name with one dash is the same as with two.
IGNORED_SWITCHES: tuple[tuple[str, ...], ...] = (
    ("-lineinfo", "--generate-line-info"), ("-G", "--device-debug"),
    ("-objtemp", "--objdir-as-tempdir"), ("-m64", "--m64"), ("-restrict", "--restrict"),
    ("-extra-device-vectorization", "--extra-device-vectorization"),
    ("-allow-unsupported-compiler", "--allow-unsupported-compiler"), ("-use-local-env", "--use-local-env"),
    ("-expt-relaxed-constexpr", "--expt-relaxed-constexpr"), ("-expt-extended-lambda", "--expt-extended-lambda"),
    ("-extended-lambda", "--extended-lambda"), ("-dlto", "--dlink-time-opt"), ("-lto", "--lto"),
    ("-no-compress", "--no-compress"), ("-res-usage", "--resource-usage"), ("-src-in-ptx", "--source-in-ptx"),
    ("-keep-device-functions", "--keep-device-functions"), ("-nodlink", "--no-device-link"),
    ("-Wreorder", "--Wreorder"), ("-Wdefault-stream-launch", "--Wdefault-stream-launch"),
    ("-Wmissing-launch-bounds", "--Wmissing-launch-bounds"),
    ("-Wext-lambda-captures-this", "--Wext-lambda-captures-this"),
    ("-Wno-deprecated-declarations", "--Wno-deprecated-declarations"),
    ("-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets"),
    ("-err-no", "--display-error-number"), ("-no-err-no", "--no-display-error-number"),
    ("-link", "--link"),
)  # fmt: skip
IGNORED_WITH_VALUE: tuple[tuple[str, ...], ...] = (
    ("-arch", "--gpu-architecture"), ("-gencode", "--generate-code"), ("-code", "--gpu-code"),
    ("-maxrregcount", "--maxrregcount"), ("-Xptxas", "--ptxas-options"),
    ("-Xnvlink", "--nvlink-options"), ("-ftz", "--ftz"), ("-prec-div", "--prec-div"), ("-prec-sqrt", "--prec-sqrt"),
    ("-t", "--threads"), ("-split-compile", "--split-compile"), ("-default-stream", "--default-stream"),
    ("-diag-suppress", "--diag-suppress"), ("-diag-warn", "--diag-warn"), ("-diag-error", "--diag-error"),
    ("-cudart", "--cudart"), ("-cudadevrt", "--cudadevrt"), ("-m", "--machine"),
    ("-opt-info", "--optimization-info"), ("-dopt", "--dopt"), ("-Ofc", "--Ofast-compile"),
    ("-compress-mode", "--compress-mode"), ("-ldir", "--libdevice-directory"), ("-target-dir", "--target-directory"),
    ("-keep-dir", "--keep-dir"),
)  # fmt: skip

_NO_GPU_CODE = "there is no GPU code here: `--emit assembly` writes that of the kernels for the CPU"
_NO_PREPROCESSING = "`--dump-ir=preprocess` prints the device part after preprocessing"
_DEPENDENCIES = "the C++ compiler's -M options do not come here: let it list what the files include"

# Refused, with what to do instead.
REFUSED: dict[str, str] = {
    "-cubin": _NO_GPU_CODE, "-fatbin": _NO_GPU_CODE, "-ptx": _NO_GPU_CODE, "-optix-ir": _NO_GPU_CODE,
    "-ltoir": _NO_GPU_CODE, "-cuda": "`--dump-ir=host` prints the host code that the C++ compiler gets",
    "-E": _NO_PREPROCESSING, "-preprocess": _NO_PREPROCESSING,
    "-lib": "make objects with -c and a library of them with `ar`",
    "-dw": "use -dc", "-device-w": "use -dc",
    "-run": "use `simt2simd run`", "-run-args": "use `simt2simd run FILE -- ARGS`",
    "-dryrun": "-v prints the commands that are run", "-clean": "remove the files yourself",
    "-M": _DEPENDENCIES, "-MM": _DEPENDENCIES, "-MD": _DEPENDENCIES, "-MMD": _DEPENDENCIES, "-MF": _DEPENDENCIES,
    "-MP": _DEPENDENCIES, "-MT": _DEPENDENCIES, "-odir": "name the output with -o",
    "-output-directory": "name the output with -o", "-optf": "write the options on the command line",
    "-options-file": "write the options on the command line", "-code-ls": "there are no GPUs to list",
    "-arch-ls": "there are no GPUs to list", "-list-gpu-code": "there are no GPUs to list",
    "-list-gpu-arch": "there are no GPUs to list", "-save-temps": "use --keep",
}  # fmt: skip

# One letter that takes what follows as its value, without a space. nvcc does not know `-oFILE` and `-cFILE` either.
_GLUED = ("-D", "-I", "-L", "-l", "-O", "-t")


def why_refused(word: str, known: frozenset[str]) -> str | None:
    """Return what to say about a word of the command line that is no option of ours, which are `known`; None if it is.

    A word with one dash must be an option as it stands, before a `=`, or a letter of `_GLUED` with its value.
    """
    name = word.partition("=")[0]
    if not word.startswith("-") or word in ("-", "--") or name in known:
        return None
    single = name[1:] if name.startswith("--") else name
    if single in REFUSED:
        return f"nvcc's option '{name}' is not supported\nhelp: {REFUSED[single]}"
    if word.startswith(_GLUED) and not word.startswith("--"):
        return None
    if word.startswith("-o"):
        return f"unknown option '{word}'; the output is named by -o FILE"
    return f"unknown option '{word}'; the C++ compiler's options are passed on as -Xcompiler OPTION"
