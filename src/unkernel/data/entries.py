"""The named data sets: what each holds, where it can be had, and how the papers cut it. Rows of data, no code."""

# ruff: noqa: E501 - one row a line

from typing import NamedTuple

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/"

PAPERS = {
    "comparison": "Li, A Comparison Study of Nonlinear Kernels, table 1",
    "general": "Li, Generalized Min-Max Kernel and Generalized Consistent Weighted Sampling, table 1",
    "nonnegative": "Li, Generalized Min-Max Kernel and Generalized Consistent Weighted Sampling, table 2",
    "taylor": "Cotter, Keshet and Srebro, Explicit Approximations of the Gaussian Kernel, table 1",
    "which": "Huang and Lin, Linear and Kernel Classification: When to Use Which?, table 1",
    "fourier": "Fourier kernel learning, tables 3 and 4",
}


class Base(NamedTuple):
    """Rows as their source has them: sizes, and a file for each part on the LIBSVM site, or a number on OpenML."""

    train: int
    test: int | None
    columns: int
    files: tuple[str, str | None] | None = None
    openml: int | None = None
    numbers: bool = False
    note: str = ""


class Cut(NamedTuple):
    """A set of a paper: what is taken of a base, and how.

    `take` is "whole"; "draw" (rows of the train part, and of the test part, at random); "pool" (both parts thrown
    together, then drawn); "train" (both drawn from the train part); or "swap" (the test part trains). Random means a
    fixed seed: the rows of the paper are unknown. `positive` lists the classes that become +1, the others -1.
    """

    base: str
    train: int
    test: int | None
    take: str = "whole"
    positive: tuple[int, ...] | None = None
    columns: int | None = None
    papers: tuple[str, ...] = ()
    note: str = ""


