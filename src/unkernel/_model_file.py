"""Models on disk: a header, JSON, then arrays at multiples of 64 bytes, under one SHA-256. No pickle, no code.

The header holds a magic word, the version of this layout, the length of the JSON and of the file, and the digest of
everything else. A file that was cut or changed anywhere is refused before a byte of it is used.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from ._beside import beside
from ._validate import InputError

VERSION = 1
_MAGIC = b"UNKMODEL"
_HEADER = np.dtype([("magic", "S8"), ("version", "<u8"), ("text", "<u8"), ("size", "<u8"), ("digest", "V32")])
_ALIGNMENT = 64
KINDS = "biufcSUmM"  # of arrays that files hold: numbers, truth values, text and dates


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def write_model(path, tree: dict[str, Any], arrays: list[np.ndarray]) -> None:
    """Write a tree of JSON and the arrays it numbers, beside `path` first, then renamed."""
    arrays = [_plain(array) for array in arrays]
    text = json.dumps({"tree": tree, "arrays": [_entry(array) for array in arrays]}, allow_nan=False).encode()
    pieces: list[Any] = [text]
    end = _HEADER.itemsize + len(text)
    for array in arrays:
        flat = array.reshape(-1, order="A").view(np.uint8) if array.nbytes else b""
        pieces += [bytes(_aligned(end) - end), flat]
        end = _aligned(end) + array.nbytes
    head = np.array([(_MAGIC, VERSION, len(text), end, b"")], dtype=_HEADER)
    head["digest"] = np.void(_digest(head, pieces))
    with beside(path, "wb") as file:
        for piece in [head.tobytes(), *pieces]:
            file.write(piece)


def _plain(array: np.ndarray) -> np.ndarray:
    """The array in one piece, little-endian, its order kept."""
    array = np.asarray(array, order="A")
    array = array.astype(array.dtype.newbyteorder("<"), order="A", copy=False)
    return array if array.flags.c_contiguous or array.flags.f_contiguous else np.ascontiguousarray(array)


def _entry(array: np.ndarray) -> dict[str, Any]:
    return {"dtype": array.dtype.str, "shape": list(array.shape), "order": "C" if array.flags.c_contiguous else "F"}


def _digest(head: np.ndarray, pieces) -> bytes:
    digest = hashlib.sha256(head.tobytes()[: -_HEADER["digest"].itemsize])
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def read_model(path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """Tree and arrays of a file; refuses another version, a cut file and a changed one."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; models are written by unkernel.save and `unkernel fit`")
    whole = memoryview(path.read_bytes())
    if len(whole) < _HEADER.itemsize or bytes(whole[:8]) != _MAGIC:
        raise InputError(f"{path} is not a model; models are written by unkernel.save")
    head = np.frombuffer(whole, dtype=_HEADER, count=1)
    if head["version"][0] != VERSION:
        raise InputError(
            f"{path} is a model in version {head['version'][0]} of the layout and this unkernel reads version "
            f"{VERSION}: install the unkernel that wrote it, or save the model again"
        )
    if len(whole) != head["size"][0]:
        raise InputError(
            f"{path} holds {len(whole)} bytes where {head['size'][0]} are due: it is cut or damaged; save it again"
        )
    if _digest(head, [whole[_HEADER.itemsize :]]) != head["digest"][0].tobytes():
        raise InputError(f"{path} does not match its checksum: it is damaged; save the model again")
    end = _HEADER.itemsize + int(head["text"][0])
    content = json.loads(bytes(whole[_HEADER.itemsize : end]))
    arrays = []
    for entry in content["arrays"]:
        dtype, shape, start = np.dtype(entry["dtype"]), tuple(entry["shape"]), _aligned(end)
        end = start + dtype.itemsize * int(np.prod(shape))
        if dtype.kind not in KINDS:
            raise InputError(f"{path} holds an array of {dtype}, which no model does")
        # A copy, so that the array is writable, aligned and does not keep the whole file.
        flat = np.frombuffer(bytearray(whole[start:end]), dtype=dtype) if end > start else np.empty(0, dtype)
        arrays.append(flat.reshape(shape, order=entry["order"]).astype(dtype.newbyteorder("="), copy=False))
    return content["tree"], arrays
