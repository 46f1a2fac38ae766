"""`unkernel predict`: rows in, one line of CSV a row out, in blocks."""

import csv
import sys
from collections.abc import Iterator
from contextlib import nullcontext

import click

from .meter import Meter
from .option import FORMATS, opened_blocks, option

ROWS = 16_384  # a block: what is in memory at once


@click.command("predict")
@click.argument("model", type=click.Path(exists=True, dir_okay=False))
@click.argument("file")
@option("-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), default="-", help="CSV to write; - prints.")
@option("--scores", is_flag=True, help="Add decision values, a column a class.")
@option("--probabilities", is_flag=True, help="Add probabilities, a column a class.")
@option("--format", type=click.Choice(FORMATS), help="Of FILE. Default: found out.")
@option("--quiet", "-q", is_flag=True, help="Say nothing while working.")
def command(model, file, output, scores, probabilities, format, quiet):
    """Write what MODEL, a file of `unkernel fit`, says of the rows of FILE: the label first, then what was asked."""
    from .._beside import beside
    from ..persistence import load_model

    fitted = load_model(model)
    asked = [name for name, on in (("decision_function", scores), ("predict_proba", probabilities)) if on]
    for name in asked:
        if not hasattr(fitted, name):
            raise click.UsageError(f"{model} holds a {type(fitted).__name__}, which has no {name}")
    out = nullcontext(sys.stdout) if output == "-" else beside(output)
    with Meter("predict", quiet or output == "-") as meter, out as target:
        writer = csv.writer(target, lineterminator="\n")
        done = 0
        for block in opened_blocks(file, ROWS, like=getattr(fitted, "layout_", None), format=format):
            lines = _lines(fitted, block.X, asked)
            if not done:  # only now: a first block that is refused leaves nothing behind
                writer.writerow(_head(fitted, asked))
            writer.writerows(lines)
            done += block.X.shape[0]
            meter.count(done, None)
    if output != "-" and not quiet:
        click.echo(f"{done:,} rows: {output}", err=True)


def _head(fitted, asked: list[str]) -> list[str]:
    classes = [str(c) for c in _plain(getattr(fitted, "classes_", []))]
    words = {"decision_function": "score", "predict_proba": "probability"}
    head = ["label" if classes else "value"]
    for name in asked:
        one = name == "decision_function" and len(classes) == 2
        head += [f"{words[name]}_{c}" for c in (classes[1:] if one else classes)]
    return head


def _lines(fitted, X, asked: list[str]) -> Iterator[list]:
    columns = [_plain(fitted.predict(X), hasattr(fitted, "classes_"))]
    for name in asked:
        values = getattr(fitted, name)(X)
        columns += values.reshape(len(columns[0]), -1).T.tolist()
    return zip(*columns, strict=True)


def _plain(labels, are_classes: bool = True) -> list:
    """Labels as a file spells them: whole numbers without a point."""
    labels = getattr(labels, "tolist", lambda: labels)()
    whole = are_classes and all(isinstance(label, float) and label.is_integer() for label in labels)
    return [int(label) for label in labels] if whole else labels
