"""The place of what is wrong with delimited text."""

import io

import pytest

from unkernel.data.base import ReadError
from unkernel.data.fault import Quotes, find_fault, refuse_open_quote
from unkernel.data.source import Source


class Pipe(io.BytesIO):
    def seekable(self):
        return False


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        (b"a,b\n1,2\n3\n", "CSV parse error: Expected 2 columns, got 1: 3", 3),
        (b"a,b\n1,2\n\xff,1\n", "invalid UTF8 data", 3),
        (b"", "Empty CSV file", None),
    ],
)
def test_the_line_is_found_where_the_file_can_be_read_again(text, said, line):
    assert find_fault(Source(io.BytesIO(text)), ["a", "b"], ",", said).line == line
    assert find_fault(Source(Pipe(text)), ["a", "b"], ",", said).line is None


def test_only_a_quote_that_stays_open_is_refused():
    with pytest.raises(ReadError, match="line 2"):
        refuse_open_quote(Source(io.BytesIO(b'a,b\n1,"2\n3,4\n')), ",")
    refuse_open_quote(Source(io.BytesIO(b'a,b\n1,5" pipe\n')), ",")


def test_quotes_are_counted_as_they_pass():
    counted = Quotes(io.BytesIO(b'"a" "'))
    assert counted.read() == b'"a" "'
    assert counted.n == 3