BASES = {
    "a1a": Base(1605, 30956, 123, ("binary/a1a", "binary/a1a.t")),
    "a9a": Base(32561, 16281, 123, ("binary/a9a", "binary/a9a.t")),
    "ann_thyroid": Base(3772, 3428, 21),
    "cod_rna": Base(59535, 271617, 8, ("binary/cod-rna", "binary/cod-rna.t")),
    "covtype": Base(581012, None, 54, ("multiclass/covtype.bz2", None)),
    "dailysports": Base(9120, None, 5625),
    "digits": Base(1797, None, 64, note="comes with scikit-learn, so it is always there"),
    "diabetes_pima": Base(768, None, 8, ("binary/diabetes", None)),
    "fourclass": Base(862, None, 2, ("binary/fourclass", None)),
    "german_numer": Base(1000, None, 24, ("binary/german.numer", None)),
    "gisette": Base(6000, 1000, 5000, ("binary/gisette_scale.bz2", "binary/gisette_scale.t.bz2")),
    "heart": Base(270, None, 13, ("binary/heart", None)),
    "higgs_12k": Base(10000, 2000, 28, note="the first rows of HIGGS, which has 11 million"),
    "ijcnn1": Base(49990, 91701, 22, ("binary/ijcnn1.bz2", "binary/ijcnn1.t.bz2")),
    "ionosphere": Base(351, None, 34, openml=59),
    "isolet": Base(6238, 1559, 617),
    "kddcup10pct": Base(494020, None, 41, note="symbolic columns are numbered"),
    "letter": Base(16000, 4000, 16, openml=6),
    "letter_libsvm": Base(15000, 5000, 16, ("multiclass/letter.scale", "multiclass/letter.scale.t")),
    "m_basic": Base(12000, 50000, 784),
    "m_image": Base(12000, 50000, 784),
    **{f"m_noise{i}": Base(10000, 4000, 784) for i in range(1, 7)},
    "m_rand": Base(12000, 50000, 784),
    "m_rotate": Base(12000, 50000, 784),
    "m_rotimg": Base(12000, 50000, 784),
    "madelon": Base(2000, 600, 500, ("binary/madelon", "binary/madelon.t")),
    "mfeat_fourier": Base(2000, None, 76, openml=14),
    "mfeat_karhunen": Base(2000, None, 64, openml=16),
    "mfeat_pixel": Base(2000, None, 240, openml=20),
    "mnist": Base(60000, 10000, 784, ("multiclass/mnist.bz2", "multiclass/mnist.t.bz2")),
    "movement_libras": Base(360, None, 90),
    "msd": Base(463715, 51630, 90, ("regression/YearPredictionMSD.bz2", "regression/YearPredictionMSD.t.bz2"), numbers=True),
    "mushrooms": Base(8124, None, 112, ("binary/mushrooms", None)),
    "musk2": Base(6598, None, 166),
    "news20": Base(15935, 3993, 62061, ("multiclass/news20.bz2", "multiclass/news20.t.bz2")),
    "news20_bydate": Base(11314, 7532, 130107, note="raw counts, sorted by class"),
    "optdigits": Base(3823, 1797, 64, openml=28),
    "pamap_101": Base(373161, None, 51, note="subject 101 of PAMAP2"),
    **{f"pamap_10{i}": Base(40000, None, 51, note=f"subject 10{i} of PAMAP2, at least so many rows") for i in (2, 3, 4)},
    "pamap_105": Base(371096, None, 51, note="subject 105 of PAMAP2"),
    "pendigits": Base(7494, 3498, 16, ("multiclass/pendigits", "multiclass/pendigits.t")),
    "phoneme_esl": Base(3340, 1169, 256),
    "poker_libsvm": Base(25010, 1000000, 10, ("multiclass/poker.bz2", "multiclass/poker.t.bz2")),
    "poker_train": Base(25010, None, 10, ("multiclass/poker.bz2", None)),
    "protein": Base(17766, 6621, 357, ("multiclass/protein.bz2", "multiclass/protein.t.bz2")),
    "rcv1": Base(20242, 677399, 47236, ("binary/rcv1_train.binary.bz2", "binary/rcv1_test.binary.bz2")),
    "real_sim": Base(72309, None, 20958, ("binary/real-sim.bz2", None)),
    "reg_2dplanes": Base(40768, None, 10, openml=215, numbers=True),
    "reg_abalone": Base(4177, None, 8, ("regression/abalone", None), numbers=True),
    "reg_bike": Base(17379, None, 17, numbers=True),
    "reg_california_housing": Base(20640, None, 8, ("regression/cadata", None), numbers=True),
    "reg_cpusmall": Base(8192, None, 12, ("regression/cpusmall", None), numbers=True),
    "reg_elevators": Base(16599, None, 18, openml=216, numbers=True),
    "reg_fried": Base(40768, None, 10, openml=564, numbers=True),
    "reg_keggundirected": Base(63608, None, 27, numbers=True),
    "reg_kin40k": Base(40000, None, 8, numbers=True),
    "reg_puma8NH": Base(8192, None, 8, openml=225, numbers=True),
    "satimage": Base(4435, 2000, 36, note="OpenML lacks five of its rows, and the LIBSVM site has it scaled"),
    "sector": Base(6412, 3207, 55197, ("multiclass/sector/sector.scale.bz2", "multiclass/sector/sector.t.scale.bz2")),
    "segment": Base(2310, None, 19, openml=36),
    "semg_1": Base(1800, None, 3000),
    "semg_2": Base(3600, None, 2500),
    "sensit": Base(78823, 19705, 100, ("multiclass/vehicle/combined_scale.bz2", "multiclass/vehicle/combined_scale.t.bz2")),
    "sensorless": Base(58509, None, 48, ("multiclass/Sensorless", None)),
    "shuttle": Base(43500, 14500, 9),
    "sonar": Base(208, None, 60, openml=40),
    "spambase": Base(4601, None, 57, openml=44),
    "splice": Base(1000, 2175, 60, ("binary/splice", "binary/splice.t")),
    "svmguide1": Base(3089, 4000, 4, ("binary/svmguide1", "binary/svmguide1.t")),
    "timit": Base(63881, 22257, 39, note="the corpus is licensed by the Linguistic Data Consortium"),
    "timit_full": Base(1100000, None, 39, note="the corpus is licensed by the Linguistic Data Consortium"),
    "pascal_voc2011": Base(75000, None, 3000, note="features of image segments; the paper does not publish them"),
    "ilsvrc2011": Base(1000000, 50000, 1000, note="features of images; the paper does not publish them"),
    "usps": Base(7291, 2007, 256, ("multiclass/usps.bz2", "multiclass/usps.t.bz2")),
    "vehicle": Base(846, None, 18, openml=54),
    "vowel": Base(528, 462, 10, ("multiclass/vowel", "multiclass/vowel.t")),
    "w8a": Base(49749, 14951, 300, ("binary/w8a", "binary/w8a.t")),
    "webspam": Base(350000, None, 254, ("binary/webspam_wc_normalized_unigram.svm.bz2", None)),
    "youtubevision": Base(11736, 10000, 512),
}  # fmt: skip

_LI, _G, _N, _T, _W, _F = (
    ("comparison",), ("general",), ("nonnegative",), ("taylor",), ("which",), ("fourier",),
)  # fmt: skip
_BOTH = ("comparison", "nonnegative")
_GUESS = "the paper does not say which classes are positive: even against odd is assumed"
_EVEN = tuple(range(0, 100, 2))

