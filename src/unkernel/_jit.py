"""The compiler: the only place numba is configured. Exports `kernel`."""

import ast
import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from numba import njit

_OURS = Path(__file__).resolve().parent


def kernel(function: Callable) -> Callable:
    """Compile lazily, release the GIL, cache on disk until a source it rests on changes.

    Numba stamps a cached kernel by its own file only, so an edited callee in another file would leave the old
    code running. The stamp here covers every module of ours that the file imports, at any depth.
    """
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder to cache in can be written: compile in every process
        return njit(nogil=True)(function)
    try:
        index = compiled._cache._cache_file
        index._source_stamp = (index._source_stamp, _stamp(Path(function.__code__.co_filename).resolve()))
    except AttributeError:  # the compiler is off, or another numba: correct first, cached second
        return njit(nogil=True)(function)
    return compiled


@cache
def _stamp(path: Path) -> str:
    """Digest of a source file and of all it imports from its own package or ours."""
    found, waiting = set(), [path]
    while waiting:
        here = waiting.pop()
        if here not in found and here.is_file():
            found.add(here)
            waiting += _imports(here)
    digest = hashlib.sha256()
    for source in sorted(found):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _imports(path: Path) -> Iterator[Path]:
    """Files of its own package, or ours, that one source imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            base = path.parents[node.level - 1] if node.level else _OURS.parent
            parts = (node.module or "").split(".") if node.module else []
            yield from _files(base.joinpath(*parts))
            for alias in node.names:
                yield from _files(base.joinpath(*parts, alias.name))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(_OURS.parent.joinpath(*alias.name.split(".")))


def _files(stem: Path) -> Iterator[Path]:
    """The module at this place, if it is a Python file next to the importer or inside our package."""
    module = stem.with_name(stem.name + ".py")
    if module.is_file() and (_OURS in module.parents or (module.parent / "__init__.py").is_file()):
        yield module
