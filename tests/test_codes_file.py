"""Codes on disk: what is written is what is mapped; a damaged file is refused."""

import numpy as np
import pytest

from unkernel import Codes, CodesWriter, InputError


def some_codes(n=9, k=4, levels=16, seed=0):
    rng = np.random.default_rng(seed)
    return Codes.of(rng.integers(0, levels, (n, k)), levels, filled=rng.random(n) < 0.8)


def same_codes(a, b):
    a, b = tuple(a), tuple(b)
    arrays = all(np.array_equal(u, v) and u.dtype == v.dtype for u, v in zip(a[:2], b[:2], strict=True))
    return arrays and a[2:] == b[2:]


@pytest.mark.parametrize("levels", [2, 256, 257, 65536])
def test_codes_come_back_as_they_went(tmp_path, levels):
    codes = some_codes(levels=levels)
    codes.save(tmp_path / "c")
    assert same_codes(Codes.open(tmp_path / "c"), codes)


def test_blocks_are_appended_and_the_file_is_mapped(tmp_path):
    codes = some_codes(n=10)
    with CodesWriter(tmp_path / "c", 4, 16) as writer:
        for rows in (slice(0, 3), slice(3, 3), slice(3, 10)):
            writer.append(codes[rows])
    opened = Codes.open(tmp_path / "c")
    assert same_codes(opened, codes)
    assert not opened.codes.flags.writeable
    assert isinstance(opened.codes.base, np.memmap)


def test_no_rows_are_a_file_too(tmp_path):
    with CodesWriter(tmp_path / "c", 4, 1000):
        pass
    opened = Codes.open(tmp_path / "c")
    assert opened.codes.shape == (0, 4)
    assert opened.codes.dtype == np.uint16


def test_a_writer_that_fails_leaves_what_was_there(tmp_path):
    some_codes().save(tmp_path / "c")
    before = (tmp_path / "c").read_bytes()
    with pytest.raises(KeyError), CodesWriter(tmp_path / "c", 4, 16) as writer:
        writer.append(some_codes(seed=1))
        raise KeyError
    assert (tmp_path / "c").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["c"]


def test_a_block_of_another_width_is_refused(tmp_path):
    with (
        pytest.raises(InputError, match=r"5 codes with 16 levels does not fit.*4 codes"),
        CodesWriter(tmp_path / "c", 4, 16) as writer,
    ):
        writer.append(some_codes(k=5))


def test_every_damaged_byte_is_noticed(tmp_path):
    some_codes().save(tmp_path / "c")
    good = (tmp_path / "c").read_bytes()
    for at in range(len(good)):
        (tmp_path / "c").write_bytes(good[:at] + bytes([good[at] ^ 0x40]) + good[at + 1 :])
        with pytest.raises(InputError, match=str(tmp_path)):
            Codes.open(tmp_path / "c")


def test_every_truncation_is_noticed(tmp_path):
    some_codes().save(tmp_path / "c")
    good = (tmp_path / "c").read_bytes()
    for length in range(len(good)):
        (tmp_path / "c").write_bytes(good[:length])
        with pytest.raises(InputError, match=r"truncated|not a file of codes"):
            Codes.open(tmp_path / "c")
