"""The types of what setup.py uses of setuptools."""

class Extension:
    sources: list[str]
    depends: list[str]
    def __init__(
        self,
        name: str,
        sources: list[str],
        *,
        depends: list[str],
        include_dirs: list[str],
        py_limited_api: bool,
        extra_compile_args: list[str],
        extra_link_args: list[str],
    ) -> None: ...

def setup(*, ext_modules: list[Extension]) -> None: ...