CUTS = {
    "adult": Cut("a9a", 32561, 16281, papers=_T, note="the paper prints 32,562 and 16,282 rows"),
    "cov1": Cut("covtype", 522911, 58101, "pool", (1,), papers=_T),
    "covertype10k": Cut("covtype", 10000, 50000, "pool", papers=_BOTH),
    "covertype20k": Cut("covtype", 20000, 50000, "pool", papers=_BOTH),
    "covtype_binary": Cut("covtype", 581012, None, "whole", (2,), papers=_W, note="`covtype` in the paper: class 2 against the rest"),
    "dailysports_half": Cut("dailysports", 4560, 4560, "pool", papers=_G, note="`dailysports` in the paper"),
    "fourclass_half": Cut("fourclass", 431, 431, "pool", papers=_G, note="`fourclass` in the paper"),
    "ijcnn": Cut("ijcnn1", 49990, 91701, papers=_G),
    "ijcnn5k": Cut("ijcnn1", 5000, 91701, "draw", papers=("comparison", "general")),
    "ijcnn10k": Cut("ijcnn1", 10000, 91701, "draw", papers=_LI),
    "letter4k": Cut("letter", 4000, 16000, "swap", papers=_LI, note="the test part trains, as in mnist10k"),
    "madelon_s": Cut("madelon", 2000, 600, papers=_W, columns=None, note="`madelon(s)` leaves out useless columns, which "
                     "the paper does not list: all columns are here"),
    "mnist_8": Cut("mnist", 60000, 10000, "whole", (8,), papers=_T, note="`mnist` in the paper: digit 8 against the rest"),
    "mnist10k": Cut("mnist", 10000, 60000, "swap", papers=_BOTH, note="the test part trains: sizes leave no other way"),
    "mnistove": Cut("mnist", 60000, 10000, "whole", (1, 3, 5, 7, 9), papers=_W, note="odd digits against even ones"),
    "msd20k": Cut("msd", 20000, 20000, "draw", papers=_G, note="years are the target; how the paper makes classes of them is not said"),
    "musk": Cut("musk2", 3299, 3299, "pool", papers=_G),
    "news20_binary": Cut("news20", 15935, 3993, "whole", _EVEN, papers=_W, note="`news20` in the paper; " + _GUESS),
    **{f"pamap10{i}": Cut(f"pamap_10{i}", 20000, 20000, "pool", papers=_G) for i in range(1, 6)},
    "pamap101large": Cut("pamap_101", 186581, 186580, "pool", papers=_G),
    "pamap105large": Cut("pamap_105", 185548, 185548, "pool", papers=_G),
    "phoneme": Cut("phoneme_esl", 3340, 1169, papers=_BOTH),
    "poker": Cut("poker_libsvm", 25010, 1000000, "whole", (0,), papers=_W, note="a hand of nothing against the rest, which "
                 "gives the share of 50 % that the paper reports"),
    "poker_train_binary": Cut("poker_train", 25010, None, "whole", (0,), papers=_W, note="`poker` in the paper without its "
                              "test part; a hand of nothing against the rest, which gives the share of 50 % it reports"),
    "rcv1_60k": Cut("rcv1", 20242, 60000, "draw", papers=_BOTH, note="`rcv1` in these papers"),
    "satimage_half": Cut("satimage", 2218, 2217, "train", papers=_G, note="`satimage` in the paper"),
    "segment_half": Cut("segment", 1155, 1155, "pool", papers=("comparison", "general"), note="`segment` in the papers"),
    "semg1": Cut("semg_1", 900, 900, "pool", papers=_G),
    "semg2": Cut("semg_2", 1800, 1800, "pool", papers=_G),
    "sensit20k": Cut("sensit", 20000, 19705, "draw", papers=("comparison", "general")),
    "sensorless_half": Cut("sensorless", 29255, 29254, "pool", papers=_G, note="`sensorless` in the paper"),
    "shuttle1k": Cut("shuttle", 1000, 14500, "draw", papers=_LI),
    "shuttle500": Cut("shuttle", 500, 43000, "train", papers=_G),
    "spam": Cut("spambase", 3065, 1536, "pool", columns=54, papers=_BOTH, note="the 54 columns of frequencies"),
    "webspamn1": Cut("webspam", 175000, 175000, "pool", papers=_BOTH),
    "webspamn1_20k": Cut("webspam", 20000, 60000, "pool", papers=_BOTH),
}  # fmt: skip

# Sets that papers use as their source has them.
USED = {
    **dict.fromkeys(("isolet", "letter", "m_basic", "m_image", "m_rand", "m_rotate", "m_rotimg", "optdigits", "pendigits", "protein",
                     "satimage", "splice", "youtubevision", *(f"m_noise{i}" for i in range(1, 7))), _BOTH),
    "usps": ("comparison", "general"), "vowel": ("comparison", "general"), "letter_libsvm": _G, "sensit": _G,
    "a9a": _W, "cod_rna": _W, "fourclass": _W, "german_numer": _W, "gisette": _W, "ijcnn1": _W, "madelon": _W,
    "rcv1": _W, "real_sim": _W, "svmguide1": ("general", "which"), "webspam": _W,
    "timit": _T, "timit_full": _T, "pascal_voc2011": _F, "ilsvrc2011": _F,
}  # fmt: skip
