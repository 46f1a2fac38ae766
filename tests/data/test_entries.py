"""The table of named sets: every name of the papers is there, with the sizes that the papers print."""

# ruff: noqa: E501 - one row a line

import pytest

from unkernel.data.entries import BASES, CUTS, PAPERS, USED
from unkernel.data.registry import find, names

PRINTED = {  # (train, test, columns) as the papers print them
    "covertype10k": (10000, 50000, 54), "ijcnn5k": (5000, 91701, 22), "isolet": (6238, 1559, 617), "letter": (16000, 4000, 16),
    "letter4k": (4000, 16000, 16), "m_basic": (12000, 50000, 784), "m_noise6": (10000, 4000, 784), "protein": (17766, 6621, 357),
    "mnist10k": (10000, 60000, 784), "rcv1_60k": (20242, 60000, 47236), "segment_half": (1155, 1155, 19), "spam": (3065, 1536, 54),
    "shuttle1k": (1000, 14500, 9), "webspamn1_20k": (20000, 60000, 254), "dailysports_half": (4560, 4560, 5625),
    "letter_libsvm": (15000, 5000, 16), "musk": (3299, 3299, 166), "satimage_half": (2218, 2217, 36), "semg2": (1800, 1800, 2500),
    "shuttle500": (500, 43000, 9), "sensorless_half": (29255, 29254, 48), "cov1": (522911, 58101, 54), "cod_rna": (59535, 271617, 8),
    "gisette": (6000, 1000, 5000), "poker": (25010, 1000000, 10), "real_sim": (72309, None, 20958), "webspam": (350000, None, 254),
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTED)
def test_sizes_are_those_that_the_papers_print(name):
    entry = find(name)
    assert (entry.train, entry.test, entry.columns) == PRINTED[name]
    assert entry.papers


def test_rows_of_the_table_hang_together():
    assert not set(BASES) & set(CUTS)
    assert set(USED) <= set(BASES)
    for name, cut in CUTS.items():
        base = BASES[cut.base]
        assert cut.take in ("whole", "draw", "pool", "train", "swap"), name
        both = base.train + (base.test or 0 if cut.take != "train" else 0)
        needed = cut.train + (cut.test or 0 if cut.take != "draw" else 0)
        assert cut.take == "whole" or needed <= both, name
        assert set(cut.papers) <= set(PAPERS)
    assert len(names()) == len(BASES) + len(CUTS)
