"""Tables become rows of numbers: the options, another file like the first, and tables as people have them."""

import io

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from unkernel import InputError, iter_blocks, read
from unkernel.data.base import ReadError

TEXT = b"size,city,ok,price\n1,rome,true,10\n2,paris,false,20\n3,rome,true,30\n"


def parse(text, **options):
    return read(io.BytesIO(text), format="csv", **options)


@pytest.mark.parametrize(
    ("target", "y", "names"),
    [
        ("auto", [10, 20, 30], ["size", "city=paris", "city=rome", "ok"]),
        ("last", [10, 20, 30], ["size", "city=paris", "city=rome", "ok"]),
        ("first", [1, 2, 3], ["city=paris", "city=rome", "ok", "price"]),
        ("city", ["rome", "paris", "rome"], ["size", "ok", "price"]),
        (1, ["rome", "paris", "rome"], ["size", "ok", "price"]),
        (-2, ["true", "false", "true"], ["size", "city=paris", "city=rome", "price"]),
        (None, None, ["size", "city=paris", "city=rome", "ok", "price"]),
    ],
)
def test_the_target_is_told_by_name_number_or_place(target, y, names):
    data = parse(TEXT, target=target)
    assert data.feature_names.tolist() == names
    assert (None if data.y is None else data.y.tolist()) == y


def test_columns_are_dropped_or_made_categories():
    assert parse(TEXT, drop=["city", 2]).feature_names.tolist() == ["size"]
    assert parse(TEXT, drop="city", categorical="size").feature_names.tolist() == ["size=1", "size=2", "size=3", "ok"]
    for option in ("drop", "categorical"):
        with pytest.raises(
            ReadError, match=f"{option} names 'town', which is no column; the columns are 'size', 'city'"
        ):
            parse(TEXT, **{option: "town"})
    with pytest.raises(ReadError, match="no column is left"):
        parse(TEXT, drop=[0, 1, 2])
    with pytest.raises(ReadError, match="no column 'town' for the target"):
        parse(TEXT, target="town")


@pytest.mark.parametrize("sparse", [True, False])
def test_sparse_and_dense_hold_the_same(sparse):
    data = parse(TEXT, sparse=sparse)
    assert data.layout.sparse is sparse
    assert_array_equal(data.X.toarray() if sparse else data.X, [[1, 0, 1, 1], [2, 1, 0, 0], [3, 0, 1, 1]])


def test_many_categories_come_as_csr():
    rows = [f"{i % 7},word{i % 150},{i % 2}" for i in range(300)]
    data = parse("\n".join(["a,b,y", *rows]).encode())
    assert data.layout.sparse
    assert data.X.shape == (300, 151)
    blocks = iter_blocks(io.BytesIO("\n".join(["a,b,y", *rows]).encode()), rows=70, format="csv")
    assert_array_equal(np.vstack([b.X.toarray() for b in blocks]), data.X.toarray())


def test_another_file_is_read_alike():
    train = parse(TEXT)
    test = parse(b"ok,extra,size,city\nfalse,9,4,paris\n", like=train)
    assert_array_equal(test.X, [[4, 1, 0, 0]])
    assert test.y is None
    assert test.feature_names.tolist() == train.feature_names.tolist()
    assert parse(TEXT, like=train).y.tolist() == train.y.tolist()
    with pytest.raises(ReadError, match="no column 'ok', which the data set it should be like has"):
        parse(b"size,city\n4,paris\n", like=train)
    with pytest.raises(ReadError, match="data row 2, column 'size': 'big' stands where numbers do"):
        parse(b"ok,size,city\nfalse,4,paris\ntrue,big,rome\n", like=train)
    with pytest.raises(ReadError, match="data row 1, column 'city': a value is missing"):
        parse(b"ok,size,city\nfalse,4,\n", like=train)


def test_a_new_category_is_warned_of_and_sets_nothing():
    with pytest.warns(UserWarning, match="data row 2, column 'city': 'oslo' is a category never seen before; 1 such"):
        test = parse(b"size,city,ok\n4,rome,true\n5,oslo,true\n", like=parse(TEXT))
    assert_array_equal(test.X, [[4, 0, 1, 1], [5, 0, 0, 1]])


@pytest.mark.parametrize(("target", "bare"), [("last", b"1,x\n"), ("first", b"x,7\n")])
def test_files_without_names_go_by_position(target, bare):
    train = parse(b"1,x,7\n2,y,8\n", target=target)
    assert train.feature_names is None
    assert_array_equal(parse(b"1,x,7\n", target=target, like=train).X, train.X[:1])
    unlabelled = parse(bare, like=train)
    assert unlabelled.y is None
    assert_array_equal(unlabelled.X, train.X[:1])


def test_missing_values_name_every_column_and_the_remedy():
    with pytest.raises(ReadError) as caught:
        parse(b"a,b,c,y\n1,,x,0\n?,2,,1\n5,4,z,1\n")
    assert str(caught.value).startswith("stream, data row 2, column 'a': a value is missing")
    for said in ("'a' lacks 1 of 3", "'b' lacks 1 of 3", "'c' lacks 1 of 3", "SimpleImputer", "drop=['a', 'b', 'c']"):
        assert said in str(caught.value)
    with pytest.raises(ReadError, match="data row 2, column 'y': the target is missing here"):
        parse(b"a,y\n1,0\n2,\n")


@pytest.mark.filterwarnings("ignore:.*numbers the rows")
def test_tables_as_people_have_them():
    rng = np.random.default_rng(0)
    n = 400
    columns = {
        "id": [f"customer-{i}" for i in range(n)],
        "row": [str(i) for i in range(n)],
        "note": [f"free text {rng.integers(1 << 40)}" for _ in range(n)],
        "constant": ["7"] * n,
        "city": rng.choice(["rome", "paris"], n).tolist(),
        "value": [f"{v:.4f}" for v in rng.normal(size=n)],
        "y": ["rare"] + ["common", "usual"] * (n // 2 - 1) + ["usual"],
    }
    text = "\n".join([",".join(columns), *map(",".join, zip(*columns.values(), strict=True))]).encode()
    with pytest.raises(ReadError, match=r"column 'id': holds text with more than 256.*drop=\['id'\]"):
        parse(text)
    data = parse(text, drop=["id", "note"])
    assert data.feature_names.tolist() == ["row", "constant", "city=paris", "city=rome", "value"]
    assert (data.y == "rare").sum() == 1


def test_decimal_commas_are_pointed_out():
    rows = "\n".join(f"{i},5;{i % 2}" for i in range(300))
    with pytest.raises(ReadError, match=r"such as '0,5' .numbers are written with a point, not a comma."):
        parse(f"a;y\n{rows}".encode())


def test_a_stream_gives_blocks_only_when_told_its_layout():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    with pytest.raises(InputError, match="give like="):
        next(iter_blocks(Pipe(TEXT), rows=2, format="csv"))
    train = parse(TEXT)
    blocks = list(iter_blocks(Pipe(TEXT), rows=2, format="csv", like=train))
    assert_array_equal(np.vstack([b.X for b in blocks]), train.X)


def test_a_table_cannot_be_narrower_than_what_it_should_be_like():
    file = io.BytesIO()
    np.savez(file, X=np.eye(3))
    file.seek(0)
    with pytest.raises(ReadError, match="1 columns, where the data set it should be like has 3"):
        parse(b"a,y\n1,2\n", like=read(file))
