"""The types of the hooks that runtime/build.py wraps; the others it hands on as they are."""

__all__: list[str] = []

_Settings = dict[str, str | list[str] | None] | None

def build_wheel(
    wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None
) -> str: ...
def build_editable(
    wheel_directory: str, config_settings: _Settings = None, metadata_directory: str | None = None
) -> str: ...
def build_sdist(sdist_directory: str, config_settings: _Settings = None) -> str: ...
